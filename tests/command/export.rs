//! `export`: files for other programs, on standard output or in a file.

use crate::run::{loggia, number, refusal, run_json, with_input};
use std::fs;

#[test]
fn a_file_holds_what_standard_output_shows() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["simgrid", "loggopsim", "csv", "python", "json"] {
        let path = folder.path().join(format).display().to_string();
        let shown = loggia(&format!("export cray-t3d --as {format} --set L=5us"));
        assert_eq!((shown.code, shown.err.as_str()), (0, ""));
        let run = loggia(&format!("export cray-t3d --as {format} --set L=5us -o {path}"));
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        assert!(run.out.starts_with(&path), "{}", run.out);
        let file = fs::read_to_string(&path).unwrap();
        assert_eq!(file, shown.out);
        let answer = run_json(&format!("export cray-t3d --as {format} --set L=5us"));
        assert_eq!(answer["text"], file.as_str());
        assert_eq!((&answer["as"], &answer["signature"]), (&format.into(), &"cray-t3d".into()));
        assert_eq!(number(&answer, "bytes") as usize, file.len());
        let again = format!("export cray-t3d --as {format} --set L=5us -o {path}");
        assert_eq!(refusal(&again)["message"], "the file exists");
        let answer = run_json(&format!("{again} --overwrite"));
        assert_eq!(answer["file"], path.as_str());
        assert_eq!(fs::read_to_string(&path).unwrap(), file);
    }
}

#[test]
fn options_set_nodes_tier_and_send_mode() {
    let out = |arguments: &str| loggia(&format!("export convex-exemplar {arguments}")).out;
    assert!(out("--as simgrid --nodes 16").contains("radical=\"0-15\""));
    assert!(out("--as simgrid --tier intra-hypernode").contains("tier intra-hypernode"));
    let json: serde_json::Value =
        serde_json::from_str(&out("--as json --tier intra-hypernode")).unwrap();
    assert_eq!(json["tier"], "intra-hypernode");
    let issend = loggia("export cray-t3d --as loggopsim --style issend").out;
    assert!(issend.contains("-o 19500 "), "{issend}");
}

/// The file stays a script; the warning is on standard error, or in the JSON object.
#[test]
fn picoseconds_are_a_warning() {
    let run = loggia("export alps --as loggopsim");
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("#!/bin/sh") && run.out.contains("\nLogGOPSim "), "{}", run.out);
    assert!(run.err.contains("times are in picoseconds"), "{}", run.err);
    let answer = run_json("export alps --as loggopsim");
    assert!(run.err.contains(answer["warnings"][0].as_str().unwrap()), "{answer}");
    assert_eq!(run_json("export cray-t3d --as loggopsim").get("warnings"), None);
}

/// The exported script gives the numbers of `predict`, to all digits that Python prints.
#[test]
fn python_functions_equal_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t3d.py").display().to_string();
    assert_eq!(loggia(&format!("export cray-t3d --as python -o {path}")).code, 0);
    let print = "import t3d; print(t3d.p2p(1024), t3d.collective('alltoall', 64, 512))";
    let python = std::process::Command::new("python3")
        .args(["-c", print])
        .current_dir(folder.path())
        .output();
    let Ok(python) = python else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let stdout = String::from_utf8(python.stdout).unwrap();
    let times: Vec<f64> = stdout.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let message = run_json("predict p2p cray-t3d --bytes 1024");
    let operation = run_json("predict collective cray-t3d --op alltoall --procs 64 --bytes 512");
    for (actual, answer) in times.iter().zip([message, operation]) {
        let expected = number(&answer, "time_us");
        assert!((actual - expected).abs() <= 1e-12 * expected, "{actual}, expected {expected}");
    }
    assert_eq!(times.len(), 2);
}

#[test]
fn a_refused_export_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out").display().to_string();
    let error = refusal(&format!("export cray-t3d --as xml -o {path}"));
    assert!(error["help"].as_str().unwrap().contains("simgrid"), "{error}");
    assert_eq!(refusal("export cray-t3d")["where"], "--as");
    assert_eq!(refusal(&format!("export ibm-sp2 --as simgrid -o {path}"))["where"], "tiers");
    assert!(
        refusal(&format!("export ap3000-mpi --as loggopsim -o {path}"))["message"]
            .as_str()
            .unwrap()
            .contains("LogGP needs")
    );
    assert_eq!(refusal("export cray-t3d --as simgrid --nodes 0")["where"], "--nodes");
    assert_eq!(refusal("export cray-t3d --as csv --style nothing")["where"], "--style");
    assert_eq!(refusal("export ibm-sp2 --as json --tier x")["where"], "tiers");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_signature_from_a_pipe_is_exported() {
    let file = loggia("show cray-t3d --json").out;
    let run = with_input("export - --as csv", file.as_bytes());
    assert_eq!((run.code, run.out), (0, loggia("export cray-t3d --as csv").out));
}
