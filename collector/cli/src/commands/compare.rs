//! `loggia compare`

mod history;
mod report;
mod tables;

use crate::cli::Compare;
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_model::Signature;
use loggia_model::compare::{LimitResult, Outcome, Verdict};
use report::Report;
use std::path::Path;

/// Exit status if something changed.
const CHANGED: u8 = 3;
/// Exit status if the verdict is unknown.
const UNKNOWN: u8 = 2;

pub(crate) fn run(args: &Compare, output: &mut Output) -> Result<(), Failure> {
    let loaded: Vec<Signature> = args.sigs.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let machines: Vec<&Signature> = loaded.iter().collect();
    if args.history {
        return history::run(args, &machines, output);
    }
    let report = Report::of(args, &machines)?;
    output.print(&report, || tables::of(&report, args.all))?;
    ended(report.verdict, &report.fail_on, output)
}

/// Exits with the status of the verdict, or of the conditions if there are any.
fn ended(verdict: Verdict, checked: &[LimitResult], output: &mut Output) -> Result<(), Failure> {
    let fails = match checked {
        [] => verdict == Verdict::Changed,
        checked => checked.iter().any(|result| result.outcome == Outcome::Failed),
    };
    let is_unknown = checked.is_empty() && verdict == Verdict::Unknown;
    let code = match (fails, is_unknown) {
        (true, _) => CHANGED,
        (_, true) => UNKNOWN,
        _ => return Ok(()),
    };
    output.finish()?;
    Err(Failure::Ended(code))
}

/// Labels of the machines: their names, or the arguments if names repeat.
fn labels(sigs: &[String], machines: &[&Signature]) -> Vec<String> {
    let is_distinct =
        |at: usize| machines.iter().filter(|other| other.name == machines[at].name).count() == 1;
    let from_argument = |sig: &String| {
        let stem = Path::new(sig).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|_| sig.ends_with(".json")).unwrap_or_else(|| sig.chars().take(40).collect())
    };
    if (0..machines.len()).all(is_distinct) {
        return machines.iter().map(|machine| machine.name.clone()).collect();
    }
    let short: Vec<String> = sigs.iter().map(from_argument).collect();
    // Files with the same name in several folders.
    let is_shared = |label: &String| short.iter().filter(|other| *other == label).count() > 1;
    let label = |(sig, short): (&String, &String)| match is_shared(short) {
        true if sig.ends_with(".json") => sig.clone(),
        _ => short.clone(),
    };
    sigs.iter().zip(&short).map(label).collect()
}
