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
    unsafe fn request<L: Language>(
        &mut self,
        at: *mut c_void,
        is_wildcard: bool,
        persistent: bool,
    ) -> u32 {
        // SAFETY: guaranteed by the caller.
        let handle = unsafe { L::handle_at(self.abi, HandleKind::Request, at, 0) };
        self.requests.add(handle, is_wildcard, persistent)
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
        let receive = r.envelope::<L>(r.bytes::<L>(count, of), from, tag, comm);
        let call = receive.map(|receive| {
            let (got, any_source, any_tag) = r.got(receive, status);
            Call::Recv { got, any_source, any_tag }
        });
        r.message(time, NAME, call);
    }
}

wrap! {
    "Irecv" "irecv" large
    (buffer: Ptr, count: Count, of: Handle, from: Int, tag: Int, comm: Handle, request: Ptr)
    |r, time| {
        let receive = r.envelope::<L>(r.bytes::<L>(count, of), from, tag, comm);
        let is_wildcard = receive.is_some_and(|receive| receive.is_wild());
        let request = r.request::<L>(request, is_wildcard, false);
        r.message(time, NAME, receive.map(|receive| Call::Irecv(receive, request)));
    }
}

wrap! {
    "Recv_init" "recv_init" large
    (buffer: Ptr, count: Count, of: Handle, from: Int, tag: Int, comm: Handle, request: Ptr)
    |r, time| {
        let receive = r.envelope::<L>(r.bytes::<L>(count, of), from, tag, comm);
        let is_wildcard = receive.is_some_and(|receive| receive.is_wild());
        let request = r.request::<L>(request, is_wildcard, true);
        r.message(time, NAME, receive.map(|receive| Call::RecvInit(receive, request)));
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
        let (sent, received) =
            (r.bytes::<L>(send_count, send_type), r.bytes::<L>(recv_count, recv_type));
        let send = r.envelope::<L>(sent, to, send_tag, comm);
        let receive = r.envelope::<L>(received, from, recv_tag, comm);
        r.exchanged(time, NAME, send, receive, status);
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
        let receive = r.envelope::<L>(bytes, from, recv_tag, comm);
        r.exchanged(time, NAME, send, receive, status);
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
        receive: Option<Envelope>,
        status: *mut c_void,
    ) {
        let call = send.zip(receive).map(|(send, receive)| {
            // SAFETY: guaranteed by the caller.
            let (got, any_source, any_tag) = unsafe { self.got(receive, status) };
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
        receive: Option<Envelope>,
        status: *mut c_void,
        waits: bool,
    ) {
        let call = receive.map(|receive| {
            // SAFETY: guaranteed by the caller.
            let (met, any_source, any_tag) = unsafe { self.got(receive, status) };
            Call::Probe { met, any_source, any_tag, waits }
        });
        self.message(time, name, call);
    }

    /// Keeps the envelope of a probed message; the later receive call has only its handle.
    ///
    /// # Safety
    /// The call has set the handle and the status.
    unsafe fn keep_message<L: Language>(
        &mut self,
        receive: Option<Envelope>,
        message: *mut c_void,
        status: *mut c_void,
    ) {
        if let Some(receive) = receive {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let (met, ..) = self.got(receive, status);
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
        let receive = r.envelope::<L>(0, from, tag, comm);
        r.probed(time, NAME, receive, status, true);
    }
}

wrap! {
    "Iprobe" "iprobe" (from: Int, tag: Int, comm: Handle, flag: Ptr, status: Ptr)
    reads status
    |r, time| {
        if *flag.cast::<c_int>() == 0 {
            r.poll(time);
        } else {
            let receive = r.envelope::<L>(0, from, tag, comm);
            r.probed(time, NAME, receive, status, false);
        }
    }
}

wrap! {
    "Mprobe" "mprobe" (from: Int, tag: Int, comm: Handle, message: Ptr, status: Ptr)
    reads status
    |r, time| {
        let receive = r.envelope::<L>(0, from, tag, comm);
        r.keep_message::<L>(receive, message, status);
        r.probed(time, NAME, receive, status, true);
    }
}

wrap! {
    "Improbe" "improbe" (from: Int, tag: Int, comm: Handle, flag: Ptr, message: Ptr, status: Ptr)
    reads status
    |r, time| {
        if *flag.cast::<c_int>() == 0 {
            r.poll(time);
        } else {
            let receive = r.envelope::<L>(0, from, tag, comm);
            r.keep_message::<L>(receive, message, status);
            r.probed(time, NAME, receive, status, false);
        }
    }
}

wrap! {
    "Mrecv" "mrecv" large (buffer: Ptr, count: Count, of: Handle, message: Ptr, status: Ptr)
    before {
        let envelope = crate::recorder::with(|r| unsafe { r.take_message::<L>(message) });
    }
    |r, time| {
        let call = envelope.map(|got| Call::Recv { got, any_source: false, any_tag: false });
        r.message(time, NAME, call);
    }
}

wrap! {
    "Imrecv" "imrecv" large (buffer: Ptr, count: Count, of: Handle, message: Ptr, request: Ptr)
    before {
        let envelope = crate::recorder::with(|r| unsafe { r.take_message::<L>(message) });
    }
    |r, time| {
        let request = r.request::<L>(request, false, false);
        r.message(time, NAME, envelope.map(|got| Call::Irecv(got, request)));
    }
}

impl Recorder {
    /// # Safety
    /// `at` points to a message handle.
    unsafe fn take_message<L: Language>(&mut self, at: *mut c_void) -> Option<Envelope> {
        // SAFETY: guaranteed by the caller.
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
        let handles: Vec<Handle> = (0..L::length(count)).map(|index| {
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
            // The call that prepared the request cannot be replayed.
            return self.other(time, name);
        };
        let mut list = std::mem::take(&mut self.lists[0]);
        let started = List::new(&mut list, requests.into_iter().map(u64::from));
        self.write(time, Call::Start(started));
        self.lists[0] = list;
    }
}
