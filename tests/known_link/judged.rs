//! Measurements of the link, compared with its known parameters.

use crate::lab::file::finished;
use crate::lab::link::Link;
use crate::lab::mpirun::Mpirun;
use crate::lab::running::{note, run};
use serde_json::Value;
use std::path::PathBuf;

/// The signature of a run of at most three seconds.
pub(crate) fn collected(
    link: &Link,
    mpirun: &Mpirun,
    ranks: [u32; 2],
    settings: &str,
    words: &str,
) -> Value {
    let words = format!("--max-time 3s {words}");
    finished(&collected_file(link, mpirun, ranks, settings, &words))
}

/// The signature's file of a run with these options.
pub(crate) fn collected_file(
    link: &Link,
    mpirun: &Mpirun,
    ranks: [u32; 2],
    settings: &str,
    words: &str,
) -> PathBuf {
    let words = format!("collect {words} -o {FILE} --overwrite");
    run(&mut link.mpirun(mpirun, ranks, settings, &words)).good();
    link.folder().join(FILE)
}

/// Name of a signature's file, in the folder of its link.
pub(crate) const FILE: &str = "sig.json";

/// The reason why a check failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A result is wrong.
    Wrong(String),
    /// The link itself differs from its parameters, so that nothing can be judged.
    Unsteady(String),
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Failure::Wrong(why)
    }
}

/// Repeats a check until it holds, at most [`ATTEMPTS`] times; fails after [`ENOUGH`] wrong results.
pub(crate) fn check_repeatedly(mut check: impl FnMut() -> Result<String, Failure>) {
    let mut failures = Vec::new();
    for _ in 0..ATTEMPTS {
        match check() {
            Ok(found) => return note(&found),
            Err(Failure::Unsteady(why)) => note(&format!("not judged: {why}")),
            Err(Failure::Wrong(why)) => {
                note(&format!("repeated: {why}"));
                failures.push(why);
            }
        }
    }
    assert!(failures.len() < ENOUGH, "{}", failures.join("\n"));
}

/// Maximum number of attempts.
const ATTEMPTS: usize = 4;
/// Number of wrong results that are no accident.
const ENOUGH: usize = 3;

pub(crate) fn near(what: &str, value: f64, truth: f64, within: f64) -> Result<String, String> {
    let error = value / truth - 1.0;
    let words = format!("{what}: {value:.6}, should be {truth:.6}, error {:.2}%", error * 100.0);
    if error.abs() <= within { Ok(words) } else { Err(words) }
}

/// A parameter's value, or the reason why it has none.
pub(crate) fn number(of: &Value) -> Result<f64, String> {
    let why = || of["source"].as_str().unwrap_or("not reported").to_owned();
    of["value"].as_f64().ok_or_else(why)
}

/// Whether a parameter's interval includes the truth: then the parameter is right, whatever its error.
pub(crate) fn holds(of: &Value, truth: f64) -> bool {
    let [low, high] = ["low", "high"].map(|end| of[end].as_f64().unwrap_or(f64::NAN));
    low <= truth && truth <= high
}
