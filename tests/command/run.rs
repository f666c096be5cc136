//! Runs the built command, as a user at a terminal.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// Output and exit code of a run.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `loggia` with these arguments, split at spaces, at the root of the project.
pub(crate) fn loggia(arguments: &str) -> Run {
    with_input(arguments, b"")
}

/// Like [`loggia`], with standard input.
pub(crate) fn with_input(arguments: &str, input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loggia"))
        .args(arguments.split(' ').filter(|argument| !argument.is_empty()))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // In a thread: the command may stop reading early.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// JSON output of a run that must succeed.
pub(crate) fn run_json(arguments: &str) -> Value {
    run_json_exiting(arguments, 0)
}

/// JSON output of a run that must exit with this code.
pub(crate) fn run_json_exiting(arguments: &str, code: i32) -> Value {
    let run = loggia(&format!("{arguments} --json"));
    assert_eq!(run.code, code, "{arguments}: {}{}", run.out, run.err);
    assert_eq!(run.err, "", "{arguments}");
    serde_json::from_str(&run.out).unwrap()
}

/// The number at a key of a JSON object.
pub(crate) fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {object}"))
}

/// The error of a run that must exit with 2, the same as text and as JSON.
pub(crate) fn refusal(arguments: &str) -> Value {
    let text = loggia(arguments);
    assert_eq!(text.code, 2, "{arguments}: {}{}", text.out, text.err);
    assert_eq!(text.out, "", "{arguments}");
    assert!((1..=2).contains(&text.err.lines().count()), "{arguments}: {}", text.err);
    let json = loggia(&format!("{arguments} --json"));
    assert_eq!((json.code, json.err.as_str()), (2, ""), "{arguments}");
    let object: Value = serde_json::from_str(&json.out).unwrap();
    let error = object["error"].clone();
    for key in ["message", "where", "help"] {
        let part = error[key].as_str().unwrap_or_else(|| panic!("no {key} in {object}"));
        assert!(text.err.contains(part), "{arguments}: {part:?} is not in {:?}", text.err);
    }
    error
}
