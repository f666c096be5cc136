//! Calls that communicate and that a replay does not know: they are counted and named.

use crate::wrap::wrap;

/// Whatever their arguments are: fourteen of them reach the library, those that the program has
/// passed and whatever lies behind them, which the library does not look at.
macro_rules! others {
    ($($c:literal $f:literal)*) => { $(
        wrap! {
            $c $f
            (
                a: Ptr, b: Ptr, c: Ptr, d: Ptr, e: Ptr, f: Ptr, g: Ptr,
                h: Ptr, i: Ptr, j: Ptr, k: Ptr, l: Ptr, m: Ptr, n: Ptr
            )
            |r, time| r.other(time, NAME)
        }
    )* };
}

others! {
    "Neighbor_allgather" "neighbor_allgather"
    "Neighbor_allgatherv" "neighbor_allgatherv"
    "Neighbor_alltoall" "neighbor_alltoall"
    "Neighbor_alltoallv" "neighbor_alltoallv"
    "Neighbor_alltoallw" "neighbor_alltoallw"
    "Ineighbor_allgather" "ineighbor_allgather"
    "Ineighbor_allgatherv" "ineighbor_allgatherv"
    "Ineighbor_alltoall" "ineighbor_alltoall"
    "Ineighbor_alltoallv" "ineighbor_alltoallv"
    "Ineighbor_alltoallw" "ineighbor_alltoallw"
    "Intercomm_create" "intercomm_create"
    "Intercomm_merge" "intercomm_merge"
    "Comm_idup" "comm_idup"
    "Comm_spawn" "comm_spawn"
    "Comm_spawn_multiple" "comm_spawn_multiple"
    "Comm_accept" "comm_accept"
    "Comm_connect" "comm_connect"
    "Comm_disconnect" "comm_disconnect"
    "Win_create_dynamic" "win_create_dynamic"
    "Win_allocate_shared" "win_allocate_shared"
    "Win_lock" "win_lock"
    "Win_lock_all" "win_lock_all"
    "Win_unlock" "win_unlock"
    "Win_unlock_all" "win_unlock_all"
    "Win_flush" "win_flush"
    "Win_flush_all" "win_flush_all"
    "Win_flush_local" "win_flush_local"
    "Win_flush_local_all" "win_flush_local_all"
    "Win_sync" "win_sync"
    "Win_post" "win_post"
    "Win_start" "win_start"
    "Win_complete" "win_complete"
    "Win_wait" "win_wait"
    "Win_test" "win_test"
    "Rput" "rput"
    "Rget" "rget"
    "Raccumulate" "raccumulate"
    "Rget_accumulate" "rget_accumulate"
    "Get_accumulate" "get_accumulate"
    "Fetch_and_op" "fetch_and_op"
    "Compare_and_swap" "compare_and_swap"
    "File_open" "file_open"
    "File_close" "file_close"
    "File_read" "file_read"
    "File_read_all" "file_read_all"
    "File_read_at" "file_read_at"
    "File_read_at_all" "file_read_at_all"
    "File_read_shared" "file_read_shared"
    "File_read_ordered" "file_read_ordered"
    "File_write" "file_write"
    "File_write_all" "file_write_all"
    "File_write_at" "file_write_at"
    "File_write_at_all" "file_write_at_all"
    "File_write_shared" "file_write_shared"
    "File_write_ordered" "file_write_ordered"
    "File_iread" "file_iread"
    "File_iread_at" "file_iread_at"
    "File_iwrite" "file_iwrite"
    "File_iwrite_at" "file_iwrite_at"
    "File_sync" "file_sync"
}
