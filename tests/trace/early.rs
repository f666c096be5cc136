//! A program that ends too early leaves a trace that can be read.

use crate::lab::running::{Run, loggia, run, signal};
use crate::program::{Family, Program, both_families};
use std::time::Duration;

both_families! {
    a_program_that_is_killed_leaves_its_trace
    a_program_that_crashes_leaves_its_trace
    a_program_that_aborts_leaves_its_trace
    a_program_that_forgets_to_finalize_leaves_its_trace
    who_ends_the_command_ends_the_program
}

fn a_program_that_is_killed_leaves_its_trace(family: Family) {
    ends_early(family, "kill");
}

fn a_program_that_crashes_leaves_its_trace(family: Family) {
    ends_early(family, "segv");
}

fn a_program_that_aborts_leaves_its_trace(family: Family) {
    ends_early(family, "abort");
}

fn a_program_that_forgets_to_finalize_leaves_its_trace(family: Family) {
    ends_early(family, "exit");
}

fn ends_early(family: Family, how: &str) {
    let Some(program) = Program::compiled(family, "ended_early.c") else { return };
    let traced = program.traced(2, how);
    leaves_its_trace(&program, traced);
}

/// What it leaves behind would hold the streams.
fn who_ends_the_command_ends_the_program(family: Family) {
    let Some(program) = Program::compiled(family, "ended_early.c") else { return };
    let mut running = program.begin_to_trace(2, "stay");
    running.until("its pause", |running| running.err().contains("rank 1 stays").then_some(()));
    signal(running.pid(), "TERM");
    leaves_its_trace(&program, running.wait(Duration::from_secs(20)));
}

fn leaves_its_trace(program: &Program, traced: Run) {
    assert!(traced.code.is_some_and(|code| code != 0), "{traced:?}");
    let traced = traced.said(&[
        "rank-0.trace: the program ended in MPI_Recv, before MPI_Finalize",
        "rank-1.trace: the program ended",
        "the program failed",
    ]);
    assert!(traced.out.contains("trace: 200 calls of 2 ranks"), "{}", traced.out);
    for (rank, name) in [(0, "Send"), (1, "Recv")] {
        let calls = program.calls(rank);
        assert_eq!(calls.len(), 100, "rank {rank}");
        assert!(calls.iter().all(|call| call.call == name), "rank {rank}");
    }
    let replay = run(&mut loggia(program.folder(), "replay trace cray-t3d")).good();
    replay.said(&["200 calls", "predicted", "before MPI_Finalize"]);
}
