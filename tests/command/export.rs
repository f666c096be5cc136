//! `export`: what other programs read, on standard output or in a file.

use crate::run::{ask, loggia, number, refusal, with_input};
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
        let answer = ask(&format!("export cray-t3d --as {format} --set L=5us"));
        assert_eq!(answer["text"], file.as_str());
        assert_eq!((&answer["as"], &answer["signature"]), (&format.into(), &"cray-t3d".into()));
        assert_eq!(number(&answer, "bytes") as usize, file.len());
        let answer = ask(&format!("export cray-t3d --as {format} --set L=5us -o {path}"));
        assert_eq!(answer["file"], path.as_str());
        assert_eq!(fs::read_to_string(&path).unwrap(), file);
    }
}

#[test]
fn nodes_tier_and_style_are_as_asked_for() {
    let out = |words: &str| loggia(&format!("export convex-exemplar {words}")).out;
    assert!(out("--as simgrid --nodes 16").contains("radical=\"0-15\""));
    assert!(out("--as simgrid --tier intra-hypernode").contains("tier intra-hypernode"));
    let json: serde_json::Value =
        serde_json::from_str(&out("--as json --tier intra-hypernode")).unwrap();
    assert_eq!(json["tier"], "intra-hypernode");
    let issend = loggia("export cray-t3d --as loggopsim --style issend").out;
    assert!(issend.contains("-o 19500 "), "{issend}");
}

/// The script that it writes is what `predict` answers, to the last digit that Python prints.
#[test]
fn python_predicts_what_the_command_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t3d.py").display().to_string();
    assert_eq!(loggia(&format!("export cray-t3d --as python -o {path}")).code, 0);
    let print = "import t3d; print(t3d.p2p(1024), t3d.collective('alltoall', 64, 512))";
    let python = std::process::Command::new("python3")
        .args(["-c", print])
        .current_dir(folder.path())
        .output();
    let Ok(python) = python else {
        eprintln!("skipped: there is no python3 here");
        return;
    };
    let told = String::from_utf8(python.stdout).unwrap();
    let told: Vec<f64> = told.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let message = ask("predict p2p cray-t3d --bytes 1024");
    let operation = ask("predict collective cray-t3d --op alltoall --procs 64 --bytes 512");
    for (told, answer) in told.iter().zip([message, operation]) {
        let expected = number(&answer, "time_us");
        assert!((told - expected).abs() <= 1e-12 * expected, "{told} not {expected}");
    }
    assert_eq!(told.len(), 2);
}

#[test]
fn what_cannot_be_written_is_refused_and_leaves_no_file() {
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
fn a_signature_from_a_pipe_is_written_on() {
    let file = loggia("show cray-t3d --json").out;
    let run = with_input("export - --as csv", file.as_bytes());
    assert_eq!((run.code, run.out), (0, loggia("export cray-t3d --as csv").out));
}
