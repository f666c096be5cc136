//! Results of the reference simulator, for all tests that compare with it.

use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A run of the reference simulator.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) goal: String,
    pub(crate) params: String,
    pub(crate) status: String,
    pub(crate) events: u64,
    /// In ns.
    pub(crate) times: Vec<u64>,
}

/// All runs of the reference simulator.
pub(crate) struct Oracle {
    folder: PathBuf,
    /// Cases of the same schedule are adjacent.
    pub(crate) cases: Vec<Case>,
    /// L, o, g (ns), G, O (ns/byte) and S (bytes), by the name of the parameter set.
    pub(crate) parameters: HashMap<String, [u64; 6]>,
}

impl Oracle {
    /// `None`, with a note on stderr, if the oracle's files are missing.
    pub(crate) fn read() -> Option<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle");
        let Ok(expected) = fs::read_to_string(folder.join("expected.jsonl")) else {
            eprintln!("skipped: there is no {}", folder.display());
            return None;
        };
        let cases = expected.lines().map(|line| serde_json::from_str(line).expect("a case"));
        let cases: Vec<Case> = cases.collect();
        assert!(cases.len() >= 1472, "{} cases", cases.len());
        let table = fs::read_to_string(folder.join("params.tsv")).expect("parameters");
        let parameters = table.lines().skip(1).map(parameter_set).collect();
        Some(Oracle { folder, cases, parameters })
    }

    /// The text of a schedule.
    pub(crate) fn goal(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join("goal").join(name)).expect("a file")
    }
}

fn parameter_set(line: &str) -> (String, [u64; 6]) {
    let mut cells = line.split('\t');
    let name = cells.next().expect("a name").to_owned();
    let numbers: Vec<u64> = cells.map(|cell| cell.trim().parse().expect("a number")).collect();
    (name, numbers.try_into().expect("six numbers"))
}
