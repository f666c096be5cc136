//! Calls that few programs make: replayed, or named, with the place of the first.

use crate::lab::running::{loggia, run};
use crate::program::{Family, Program, both_families};

both_families! {
    a_collective_operation_is_prepared_and_started
    a_communicator_is_made_beside_a_computation
    parts_of_a_message_are_named
    a_communicator_of_two_groups_is_named
    locks_are_named
}

/// Runs it plainly and traced, with the same words, and replays the trace: what it does, what the
/// replay predicts in µs, and what the command says.
fn traced(family: Family, word: &str) -> Option<(Program, f64, String)> {
    let program = Program::compiled(family, "seldom.c")?;
    let [plain, traced] = [program.plain(2, word).good(), program.traced(2, word).good()];
    for line in plain.out.lines() {
        assert!(traced.out.contains(line), "{line}: {}{}", traced.out, traced.err);
    }
    assert_eq!(plain.out.matches("is done").count(), 2, "{}", plain.out);
    let replay = run(&mut loggia(program.folder(), "replay trace cray-t3d --json")).good();
    let answer: serde_json::Value = serde_json::from_str(&replay.out).unwrap();
    assert_eq!(answer["status"], "ok", "{answer}");
    let predicted = answer["predicted_us"].as_f64().unwrap();
    Some((program, predicted, format!("{}{}", traced.out, traced.err)))
}

fn names(program: &Program, rank: u32) -> Vec<String> {
    program.calls(rank).into_iter().map(|call| call.call).collect()
}

/// The call is named, and stands where it is said to.
#[track_caller]
fn is_named(program: &Program, said: &str, name: &str) {
    let begin = format!("MPI_{name} was called ");
    let line = said.lines().find(|line| line.contains(&begin));
    let line = line.unwrap_or_else(|| panic!("MPI_{name} is not named: {said}"));
    let (_, place) = line.split_once("(first: call ").unwrap();
    let (call, rank) = place.trim_end_matches(')').split_once(" of rank ").unwrap();
    let words = format!("calls trace --rank {rank}");
    let calls = run(&mut loggia(program.folder(), &words)).good().out;
    let at: usize = call.parse().unwrap();
    let before = format!(" is MPI_{name}");
    let number = calls.lines().find(|line| line.ends_with(&before)).unwrap();
    let number = number.trim_end_matches(&before).rsplit(' ').next().unwrap();
    let there = calls.lines().nth(at - 1).unwrap();
    assert!(there.ends_with(&format!("calls not replayed number {number}")), "{line}: {there}");
}

/// Open MPI 4 has them as an extension only: that is told by what starts them.
fn a_collective_operation_is_prepared_and_started(family: Family) {
    let Some((program, predicted, said)) = traced(family, "persistent") else { return };
    if family == Family::OpenMpi {
        return is_named(&program, &said, "Startall");
    }
    assert!(!said.contains("is not replayed"), "{said}");
    assert_eq!(
        names(&program, 0)[..5],
        ["Barrier", "Bcast_init", "Allreduce_init", "Startall", "Waitall"]
    );
    assert!(predicted > 60_000.0, "three pauses: {predicted}");
    let replay = run(&mut loggia(program.folder(), "replay trace cray-t3d")).good();
    replay.printed(&["Bcast_init", "Startall", "allreduce"]);
}

fn a_communicator_is_made_beside_a_computation(family: Family) {
    let Some((program, predicted, said)) = traced(family, "duplicate") else { return };
    assert!(!said.contains("is not replayed"), "{said}");
    let calls: Vec<String> = program.calls(1).into_iter().map(|call| call.words).collect();
    assert_eq!(
        calls[1..],
        [
            "Comm_idup 2 out of 0: rank 1 of 2, request _",
            "Wait request _",
            "Comm_idup 3 out of 2: rank 1 of 2, request _",
            "Wait request _",
            "Bcast 4 bytes, root 1, communicator 3",
            "Recv 4 bytes from 0, tag 5, communicator 2",
            "Comm_free 3",
            "Comm_free 2",
            "Finalize",
        ]
    );
    assert!(predicted > 20_000.0, "{predicted}");
}

/// They came with MPI 4.
fn parts_of_a_message_are_named(family: Family) {
    let Some((program, _, said)) = traced(family, "partitioned") else { return };
    if family == Family::Mpich {
        for name in ["Psend_init", "Precv_init", "Start", "Pready_range"] {
            is_named(&program, &said, name);
        }
    }
}

fn a_communicator_of_two_groups_is_named(family: Family) {
    let Some((program, _, said)) = traced(family, "between") else { return };
    for name in ["Intercomm_create", "Sendrecv", "Barrier"] {
        is_named(&program, &said, name);
    }
}

fn locks_are_named(family: Family) {
    let Some((program, _, said)) = traced(family, "locked") else { return };
    for name in ["Win_lock", "Win_flush", "Win_unlock"] {
        is_named(&program, &said, name);
    }
    assert!(said.contains("2 of the transfers into and out of windows end at no fence"), "{said}");
}
