//! Runs the built command, as a stranger at a terminal would.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// What a run gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// `loggia` with these words, split at spaces, at the root of the project.
pub(crate) fn loggia(words: &str) -> Run {
    with_input(words, b"")
}

/// The same, with standard input.
pub(crate) fn with_input(words: &str, input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loggia"))
        .args(words.split(' ').filter(|word| !word.is_empty()))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // It may well stop reading early: it reads no more than it needs.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The JSON answer of a run that must succeed.
pub(crate) fn ask(words: &str) -> Value {
    ask_ending(words, 0)
}

/// The JSON answer of a run that must end so.
pub(crate) fn ask_ending(words: &str, code: i32) -> Value {
    let run = loggia(&format!("{words} --json"));
    assert_eq!(run.code, code, "{words}: {}{}", run.out, run.err);
    assert_eq!(run.err, "", "{words}");
    serde_json::from_str(&run.out).unwrap()
}

/// The number at a key of an answer.
pub(crate) fn number(answer: &Value, key: &str) -> f64 {
    answer[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {answer}"))
}

/// The refusal of a run that must be refused with exit 2, in text and in JSON alike.
pub(crate) fn refusal(words: &str) -> Value {
    let text = loggia(words);
    assert_eq!(text.code, 2, "{words}: {}{}", text.out, text.err);
    assert_eq!(text.out, "", "{words}");
    assert!((1..=2).contains(&text.err.lines().count()), "{words}: {}", text.err);
    let json = loggia(&format!("{words} --json"));
    assert_eq!((json.code, json.err.as_str()), (2, ""), "{words}");
    let answer: Value = serde_json::from_str(&json.out).unwrap();
    let error = answer["error"].clone();
    for key in ["message", "where", "help"] {
        let said = error[key].as_str().unwrap_or_else(|| panic!("no {key} in {answer}"));
        assert!(text.err.contains(said), "{words}: {said:?} is not in {:?}", text.err);
    }
    error
}
