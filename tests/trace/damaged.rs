//! Traces that are incomplete, damaged or do not belong together.

use crate::lab::running::{loggia, run};
use loggia_trace::call::{Call, Envelope, Mode, Peer, WORLD};
use loggia_trace::header::{Header, VERSION};
use loggia_trace::record::{Record, write};
use std::fs;
use std::path::Path;

fn header(run: u128, rank: u32, ranks: u32) -> Header {
    Header { run, rank, ranks, start: 1000, threads: 1, ..Header::default() }
}

/// A rank's file: a send to the next rank, a receive from the previous rank.
fn file(header: &Header, tags: (u32, u32)) -> Vec<u8> {
    let mut bytes = header.to_bytes().to_vec();
    let Header { rank, ranks, .. } = *header;
    let message = |peer: u32, tag| Envelope { peer: Peer::Rank(peer), tag, bytes: 8, comm: WORLD };
    let calls = [
        Call::Send(Mode::Standard, message((rank + 1) % ranks, tags.0)),
        Call::Recv {
            got: message((rank + ranks - 1) % ranks, tags.1),
            any_source: false,
            any_tag: false,
        },
        Call::Finalize,
    ];
    for call in calls {
        write(&mut bytes, &Record { gap: 1000, duration: 500, call });
    }
    bytes
}

fn put(folder: &Path, rank: u32, bytes: &[u8]) {
    fs::create_dir_all(folder.join("t")).unwrap();
    fs::write(folder.join(format!("t/rank-{rank}.trace")), bytes).unwrap();
}

const REPLAY: &str = "replay t cray-t3d";

#[test]
fn a_complete_trace_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    for rank in 0..3 {
        put(folder.path(), rank, &file(&header(7, rank, 3), (1, 1)));
    }
    let replay = run(&mut loggia(folder.path(), REPLAY)).good();
    // Measured: three calls of 0.5 µs, each after 1 µs. By LogGP: 1 + o_s, L, o_r of 8 bytes + 2.
    replay.printed(&["3 ranks, 9 calls", "measured  4.5 µs", "predicted 50.38 µs"]);
    let files = "replay t/rank-2.trace t/rank-0.trace t/rank-1.trace cray-t3d";
    run(&mut loggia(folder.path(), files)).good().printed(&["3 ranks, 9 calls"]);
}

#[test]
fn a_missing_rank_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for rank in [0, 3] {
        put(folder.path(), rank, &file(&header(7, rank, 4), (1, 1)));
    }
    let errors = ["2 of 4 ranks are missing: rank-1.trace, rank-2.trace", "t:"];
    run(&mut loggia(folder.path(), REPLAY)).exited(2, &errors);
}

#[test]
fn runs_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), 0, &file(&header(7, 0, 2), (1, 1)));
    put(folder.path(), 1, &file(&header(8, 1, 2), (1, 1)));
    let errors = ["t/rank-1.trace: this file belongs to another run than t/rank-0.trace"];
    run(&mut loggia(folder.path(), REPLAY)).exited(2, &errors);
}

#[test]
fn a_second_file_of_a_rank_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), 0, &file(&header(7, 0, 2), (1, 1)));
    put(folder.path(), 1, &file(&header(7, 0, 2), (1, 1)));
    run(&mut loggia(folder.path(), REPLAY))
        .exited(2, &["this is also rank 0", "keep one of both files"]);
}

#[test]
fn a_file_of_a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = file(&header(7, 0, 1), (1, 1));
    bytes[8] = VERSION as u8 + 1;
    put(folder.path(), 0, &bytes);
    let errors = ["t/rank-0.trace: a newer Loggia wrote this trace", "install a newer Loggia"];
    run(&mut loggia(folder.path(), REPLAY)).exited(2, &errors);
}

#[test]
fn calls_before_a_truncation_are_used() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), 0, &file(&header(7, 0, 2), (1, 1)));
    let whole = file(&header(7, 1, 2), (1, 1));
    put(folder.path(), 1, &whole[..whole.len() - 7]);
    // The receive is truncated, so the send has no match.
    let replay = run(&mut loggia(folder.path(), REPLAY)).exited(1, &["stuck"]);
    replay.printed(&["t/rank-1.trace: byte ", "the file is cut off here; the 1 calls before it"]);
}

#[test]
fn impossible_times_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    for (rank, start) in [(0, 0), (1, i64::MAX as u64), (2, u64::MAX)] {
        let mut bytes = Header { start, ..header(7, rank, 3) }.to_bytes().to_vec();
        for call in [Call::Phase(0), Call::Phase(1), Call::Finalize] {
            write(&mut bytes, &Record { gap: u64::MAX, duration: u64::MAX, call });
        }
        put(folder.path(), rank, &bytes);
    }
    let calls = run(&mut loggia(folder.path(), "calls t")).good();
    assert_eq!(calls.out.lines().count(), 9, "{}", calls.out);
}

#[test]
fn unmatched_messages_are_named_with_call_and_rank() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), 0, &file(&header(7, 0, 2), (1, 5)));
    put(folder.path(), 1, &file(&header(7, 1, 2), (1, 1)));
    let replay = run(&mut loggia(folder.path(), REPLAY)).exited(1, &[]);
    replay.printed(&[
        "stuck",
        "rank 0: Recv, 8 bytes from rank 1, tag 5",
        "rank 1: Send, 8 bytes to rank 0, tag 1",
    ]);
    run(&mut loggia(folder.path(), &format!("{REPLAY} --compare loggp"))).exited(1, &["loggp"]);
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t"), "hello").unwrap();
    run(&mut loggia(folder.path(), REPLAY)).exited(2, &["t: unknown trace format"]);
    fs::write(folder.path().join("empty"), "").unwrap();
    run(&mut loggia(folder.path(), "replay empty cray-t3d")).exited(2, &["empty: "]);
    fs::create_dir(folder.path().join("nothing")).unwrap();
    let errors = ["nothing: the folder contains no trace"];
    run(&mut loggia(folder.path(), "replay nothing cray-t3d")).exited(2, &errors);
    let errors = ["nowhere: there is no such file"];
    run(&mut loggia(folder.path(), "replay nowhere cray-t3d")).exited(2, &errors);
}

/// Nothing is left that the next trace would have to overwrite.
#[test]
fn a_program_without_mpi_leaves_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        run(&mut loggia(folder.path(), "trace -o t -- true")).exited(2, &["never called MPI_Init"]);
        assert!(!folder.path().join("t").exists());
    }
    fs::create_dir(folder.path().join("t")).unwrap();
    run(&mut loggia(folder.path(), "trace -o t -- true")).exited(2, &["never called MPI_Init"]);
    assert_eq!(folder.path().join("t").read_dir().unwrap().count(), 0);
}

#[test]
fn a_folder_without_a_place_in_ld_preload_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(&mut loggia(folder.path(), "trace -o t:u -- true")).exited(2, &["a space or a colon"]);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn an_existing_trace_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), 0, &file(&header(7, 0, 1), (1, 1)));
    let trace = "trace -o t -- true";
    run(&mut loggia(folder.path(), trace)).exited(2, &["the folder is not empty"]);
    assert!(folder.path().join("t/rank-0.trace").exists());
    let errors = ["the folder contains no trace", "never called MPI_Init"];
    run(&mut loggia(folder.path(), "trace -o t --overwrite -- true")).exited(2, &errors);
    let errors = ["the folder contains no trace", "with exit code 1 before it called MPI_Init"];
    run(&mut loggia(folder.path(), "trace -o t --overwrite -- false")).exited(2, &errors);
    assert!(folder.path().join("t/rank-0.trace").exists());
    let errors = ["program not found"];
    run(&mut loggia(folder.path(), "trace -o new -- no-such-program")).exited(2, &errors);
}
