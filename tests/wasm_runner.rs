//! The runner of tests compiled for wasm32 must report failures. Skipped without Node.js.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs these bytes as a test program; `None` without Node.js.
fn run(wasm: &[u8]) -> Option<Output> {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: Node.js is not installed");
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
    let data = [&[1, 0, 0x41, 8, 0x0b, length(text.as_bytes())], text.as_bytes()].concat();
    assert!(data.len() < 128, "lengths must fit in one byte");
    [
        b"\0asm\x01\0\0\0".as_slice(),
        b"\x01\x07\x01\x60\x02\x7f\x7f\x01\x7f", // type: (i32, i32) -> i32
        b"\x03\x02\x01\x00",                     // function 0 has type 0
        b"\x05\x03\x01\x00\x01",                 // a memory of one page
        b"\x07\x11\x02\x04main\x00\x00\x06memory\x02\x00",
        &[10, length(&code)],
        &code,
        &[11, length(&data)],
        &data,
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
fn a_good_run_prints_the_number_of_passed_tests() {
    let counts = "\x01. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out\x01";
    let Some(good) = run(&returns(0, counts)) else { return };
    let stdout = String::from_utf8(good.stdout).unwrap();
    assert!(good.status.success());
    assert_eq!(stdout, "wasm32 tests ok: 3 passed; 0 failed; 2 ignored\n");
}

#[test]
fn a_failed_test_fails_the_run_and_is_named() {
    let text = "\x01test a::fails ... \x01\nthread 'main' panicked at src/lib.rs:9:5:\nleft: 3\x01";
    let Some(failed) = run(&traps(text)) else { return };
    let stderr = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(failed.status.code(), Some(1));
    assert!(
        stderr.contains("a::fails: ") && stderr.contains("src/lib.rs:9:5:\nleft: 3"),
        "{stderr}"
    );
}

#[test]
fn a_bad_exit_a_trap_and_an_invalid_module_fail() {
    for wasm in [returns(1, ""), traps(""), b"\0asm".to_vec()] {
        let Some(failed) = run(&wasm) else { return };
        assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    }
}
