//! What a fuzzer has found in the readers, and the inputs that it begins with, without a fuzzer.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../../fuzz/src/lib.rs"]
mod fuzz;

use std::fs;
use std::path::{Path, PathBuf};

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz");

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn what_was_found_is_mended() {
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
