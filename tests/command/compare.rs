//! `loggia compare` of machines, and of runs of one machine: verdicts, conditions, exit codes,
//! histories.

use crate::run::{loggia, number, refusal, run_json, run_json_exiting};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Runs of one machine: G increases by 10% between the second and the third.
const RUNS: [&str; 3] =
    ["docs/runs/2026-05.json", "docs/runs/2026-06.json", "docs/runs/2026-07.json"];

fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual}, expected {expected}");
}

/// Hwang, Wang & Wang 1997, Figure 3d: in a scatter of 64 KiB, SP2 is faster at p = 4 and Paragon
/// at p = 8.
#[test]
fn machines_are_ranked() {
    let machines = "compare ibm-sp2 intel-paragon";
    for (procs, ranks) in [(4, [1, 2]), (8, [2, 1])] {
        let answer =
            run_json_exiting(&format!("{machines} --op scatter --procs {procs} --bytes 64KiB"), 3);
        let row = &answer["collectives"][0];
        let actual = [0, 1].map(|i| row["standings"][i]["rank"].as_i64().unwrap());
        assert_eq!(actual, ranks, "p = {procs}");
        assert_eq!(row["overtakings"][0]["at"], 5);
    }
    let all = run_json_exiting("compare cray-t3d now-sparc ibm-sp2 --procs 64 --bytes 16", 3);
    close(number(&all["p2p"][1]["standings"][0], "time_us"), 48.7, 1e-9);
    assert!(all["p2p"][0]["standings"][2]["error"]["message"].is_string());
    assert_eq!(all["collectives"][0]["op"], "barrier");
    let text = loggia(&format!("{machines} --op scatter --procs 8 --bytes 64KiB")).out;
    assert!(text.contains("from p = 5, intel-paragon is faster than ibm-sp2"), "{text}");
}

/// The row of a parameter, by its symbol.
fn row<'a>(answer: &'a Value, symbol: &str) -> &'a Value {
    let rows = answer["parameters"].as_array().unwrap();
    rows.iter().find(|row| row["symbol"] == symbol).unwrap()
}

#[test]
fn two_runs_of_an_unchanged_machine_are_the_same() {
    let answer = run_json(&format!("compare {} {}", RUNS[0], RUNS[1]));
    assert_eq!(answer["verdict"], "same");
    let strictness = &answer["strictness"];
    assert!(number(strictness, "compared") >= 30.0 && number(strictness, "widened") > 2.0);
    let latency = &row(&answer, "L")["machines"][1];
    assert_eq!(latency["verdict"], "same");
    let ratio = number(latency, "value") / number(&row(&answer, "L")["machines"][0], "value");
    close(number(latency, "ratio"), ratio, 1e-12);
    assert!(number(latency, "ratio_low") < 1.0 && number(latency, "ratio_high") > 1.0);
    let text = loggia(&format!("compare {} {}", RUNS[0], RUNS[1]));
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    let first = text.out.lines().next().unwrap();
    assert!(first.starts_with("ratios are relative to 2026-05; a number changed if"), "{first}");
    assert!(text.out.contains("2026-06: the same"), "{}", text.out);
    // A published machine also equals itself.
    assert_eq!(run_json("compare cray-t3d cray-t3d cray-t3d --procs 16")["verdict"], "same");
}

#[test]
fn a_change_is_named_and_sets_the_exit_code() {
    let answer = run_json_exiting(&format!("compare {} {}", RUNS[1], RUNS[2]), 3);
    assert_eq!(answer["verdict"], "changed");
    let gap = &row(&answer, "G")["machines"][1];
    assert_eq!(gap["verdict"], "changed");
    close(number(gap, "ratio"), 1.1, 0.02);
    assert_eq!(row(&answer, "L")["machines"][1]["verdict"], "same");
    let environment = answer["conditions"].as_array().unwrap();
    assert_eq!(environment[0]["what"], "library");
    assert_eq!(environment[0]["values"][1], "Open MPI 5.0.5");
    // Times of small messages do not depend on G.
    let verdict = |size: usize| &answer["p2p"][size]["standings"][1]["verdict"];
    assert_eq!((verdict(0), verdict(3)), (&Value::from("same"), &Value::from("changed")));
    let text = loggia(&format!("compare {} {}", RUNS[1], RUNS[2])).out;
    assert!(text.contains("2026-07: changed: network G ×1.1"), "{text}");
    let all = loggia(&format!("compare {} {} --all", RUNS[1], RUNS[2])).out;
    assert!(all.contains("g(m) at 8 B") && !text.contains("g(m) at 8 B"), "{all}");
    // No change is larger than 20%.
    run_json_exiting(&format!("compare {} {} --at-least 20%", RUNS[1], RUNS[2]), 0);
}

#[test]
fn conditions_alone_set_the_exit_code() {
    let both = format!("compare {} {}", RUNS[1], RUNS[2]);
    for (conditions, code, outcomes) in [
        ("L>+10%", 0, vec!["passed"]),
        ("G>+5%", 3, vec!["failed"]),
        ("G>+15%", 0, vec!["passed"]),
        ("G>+9.9%", 0, vec!["unsure"]),
        (
            "L>+10%,p2p@64KiB>+5% --fail-on network.isend.o_s@8>3us",
            3,
            vec!["passed", "failed", "passed"],
        ),
        ("p2p@8>+5%,progress", 0, vec![]),
        ("G>5.2ns", 3, vec!["failed"]),
        ("any<-50%,transfer", 0, vec!["passed", "passed"]),
    ] {
        if conditions.contains("progress") {
            // These runs did not measure progress.
            assert!(refusal(&format!("{both} --fail-on {conditions}"))["message"].is_string());
            continue;
        }
        let answer = run_json_exiting(&format!("{both} --fail-on {conditions}"), code);
        let actual: Vec<&str> = answer["fail_on"]
            .as_array()
            .unwrap()
            .iter()
            .map(|checked| checked["outcome"].as_str().unwrap())
            .collect();
        assert_eq!(actual, outcomes, "{conditions}");
    }
    let t3d = "compare cray-t3d cray-t3d";
    run_json(&format!("{t3d} --fail-on scatter>+5%,alltoall@1KiB>+5% --procs 16"));
    let forms = "compare ibm-sp2 intel-paragon --op scatter --procs 8 --bytes 64KiB";
    run_json_exiting(&format!("{forms} --fail-on scatter<-50%"), 3);
    run_json(&format!("{forms} --fail-on scatter>+5%"));
}

#[test]
fn invalid_options_are_refused() {
    let both = format!("compare {} {}", RUNS[1], RUNS[2]);
    for (options, expected) in [
        ("--fail-on LL>+10%", "unknown parameter or operation `LL`"),
        ("--fail-on isnd.o_s>+10%", "unknown tier or send mode `isnd`"),
        ("--fail-on o_s@9>1", "unknown at this size"),
        ("--fail-on L<10%", "is ambiguous"),
        ("--fail-on =", "unknown parameter"),
        ("--at-least much", "is not a share"),
        ("--columns L", "--history"),
        ("--history --op bcast --procs 4", "cannot be used with"),
        ("--history --columns LL", "unknown parameter or operation `LL`"),
    ] {
        let error = refusal(&format!("{both} {options}"));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(expected), "{options}: {message}");
    }
    assert!(
        refusal(&format!("{both} --fail-on isnd.o_s>+10%"))["help"]
            .as_str()
            .unwrap()
            .contains("isend")
    );
    assert!(refusal("compare cray-t3d")["message"].as_str().unwrap().contains("2 values"));
    let nothing = refusal("compare cray-t3d myrinet-gm");
    assert!(nothing["message"].as_str().unwrap().contains("cray-t3d has no number in common"));
    refusal("compare --history quadrics-shmem ibm-sp2 --columns L");
    assert_eq!(loggia(&format!("{both} --csv")).code, 2);
}

#[test]
fn a_history_is_sorted_by_date_and_marks_changes() {
    // Arguments in another order.
    let history = format!("compare --history {} {} {}", RUNS[2], RUNS[0], RUNS[1]);
    let answer = run_json_exiting(&history, 3);
    let runs = answer["runs"].as_array().unwrap();
    let order: Vec<u64> = runs.iter().map(|run| run["given"].as_u64().unwrap()).collect();
    assert_eq!(order, [1, 2, 0]);
    assert_eq!(runs[0]["date"], "2026-05-04 06:00 UTC");
    let columns = answer["columns"].as_array().unwrap();
    let column =
        |symbol: &str| columns.iter().position(|column| column["symbol"] == symbol).unwrap();
    let number_of = |run: usize, symbol: &str| &runs[run]["numbers"][column(symbol)];
    for since in ["since_last", "since_first"] {
        assert_eq!(number_of(0, "G")[since], Value::Null);
        assert_eq!(number_of(1, "G")[since]["verdict"], "same");
        assert_eq!(number_of(2, "G")[since]["verdict"], "changed");
        assert_eq!(number_of(2, "L")[since]["verdict"], "same");
    }
    let text = loggia(&history);
    assert_eq!(text.code, 3);
    assert!(text.out.contains("↑(↑)"), "{}", text.out);
    run_json(&format!("{history} --columns L,o_s"));
    run_json_exiting(&format!("{history} --fail-on L>+10%"), 0);
    run_json_exiting(&format!("{history} --fail-on G>+5%"), 3);

    let csv = loggia(&format!("{history} --csv --columns G,isend.o_s@64KiB"));
    assert_eq!((csv.code, csv.err.as_str()), (3, ""));
    let rows: Vec<&str> = csv.out.lines().collect();
    assert_eq!(rows.len(), 4);
    assert!(
        rows[0].contains("network G, µs/byte") && rows[3].contains("changed,changed"),
        "{}",
        csv.out
    );
}

#[test]
fn a_run_without_a_date_is_listed_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("undated.json").display().to_string();
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(RUNS[0]))
            .unwrap();
    fs::write(&path, text.replace("2026-05-04 06:00 UTC", "undated")).unwrap();
    let run = loggia(&format!("compare --history {path} {} {}", RUNS[1], RUNS[0]));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("! 1 without a date"), "{}", run.out);
    let last = run.out.lines().nth(5).unwrap();
    assert!(last.starts_with("—") && last.contains("undated"), "{}", run.out);
}

/// If a parameter of the first machine is unknown on another, the verdict is not "same".
#[test]
fn unknown_parameters_are_named_and_give_exit_code_2() {
    let text = loggia("compare cray-t3d convex-exemplar");
    assert_eq!(text.code, 2, "{}", text.err);
    assert!(text.out.contains("unknown: network L (unknown here)"), "{}", text.out);
    let answer = run_json_exiting("compare cray-t3d convex-exemplar", 2);
    assert_eq!(answer["verdict"], "unknown");
    // A condition on three machines needs the parameter on both that are compared with the first.
    let error = refusal("compare cray-t3d now-sparc convex-exemplar --fail-on L>+10000%");
    assert!(error["message"].as_str().unwrap().contains("number 3"), "{error}");
}

/// Outside its fitted range, a form may have a large error, so a difference is no change.
#[test]
fn an_extrapolated_time_has_not_changed() {
    let arguments = "compare ibm-sp2 intel-paragon --op scatter --procs 1Mi --bytes 64KiB";
    let answer = run_json_exiting(arguments, 2);
    let standing = &answer["collectives"][0]["standings"][1];
    assert_eq!(standing["verdict"], "unknown");
    assert_eq!(standing["why"], "beyond what was measured");
}

/// The convention of the first machine decided silently: 238.4 µs in total, 119.5 µs for each rank.
#[test]
fn a_row_of_an_operation_says_what_its_bytes_count() {
    let row = |sigs: &str, count: &str| {
        let run = loggia(&format!("compare {sigs} --op gather --procs 8 --bytes 1KiB {count}"));
        run.out.lines().find(|line| line.starts_with("gather of")).unwrap().to_owned()
    };
    let (there, back) = (row("ap3000-mpi cray-t3d", ""), row("cray-t3d ap3000-mpi", ""));
    let counts = |line: &str| ["in total", "for each rank"].map(|words| line.contains(words));
    assert_ne!(counts(&there), counts(&back), "{there}\n{back}");
    for (count, words) in [("total", "in total"), ("per_rank", "for each rank")] {
        let option = format!("--bytes-are {count}");
        let [there, back] = ["ap3000-mpi cray-t3d", "cray-t3d ap3000-mpi"].map(|s| row(s, &option));
        let name = format!("gather of 1 KiB {words}, p = 8");
        assert!(there.starts_with(&name) && back.starts_with(&name), "{there}\n{back}");
    }
    let times = |sigs: &str| {
        let answer = run_json_any(&format!(
            "compare {sigs} --op gather --procs 8 --bytes 1KiB --bytes-are per_rank --json"
        ));
        let standings = answer["collectives"][0]["standings"].as_array().unwrap().clone();
        let mut times: Vec<f64> = standings.iter().map(|of| number(of, "time_us")).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    assert_eq!(times("ap3000-mpi cray-t3d"), times("cray-t3d ap3000-mpi"));
    assert_eq!(
        refusal("compare ap3000-mpi cray-t3d --op gather --procs 8 --bytes-are vector")["where"],
        "--bytes-are"
    );
    let all = loggia("compare ap3000-mpi cray-t3d --procs 8 --bytes-are vector");
    assert!(all.out.contains("gather of 1 KiB "), "{}{}", all.out, all.err);
}

/// The answer, whatever the exit status.
fn run_json_any(arguments: &str) -> Value {
    serde_json::from_str(&loggia(arguments).out).unwrap()
}
