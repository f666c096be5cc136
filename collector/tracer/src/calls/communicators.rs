//! Communicators: who is in them is found out when they are made.

use crate::abi::abi;
use crate::clock::Time;
use crate::language::{HandleKind, Language, handle_before};
use crate::recorder::{self, CreatedCommunicator, Recorder};
use crate::wrap::wrap;
use std::ffi::c_void;

/// Ways to make one out of another.
macro_rules! makes {
    ($($c:literal $f:literal ($comm:ident: Handle $(, $arg:ident: $kind:ident)*) $made:ident;)*) => { $(
        wrap! {
            $c $f ($comm: Handle, $($arg: $kind,)* $made: Ptr)
            then {
                // A collective call: other threads continue to record.
                let made = unsafe { made_at::<L>($comm, $made) };
            }
            |r, time| r.comm_made(time, made, NAME)
        }
    )* };
}

makes! {
    "Comm_split" "comm_split" (comm: Handle, colour: Int, key: Int) made;
    "Comm_split_type" "comm_split_type" (comm: Handle, by: Int, key: Int, info: Handle) made;
    "Comm_dup" "comm_dup" (comm: Handle) made;
    "Comm_dup_with_info" "comm_dup_with_info" (comm: Handle, info: Handle) made;
    "Comm_create" "comm_create" (comm: Handle, group: Handle) made;
    "Comm_create_group" "comm_create_group" (comm: Handle, group: Handle, tag: Int) made;
    "Cart_create" "cart_create"
        (comm: Handle, dimensions: Int, sizes: Ptr, periods: Ptr, reorder: Int) made;
    "Cart_sub" "cart_sub" (comm: Handle, remain: Ptr) made;
    "Graph_create" "graph_create"
        (comm: Handle, nodes: Int, index: Ptr, edges: Ptr, reorder: Int) made;
    "Dist_graph_create" "dist_graph_create" (
        comm: Handle, n: Int, sources: Ptr, degrees: Ptr, to: Ptr, weights: Ptr, info: Handle,
        reorder: Int
    ) made;
    "Dist_graph_create_adjacent" "dist_graph_create_adjacent" (
        comm: Handle, inward: Int, sources: Ptr, source_weights: Ptr, outward: Int, to: Ptr,
        weights: Ptr, info: Handle, reorder: Int
    ) made;
}

wrap! {
    "Comm_idup" "comm_idup" (comm: Handle, made: Ptr, request: Ptr)
    |r, time| r.comm_duplicated::<L>(time, NAME, comm, [made, request])
}

wrap! {
    "Comm_idup_with_info" "comm_idup_with_info" young
    (comm: Handle, info: Handle, made: Ptr, request: Ptr)
    |r, time| r.comm_duplicated::<L>(time, NAME, comm, [made, request])
}

impl Recorder {
    /// # Safety
    /// The call has set the communicator and the request.
    unsafe fn comm_duplicated<L: Language>(
        &mut self,
        time: Time,
        name: &'static str,
        parent: L::Handle,
        [made, request]: [*mut c_void; 2],
    ) {
        // SAFETY: the caller guarantees it.
        let [parent, made, request] = unsafe {
            [
                L::handle(self.abi, HandleKind::Comm, parent),
                L::handle_at(self.abi, HandleKind::Comm, made, 0),
                L::handle_at(self.abi, HandleKind::Request, request, 0),
            ]
        };
        let request = self.requests.add(request, false, false);
        self.comm_made_later(time, name, [parent, made], request);
    }
}

wrap! {
    "Comm_free" "comm_free" (comm: Ptr)
    before {
        let handle = unsafe { handle_before::<L>(HandleKind::Comm, comm) };
    }
    |r, time| r.comm_freed(time, handle)
}

wrap! {
    "Comm_disconnect" "comm_disconnect" (comm: Ptr)
    before {
        let handle = unsafe { handle_before::<L>(HandleKind::Comm, comm) };
    }
    |r, time| match r.comm(handle) {
        Some(_) => r.comm_freed(time, handle),
        None => r.other(time, NAME),
    }
}

/// The communicator that a call has put there, made out of one that is known.
///
/// # Safety
/// The call has, and has been passed the other one.
unsafe fn made_at<L: Language>(
    parent: L::Handle,
    place: *mut c_void,
) -> Option<CreatedCommunicator> {
    let abi = abi()?;
    // SAFETY: the caller guarantees it.
    let [parent, made] = unsafe {
        [L::handle(abi, HandleKind::Comm, parent), L::handle_at(abi, HandleKind::Comm, place, 0)]
    };
    let parent = recorder::with(|recorder| recorder.comm(parent))?;
    Some(CreatedCommunicator::of(abi, parent, made))
}
