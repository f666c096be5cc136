//! `loggia plan`: predicted times of programs from sketches.

use crate::run::{loggia, number, refusal, run_json, with_input};
use std::fs;

fn at(answer: &serde_json::Value, place: usize) -> &serde_json::Value {
    &answer["plans"][0]["points"][place]
}

#[test]
fn a_sketch_is_planned_to_a_million_ranks() {
    let answer = run_json("plan docs/sketches/halo.toml cray-t3d --procs 2..1Mi");
    let points = answer["plans"][0]["points"].as_array().unwrap();
    assert_eq!(points.len(), 20);
    assert_eq!(points[19]["procs"], 1 << 20);
    assert_eq!(at(&answer, 0)["by"], "simulated");
    assert_eq!(at(&answer, 19)["by"], "sum");
    for point in points {
        let parts = ["compute", "overhead", "latency", "gap", "bytes", "waiting"];
        let sum: f64 = parts.map(|part| number(&point["parts"], part)).iter().sum();
        assert!((sum / number(point, "time_us") - 1.0).abs() < 1e-9, "{point}");
        assert!(number(point, "efficiency") <= 1.0 + 1e-9, "{point}");
    }
    let meeting = &answer["plans"][0]["meeting"];
    let error = number(meeting, "sum_us") / number(meeting, "simulated_us") - 1.0;
    assert!(error.abs() < 0.05, "{meeting}");
}

/// The plan names the p from which the network card limits, and the time that a second card saves.
#[test]
fn a_plan_reports_the_limit_of_the_card() {
    let plan = |more: &str| {
        run_json(&format!("plan docs/sketches/halo.toml cray-t3d --procs 16,256,4Ki {more}"))["plans"][0]
            .clone()
    };
    let shared = plan("--set R_N=30MB/s --ranks-per-node 8");
    let card = &shared["card"];
    assert_eq!((&card["ranks_per_node"], &card["pairs_to_fill_card"]), (&8.into(), &2.into()));
    assert_eq!((&card["limits_from"], &card["procs"]), (&256.into(), &4096.into()));
    let saves = number(card, "second_card_saves");
    let twice = plan("--set R_N=60MB/s --ranks-per-node 8");
    let [one, two] = [&shared, &twice].map(|plan| number(&plan["points"][2], "time_us"));
    assert!((1.0 - two / one - saves).abs() < 1e-3 && saves > 0.1, "{saves} {one} {two}");
    let warnings = shared["warnings"].to_string();
    assert!(!warnings.contains("contention"), "{warnings}");
    // Without ranks per node, the plan requests them.
    let incomplete = plan("--set R_N=30MB/s");
    assert!(incomplete["warnings"].to_string().contains("set the ranks per node"), "{incomplete}");
    let plain = plan("--ranks-per-node 8");
    assert!(plain.get("card").is_none());
    assert!(plain["warnings"].to_string().contains("contention there was not measured"));
    assert!(plain["missing"].to_string().contains("contention for a node's network"));
    assert!(!shared["missing"].to_string().contains("contention for a node's network"));
}

#[test]
fn a_plan_compares_machines() {
    let arguments =
        "plan docs/sketches/conjugate-gradient.toml cray-t3d ap3000-mpi --procs 8,64 --steps";
    let answer = run_json(arguments);
    assert_eq!(answer["plans"][1]["machine"], "ap3000-mpi");
    // Only Hockney's line of this machine is known, and a warning states the assumption.
    let warnings = answer["plans"][1]["warnings"].to_string();
    assert!(warnings.contains("assumed from RTT/2"), "{warnings}");
    assert_eq!(answer["plans"][1]["scaling"], "weak");
}

/// A sketch with open constants and measured runs, as files.
fn fitted(sketch: &str, runs: &str) -> (tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name, text| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let files = [file("open.toml", sketch), file("runs.csv", runs)];
    (folder, files)
}

#[test]
fn open_constants_are_fitted_to_runs() {
    let text = "iterations = 10\n[let]\nwork = \"?\"\n[[step]]\ncompute = \"work / p\"\n";
    let (_folder, [sketch, runs]) = fitted(text, "procs,time\n2,1s\n4,500ms\n8,250ms\n");
    let answer = run_json(&format!("plan {sketch} cray-t3d --procs 16 --fit {runs}"));
    let work = number(&answer["fitted"][0]["constants"][0], "value_us");
    assert!((work / 2e5 - 1.0).abs() < 1e-6, "{work}");
    let error = refusal(&format!("plan {sketch} cray-t3d --procs 16"));
    assert!(error["help"].as_str().unwrap().contains("--fit"), "{error}");
}

#[test]
fn a_mistake_in_a_sketch_is_reported_with_its_place() {
    let run = with_input("plan - cray-t3d", b"[[step]]\nalreduce = 8\n");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("standard input:2:1"), "{}", run.err);
    assert!(run.err.contains("allreduce"), "{}", run.err);
    for (arguments, help) in [
        ("plan docs/sketches/halo.toml cray-t3d --procs none", "2..1M"),
        ("plan docs/sketches/halo.toml cray-t3d --procs 8..4", "2..1M"),
        ("plan nothing.toml cray-t3d", "check the path"),
    ] {
        let error = refusal(arguments);
        assert!(error["help"].as_str().unwrap().contains(help), "{arguments}: {error}");
    }
}

#[test]
fn an_option_and_a_sweep_of_the_same_are_refused() {
    for option in ["scale-latency 1", "scale-latency 2", "scale-bandwidth 2", "progress dcp"] {
        let name = option.split(' ').next().unwrap();
        let value = if name == "progress" { "icp" } else { "0.5,4" };
        let error = refusal(&format!(
            "plan docs/sketches/halo.toml cray-t3d --procs 4 --{option} --sweep {name}={value}"
        ));
        assert_eq!(error["where"], format!("--{name}"), "{error}");
        assert!(error["message"].as_str().unwrap().contains("both set and swept"), "{error}");
    }
}

#[test]
fn a_message_larger_than_any_memory_is_refused() {
    let plan = |step: &str| {
        let run =
            with_input("plan - cray-t3d --procs 4,16", format!("[[step]]\n{step}").as_bytes());
        (run.code, run.err)
    };
    for step in ["allreduce = \"1e16\"\n", "exchange = \"1e30\"\n", "alltoall = \"2^51 * p\"\n"] {
        let (code, error) = plan(step);
        assert_eq!(code, 2, "{step}: {error}");
        assert!(error.contains("standard input:2") && error.contains("1 PiB"), "{error}");
    }
    assert_eq!(plan("allreduce = \"1GiB\"\n").0, 0);
}

/// The constants fitted on a machine are printed with its plan.
#[test]
fn a_fit_is_printed_with_its_machine() {
    let text = "[let]\nwork = \"?\"\n[[step]]\ncompute = \"work / p\"\n[[step]]\nexchange = 8\n";
    let (_folder, [sketch, runs]) = fitted(text, "procs;time\n2;1s\n4;500ms\n");
    let both = loggia(&format!("plan {sketch} cray-t3d now-sparc --procs 16 --fit {runs}"));
    assert_eq!(both.code, 0, "{}", both.err);
    let places =
        ["fitted on cray-t3d", "on cray-t3d, sim", "fitted on now-sparc", "on now-sparc, sim"];
    let found = places.map(|text| both.out.find(text).unwrap());
    assert!(found.is_sorted(), "{}", both.out);
}

#[test]
fn sizes_beyond_the_measured_are_marked() {
    let sketch = b"[[step]]\nexchange = \"64MiB\"\n[[step]]\nexchange = 64\n";
    let run = with_input("plan - cray-t3d --procs 2 --json", sketch);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(at(&answer, 0)["beyond"], serde_json::json!([64 << 20]));
    assert_eq!(at(&answer, 0)["extrapolates"], false);
    let warnings = answer["plans"][0]["warnings"].to_string();
    assert!(warnings.contains("Messages of 64 MiB"), "{warnings}");
}

/// A machine with an unknown kind of handshake: the assumed protocol is named.
#[test]
fn the_protocol_above_s_may_be_assumed() {
    let arguments = "plan docs/sketches/halo.toml docs/runs/2026-07.json --procs 4";
    let answer = run_json(&format!("{arguments} --set progress=dependent"));
    let plan = &answer["plans"][0];
    assert_eq!(plan["rules"], "loggpo");
    assert!(plan["warnings"].to_string().contains("assumed RAT"), "{plan}");
    let parameters =
        plan["missing"].as_array().unwrap().iter().map(|missing| &missing["parameter"]);
    assert!(parameters.into_iter().any(|name| name == "transfer above S"), "{plan}");
}

#[test]
fn an_input_file_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let sketch = folder.path().join("mine.toml");
    fs::write(&sketch, "[[step]]\nbarrier = 0\n").unwrap();
    let name = sketch.display();
    let error = refusal(&format!("plan {name} cray-t3d -o {name} --overwrite"));
    assert!(error["message"].as_str().unwrap().contains("is read"), "{error}");
    assert_eq!(fs::read_to_string(&sketch).unwrap(), "[[step]]\nbarrier = 0\n");
    let output = folder.path().join("all.json");
    let arguments = format!("plan {name} cray-t3d -o {}", output.display());
    assert_eq!(loggia(&arguments).code, 0);
    let again = loggia(&format!("{arguments} --resume"));
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.err.contains("there is nothing to resume"), "{}", again.err);
}

#[test]
fn a_time_that_is_too_large_is_refused_with_its_line() {
    let of = |sketch: &[u8]| {
        let run = with_input("plan - cray-t3d --procs 4", sketch);
        assert_eq!(run.code, 2, "{}", run.out);
        run.err
    };
    let step = of(b"[[step]]\nbarrier = 0\n[[step]]\ntimes = 1e300\ncompute = \"1e30us\"\n");
    assert!(step.contains("5: the planned time is too large"), "{step}");
    let all =
        of(b"iterations = 9000000000000000000\n[[step]]\ntimes = 1e280\ncompute = \"1e12us\"\n");
    assert!(all.contains("the planned time is too large"), "{all}");
}

#[test]
fn a_time_of_zero_has_no_shares() {
    let run = with_input("plan - cray-t3d --procs 1,4", b"[[step]]\ncompute = 0\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.out.contains("NaN") && !run.out.contains('\u{2014}'), "{}", run.out);
}
