//! `loggia score SIG RESULTS…`

use super::import::read;
use crate::cli::Score as Args;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_exchange::error::ScoreError;
use loggia_exchange::import::make;
use loggia_exchange::score::{Compared, ConditionResult, Errors, Score};
use loggia_model::Error;
use loggia_model::units::words::{counted, error, size, time};
use serde::Serialize;

/// Exit status if a condition holds.
const HOLDS: u8 = 1;

const LEFT_OUT: &str = ": each measured time predicted from the others";

#[derive(Serialize)]
struct ScoreReport<'a> {
    signature: &'a str,
    /// Empty if each measurement of the signature is predicted from the others.
    results: Vec<String>,
    #[serde(flatten)]
    score: &'a Score,
    fail_on: &'a [ConditionResult],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.sig)?;
    if args.results.is_empty() && signature.tables.is_empty() {
        let help = "name files of results: `loggia score SIG RESULTS…`";
        return Err(
            Error::new("this signature has no measured times", &signature.name, help).into()
        );
    }
    let (score, files, notes) = match args.results.as_slice() {
        [] => (Score::left_out(&signature), Vec::new(), Vec::new()),
        results => {
            let options = args.facts.options();
            let (measured, made) = make(&read::all(results)?, &options).complete(&options)?;
            let files = made.files.into_iter().map(|file| file.file).collect();
            (Score::of(&signature, &measured), files, measured.notes)
        }
    };
    let independent = score.points - score.in_signature;
    if !args.fail_on.is_empty() && !args.results.is_empty() && independent == 0 {
        return Err(ScoreError::NothingIndependent { results: score.points }.into());
    }
    let held = (score.in_signature > 0 && !args.results.is_empty()).then(|| {
        format!(
            "{} of {} are measurements of the signature itself: each is predicted from the other \
             measurements",
            score.in_signature,
            counted(score.points, "result")
        )
    });
    let check = args.fail_on.iter().map(|condition| condition.check(&score));
    let checked: Vec<ConditionResult> = check.collect::<Result<_, _>>()?;
    let missing = score.unanswered.iter().map(|missing| {
        format!(
            "{} of {} without a prediction: {}",
            counted(missing.points, "point"),
            missing.op,
            missing.why
        )
    });
    let answer = ScoreReport {
        signature: &signature.name,
        results: files,
        score: &score,
        fail_on: &checked,
        warnings: held.into_iter().chain(notes).chain(missing).collect(),
    };
    output.print(&answer, || {
        let suffix = if args.results.is_empty() { LEFT_OUT } else { "" };
        let mut sections = vec![format!("{}{suffix}\n{}", signature.title, errors(&score))];
        if !score.all.worst.is_empty() {
            sections.push(format!("worst predictions\n{}", worst(&score.all.worst)));
        }
        if !checked.is_empty() {
            sections.push(checked.iter().map(condition).collect());
        }
        sections.push(remarks(&answer.warnings));
        sections.retain(|section| !section.is_empty());
        sections.join("\n")
    })?;
    if !checked.iter().any(|checked| checked.holds) {
        return Ok(());
    }
    output.finish()?;
    Err(Failure::Ended(HOLDS))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("—".to_owned(), error)
}

/// Errors of each operation, and of all operations if there are several.
fn errors(score: &Score) -> String {
    let row = |errors: &Errors| {
        [
            errors.op.to_owned(),
            errors.points.to_string(),
            percent(errors.median),
            percent(errors.p95),
            percent(errors.maximum),
            percent(errors.inside),
        ]
    };
    let all = Some(&score.all).filter(|_| score.operations.len() != 1);
    let header =
        ["", "points>", "median error>", "95th percentile>", "maximum>", "inside interval>"];
    table(&header, score.operations.iter().chain(all).map(row))
}

fn worst(all: &[Compared]) -> String {
    let row = |point: &Compared| {
        [
            point.op.to_owned(),
            point.place(),
            size(point.bytes),
            time(point.measured_us),
            time(point.predicted_us),
            error(point.error),
            point.basis.name().to_owned(),
        ]
    };
    let header = ["", "", "size>", "measured>", "predicted>", "error>", "basis"];
    table(&header, all.iter().map(row))
}

fn condition(checked: &ConditionResult) -> String {
    let outcome = if checked.holds { "holds" } else { "does not hold" };
    format!("{} {outcome}: {}\n", checked.condition, error(checked.value))
}
