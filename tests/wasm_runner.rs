//! The runner of tests compiled for wasm32 must be able to fail. Skipped where there is no Node.js.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs these bytes as a test program; none where there is no Node.js.
fn run(wasm: &[u8]) -> Option<Output> {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Node.js here");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.wasm");
    fs::write(&path, wasm).unwrap();
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/wasm-test");
    Some(Command::new(runner).arg(path).output().unwrap())
}

/// A module whose only function, `main`, has this body (no locals, instructions, end), and whose
/// memory holds this text.
fn program(body: &[u8], text: &str) -> Vec<u8> {
    let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
    let code = [&[1, length(body)], body].concat();
    let held = [&[1, 0, 0x41, 8, 0x0b, length(text.as_bytes())], text.as_bytes()].concat();
    assert!(held.len() < 128, "lengths are of one byte here");
    [
        b"\0asm\x01\0\0\0".as_slice(),
        b"\x01\x07\x01\x60\x02\x7f\x7f\x01\x7f", // type: (i32, i32) -> i32
        b"\x03\x02\x01\x00",                     // function 0 has type 0
        b"\x05\x03\x01\x00\x01",                 // a memory of one page
        b"\x07\x11\x02\x04main\x00\x00\x06memory\x02\x00",
        &[10, length(&code)],
        &code,
        &[11, length(&held)],
        &held,
    ]
    .concat()
}

/// `i32.const CODE`
fn returns(code: u8, text: &str) -> Vec<u8> {
    program(&[0x00, 0x41, code, 0x0b], text)
}

/// `unreachable`, as after a panic.
fn traps(text: &str) -> Vec<u8> {
    program(&[0x00, 0x00, 0x0b], text)
}

#[test]
fn a_good_run_says_how_many_tests_passed() {
    let counts = "\x01. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out\x01";
    let Some(good) = run(&returns(0, counts)) else { return };
    let said = String::from_utf8(good.stdout).unwrap();
    assert!(good.status.success());
    assert_eq!(said, "wasm32 tests ok: 3 passed; 0 failed; 2 ignored\n");
}

#[test]
fn a_failed_test_fails_the_run_and_is_named() {
    let text = "\x01test a::fails ... \x01\nthread 'main' panicked at src/lib.rs:9:5:\nleft: 3\x01";
    let Some(failed) = run(&traps(text)) else { return };
    let said = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(failed.status.code(), Some(1));
    assert!(said.contains("a::fails: ") && said.contains("src/lib.rs:9:5:\nleft: 3"), "{said}");
}

#[test]
fn what_is_no_good_run_fails() {
    for wasm in [returns(1, ""), traps(""), b"\0asm".to_vec()] {
        let Some(failed) = run(&wasm) else { return };
        assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    }
}
