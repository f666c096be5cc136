//! A tracer must not change the program: its messages, threads, names and errors.

use crate::lab::running::{loggia, run};
use crate::program::{Family, Program, both_families};

both_families! {
    wildcards_receive_no_message_of_the_tracer
    threads_create_communicators_at_the_same_time
    names_without_underscores_stay_free
    a_failed_call_is_no_message
    a_disconnected_communicator_is_freed
    a_rank_that_cannot_write_blocks_no_other_rank
    a_probe_waits_for_its_message
    a_synchronous_send_waits_for_its_receive
    a_receive_may_be_cancelled_too_late
    transfers_without_a_fence_are_left_out
    weak_symbols_of_a_missing_function_stay_null
}

/// Runs the program plainly and traced. The output is the same, and every rank completes.
fn run_both(family: Family, ranks: u32, word: &str) -> Option<(Program, String)> {
    let program = Program::compiled(family, "awkward.c")?;
    let output = run_both_of(&program, ranks, word);
    Some((program, output))
}

fn run_both_of(program: &Program, ranks: u32, word: &str) -> String {
    let [plain, traced] = [program.plain(ranks, word).good(), program.traced(ranks, word).good()];
    let count = |line: &str| traced.out.lines().filter(|other| *other == line).count();
    for line in plain.out.lines() {
        let expected = plain.out.lines().filter(|other| *other == line).count();
        assert_eq!(count(line), expected, "{line}: {}{}", traced.out, traced.err);
    }
    assert_eq!(plain.out.matches("is done").count(), ranks as usize, "{}", plain.out);
    format!("{}{}", traced.out, traced.err)
}

fn wildcards_receive_no_message_of_the_tracer(family: Family) {
    let Some((_, output)) = run_both(family, 4, "wildcards") else { return };
    assert_eq!(output.matches("4 bytes: 0 with tag 7").count(), 3, "{output}");
}

fn threads_create_communicators_at_the_same_time(family: Family) {
    let Some((program, _)) = run_both(family, 2, "threads") else { return };
    let made = program.calls(0).iter().filter(|call| call.call == "communicator creation").count();
    assert_eq!(made, 2 + 2 * 100);
}

fn names_without_underscores_stay_free(family: Family) {
    let Some((_, output)) = run_both(family, 1, "names") else { return };
    assert!(output.contains("mpi_barrier is free"), "{output}");
}

fn a_failed_call_is_no_message(family: Family) {
    let Some((program, _)) = run_both(family, 1, "errors") else { return };
    assert!(program.calls(0).iter().all(|call| call.call != "Send"));
    let replay = run(&mut loggia(program.folder(), "replay trace cray-t3d")).good();
    replay.printed(&["Send that failed"]);
}

fn a_disconnected_communicator_is_freed(family: Family) {
    let Some((program, _)) = run_both(family, 2, "disconnects") else { return };
    let count = |name: &str| program.calls(1).iter().filter(|call| call.call == name).count();
    assert_eq!([count("communicator creation"), count("Barrier"), count("Comm_free")], [3; 3]);
    run(&mut loggia(program.folder(), "replay trace cray-t3d")).good().printed(&["predicted"]);
}

fn a_rank_that_cannot_write_blocks_no_other_rank(family: Family) {
    let Some((_, output)) = run_both(family, 2, "full") else { return };
    assert!(output.contains("recording ends here; the calls so far are kept"), "{output}");
}

/// The replay under this simulation model takes at least this time in µs, and at most 5 ms longer
/// than the traced run.
fn check_replay(program: &Program, rules: &str, at_least: f64) {
    let arguments = format!("replay trace cray-t3d --rules {rules} --json");
    let replay = run(&mut loggia(program.folder(), &arguments)).good();
    let answer: serde_json::Value = serde_json::from_str(&replay.out).unwrap();
    let [predicted, measured] =
        ["predicted_us", "measured_us"].map(|key| answer[key].as_f64().unwrap());
    assert!(predicted > at_least && predicted < measured + 5_000.0, "{predicted} {measured}");
}

/// The wait of 0.2 s and the pause of 0.1 s follow each other, also in the replay.
fn a_probe_waits_for_its_message(family: Family) {
    let Some((program, _)) = run_both(family, 2, "probes") else { return };
    for rules in ["loggp", "loggps --set S=15"] {
        check_replay(&program, rules, 300_000.0);
    }
    let refused = run(&mut loggia(program.folder(), "replay trace cray-t3d --scale-compute 7=2"));
    assert!(refused.err.contains("there is no rank 7: the trace has 2 ranks"), "{refused:?}");
}

/// Twice 0.1 s before the receive, and twice 0.1 s after it, for which rank 1 does not wait.
fn a_synchronous_send_waits_for_its_receive(family: Family) {
    let Some((program, _)) = run_both(family, 2, "waits") else { return };
    for rules in ["loggp", "loggps --set S=15"] {
        check_replay(&program, rules, 300_000.0);
    }
}

fn a_receive_may_be_cancelled_too_late(family: Family) {
    let Some((program, output)) = run_both(family, 2, "cancels") else { return };
    assert!(output.contains("the first is cancelled"), "{output}");
    for rules in ["loggp", "loggps --set S=15"] {
        check_replay(&program, &format!("{rules} --scale-bandwidth 1000"), 0.0);
    }
}

fn transfers_without_a_fence_are_left_out(family: Family) {
    let Some((program, output)) = run_both(family, 2, "locks") else { return };
    let left_out = "transfers of windows without a closing fence are left out: 2";
    assert!(output.contains(left_out), "{output}");
    check_replay(&program, "loggps --set S=15 --scale-bandwidth 1000", 0.0);
}

/// mpi4py does this: it calls `MPI_Isend_c` only if the library has it.
fn weak_symbols_of_a_missing_function_stay_null(family: Family) {
    let Some(program) = Program::with_module(family, "module.c") else { return };
    run_both_of(&program, 2, "");
    let calls: Vec<String> = program.calls(1).into_iter().map(|call| call.call).collect();
    assert_eq!(calls, ["Irecv", "Isend", "Waitall", "Finalize"]);
}
