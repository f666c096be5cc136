//! Runs the fuzzer's readers on its seeds and on inputs that once broke them, without a fuzzer.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz");

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn found_inputs_break_no_reader() {
    let mut broken = Vec::new();
    for reader in fuzz::READERS {
        for kind in ["seeds", "found"] {
            for file in files_in(&Path::new(FUZZ).join(kind).join(reader.name)) {
                let bytes = fs::read(&file).unwrap();
                eprintln!("{}", file.display());
                let outcome = std::panic::catch_unwind(|| fuzz::check(reader.name, &bytes));
                broken.extend(outcome.is_err().then_some(file));
            }
        }
    }
    assert_eq!(broken, Vec::<PathBuf>::new());
}

#[test]
fn every_reader_is_a_target_of_the_fuzzer() {
    let manifest = fs::read_to_string(format!("{FUZZ}/Cargo.toml")).unwrap();
    let targets = files_in(&Path::new(FUZZ).join("fuzz_targets"));
    let names: Vec<&str> =
        targets.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, fuzz::READERS.map(|reader| reader.name));
    for name in names {
        let target = fs::read_to_string(format!("{FUZZ}/fuzz_targets/{name}.rs")).unwrap();
        assert!(target.contains(&format!("check(\"{name}\"")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}

/// A fuzzer with two targets; the first one fails.
#[test]
fn a_broken_reader_does_not_stop_the_others() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let _ = fs::remove_dir_all(&folder);
    let script = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    script("bin/rustc", "echo host: here");
    script("bin/cargo", "true");
    for (target, ends) in [("first", 77), ("second", 0)] {
        script(&format!("fuzz_targets/{target}.rs"), "");
        script(&format!("target/here/release/{target}"), &format!("echo {target}; exit {ends}"));
    }
    fs::copy(format!("{FUZZ}/run"), folder.join("run")).unwrap();
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let run = |target: &str| {
        let mut run = Command::new(folder.join("run"));
        run.args(["1", target]).env("PATH", &path).output().unwrap()
    };
    let all = run("");
    let stdout = String::from_utf8(all.stdout).unwrap();
    assert_eq!(stdout, "== first for 1 s\nfirst\n== second for 1 s\nsecond\n");
    let stderr = String::from_utf8(all.stderr).unwrap();
    assert!(stderr.contains("broken: first; "), "{stderr}");
    let codes = [all.status.code(), run("first").status.code(), run("second").status.code()];
    assert_eq!(codes, [Some(1), Some(1), Some(0)]);
}
