//! Real outputs of other tools, read.
#![allow(clippy::unwrap_used, reason = "tests")]

use loggia_model::import::{Read, read};
use std::fs;
use std::path::Path;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/fixtures");

/// Name and text of every fixture; none where the folder is not there.
fn fixtures() -> Vec<(String, String)> {
    let Ok(folder) = Path::new(FIXTURES).read_dir() else {
        eprintln!("skipped: {FIXTURES} is not there");
        return Vec::new();
    };
    let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let named = files.iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned())
    });
    named.filter(|(name, _)| name != "FORMATS.md").collect()
}

#[test]
fn every_fixture_is_read() {
    for (name, text) in fixtures() {
        let mut found = Read::default();
        read(&name, &text, &mut found).unwrap();
        println!("{name}: {} rows", found.rows.len());
        for run in &found.runs {
            println!("  {:?} {} {:?} {:?}", run.tool, run.benchmark, run.procs, run.what);
        }
        for left in &found.left_out {
            println!("  - line {}, {} of them: {}", left.line, left.count, left.why);
        }
        if let Some(row) = found.rows.first() {
            println!("  {row:?}");
        }
    }
}
