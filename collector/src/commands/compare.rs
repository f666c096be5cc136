//! `loggia compare`

mod answer;
mod history;
mod tables;

use crate::cli::Compare;
use crate::report::{Failure, Output};
use crate::source::load;
use answer::Answer;
use loggia_model::Signature;
use loggia_model::compare::{Checked, Outcome, Verdict};
use std::path::Path;

/// What the command exits with where something has changed.
const CHANGED: u8 = 3;

pub(crate) fn run(args: &Compare, output: &mut Output) -> Result<(), Failure> {
    let loaded: Vec<Signature> = args.sigs.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let machines: Vec<&Signature> = loaded.iter().collect();
    if args.history {
        return history::run(args, &machines, output);
    }
    let answer = Answer::of(args, &machines)?;
    output.answer(&answer, || tables::of(&answer, args.all))?;
    ended(answer.verdict, &answer.fail_on, output)
}

/// Tells by the exit code what has become of it: of the conditions, if there are any.
fn ended(verdict: Verdict, checked: &[Checked], output: &mut Output) -> Result<(), Failure> {
    let fails = match checked {
        [] => verdict == Verdict::Changed,
        checked => checked.iter().any(|one| one.outcome == Outcome::Failed),
    };
    if !fails {
        return Ok(());
    }
    output.finish()?;
    Err(Failure::Ended(CHANGED))
}

/// What the machines are called: by their names, or, where those are no help, as they were given.
fn labels(sigs: &[String], machines: &[&Signature]) -> Vec<String> {
    let is_distinct =
        |at: usize| machines.iter().filter(|other| other.name == machines[at].name).count() == 1;
    let as_given = |sig: &String| {
        let stem = Path::new(sig).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|_| sig.ends_with(".json")).unwrap_or_else(|| sig.chars().take(40).collect())
    };
    match (0..machines.len()).all(is_distinct) {
        true => machines.iter().map(|machine| machine.name.clone()).collect(),
        false => sigs.iter().map(as_given).collect(),
    }
}
