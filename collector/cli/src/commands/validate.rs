//! `loggia validate SIG`

use super::ranks::led_by;
use crate::cli::Validate;
use crate::report::table::table;
use crate::report::{Failure, Output};
use crate::source;
use loggia_collect::run::{Validation, validate};
use loggia_model::units::words::{error, size, time};
use std::collections::BTreeSet;
use std::fmt::Write;

pub(crate) fn run(args: &Validate, output: &mut Output) -> Result<(), Failure> {
    let signature = source::load(&args.sig)?;
    let checked = led_by(&args.ranks, output.is_json(), |transport| {
        Ok(validate(transport, &signature, args.max_time)?)
    })?;
    match checked {
        Some(checked) => output.print(&checked, || describe(&checked)),
        None => Ok(()),
    }
}

fn describe(checked: &Validation) -> String {
    let mut text = String::new();
    for checks in checked.checks.chunk_by(|a, b| a.subject == b.subject) {
        let models: BTreeSet<&str> =
            checks.iter().flat_map(|check| check.predictions.keys().copied()).collect();
        let names: Vec<String> = models.iter().map(|model| format!("{model}>")).collect();
        let has_procs = checks.iter().any(|check| check.procs.is_some());
        let computes = checks.iter().any(|check| check.compute_us.is_some());
        let header: Vec<&str> = has_procs
            .then_some("p>")
            .into_iter()
            .chain(["bytes>"])
            .chain(computes.then_some("computes>"))
            .chain(["measured>"])
            .chain(names.iter().map(String::as_str))
            .collect();
        let rows = checks.iter().map(|check| {
            let mut row: Vec<String> = check.procs.iter().map(|p| p.0.to_string()).collect();
            row.push(size(check.bytes));
            row.extend(check.compute_us.map(time));
            row.push(time(check.measured_us));
            row.extend(models.iter().map(|model| match check.predictions.get(model) {
                Some(predicted) => {
                    format!("{} ({})", time(predicted.time_us), error(predicted.error))
                }
                None => "—".to_owned(),
            }));
            row
        });
        if let [first, ..] = checks {
            let _ = writeln!(text, "{}", first.subject.words());
        }
        let _ = writeln!(text, "{}", table(&header, rows));
    }
    let rows = checked.models.iter().map(|score| {
        [
            score.subject.words(),
            score.model.to_owned(),
            score.checks.to_string(),
            error(score.median_error),
            error(score.largest_error),
        ]
    });
    let header = ["", "model", "checks>", "median error>", "maximum>"];
    let _ = write!(text, "{}", table(&header, rows));
    text
}
