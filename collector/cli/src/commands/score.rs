//! `loggia score SIG RESULTS…`

use super::import::read;
use crate::cli::Score as Args;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use crate::source::load;
use loggia_exchange::import::make;
use loggia_exchange::score::{Compared, ConditionResult, Errors, Score};
use loggia_model::units::words::{number, size, time};
use serde::Serialize;

/// Exit status if a condition holds.
const HOLDS: u8 = 1;

#[derive(Serialize)]
struct ScoreReport<'a> {
    signature: &'a str,
    results: Vec<&'a str>,
    #[serde(flatten)]
    score: &'a Score,
    fail_on: &'a [ConditionResult],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.sig)?;
    let options = args.facts.options();
    let (measured, made) = make(&read::all(&args.results)?, &options).complete(&options)?;
    let score = Score::of(&signature, &measured);
    let check = args.fail_on.iter().map(|condition| condition.check(&score));
    let checked: Vec<ConditionResult> = check.collect::<Result<_, _>>()?;
    let missing = score.unanswered.iter().map(|missing| {
        format!("{} of {} are not predicted: {}", points(missing.points), missing.op, missing.why)
    });
    let answer = ScoreReport {
        signature: &signature.name,
        results: made.files.iter().map(|file| file.file.as_str()).collect(),
        score: &score,
        fail_on: &checked,
        warnings: measured.notes.iter().cloned().chain(missing).collect(),
    };
    output.answer(&answer, || {
        let mut sections = vec![format!("{}\n{}", signature.title, errors(&score))];
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

fn points(count: usize) -> String {
    if count == 1 { "1 point".to_owned() } else { format!("{count} points") }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("—".to_owned(), |share| format!("{}%", number(100.0 * share, 3)))
}

/// Errors of each operation, and of all if there are several.
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
        let place = match (&point.tier, point.procs, point.per_node) {
            (Some(tier), ..) => tier.clone(),
            (None, Some(procs), Some(per_node)) => {
                format!("p = {}, {per_node} per node", procs.0)
            }
            (None, Some(procs), None) => format!("p = {}", procs.0),
            (None, None, _) => String::new(),
        };
        [
            point.op.to_owned(),
            place,
            size(point.bytes),
            time(point.measured_us),
            time(point.predicted_us),
            percent(Some(point.error)),
            point.basis.name().to_owned(),
        ]
    };
    let header = ["", "", "size>", "measured>", "predicted>", "error>", "basis"];
    table(&header, all.iter().map(row))
}

fn condition(checked: &ConditionResult) -> String {
    let outcome = if checked.holds { "holds" } else { "does not hold" };
    format!("{} {outcome}: {}\n", checked.condition, percent(Some(checked.value)))
}
