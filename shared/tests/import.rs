//! Real outputs of other tools, read.
#![allow(clippy::unwrap_used, reason = "tests")]

use loggia_model::import::{Made, Reading, Said, make};
use std::fs;
use std::path::Path;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/fixtures");

/// Name and text of every fixture; none where the folder is not there.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let Ok(folder) = Path::new(FIXTURES).read_dir() else {
        eprintln!("skipped: {FIXTURES} is not there");
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

fn made(name: &str, bytes: &[u8], said: &Said) -> Made {
    let mut reading = Reading::default();
    reading.file(name, bytes).unwrap();
    make(&reading.finish(), said)
}

#[test]
fn every_fixture_is_read() {
    for (name, text) in fixtures() {
        let made = made(&name, &text, &Said::default());
        println!("== {name}");
        for file in &made.files {
            for run in &file.taken {
                println!(
                    "  {} {:?} {} numbers {:?}",
                    run.benchmark, run.procs, run.numbers, run.unused
                );
            }
            for left in &file.left_out {
                println!("  - line {}, {} of them: {}", left.line, left.count, left.why);
            }
        }
        for question in &made.questions {
            println!("  ? {question:?}");
        }
        for one in &made.by_tool {
            println!("  {one:?}");
        }
        for tier in made.signature.iter().flat_map(|s| &s.tiers) {
            for entry in loggia_model::signature::listing::entries(tier) {
                println!(
                    "    {:?} {} {:?} {:?} {}",
                    entry.style, entry.symbol, entry.value, entry.verdict, entry.source
                );
            }
        }
    }
}
