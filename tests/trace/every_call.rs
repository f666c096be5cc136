//! Every kind of call is in the trace exactly once, with the right bytes and partners.

use crate::program::{Family, Program, Recorded, both_families, source};
use std::fs;

both_families! {
    every_call_of_c_is_recorded
    calls_for_large_counts_are_recorded_likewise
    fortran_is_recorded_once
    fortran_2008_is_recorded_once
}

/// Whether the record is deterministic. The library determines how many requests complete at a
/// time, and the number of failed tests.
fn is_deterministic(call: &&Recorded) -> bool {
    let name = call.call.as_str();
    let is_variable = name == "failed tests" || name.contains("some") || name.contains("any");
    !is_variable && !name.starts_with("Test")
}

fn every_call_of_c_is_recorded(family: Family) {
    of_c(family, "every_call.c");
}

fn calls_for_large_counts_are_recorded_likewise(family: Family) {
    of_c(family, "large_counts.c");
}

fn of_c(family: Family, name: &str) {
    let Some(program) = Program::compiled(family, name) else { return };
    let plain = program.plain(2, "").good();
    let traced = program.traced(2, "").good();
    assert_eq!(lines(&plain.out), lines(&program_lines(&traced.out)), "the output is the same");
    traced.printed(&["MPI_Win_lock was called 2 times and is not replayed"]);
    for rank in 0..2 {
        let calls = program.calls(rank);
        let name = format!("every_call.rank-{rank}.txt");
        let expected = fs::read_to_string(source(&name)).unwrap();
        let actual: String =
            calls.iter().filter(is_deterministic).map(|call| call.text.clone() + "\n").collect();
        assert_eq!(actual, expected, "{name}");

        // Each kind of completion completes the message of its tag once.
        let done: Vec<&Recorded> = calls.iter().filter(|call| !is_deterministic(call)).collect();
        let completions = [
            ("Waitany", 21),
            ("Waitsome", 22),
            ("Test", 23),
            ("Testall", 24),
            ("Testany", 25),
            ("Testsome", 26),
        ];
        for (name, tag) in completions {
            let other = 1 - rank;
            let met = format!("(4 bytes from {other}, tag {tag})");
            let completing = done.iter().filter(|call| call.call == name);
            let of_tag = completing.clone().filter(|call| call.text.contains(&met)).count();
            assert_eq!(of_tag, 1, "{name}: {done:#?}");
            assert!(completing.count() <= 3, "{name}: {done:#?}");
        }
        // Calls do not overlap, and are in the order of time.
        let mut now = 0.0;
        for call in &calls {
            assert!(call.start >= now - 0.001 && call.duration >= 0.0, "{call:?} before {now}");
            now = call.start + call.duration;
        }
    }
}

/// Sorted lines: ranks print in any order.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.sort_unstable();
    lines
}

/// The program's lines of the output.
fn program_lines(text: &str) -> String {
    let own = |line: &&str| line.trim_start().starts_with("rank ");
    text.lines().filter(own).map(|line| line.to_owned() + "\n").collect()
}

const BY_MPI: &str = "\
Recv 24 bytes from 0, tag 1 (any source)
Ssend 32 bytes to 0, tag 2
Irecv 40 bytes from any source, tag 3, request _
Isend 40 bytes to 0, tag 3, request _
Waitall 2 of 2: request _ (40 bytes from 0, tag 3), request _
Irecv 48 bytes from 0, any tag, request _
Send 48 bytes to 0, tag 4
Waitany 1 of 1: request _ (48 bytes from 0, tag 4)
Irecv 56 bytes from any source, tag 5, request _
Send 56 bytes to 0, tag 5
Waitsome 1 of 1: request _ (56 bytes from 0, tag 5)
Irecv 64 bytes from any source, tag 6, request _
Send 64 bytes to 0, tag 6
Test request _ (64 bytes from 0, tag 6)
Allreduce 16 bytes, Sum
Allgatherv 16 bytes, receives [8, 16], at [0, 4]
communicator creation 2 out of 0: rank 0 of 2
Bcast 72 bytes, root 1, communicator 2
Comm_free 2
Barrier 0 bytes
Finalize";

const BY_MPI_F08: &str = "\
Recv 24 bytes from 0, tag 1 (any source)
Ssend 32 bytes to 0, tag 2
Irecv 40 bytes from any source, tag 3, request _
Isend 40 bytes to 0, tag 3, request _
Waitall 2 of 2: request _ (40 bytes from 0, tag 3), request _
communicator creation 2 out of 0: rank 1 of 2
Irecv 48 bytes from any source, tag 4, communicator 2, request _
Send 48 bytes to 0, tag 4, communicator 2
Test request _ (48 bytes from 0, tag 4)
Irecv 56 bytes from 0, any tag, communicator 2, request _
Send 56 bytes to 0, tag 5, communicator 2
Testall 1 of 1: request _ (56 bytes from 0, tag 5)
Send 64 bytes to 0, tag 6, communicator 2
Iprobe 64 bytes from 0, tag 6, communicator 2 (any source)
Recv 64 bytes from 0, tag 6, communicator 2
Comm_free 2
Allreduce 16 bytes, Sum
communicator creation 3 out of 0: rank 0 of 2
Bcast 72 bytes, root 1, communicator 3
Comm_free 3
Barrier 0 bytes
Finalize";

fn fortran_is_recorded_once(family: Family) {
    fortran(family, "with_mpi.f90", BY_MPI);
}

fn fortran_2008_is_recorded_once(family: Family) {
    fortran(family, "with_mpi_f08.f90", BY_MPI_F08);
}

fn fortran(family: Family, name: &str, expected: &str) {
    let Some(program) = Program::compiled(family, name) else { return };
    let plain = program.plain(2, "").good();
    let traced = program.traced(2, "").good();
    assert_eq!(lines(&plain.out), lines(&program_lines(&traced.out)), "the output is the same");
    let calls = program.calls(1);
    let is_deterministic = |call: &&Recorded| call.call != "failed tests";
    let actual: Vec<&str> =
        calls.iter().filter(is_deterministic).map(|c| c.text.as_str()).collect();
    assert_eq!(actual.join("\n"), expected);
}
