//! Transfers into and out of other ranks' memory, as far as they are ended by fences.

use crate::language::{Language, Of};
use crate::recorder::{self, Recorder};
use crate::wrap::{Time, wrap};
use loggia_trace::call::{Call, OneSided};
use std::ffi::c_void;

impl Recorder {
    /// # Safety
    /// The arguments are a call's.
    unsafe fn opened<L: Language>(
        &mut self,
        time: Time,
        name: &'static str,
        bytes: u64,
        comm: L::Handle,
        window: *mut c_void,
    ) {
        // SAFETY: as the caller says.
        let (comm, window) = unsafe {
            let comm = self.comm(L::handle(self.abi, Of::Comm, comm));
            (comm, L::handle_at(self.abi, Of::Win, window, 0))
        };
        match comm {
            Some(comm) => self.window_made(time, window, comm, bytes),
            None => self.other(time, name),
        }
    }

    /// # Safety
    /// The arguments are a call's.
    unsafe fn transferred<L: Language>(
        &mut self,
        time: Time,
        (how, name): (OneSided, &'static str),
        (count, of): (L::Int, L::Handle),
        to: L::Int,
        window: L::Handle,
    ) {
        // SAFETY: as the caller says.
        let (bytes, to, window) = unsafe {
            (self.bytes::<L>(count, of), L::int(to), L::handle(self.abi, Of::Win, window))
        };
        let peer = self.peer(to);
        match self.window(window) {
            Some(window) => self.write(time, Call::OneSided { how, window, peer, bytes }),
            None => self.other(time, name),
        }
    }
}

wrap! {
    "Win_create" "win_create"
    (base: Ptr, size: Aint, unit: Int, info: Handle, comm: Handle, window: Ptr)
    |r, time| {
        let _ = (base, unit, info);
        r.opened::<L>(time, "Win_create", L::long(size).max(0) as u64, comm, window);
    }
}

wrap! {
    "Win_allocate" "win_allocate"
    (size: Aint, unit: Int, info: Handle, comm: Handle, base: Ptr, window: Ptr)
    |r, time| {
        let _ = (base, unit, info);
        r.opened::<L>(time, "Win_allocate", L::long(size).max(0) as u64, comm, window);
    }
}

wrap! {
    "Win_free" "win_free" (window: Ptr)
    before {
        let handle = recorder::with(|r| unsafe { L::handle_at(r.abi, Of::Win, window, 0) });
    }
    |r, time| r.window_freed(time, handle)
}

wrap! {
    "Win_fence" "win_fence" (assertion: Int, window: Handle)
    |r, time| {
        let _ = assertion;
        match r.window(L::handle(r.abi, Of::Win, window)) {
            Some(window) => r.write(time, Call::Fence(window)),
            None => r.other(time, "Win_fence"),
        }
    }
}

/// Put and get have the same arguments.
macro_rules! transfers {
    ($($how:ident $c:literal $f:literal)*) => { $(
        wrap! {
            $c $f
            (
                here: Ptr, count: Int, of: Handle,
                to: Int, place: Aint, there_count: Int, there_type: Handle, window: Handle
            )
            |r, time| {
                let _ = (here, place, there_count, there_type);
                r.transferred::<L>(time, (OneSided::$how, $c), (count, of), to, window);
            }
        }
    )* };
}

transfers! {
    Put "Put" "put"
    Get "Get" "get"
}

wrap! {
    "Accumulate" "accumulate"
    (
        here: Ptr, count: Int, of: Handle,
        to: Int, place: Aint, there_count: Int, there_type: Handle, op: Handle, window: Handle
    )
    |r, time| {
        let _ = (here, place, there_count, there_type, op);
        let how = (OneSided::Accumulate, "Accumulate");
        r.transferred::<L>(time, how, (count, of), to, window);
    }
}
