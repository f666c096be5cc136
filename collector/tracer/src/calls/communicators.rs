//! Communicators. Their ranks are determined at the creation.

use crate::abi::abi;
use crate::clock::Time;
use crate::language::{HandleKind, Language, handle_before};
use crate::recorder::{self, CreatedCommunicator, Recorder};
use crate::wrap::wrap;
use std::ffi::c_void;

/// Calls that create a communicator from another.
macro_rules! creates {
    ($($c:literal $f:literal ($comm:ident: Handle $(, $arg:ident: $kind:ident)*) $created:ident;)*) => { $(
        wrap! {
            $c $f ($comm: Handle, $($arg: $kind,)* $created: Ptr)
            then {
                // A collective call: other threads continue to record.
                let created = unsafe { created_at::<L>($comm, $created) };
            }
            |r, time| r.comm_created(time, &created, NAME)
        }
    )* };
}

creates! {
    "Comm_split" "comm_split" (comm: Handle, colour: Int, key: Int) created;
    "Comm_split_type" "comm_split_type" (comm: Handle, by: Int, key: Int, info: Handle) created;
    "Comm_dup" "comm_dup" (comm: Handle) created;
    "Comm_dup_with_info" "comm_dup_with_info" (comm: Handle, info: Handle) created;
    "Comm_create" "comm_create" (comm: Handle, group: Handle) created;
    "Comm_create_group" "comm_create_group" (comm: Handle, group: Handle, tag: Int) created;
    "Cart_create" "cart_create"
        (comm: Handle, dimensions: Int, sizes: Ptr, periods: Ptr, reorder: Int) created;
    "Cart_sub" "cart_sub" (comm: Handle, remain: Ptr) created;
    "Graph_create" "graph_create"
        (comm: Handle, nodes: Int, index: Ptr, edges: Ptr, reorder: Int) created;
    "Dist_graph_create" "dist_graph_create" (
        comm: Handle, n: Int, sources: Ptr, degrees: Ptr, to: Ptr, weights: Ptr, info: Handle,
        reorder: Int
    ) created;
    "Dist_graph_create_adjacent" "dist_graph_create_adjacent" (
        comm: Handle, inward: Int, sources: Ptr, source_weights: Ptr, outward: Int, to: Ptr,
        weights: Ptr, info: Handle, reorder: Int
    ) created;
}

wrap! {
    "Comm_idup" "comm_idup" (comm: Handle, created: Ptr, request: Ptr)
    |r, time| r.comm_duplicated::<L>(time, NAME, comm, [created, request])
}

wrap! {
    "Comm_idup_with_info" "comm_idup_with_info" optional
    (comm: Handle, info: Handle, created: Ptr, request: Ptr)
    |r, time| r.comm_duplicated::<L>(time, NAME, comm, [created, request])
}

impl Recorder {
    /// # Safety
    /// The call has set the communicator and the request.
    unsafe fn comm_duplicated<L: Language>(
        &mut self,
        time: Time,
        name: &'static str,
        parent: L::Handle,
        [created, request]: [*mut c_void; 2],
    ) {
        // SAFETY: guaranteed by the caller.
        let [parent, created, request] = unsafe {
            [
                L::handle(self.abi, HandleKind::Comm, parent),
                L::handle_at(self.abi, HandleKind::Comm, created, 0),
                L::handle_at(self.abi, HandleKind::Request, request, 0),
            ]
        };
        let request = self.requests.add(request, false, false);
        self.comm_duplication_started(time, name, [parent, created], request);
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

/// The communicator that a call created at `place`, if its parent is known.
///
/// # Safety
/// The call has set the communicator, and `parent` is the call's argument.
unsafe fn created_at<L: Language>(
    parent: L::Handle,
    place: *mut c_void,
) -> Option<CreatedCommunicator> {
    let abi = abi()?;
    // SAFETY: guaranteed by the caller.
    let [parent, created] = unsafe {
        [L::handle(abi, HandleKind::Comm, parent), L::handle_at(abi, HandleKind::Comm, place, 0)]
    };
    let parent = recorder::with(|recorder| recorder.comm(parent))?;
    Some(CreatedCommunicator::of(abi, parent, created))
}
