//! Messages between two ranks.

use crate::abi::Handle;
use crate::clock::Time;
use crate::language::{HandleKind, Language};
use crate::recorder::Recorder;
use crate::wrap::wrap;
use loggia_trace::call::{Call, Envelope, List, Mode};
use std::ffi::{c_int, c_void};

impl Recorder {
    #[inline]
    fn message(&mut self, time: Time, name: &'static str, call: Option<Call>) {
        match call {
            Some(call) => self.write(time, call),
            // The communicator cannot be replayed.
            None => self.other(time, name),
        }
    }

    /// # Safety
    /// The call has set the request.
    #[inline]
    unsafe fn request<L: Language>(&mut self, at: *mut c_void, wild: bool, stays: bool) -> u32 {
        // SAFETY: the caller guarantees it.
        let handle = unsafe { L::handle_at(self.abi, HandleKind::Request, at, 0) };
        self.requests.add(handle, wild, stays)
    }
}

macro_rules! sends {
    ($($mode:ident $c:literal $f:literal $ic:literal $if:literal $pc:literal $pf:literal)*) => { $(
        wrap! {
            $c $f large (buffer: Ptr, count: Count, of: Handle, to: Int, tag: Int, comm: Handle)
            |r, time| {
                let envelope = r.envelope::<L>(r.bytes::<L>(count, of), to, tag, comm);
                r.message(time, NAME, envelope.map(|envelope| Call::Send(Mode::$mode, envelope)));
            }
        }
        wrap! {
            $ic $if large
            (buffer: Ptr, count: Count, of: Handle, to: Int, tag: Int, comm: Handle, request: Ptr)
            |r, time| {
                let envelope = r.envelope::<L>(r.bytes::<L>(count, of), to, tag, comm);
                let request = r.request::<L>(request, false, false);
                let call = envelope.map(|envelope| Call::Isend(Mode::$mode, envelope, request));
                r.message(time, NAME, call);
            }
        }
        wrap! {
            $pc $pf large
            (buffer: Ptr, count: Count, of: Handle, to: Int, tag: Int, comm: Handle, request: Ptr)
            |r, time| {
                let envelope = r.envelope::<L>(r.bytes::<L>(count, of), to, tag, comm);
                let request = r.request::<L>(request, false, true);
                let call = envelope.map(|envelope| Call::SendInit(Mode::$mode, envelope, request));
                r.message(time, NAME, call);
            }
        }
    )* };
}

sends! {
    Standard "Send" "send" "Isend" "isend" "Send_init" "send_init"
    Buffered "Bsend" "bsend" "Ibsend" "ibsend" "Bsend_init" "bsend_init"
    Synchronous "Ssend" "ssend" "Issend" "issend" "Ssend_init" "ssend_init"
    Ready "Rsend" "rsend" "Irsend" "irsend" "Rsend_init" "rsend_init"
}

wrap! {
    "Recv" "recv" large
    (buffer: Ptr, count: Count, of: Handle, from: Int, tag: Int, comm: Handle, status: Ptr)
    reads status
    |r, time| {
        let asked = r.envelope::<L>(r.bytes::<L>(count, of), from, tag, comm);
        let call = asked.map(|asked| {
            let (got, any_source, any_tag) = r.got(asked, status);
            Call::Recv { got, any_source, any_tag }
        });
        r.message(time, NAME, call);
    }
}

wrap! {
    "Irecv" "irecv" large
    (buffer: Ptr, count: Count, of: Handle, from: Int, tag: Int, comm: Handle, request: Ptr)
    |r, time| {
        let asked = r.envelope::<L>(r.bytes::<L>(count, of), from, tag, comm);
        let wild = asked.is_some_and(|asked| asked.is_wild());
        let request = r.request::<L>(request, wild, false);
        r.message(time, NAME, asked.map(|asked| Call::Irecv(asked, request)));
    }
}

wrap! {
    "Recv_init" "recv_init" large
    (buffer: Ptr, count: Count, of: Handle, from: Int, tag: Int, comm: Handle, request: Ptr)
    |r, time| {
        let asked = r.envelope::<L>(r.bytes::<L>(count, of), from, tag, comm);
        let wild = asked.is_some_and(|asked| asked.is_wild());
        let request = r.request::<L>(request, wild, true);
        r.message(time, NAME, asked.map(|asked| Call::RecvInit(asked, request)));
    }
}

wrap! {
    "Sendrecv" "sendrecv" large
    (
        send_buffer: Ptr, send_count: Count, send_type: Handle, to: Int, send_tag: Int,
        recv_buffer: Ptr, recv_count: Count, recv_type: Handle, from: Int, recv_tag: Int,
        comm: Handle, status: Ptr
    )
    reads status
    |r, time| {
        let (sent, room) =
            (r.bytes::<L>(send_count, send_type), r.bytes::<L>(recv_count, recv_type));
        let send = r.envelope::<L>(sent, to, send_tag, comm);
        let asked = r.envelope::<L>(room, from, recv_tag, comm);
        r.exchanged(time, NAME, send, asked, status);
    }
}

wrap! {
    "Sendrecv_replace" "sendrecv_replace" large
    (
        buffer: Ptr, count: Count, of: Handle, to: Int, send_tag: Int, from: Int, recv_tag: Int,
        comm: Handle, status: Ptr
    )
    reads status
    |r, time| {
        let bytes = r.bytes::<L>(count, of);
        let send = r.envelope::<L>(bytes, to, send_tag, comm);
        let asked = r.envelope::<L>(bytes, from, recv_tag, comm);
        r.exchanged(time, NAME, send, asked, status);
    }
}

impl Recorder {
    /// # Safety
    /// The call has set the status.
    unsafe fn exchanged(
        &mut self,
        time: Time,
        name: &'static str,
        send: Option<Envelope>,
        asked: Option<Envelope>,
        status: *mut c_void,
    ) {
        let call = send.zip(asked).map(|(send, asked)| {
            // SAFETY: the caller guarantees it.
            let (got, any_source, any_tag) = unsafe { self.got(asked, status) };
            Call::Sendrecv { send, got, any_source, any_tag }
        });
        self.message(time, name, call);
    }

    /// # Safety
    /// The call has set the status.
    unsafe fn probed(
        &mut self,
        time: Time,
        name: &'static str,
        asked: Option<Envelope>,
        status: *mut c_void,
        waits: bool,
    ) {
        let call = asked.map(|asked| {
            // SAFETY: the caller guarantees it.
            let (met, any_source, any_tag) = unsafe { self.got(asked, status) };
            Call::Probe { met, any_source, any_tag, waits }
        });
        self.message(time, name, call);
    }

    /// A message has been taken out of the line: who takes it will say its handle only.
    ///
    /// # Safety
    /// The call has set the handle and the status.
    unsafe fn taken<L: Language>(
        &mut self,
        asked: Option<Envelope>,
        message: *mut c_void,
        status: *mut c_void,
    ) {
        if let Some(asked) = asked {
            // SAFETY: the caller guarantees it.
            unsafe {
                let (met, ..) = self.got(asked, status);
                let handle = L::handle_at(self.abi, HandleKind::Message, message, 0);
                self.messages.insert(handle, met);
            }
        }
    }
}

wrap! {
    "Probe" "probe" (from: Int, tag: Int, comm: Handle, status: Ptr)
    reads status
    |r, time| {
        let asked = r.envelope::<L>(0, from, tag, comm);
        r.probed(time, NAME, asked, status, true);
    }
}

wrap! {
    "Iprobe" "iprobe" (from: Int, tag: Int, comm: Handle, flag: Ptr, status: Ptr)
    reads status
    |r, time| {
        if *flag.cast::<c_int>() == 0 {
            r.poll(time);
        } else {
            let asked = r.envelope::<L>(0, from, tag, comm);
            r.probed(time, NAME, asked, status, false);
        }
    }
}

wrap! {
    "Mprobe" "mprobe" (from: Int, tag: Int, comm: Handle, message: Ptr, status: Ptr)
    reads status
    |r, time| {
        let asked = r.envelope::<L>(0, from, tag, comm);
        r.taken::<L>(asked, message, status);
        r.probed(time, NAME, asked, status, true);
    }
}

wrap! {
    "Improbe" "improbe" (from: Int, tag: Int, comm: Handle, flag: Ptr, message: Ptr, status: Ptr)
    reads status
    |r, time| {
        if *flag.cast::<c_int>() == 0 {
            r.poll(time);
        } else {
            let asked = r.envelope::<L>(0, from, tag, comm);
            r.taken::<L>(asked, message, status);
            r.probed(time, NAME, asked, status, false);
        }
    }
}

wrap! {
    "Mrecv" "mrecv" large (buffer: Ptr, count: Count, of: Handle, message: Ptr, status: Ptr)
    before {
        let taken = crate::recorder::with(|r| unsafe { r.take_message::<L>(message) });
    }
    |r, time| {
        let call = taken.map(|got| Call::Recv { got, any_source: false, any_tag: false });
        r.message(time, NAME, call);
    }
}

wrap! {
    "Imrecv" "imrecv" large (buffer: Ptr, count: Count, of: Handle, message: Ptr, request: Ptr)
    before {
        let taken = crate::recorder::with(|r| unsafe { r.take_message::<L>(message) });
    }
    |r, time| {
        let request = r.request::<L>(request, false, false);
        r.message(time, NAME, taken.map(|got| Call::Irecv(got, request)));
    }
}

impl Recorder {
    /// # Safety
    /// There is a message's handle at that address.
    unsafe fn take_message<L: Language>(&mut self, at: *mut c_void) -> Option<Envelope> {
        // SAFETY: the caller guarantees it.
        let handle = unsafe { L::handle_at(self.abi, HandleKind::Message, at, 0) };
        self.messages.remove(&handle)
    }
}

wrap! {
    "Start" "start" (request: Ptr)
    |r, time| {
        let handle = L::handle_at(r.abi, HandleKind::Request, request, 0);
        r.started(time, NAME, [handle]);
    }
}

wrap! {
    "Startall" "startall" (count: Int, requests: Ptr)
    |r, time| {
        let handles: Vec<Handle> = (0..L::how_many(count)).map(|index| {
            unsafe { L::handle_at(r.abi, HandleKind::Request, requests, index) }
        }).collect();
        r.started(time, NAME, handles);
    }
}

impl Recorder {
    fn started(
        &mut self,
        time: Time,
        name: &'static str,
        handles: impl IntoIterator<Item = Handle>,
    ) {
        let requests = handles.into_iter().map(|handle| self.requests.start(handle));
        let Some(requests) = requests.collect::<Option<Vec<u32>>>() else {
            // Whatever prepared the request cannot be replayed.
            return self.other(time, name);
        };
        let mut list = std::mem::take(&mut self.lists[0]);
        let started = List::new(&mut list, requests.into_iter().map(u64::from));
        self.write(time, Call::Start(started));
        self.lists[0] = list;
    }
}
