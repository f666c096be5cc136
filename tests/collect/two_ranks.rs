//! The whole quick run of two ranks, and what it leaves behind.

use crate::lab::file::{different, finished, list, measured, tier};
use crate::pair::{Launcher, threads_and_mpi};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

threads_and_mpi!(a_quick_run_says_what_it_does_and_writes_what_it_found);

fn a_quick_run_says_what_it_does_and_writes_what_it_found(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let run = way.collected(folder.path(), "--quick -o sig.json --name here --title Here").good();
    let file = finished(&folder.path().join("sig.json"));

    let (transport, path) = match way {
        Launcher::Threads => ("threads", "memory of one process"),
        Launcher::Mpi(_) => ("mpi", "shared memory"),
    };
    let collection = &file["collection"];
    assert_eq!(collection["transport"], transport);
    assert_eq!(collection["ranks"], 2);
    assert_eq!(list(&collection["hosts"]).len(), 1);
    assert_eq!(collection["hosts"][0]["ranks"], json!([0, 1]));
    assert_eq!(list(&collection["hosts"][0]["processors"]).len(), 2, "where ranks may run");
    let clock = &collection["clock"];
    assert!(clock["source"].as_str().is_some_and(|source| !source.is_empty()), "{clock}");
    assert!(clock["resolution"].as_f64().is_some_and(|r| r > 0.0 && r < 1e3), "{clock}");
    assert!(clock["overhead"].as_f64().is_some_and(|o| o >= 0.0), "{clock}");
    assert!(list(&file["tiers"]).len() == 1);
    let really = tier(&file, "node")["path"].as_str().unwrap();
    assert!(really.starts_with(path), "{really}");

    assert_eq!([&file["name"], &file["title"]], ["here", "Here"]);
    let origin = &file["origin"];
    assert_eq!(origin["kind"], "measurement");
    assert!(origin["command"].as_str().unwrap().contains("--quick -o sig.json"), "{origin}");
    assert!(origin["date"].as_str().unwrap().starts_with(&this_year()), "{origin}");
    let library = &file["machine"]["library"];
    let known = match way {
        Launcher::Threads => vec![json!("none")],
        Launcher::Mpi(_) => vec![json!("Open MPI"), json!("MPICH")],
    };
    assert!(known.contains(library), "{library}");

    let names = measured(&file);
    for what in ["eager-limit", "ping-pong", "two-processor", "flood", "cpu-overlap", "progress"] {
        assert!(names.iter().any(|name| name.contains(what)), "no {what} among {names:?}");
    }
    // What was measured, was kept: the model can be fitted again.
    let quantities = different(&file, "quantity");
    for quantity in ["end_to_end", "send_overhead", "recv_overhead", "gap", "send_alone"] {
        assert!(quantities.contains(&&json!(quantity)), "no {quantity} among {quantities:?}");
    }
    assert!(different(&file, "bytes").contains(&&json!(1 << 20)), "1 MiB was not measured");
    assert!(tier(&file, "node")["end_to_end_latency"].is_object());

    in_words(&run.err, &run.out, &file, transport);
    let left: Vec<_> = folder.path().read_dir().unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["sig.json"], "something is left beside the file");
}

/// The plan comes first, with its time; then progress; at the end the summary.
fn in_words(err: &str, out: &str, file: &Value, transport: &str) {
    let mut lines = err.lines().skip_while(|line| !line.starts_with("loggia collect: "));
    let first = lines.next().unwrap_or_else(|| panic!("no plan in {err}"));
    let head = format!("loggia collect: 2 ranks on 1 host over {transport} (");
    assert!(first.starts_with(&head), "{first}");
    let rest: Vec<&str> = lines.collect();
    let estimate = rest.iter().position(|line| line.contains("in total")).unwrap_or_else(|| {
        panic!("how long it will take is not said:\n{err}");
    });
    let progress = rest.iter().position(|line| line.contains("left") && line.contains('%'));
    assert!(progress.is_some_and(|at| at > estimate), "no progress:\n{err}");
    // This is no terminal: lines do not renew themselves.
    assert!(!err.contains(['\r', '\u{1b}']), "{err:?}");
    for symbol in ["EEL", "L", "g", "G", "S"] {
        let said = out.lines().any(|line| line.split_whitespace().next() == Some(symbol));
        assert!(said, "{symbol} is not in the summary:\n{out}");
    }
    let eel = &tier(file, "node")["end_to_end_latency"];
    // The file's verdict, as people read it.
    let quality = match eel["verdict"].as_str().unwrap() {
        "uncertain" => "fair",
        verdict => verdict,
    };
    let line = out.lines().find(|line| line.starts_with("EEL")).unwrap();
    assert!(line.contains(quality), "{line} should say {quality}");
    assert!(out.contains("sig.json"), "where it all is, is not said: {out}");
}

fn this_year() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // Around New Year's Eve a day more or less does not matter.
    format!("{}", 1970 + seconds / 31_556_952)
}
