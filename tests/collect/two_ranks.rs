//! A complete quick run of two ranks, and its output.

use crate::lab::file::{distinct, finished, list, measured, tier};
use crate::pair::{Launcher, threads_and_mpi};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

threads_and_mpi!(a_quick_run_prints_its_plan_and_writes_a_file);

fn a_quick_run_prints_its_plan_and_writes_a_file(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    // With MPI, the plan is the same, so a part of its rounds is enough.
    let limit = match launcher {
        Launcher::Threads => "",
        Launcher::Mpi(_) => "--max-time 3s",
    };
    let arguments = format!("--quick -o sig.json --name here --title Here {limit}");
    let run = launcher.collected_alone(folder.path(), &arguments).good();
    let file = finished(&folder.path().join("sig.json"));

    let (transport, path) = match launcher {
        Launcher::Threads => ("threads", "memory of one process"),
        Launcher::Mpi(_) => ("mpi", "shared memory"),
    };
    let collection = &file["collection"];
    assert_eq!(collection["transport"], transport);
    assert_eq!(collection["ranks"], 2);
    assert_eq!(list(&collection["hosts"]).len(), 1);
    assert_eq!(collection["hosts"][0]["ranks"], json!([0, 1]));
    assert_eq!(
        list(&collection["hosts"][0]["processors"]).len(),
        2,
        "processors on which ranks may run"
    );
    let clock = &collection["clock"];
    assert!(clock["source"].as_str().is_some_and(|source| !source.is_empty()), "{clock}");
    assert!(clock["resolution"].as_f64().is_some_and(|r| r > 0.0 && r < 1e3), "{clock}");
    assert!(clock["overhead"].as_f64().is_some_and(|o| o >= 0.0), "{clock}");
    assert!(list(&file["tiers"]).len() == 1);
    let actual = tier(&file, "node")["path"].as_str().unwrap();
    assert!(actual.starts_with(path), "{actual}");

    assert_eq!([&file["name"], &file["title"]], ["here", "Here"]);
    let origin = &file["origin"];
    assert_eq!(origin["kind"], "measurement");
    assert!(origin["command"].as_str().unwrap().contains("--quick -o sig.json"), "{origin}");
    assert!(origin["date"].as_str().unwrap().starts_with(&this_year()), "{origin}");
    let library = &file["machine"]["library"];
    let known = match launcher {
        Launcher::Threads => vec![json!("none")],
        Launcher::Mpi(_) => vec![json!("Open MPI"), json!("MPICH")],
    };
    assert!(known.contains(library), "{library}");

    let names = measured(&file);
    for what in ["eager-limit", "ping-pong", "two-processor", "flood", "cpu-overlap", "progress"] {
        assert!(names.iter().any(|name| name.contains(what)), "no {what} among {names:?}");
    }
    // All samples are kept, so that the model can be fitted again.
    let quantities = distinct(&file, "quantity");
    for quantity in ["end_to_end", "send_overhead", "recv_overhead", "gap", "send_alone"] {
        assert!(quantities.contains(&&json!(quantity)), "no {quantity} among {quantities:?}");
    }
    assert!(distinct(&file, "bytes").contains(&&json!(1 << 20)), "1 MiB was not measured");
    assert!(tier(&file, "node")["end_to_end_latency"].is_object());

    check_text(&run.err, &run.out, &file, transport);
    let left: Vec<_> = folder.path().read_dir().unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["sig.json"], "other files are left next to sig.json");
}

/// The text has first the plan with its duration, then the progress, and at the end the summary.
fn check_text(err: &str, out: &str, file: &Value, transport: &str) {
    let mut lines = err.lines().skip_while(|line| !line.starts_with("loggia collect: "));
    let first = lines.next().unwrap_or_else(|| panic!("no plan in {err}"));
    let head = format!("loggia collect: 2 ranks on 1 host over {transport} (");
    assert!(first.starts_with(&head), "{first}");
    let rest: Vec<&str> = lines.collect();
    let estimate = rest.iter().position(|line| line.contains("in total")).unwrap_or_else(|| {
        panic!("no estimated duration:\n{err}");
    });
    let progress = rest.iter().position(|line| line.contains("left") && line.contains('%'));
    assert!(progress.is_some_and(|at| at > estimate), "no progress:\n{err}");
    // The output is not a terminal, so no line is overwritten.
    assert!(!err.contains(['\r', '\u{1b}']), "{err:?}");
    for symbol in ["EEL", "L", "g", "G", "S"] {
        let is_listed = out.lines().any(|line| line.split_whitespace().next() == Some(symbol));
        assert!(is_listed, "{symbol} is not in the summary:\n{out}");
    }
    let eel = &tier(file, "node")["end_to_end_latency"];
    // The quality as printed, for the verdict in the file.
    let quality = match eel["verdict"].as_str().unwrap() {
        "uncertain" => "fair",
        verdict => verdict,
    };
    let line = out.lines().find(|line| line.starts_with("EEL")).unwrap();
    assert!(line.contains(quality), "{line} should contain {quality}");
    assert!(out.contains("sig.json"), "the file is not named: {out}");
}

fn this_year() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // Off by up to a day around New Year.
    format!("{}", 1970 + seconds / 31_556_952)
}
