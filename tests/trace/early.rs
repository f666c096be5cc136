//! A program that ends early leaves a readable trace. A command that ends early leaves the old
//! trace.
//!
//! `LOGGIA_KILLS` sets the number of kills of the command.

use crate::lab::mpirun::set_environment;
use crate::lab::running::{Run, Running, loggia, run, signal};
use crate::program::{Family, Program, both_families};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

both_families! {
    a_killed_program_leaves_its_trace
    a_crashed_program_leaves_its_trace
    an_aborted_program_leaves_its_trace
    a_program_without_finalize_leaves_its_trace
    a_terminated_command_ends_the_program
    an_old_trace_stays_until_the_new_trace_is_complete
}

fn a_killed_program_leaves_its_trace(family: Family) {
    ends_early(family, "kill");
}

fn a_crashed_program_leaves_its_trace(family: Family) {
    ends_early(family, "segv");
}

fn an_aborted_program_leaves_its_trace(family: Family) {
    ends_early(family, "abort");
}

fn a_program_without_finalize_leaves_its_trace(family: Family) {
    ends_early(family, "exit");
}

fn ends_early(family: Family, how: &str) {
    let Some(program) = Program::compiled(family, "ended_early.c") else { return };
    let traced = program.traced(2, how);
    leaves_its_trace(&program, traced);
}

/// A remaining program would keep the streams open.
fn a_terminated_command_ends_the_program(family: Family) {
    let Some(program) = Program::compiled(family, "ended_early.c") else { return };
    let mut running = program.begin_to_trace(2, "stay");
    running.until("its pause", |running| running.err().contains("rank 1 stays").then_some(()));
    signal(running.pid(), "TERM");
    leaves_its_trace(&program, running.wait(Duration::from_secs(20)));
}

fn leaves_its_trace(program: &Program, traced: Run) {
    assert!(traced.code.is_some_and(|code| code != 0), "{traced:?}");
    let traced = traced.printed(&[
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
    replay.printed(&["200 calls", "predicted", "before MPI_Finalize"]);
}

fn an_old_trace_stays_until_the_new_trace_is_complete(family: Family) {
    let Some(program) = Program::compiled(family, "ended_early.c") else { return };
    let folder = program.folder().join("trace");
    let begin = Instant::now();
    program.traced(2, "exit");
    let duration = begin.elapsed();
    let old = contents(&folder);
    let trace =
        |what: &str| loggia(program.folder(), &format!("trace -o trace --overwrite -- {what}"));
    run(&mut trace("./nothing")).exited(2, &["nothing: program not found"]);
    assert_eq!(contents(&folder), old);

    let again = format!("{} ./program exit", family.launcher(2));
    let kills = std::env::var("LOGGIA_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut old_traces = 0;
    for kill in 0..kills {
        let before = contents(&folder);
        let running = Running::start(set_environment(&mut trace(&again)));
        sleep(duration.mul_f64(1.1 * f64::from(kill) / f64::from(kills)));
        drop(running);
        old_traces += u32::from(contents(&folder) == before);
        run(&mut loggia(program.folder(), "replay trace cray-t3d")).good().printed(&["200 calls"]);
    }
    assert!(old_traces > 0, "the first kill is immediate");
    run(set_environment(&mut trace(&again))).printed(&["200 calls of 2 ranks"]);
    assert!(contents(&folder) != old);
    let names: Vec<_> = contents(&folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, old.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
    assert!(!folder.join(".part").exists());
}

/// Default number of kills.
const KILLS: u32 = 4;

/// The files of a folder, without its subfolders.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        paths.filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect();
    files.sort();
    files
}
