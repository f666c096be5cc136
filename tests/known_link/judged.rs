//! What a run found, and whether that is what the link is.

use crate::lab::file::finished;
use crate::lab::link::Link;
use crate::lab::mpirun::Mpirun;
use crate::lab::running::{note, run};
use serde_json::Value;

/// What a run found, as a file; no longer than that.
pub(crate) fn collected(
    link: &Link,
    mpirun: &Mpirun,
    ranks: [u32; 2],
    settings: &str,
    words: &str,
) -> Value {
    let words = format!("collect --max-time 3s {words} -o sig.json --overwrite");
    run(&mut link.mpirun(mpirun, ranks, settings, &words)).good();
    finished(&link.folder().join("sig.json"))
}

/// Why a check did not end well.
#[derive(Debug)]
pub(crate) enum Off {
    /// What was found is wrong.
    Wrong(String),
    /// The link is not what it should be.
    Unsteady(String),
}

impl From<String> for Off {
    fn from(why: String) -> Self {
        Off::Wrong(why)
    }
}

/// Tries up to four times; says what went wrong in between.
pub(crate) fn sooner_or_later(mut check: impl FnMut() -> Result<String, Off>) {
    let mut failures = Vec::new();
    for _ in 0..ATTEMPTS {
        match check() {
            Ok(found) => return note(&found),
            Err(Off::Unsteady(why)) => note(&format!("not judged: {why}")),
            Err(Off::Wrong(why)) => {
                note(&format!("once more: {why}"));
                failures.push(why);
            }
        }
    }
    assert!(failures.len() < ENOUGH, "{}", failures.join("\n"));
}

/// So often something is measured again, at most.
const ATTEMPTS: usize = 4;
/// So many wrong ones are no accident.
const ENOUGH: usize = 3;

pub(crate) fn near(what: &str, value: f64, truth: f64, within: f64) -> Result<String, String> {
    let error = value / truth - 1.0;
    let words = format!("{what}: {value:.6}, should be {truth:.6}, error {:.2}%", error * 100.0);
    if error.abs() <= within { Ok(words) } else { Err(words) }
}

/// A parameter's number; if it has none, why.
pub(crate) fn number(of: &Value) -> Result<f64, String> {
    let why = || of["source"].as_str().unwrap_or("not reported").to_owned();
    of["value"].as_f64().ok_or_else(why)
}

/// Whether a parameter's own interval holds that: then it is not wrong, however far it is off.
pub(crate) fn holds(of: &Value, truth: f64) -> bool {
    let [low, high] = ["low", "high"].map(|end| of[end].as_f64().unwrap_or(f64::NAN));
    low <= truth && truth <= high
}
