//! One-sided transfers that are completed by fences.

use crate::clock::Time;
use crate::language::{HandleKind, Language, handle_before};
use crate::recorder::Recorder;
use crate::wrap::wrap;
use loggia_trace::call::{Call, OneSided};
use std::ffi::c_void;

impl Recorder {
    /// # Safety
    /// The arguments come from a call.
    unsafe fn opened<L: Language>(
        &mut self,
        time: Time,
        name: &'static str,
        bytes: u64,
        comm: L::Handle,
        window: *mut c_void,
    ) {
        // SAFETY: guaranteed by the caller.
        let (comm, window) = unsafe {
            let comm = self.comm(L::handle(self.abi, HandleKind::Comm, comm));
            (comm, L::handle_at(self.abi, HandleKind::Win, window, 0))
        };
        match comm {
            Some(comm) => self.window_created(time, window, comm, bytes),
            None => self.other(time, name),
        }
    }

    /// # Safety
    /// The arguments come from a call.
    unsafe fn transferred<L: Language>(
        &mut self,
        time: Time,
        (how, name): (OneSided, &'static str),
        (count, of): (L::Count, L::Handle),
        to: L::Int,
        window: L::Handle,
    ) {
        // SAFETY: guaranteed by the caller.
        let (bytes, to, window) = unsafe {
            (self.bytes::<L>(count, of), L::int(to), L::handle(self.abi, HandleKind::Win, window))
        };
        let peer = self.peer(to);
        match self.window(window) {
            Some(window) => self.write(time, Call::OneSided { how, window, peer, bytes }),
            None => self.other(time, name),
        }
    }
}

wrap! {
    "Win_create" "win_create" large
    (base: Ptr, size: Aint, unit: Count, info: Handle, comm: Handle, window: Ptr)
    |r, time| {
        r.opened::<L>(time, NAME, L::long(size).max(0) as u64, comm, window);
    }
}

wrap! {
    "Win_allocate" "win_allocate" large
    (size: Aint, unit: Count, info: Handle, comm: Handle, base: Ptr, window: Ptr)
    |r, time| {
        r.opened::<L>(time, NAME, L::long(size).max(0) as u64, comm, window);
    }
}

wrap! {
    "Win_free" "win_free" (window: Ptr)
    before {
        let handle = unsafe { handle_before::<L>(HandleKind::Win, window) };
    }
    |r, time| r.window_freed(time, handle)
}

wrap! {
    "Win_fence" "win_fence" (assertion: Int, window: Handle)
    |r, time| {
        match r.window(L::handle(r.abi, HandleKind::Win, window)) {
            Some(window) => r.write(time, Call::Fence(window)),
            None => r.other(time, NAME),
        }
    }
}

/// Put and get have the same arguments.
macro_rules! transfers {
    ($($how:ident $c:literal $f:literal)*) => { $(
        wrap! {
            $c $f large
            (
                origin: Ptr, count: Count, of: Handle,
                to: Int, displacement: Aint, target_count: Count, target_type: Handle, window: Handle
            )
            |r, time| {
                r.transferred::<L>(time, (OneSided::$how, NAME), (count, of), to, window);
            }
        }
    )* };
}

transfers! {
    Put "Put" "put"
    Get "Get" "get"
}

wrap! {
    "Accumulate" "accumulate" large
    (
        origin: Ptr, count: Count, of: Handle,
        to: Int, displacement: Aint, target_count: Count, target_type: Handle, op: Handle, window: Handle
    )
    |r, time| {
        let how = (OneSided::Accumulate, NAME);
        r.transferred::<L>(time, how, (count, of), to, window);
    }
}
