//! `loggia simulate`: known completion times, other outputs, written files, errors.

use crate::oracle::oracle;
use crate::run::{loggia, number, refusal, run_json, run_json_exiting};
use serde_json::Value;
use std::fs;

/// LogGOPSim's own defaults.
const DEFAULTS: &str = "--L 2500ns --o 1500ns --g 1000ns --G 6ns --O 0 --S 65535";

/// Times of LogGOPSim.
#[test]
fn known_completion_times() {
    for (arguments, end, events) in [
        ("--op barrier --algorithm dissemination --procs 1024", 55.0, 30_720),
        ("--op alltoall --algorithm linear --procs 256", 765.0, 195_840),
        ("--op bcast --algorithm binomial --procs 4096", 66.0, 12_285),
        ("--op allreduce --algorithm ring --procs 64 --bytes 64KiB", 1466.388, 24_192),
    ] {
        let answer = run_json(&format!("simulate {arguments} {DEFAULTS}"));
        assert_eq!(number(&answer, "time_us"), end, "{arguments}");
        assert_eq!(answer["events"], events, "{arguments}");
        assert_eq!(answer["status"], "ok");
        assert_eq!(answer["rules"], "loggops");
        let times = answer["rank_times_us"].as_array().unwrap();
        let last = times.iter().map(|time| time.as_f64().unwrap()).fold(0.0, f64::max);
        assert_eq!(last, end);
    }
}

/// A sample of the cases, through the command; the model's tests compare all.
#[test]
fn some_cases_of_the_reference_simulator() {
    let Some(oracle) = oracle("") else { return };
    let expected = fs::read_to_string(oracle.join("expected.jsonl")).unwrap();
    let table = fs::read_to_string(oracle.join("params.tsv")).unwrap();
    let mut compared = 0;
    for line in expected.lines().step_by(37) {
        let case: Value = serde_json::from_str(line).unwrap();
        let row = table.lines().find(|row| row.starts_with(case["params"].as_str().unwrap()));
        let cells: Vec<&str> = row.unwrap().split('\t').collect();
        let [_, l, o, g, per_byte, overhead, limit] = cells.try_into().unwrap();
        let goal = oracle.join("goal").join(case["goal"].as_str().unwrap());
        let answer = run_json(&format!(
            "simulate {} --L {l}ns --o {o}ns --g {g}ns --G {per_byte}ns --O {overhead}ns --S {limit}",
            goal.display()
        ));
        assert_eq!(answer["status"], case["status"], "{line}");
        assert_eq!(answer["events"], case["events"], "{line}");
        let times = case["times"].as_array().unwrap();
        for (actual, expected) in answer["rank_times_us"].as_array().unwrap().iter().zip(times) {
            let nanos = (actual.as_f64().unwrap() * 1000.0).round();
            assert_eq!(nanos, expected.as_f64().unwrap(), "{line}");
        }
        compared += 1;
    }
    assert!(compared >= 39);
}

/// Sensitivities equal the difference to a run with a slightly larger parameter; the terms of the
/// critical path add up to the completion time.
#[test]
fn sensitivities_equal_finite_differences() {
    let run = |l: u32, o: u32, g: u32, per_byte: u32| {
        let numbers = format!("--L {l}ns --o {o}ns --g {g}ns --G {per_byte}ns --S 65535");
        format!("simulate --op allreduce --algorithm ring --procs 7 --bytes 9001 {numbers}")
    };
    let base = run_json(&format!("{} --sensitivity --critical-path", run(2500, 1500, 9000, 6)));
    let end = number(&base, "time_us");
    for (key, more) in [
        ("d_latency", run(2501, 1500, 9000, 6)),
        ("d_overhead", run(2500, 1501, 9000, 6)),
        ("d_gap", run(2500, 1500, 9001, 6)),
        ("d_gap_per_byte", run(2500, 1500, 9000, 7)),
    ] {
        let later = number(&run_json(&more), "time_us") - end;
        assert!((later * 1000.0 - number(&base, key)).abs() < 1e-6, "{key}: {later}");
    }
    let terms = base["critical_path"]["terms"].as_array().unwrap();
    let sum: f64 = terms.iter().map(|term| number(term, "time_us")).sum();
    assert!((sum - end).abs() < 1e-9, "{terms:?}");
    let steps = base["critical_path"]["steps"].as_array().unwrap();
    assert!(steps.len() > 10);
    assert_eq!(number(&steps[steps.len() - 1], "end_us"), end);
}

/// 8 ranks of a node send to 8 of another: the card is the limit, and the sensitivity to 1/R_N
/// equals a finite difference.
#[test]
fn ranks_of_a_node_share_its_card() {
    let run = |nodes: &str, each: &str| {
        format!(
            "simulate cray-t3d --op alltoall --algorithm pairwise --procs 16 --bytes 10KB --nodes \
             {nodes} --set R_N={each} --sensitivity"
        )
    };
    let shared = run_json(&run("block:8", "35ns"));
    let apart = run_json(&run("block:1", "35ns"));
    assert!(number(&shared, "time_us") > 2.0 * number(&apart, "time_us"));
    assert!(
        apart["sensitivity"].get("d_node_gap_per_byte").is_none()
            && apart.get("d_node_gap_per_byte").is_none()
    );
    let later =
        number(&run_json(&run("block:8", "35.001ns")), "time_us") - number(&shared, "time_us");
    let slope = number(&shared, "d_node_gap_per_byte");
    assert!((later / 1e-6 / slope - 1.0).abs() < 1e-3, "{later} {slope}");
    let no_card = run_json(&run("block:1", "none").replace("--nodes block:1", ""));
    assert_eq!(number(&no_card, "time_us"), number(&apart, "time_us"));
}

#[test]
fn the_curve_equals_separate_runs() {
    let arguments = "simulate --op barrier --algorithm dissemination --procs 8 --bytes 16 cray-t3d";
    let curve = run_json(&format!("{arguments} --set g=80us --curve L=0..80us"))["curve"].clone();
    let pieces = curve["pieces"].as_array().unwrap();
    assert_eq!(curve["parameter"], "L");
    assert_eq!((number(&pieces[0], "from_us"), pieces.len() > 1), (0.0, true), "{curve}");
    for latency in [0.0, 7.5, 20.0, 33.3, 51.0, 80.0] {
        let fresh =
            number(&run_json(&format!("{arguments} --set g=80us --set L={latency}us")), "time_us");
        let piece = pieces.iter().rfind(|piece| number(piece, "from_us") <= latency).unwrap();
        let grown = (latency - number(piece, "from_us")) * number(piece, "slope");
        let at = number(piece, "time_us") + grown;
        assert!((at - fresh).abs() < 1e-6, "L = {latency}: {at} and {fresh}");
    }
}

#[test]
fn a_timeline_ends_when_the_run_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.json");
    let answer = run_json(&format!(
        "simulate --op reduce --algorithm binomial --procs 8 --bytes 4KiB cray-t3d --compute 10ns \
         --timeline {}",
        file.display()
    ));
    let trace: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let spans = || events.iter().filter(|event| event["ph"] == "X");
    let end = spans().map(|span| number(span, "ts") + number(span, "dur")).fold(0.0, f64::max);
    assert!((end - number(&answer, "time_us")).abs() < 1e-6);
    // Seven messages, each with a send, a receive and a reduction.
    assert_eq!(spans().count(), 21);
    assert_eq!(events.iter().filter(|event| event["ph"] == "s").count(), 7);
    let names = events.iter().filter(|event| event["name"] == "process_name").count();
    assert_eq!(names, 8);
}

#[test]
fn a_written_schedule_gives_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "simulate --op allgather --algorithm bruck --procs 11 --bytes 100";
    let expected = run_json(&format!("{arguments} {DEFAULTS}"));
    for name in ["schedule.goal", "schedule.bin"] {
        let file = folder.path().join(name);
        run_json(&format!("{arguments} {DEFAULTS} --write-goal {}", file.display()));
        let again = run_json(&format!("simulate {} {DEFAULTS}", file.display()));
        for key in ["events", "rank_times_us", "messages", "bytes"] {
            assert_eq!(again[key], expected[key], "{name} {key}");
        }
    }
    // No other file is left.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn the_parts_of_each_rank_add_up() {
    let answer = run_json(
        "simulate --op scatter --algorithm linear --procs 5 --bytes 10KB cray-t3d --split --set g=5us",
    );
    let end = number(&answer, "time_us");
    for rank in answer["ranks"].as_array().unwrap() {
        let parts = [
            "compute_us",
            "send_overhead_us",
            "recv_overhead_us",
            "control_us",
            "gap_us",
            "waiting_us",
        ];
        let sum: f64 = parts.iter().map(|part| number(rank, part)).sum();
        assert!((sum - end).abs() < 1e-6, "{rank}");
    }
    let root = &answer["ranks"][0];
    assert_eq!(root["messages"], 4);
    assert!(number(root, "gap_us") > 0.0);
}

#[test]
fn a_deadlock_is_reported_with_its_cycle() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stuck.goal");
    let text = "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n\
                rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n";
    fs::write(&file, text).unwrap();
    for machine in [DEFAULTS, "cray-t3d"] {
        let answer = run_json_exiting(&format!("simulate {} {machine}", file.display()), 1);
        assert_eq!(answer["status"], "unmatched");
        assert!(answer["time_us"].is_null());
        assert_eq!(answer["stuck"]["cycle"].as_array().unwrap().len(), 4, "{answer}");
    }
    let run = loggia(&format!("simulate {} cray-t3d", file.display()));
    assert!(run.out.contains("rank 1: recv 8b from 0 tag 0"), "{}", run.out);
    assert_eq!(run.code, 1);
}

/// LoGH{sSP}: Al-Tawil & Moritz 2001, Equations 8 and 9, in a simulation on nodes.
#[test]
fn nodes_have_two_tiers() {
    let arguments =
        "simulate --op bcast --algorithm two-level --procs 16 --bytes 100 convex-exemplar";
    let near = number(&run_json(&format!("{arguments} --nodes block:16")), "time_us");
    let far = number(&run_json(&format!("{arguments} --nodes block:1")), "time_us");
    let both = number(&run_json(&format!("{arguments} --nodes block:4")), "time_us");
    assert!(near < both && both < far, "{near} {both} {far}");
    let one_tier =
        run_json("simulate --op bcast --algorithm binomial --procs 4 cray-t3d --nodes block:2");
    assert!(one_tier["warnings"].to_string().contains("one tier"), "{one_tier}");
}

#[test]
fn ranks_beyond_the_measured_give_a_warning() {
    let warnings = |procs: u32| {
        let arguments = "simulate --op bcast --algorithm binomial --bytes 1 alps --procs";
        run_json(&format!("{arguments} {procs}"))["warnings"].to_string()
    };
    assert!(warnings(64).contains("beyond 2 ranks"), "{}", warnings(64));
    assert!(!warnings(2).contains("beyond"), "{}", warnings(2));
}

#[test]
fn single_numbers_work_with_every_simulation_model() {
    let arguments = "simulate --op bcast --algorithm binomial --procs 8 --bytes 1";
    for rules in ["loggops", "loggp", "logp", "loggps"] {
        let answer = run_json(&format!("{arguments} {DEFAULTS} --rules {rules}"));
        assert_eq!(number(&answer, "time_us"), 16.5, "{rules}");
    }
    let error = refusal(&format!("{arguments} {DEFAULTS} --rules loggpo"));
    assert!(error["message"].as_str().unwrap().contains("O'"), "{error}");
    let set =
        "--set O'=1us --set O_i=1500ns --set O_c=1500ns --set progress=dcp --set transfer=rat";
    let answer = run_json(&format!("{arguments} {DEFAULTS} --rules loggpo {set}"));
    assert_eq!(number(&answer, "time_us"), 16.5);
}

#[test]
fn an_algorithm_is_predicted_by_its_closed_form_or_a_run() {
    let exact = run_json(
        "predict collective cray-t3d --op bcast --procs 8 --bytes 16 --algorithm binomial",
    );
    assert!((number(&exact, "time_us") - 3.0 * 48.7).abs() < 1e-6);
    assert_eq!((&exact["model"], &exact["by"]), (&"loggp".into(), &"closed_form".into()));
    let part = |key: &str| number(&exact, key);
    assert!(
        (part("startup_us") + part("transmission_us") + part("compute_us") - part("time_us")).abs()
            < 1e-6
    );
    let run = run_json(
        "predict collective cray-t3d --op allreduce --procs 6 --bytes 1KiB --algorithm recursive-doubling",
    );
    assert_eq!(run["by"], "run");
    let simulated = run_json(
        "simulate --op allreduce --procs 6 --bytes 1KiB --algorithm recursive-doubling cray-t3d --rules loggp",
    );
    assert_eq!(run["time_us"], simulated["time_us"]);
}

/// `predict` and `simulate` give the same time for an algorithm under the same simulation model.
#[test]
fn a_prediction_uses_the_richest_model() {
    let arguments = "--op bcast --algorithm binomial --procs 8 --bytes 10000";
    let predicted = run_json(&format!("predict collective cray-t3d {arguments} --set S=1000"));
    let simulated = run_json(&format!("simulate {arguments} cray-t3d --set S=1000"));
    assert_eq!(predicted["model"], "loggps");
    assert_eq!(predicted["time_us"], simulated["time_us"]);
    let error = refusal(
        "predict collective cray-t3d --op reduce --procs 8 --bytes 1000000000000000 \
         --algorithm binomial",
    );
    assert!(error["message"].as_str().unwrap().contains("exceeds"), "{error}");
}

#[test]
fn best_gives_its_ratio_and_the_next_crossover() {
    let arguments = "predict collective now-sparc --op bcast --procs 16 --algorithm";
    let answer = run_json(&format!("{arguments} best --bytes 1KiB"));
    let best = &answer["best"];
    let ranking = best["ranking"].as_array().unwrap();
    assert_eq!(answer["algorithm"], ranking[0]["name"]);
    let ahead = number(&ranking[1], "time_us") / number(&ranking[0], "time_us");
    assert!((number(best, "ahead") - ahead).abs() < 1e-12 && ahead >= 1.0);
    let next = &best["next_over_bytes"];
    let at = next["at"].as_u64().unwrap();
    let beyond = run_json(&format!("{arguments} best --bytes {at}"));
    assert_eq!(beyond["algorithm"], next["algorithm"], "{best}");
    let before = run_json(&format!("{arguments} best --bytes {}", at - 1));
    assert_eq!(before["algorithm"], answer["algorithm"]);
}

/// The limit of the shell makes the memory small on every machine.
#[test]
fn a_schedule_that_exceeds_the_memory_is_refused() {
    let loggia = env!("CARGO_BIN_EXE_loggia");
    for more in ["", "--nodes block:8", "--nodes cyclic:8", "--json"] {
        let simulate = format!(
            "ulimit -v 8000000; exec {loggia} simulate --op bcast --algorithm binomial \
             --procs 1000000000 --bytes 64KiB cray-t3d {more}"
        );
        let run = std::process::Command::new("sh").args(["-c", &simulate]).output().unwrap();
        let text =
            String::from_utf8_lossy(if more == "--json" { &run.stdout } else { &run.stderr });
        assert_eq!(run.status.code(), Some(2), "{more}: {text}");
        let facts =
            ["bcast binomial on 1000000000 ranks needs", "memory", "use fewer ranks", "--procs"];
        assert!(facts.iter().all(|fact| text.contains(fact)), "{more}: {text}");
    }
}

#[test]
fn errors_give_fact_place_and_remedy() {
    let check = |arguments: &str, key: &str, expected: &str| {
        let error = refusal(arguments);
        let actual = error[key].as_str().unwrap();
        assert!(actual.contains(expected), "{arguments}: {key} {actual:?} lacks {expected:?}");
    };
    let bcast = "simulate --op bcast --algorithm binomial --procs 4";
    check(bcast, "message", "no machine");
    check(&format!("{bcast} cray-t3d {DEFAULTS}"), "message", "both");
    check(&format!("{bcast} cray-t3d extra"), "message", "unexpected argument `extra`");
    check("simulate cray-t3d", "message", "no machine");
    check(&format!("{bcast} {DEFAULTS} --set L=1us"), "where", "--set");
    check("simulate --op bcast --algorithm binomial --procs 1 cray-t3d", "where", "--procs");
    check("simulate nowhere.goal cray-t3d", "message", "no such file");
    check("simulate --op bcast --algorithm bin --procs 4 cray-t3d", "help", "binomial");
    check("simulate --op bcast --algorithm binomial --procs 0 cray-t3d", "message", "0");
    check(&format!("{bcast} cray-t3d --rules loggops"), "help", "loggpo");
    check(&format!("{bcast} cray-t3d --rules loggop"), "help", "loggops");
    check(&format!("{bcast} convex-exemplar --nodes 0,1"), "message", "2 of 4");
    check(&format!("{bcast} cray-t3d --curve L=5us..1us"), "message", "is below its start");
    check(&format!("{bcast} cray-t3d --curve X=0..1us"), "where", "--curve");
    check("simulate --op bcast --algorithm two-level --procs 4 cray-t3d", "where", "--nodes");
    check(
        "simulate --op alltoall --algorithm linear --procs 100000 --bytes 1 cray-t3d",
        "message",
        "operations",
    );
    check(&format!("{bcast} cray-t3d --timeline /nowhere/t.json"), "message", "cannot be written");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.goal");
    fs::write(&file, "num_ranks 1\nrank 0 {\nl1: send 8b to 5\n}\n").unwrap();
    check(&format!("simulate {} cray-t3d", file.display()), "where", "wrong.goal:3:");
    fs::write(&file, format!("num_ranks 1\nrank 0 {{\ncalc {}\n}}\n", u64::MAX)).unwrap();
    check(&format!("simulate {} cray-t3d", file.display()), "message", "simulator's maximum");
}
