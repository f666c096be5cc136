//! Communicators: who is in them is found out when they are made.

use crate::language::{Of, handle_before};
use crate::wrap::wrap;

/// Ways to make one out of another.
macro_rules! makes {
    ($($c:literal $f:literal ($comm:ident: Handle $(, $arg:ident: $kind:ident)*) $made:ident;)*) => { $(
        wrap! {
            $c $f ($comm: Handle, $($arg: $kind,)* $made: Ptr)
            |r, time| {
                let parent = L::handle(r.abi, Of::Comm, $comm);
                let made = L::handle_at(r.abi, Of::Comm, $made, 0);
                r.comm_made(time, parent, made, NAME);
            }
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
    "Comm_free" "comm_free" (comm: Ptr)
    before {
        let handle = unsafe { handle_before::<L>(Of::Comm, comm) };
    }
    |r, time| r.comm_freed(time, handle)
}
