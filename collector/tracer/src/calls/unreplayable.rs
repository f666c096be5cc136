//! Calls that communicate but cannot be replayed: they are counted and named.

use crate::wrap::wrap;

/// Wrappers for any number of arguments: each passes on fourteen. The library ignores the undefined
/// arguments after the program's.
macro_rules! unreplayable {
    ($($c:literal $f:literal $($options:ident)*;)*) => { $(
        wrap! {
            $c $f $($options)*
            (
                a: Ptr, b: Ptr, c: Ptr, d: Ptr, e: Ptr, f: Ptr, g: Ptr,
                h: Ptr, i: Ptr, j: Ptr, k: Ptr, l: Ptr, m: Ptr, n: Ptr
            )
            |r, time| r.other(time, NAME)
        }
    )* };
}

// Non-blocking exchanges and partitioned communication.
unreplayable! {
    "Isendrecv" "isendrecv" optional large;
    "Isendrecv_replace" "isendrecv_replace" optional large;
    "Psend_init" "psend_init" optional;
    "Precv_init" "precv_init" optional;
    "Pready" "pready" optional;
    "Pready_range" "pready_range" optional;
    "Pready_list" "pready_list" optional;
    "Parrived" "parrived" optional;
}

// Intercommunicators, and communicators without a parent.
unreplayable! {
    "Intercomm_create" "intercomm_create";
    "Intercomm_create_from_groups" "intercomm_create_from_groups" optional;
    "Intercomm_merge" "intercomm_merge";
    "Comm_create_from_group" "comm_create_from_group" optional;
    "Comm_spawn" "comm_spawn";
    "Comm_spawn_multiple" "comm_spawn_multiple";
    "Comm_accept" "comm_accept";
    "Comm_connect" "comm_connect";
    "Comm_join" "comm_join";
}

// One-sided communication without fences.
unreplayable! {
    "Win_create_dynamic" "win_create_dynamic";
    "Win_allocate_shared" "win_allocate_shared" large;
    "Win_lock" "win_lock";
    "Win_lock_all" "win_lock_all";
    "Win_unlock" "win_unlock";
    "Win_unlock_all" "win_unlock_all";
    "Win_flush" "win_flush";
    "Win_flush_all" "win_flush_all";
    "Win_flush_local" "win_flush_local";
    "Win_flush_local_all" "win_flush_local_all";
    "Win_sync" "win_sync";
    "Win_post" "win_post";
    "Win_start" "win_start";
    "Win_complete" "win_complete";
    "Win_wait" "win_wait";
    "Win_test" "win_test";
    "Rput" "rput" large;
    "Rget" "rget" large;
    "Raccumulate" "raccumulate" large;
    "Rget_accumulate" "rget_accumulate" large;
    "Get_accumulate" "get_accumulate" large;
    "Fetch_and_op" "fetch_and_op";
    "Compare_and_swap" "compare_and_swap";
}

// Waits for messages in the program's own buffer.
unreplayable! {
    "Buffer_detach" "buffer_detach";
}

// Files.
unreplayable! {
    "File_open" "file_open";
    "File_set_view" "file_set_view";
    "File_set_size" "file_set_size";
    "File_preallocate" "file_preallocate";
    "File_set_info" "file_set_info";
    "File_set_atomicity" "file_set_atomicity";
    "File_seek_shared" "file_seek_shared";
    "File_close" "file_close";
    "File_read" "file_read" large;
    "File_read_all" "file_read_all" large;
    "File_read_at" "file_read_at" large;
    "File_read_at_all" "file_read_at_all" large;
    "File_read_shared" "file_read_shared" large;
    "File_read_ordered" "file_read_ordered" large;
    "File_read_all_begin" "file_read_all_begin" large;
    "File_read_all_end" "file_read_all_end";
    "File_read_at_all_begin" "file_read_at_all_begin" large;
    "File_read_at_all_end" "file_read_at_all_end";
    "File_read_ordered_begin" "file_read_ordered_begin" large;
    "File_read_ordered_end" "file_read_ordered_end";
    "File_write" "file_write" large;
    "File_write_all" "file_write_all" large;
    "File_write_at" "file_write_at" large;
    "File_write_at_all" "file_write_at_all" large;
    "File_write_shared" "file_write_shared" large;
    "File_write_ordered" "file_write_ordered" large;
    "File_write_all_begin" "file_write_all_begin" large;
    "File_write_all_end" "file_write_all_end";
    "File_write_at_all_begin" "file_write_at_all_begin" large;
    "File_write_at_all_end" "file_write_at_all_end";
    "File_write_ordered_begin" "file_write_ordered_begin" large;
    "File_write_ordered_end" "file_write_ordered_end";
    "File_iread" "file_iread" large;
    "File_iread_all" "file_iread_all" large;
    "File_iread_at" "file_iread_at" large;
    "File_iread_at_all" "file_iread_at_all" large;
    "File_iread_shared" "file_iread_shared" large;
    "File_iwrite" "file_iwrite" large;
    "File_iwrite_all" "file_iwrite_all" large;
    "File_iwrite_at" "file_iwrite_at" large;
    "File_iwrite_at_all" "file_iwrite_at_all" large;
    "File_iwrite_shared" "file_iwrite_shared" large;
    "File_sync" "file_sync";
}
