//! What a tracer must keep out of: the program's messages, its threads, its names, its mistakes.

use crate::lab::running::{loggia, run};
use crate::program::{Family, Program, both_families};

both_families! {
    its_own_messages_are_for_no_wildcard
    threads_make_communicators_at_the_same_time
    a_name_without_underscores_is_the_program_s
    a_call_that_failed_is_no_message
    a_communicator_that_is_disconnected_is_forgotten
    a_rank_that_can_write_no_more_holds_nobody_up
    a_probe_waits_for_what_it_has_found
    a_synchronous_send_waits_for_its_receive
    a_receive_may_be_taken_back_too_late
    what_no_fence_ends_is_left_out
    a_program_hears_what_its_library_lacks
}

/// Runs it plainly and traced, with the same result; every rank has come to its end.
fn same(family: Family, ranks: u32, word: &str) -> Option<(Program, String)> {
    let program = Program::compiled(family, "awkward.c")?;
    let said = same_of(&program, ranks, word);
    Some((program, said))
}

fn same_of(program: &Program, ranks: u32, word: &str) -> String {
    let [plain, traced] = [program.plain(ranks, word).good(), program.traced(ranks, word).good()];
    let said = |line: &str| traced.out.lines().filter(|other| *other == line).count();
    for line in plain.out.lines() {
        let before = plain.out.lines().filter(|other| *other == line).count();
        assert_eq!(said(line), before, "{line}: {}{}", traced.out, traced.err);
    }
    assert_eq!(plain.out.matches("is done").count(), ranks as usize, "{}", plain.out);
    format!("{}{}", traced.out, traced.err)
}

fn its_own_messages_are_for_no_wildcard(family: Family) {
    let Some((_, said)) = same(family, 4, "wildcards") else { return };
    assert_eq!(said.matches("4 bytes: 0 with tag 7").count(), 3, "{said}");
}

fn threads_make_communicators_at_the_same_time(family: Family) {
    let Some((program, _)) = same(family, 3, "threads") else { return };
    let made = program.calls(0).iter().filter(|call| call.call == "making a communicator").count();
    assert_eq!(made, 2 + 2 * 100);
}

fn a_name_without_underscores_is_the_program_s(family: Family) {
    let Some((_, said)) = same(family, 1, "names") else { return };
    assert!(said.contains("mpi_barrier is free"), "{said}");
}

fn a_call_that_failed_is_no_message(family: Family) {
    let Some((program, _)) = same(family, 1, "errors") else { return };
    assert!(program.calls(0).iter().all(|call| call.call != "Send"));
    let replay = run(&mut loggia(program.folder(), "replay trace cray-t3d")).good();
    replay.printed(&["Send that failed"]);
}

fn a_communicator_that_is_disconnected_is_forgotten(family: Family) {
    let Some((program, _)) = same(family, 2, "disconnects") else { return };
    let count = |name: &str| program.calls(1).iter().filter(|call| call.call == name).count();
    assert_eq!([count("making a communicator"), count("Barrier"), count("Comm_free")], [3; 3]);
    run(&mut loggia(program.folder(), "replay trace cray-t3d")).good().printed(&["predicted"]);
}

fn a_rank_that_can_write_no_more_holds_nobody_up(family: Family) {
    let Some((_, said)) = same(family, 2, "full") else { return };
    assert!(said.contains("recording ends here, what was recorded is kept"), "{said}");
}

/// Replayed by these rules, it takes at least so long, and not much longer than it did.
fn takes(program: &Program, rules: &str, at_least: f64) {
    let words = format!("replay trace cray-t3d --rules {rules} --json");
    let replay = run(&mut loggia(program.folder(), &words)).good();
    let answer: serde_json::Value = serde_json::from_str(&replay.out).unwrap();
    let [predicted, measured] =
        ["predicted_us", "measured_us"].map(|key| answer[key].as_f64().unwrap());
    assert!(predicted > at_least && predicted < measured + 5_000.0, "{predicted} {measured}");
}

/// The wait of 0.2 s and the pause of 0.1 s are one after the other, in the replay too.
fn a_probe_waits_for_what_it_has_found(family: Family) {
    let Some((program, _)) = same(family, 2, "probes") else { return };
    for rules in ["loggp", "loggps --set S=15"] {
        takes(&program, rules, 300_000.0);
    }
    let refused = run(&mut loggia(program.folder(), "replay trace cray-t3d --scale-compute 7=2"));
    assert!(refused.err.contains("there is no rank 7: the trace has 2 ranks"), "{refused:?}");
}

/// Twice 0.1 s until the receive, twice 0.1 s behind it, of which rank 1 waits for none.
fn a_synchronous_send_waits_for_its_receive(family: Family) {
    let Some((program, _)) = same(family, 2, "waits") else { return };
    for rules in ["loggp", "loggps --set S=15"] {
        takes(&program, rules, 300_000.0);
    }
}

fn a_receive_may_be_taken_back_too_late(family: Family) {
    let Some((program, said)) = same(family, 2, "cancels") else { return };
    assert!(said.contains("the one is taken back"), "{said}");
    for rules in ["loggp", "loggps --set S=15"] {
        takes(&program, &format!("{rules} --scale-bandwidth 1000"), 0.0);
    }
}

fn what_no_fence_ends_is_left_out(family: Family) {
    let Some((program, said)) = same(family, 2, "locks") else { return };
    let left_out = "2 of the transfers into and out of windows end at no fence";
    assert!(said.contains(left_out), "{said}");
    takes(&program, "loggps --set S=15 --scale-bandwidth 1000", 0.0);
}

/// mpi4py is such a program: it calls `MPI_Isend_c` where the library has it.
fn a_program_hears_what_its_library_lacks(family: Family) {
    let Some(program) = Program::with_module(family, "module.c") else { return };
    same_of(&program, 2, "");
    let calls: Vec<String> = program.calls(1).into_iter().map(|call| call.call).collect();
    assert_eq!(calls, ["Irecv", "Isend", "Waitall", "Finalize"]);
}
