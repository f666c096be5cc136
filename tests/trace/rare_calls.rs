//! Rare calls: replayed, or named with the place of the first.

use crate::lab::running::{loggia, run};
use crate::program::{Family, Program, both_families};

both_families! {
    persistent_collective_operations_are_replayed
    a_communicator_is_duplicated_during_computation
    partitioned_communication_is_named
    an_intercommunicator_is_named
    locks_are_named
}

/// Runs the program plainly and traced, with the same output, and replays the trace. Returns the
/// program, the predicted time in µs, and the output.
fn traced(family: Family, word: &str) -> Option<(Program, f64, String)> {
    let program = Program::compiled(family, "rare_calls.c")?;
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

/// The output names the call, with its right place.
#[track_caller]
fn is_named(program: &Program, output: &str, name: &str) {
    let begin = format!("MPI_{name} was called ");
    let line = output.lines().find(|line| line.contains(&begin));
    let line = line.unwrap_or_else(|| panic!("MPI_{name} is not named: {output}"));
    let (_, place) = line.split_once("(first: call ").unwrap();
    let (call, rank) = place.trim_end_matches(')').split_once(" of rank ").unwrap();
    let arguments = format!("calls trace --rank {rank}");
    let calls = run(&mut loggia(program.folder(), &arguments)).good().out;
    let at: usize = call.parse().unwrap();
    let suffix = format!(" is MPI_{name}");
    let number = calls.lines().find(|line| line.ends_with(&suffix)).unwrap();
    let number = number.trim_end_matches(&suffix).rsplit(' ').next().unwrap();
    let actual = calls.lines().nth(at - 1).unwrap();
    assert!(actual.ends_with(&format!("calls not replayed number {number}")), "{line}: {actual}");
}

/// Open MPI 4 has persistent collective operations only as an extension: only `Startall` is named.
fn persistent_collective_operations_are_replayed(family: Family) {
    let Some((program, predicted, output)) = traced(family, "persistent") else { return };
    if family == Family::OpenMpi {
        return is_named(&program, &output, "Startall");
    }
    assert!(!output.contains("is not replayed"), "{output}");
    assert_eq!(
        names(&program, 0)[..5],
        ["Barrier", "Bcast_init", "Allreduce_init", "Startall", "Waitall"]
    );
    assert!(predicted > 60_000.0, "three pauses: {predicted}");
    let replay = run(&mut loggia(program.folder(), "replay trace cray-t3d")).good();
    replay.printed(&["Bcast_init", "Startall", "allreduce"]);
}

fn a_communicator_is_duplicated_during_computation(family: Family) {
    let Some((program, predicted, output)) = traced(family, "duplicate") else { return };
    assert!(!output.contains("is not replayed"), "{output}");
    let calls: Vec<String> = program.calls(1).into_iter().map(|call| call.text).collect();
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

/// Partitioned communication was added in MPI 4.
fn partitioned_communication_is_named(family: Family) {
    let Some((program, _, output)) = traced(family, "partitioned") else { return };
    if family == Family::Mpich {
        for name in ["Psend_init", "Precv_init", "Start", "Pready_range"] {
            is_named(&program, &output, name);
        }
    }
}

fn an_intercommunicator_is_named(family: Family) {
    let Some((program, _, output)) = traced(family, "between") else { return };
    for name in ["Intercomm_create", "Sendrecv", "Barrier"] {
        is_named(&program, &output, name);
    }
}

fn locks_are_named(family: Family) {
    let Some((program, _, output)) = traced(family, "locked") else { return };
    for name in ["Win_lock", "Win_flush", "Win_unlock"] {
        is_named(&program, &output, name);
    }
    assert!(
        output.contains("transfers of windows without a closing fence are left out: 2"),
        "{output}"
    );
}
