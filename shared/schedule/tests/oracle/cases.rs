//! What the field's reference simulator said, for every test that compares with it.

use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A run of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) goal: String,
    pub(crate) params: String,
    pub(crate) status: String,
    pub(crate) events: u64,
    /// In ns.
    pub(crate) times: Vec<u64>,
}

/// All that it said.
pub(crate) struct Oracle {
    folder: PathBuf,
    /// Those of the same schedule stand together.
    pub(crate) cases: Vec<Case>,
    /// L, o, g, G, O and S in ns, ns a byte and bytes, by the name of their set.
    pub(crate) parameters: HashMap<String, [u64; 6]>,
}

impl Oracle {
    /// Nothing, and a word about it, where it is not there.
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
        let parameters = table.lines().skip(1).map(set).collect();
        Some(Oracle { folder, cases, parameters })
    }

    /// The text of a schedule.
    pub(crate) fn goal(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join("goal").join(name)).expect("a file")
    }
}

fn set(line: &str) -> (String, [u64; 6]) {
    let mut cells = line.split('\t');
    let name = cells.next().expect("a name").to_owned();
    let numbers: Vec<u64> = cells.map(|cell| cell.trim().parse().expect("a number")).collect();
    (name, numbers.try_into().expect("six numbers"))
}
