//! Imports of real outputs of other tools: whole, damaged, and from a link with known parameters.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[cfg(not(target_arch = "wasm32"))]
#[path = "../../../../fuzz/src/import.rs"]
mod damage;
#[cfg(not(target_arch = "wasm32"))]
mod damaged;
mod golden;
mod gpus;
mod layouts;
mod netgauge;
mod pairs;
mod plain;
mod truth;

use loggia_exchange::import::{ImportOptions, ImportResult, Importer, Read, make};
use std::fs;
use std::path::Path;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures");

/// Name and text of every fixture; empty if the folder is missing.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>)> {
    let Ok(folder) = Path::new(FIXTURES).read_dir() else {
        eprintln!("skipped: {FIXTURES} is missing");
        return Vec::new();
    };
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let named = files.iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read(path).unwrap())
    });
    named.filter(|(name, _)| name != "FORMATS.md").collect()
}

pub(crate) fn read(name: &str, bytes: &[u8]) -> Read {
    let mut importer = Importer::default();
    importer.file(name, bytes).unwrap();
    importer.finish()
}

pub(crate) fn import(name: &str, bytes: &[u8], options: &ImportOptions) -> ImportResult {
    make(&read(name, bytes), options)
}
