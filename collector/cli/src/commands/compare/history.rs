//! `loggia compare --history FILE…`: one row per run, one column per number.

use super::tables::checked;
use super::{ended, labels};
use crate::cli::Compare;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_exchange::csv;
use loggia_model::compare::{Comparison, History, LimitResult, Run, RunValue, Subject, Verdict};
use loggia_model::units::words::number;
use loggia_model::{Error, Signature};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Report<'a> {
    /// The arguments.
    given: &'a [String],
    /// The last run compared with the first.
    verdict: Verdict,
    #[serde(flatten)]
    history: &'a History,
    fail_on: &'a [LimitResult],
}

pub(super) fn run(
    args: &Compare,
    given: &[&Signature],
    output: &mut Output,
) -> Result<(), Failure> {
    let history = History::of(given, &args.columns, args.at_least)?;
    if history.columns.is_empty() {
        return Err(Failure::Refused(Error::new(
            "these signatures have no number that a history shows",
            "SIG",
            "select numbers with --columns; `loggia show SIG` lists the numbers of a signature",
        )));
    }
    let fail_on = check(args, given, &history)?;
    let verdict = history.verdict();
    let names = labels(&args.sigs, given);
    if args.csv {
        let lines: String = history.table(&names).iter().map(|row| csv::row(row)).collect();
        output.writer().write_all(lines.as_bytes())?;
    } else {
        let report = Report { given: &args.sigs, verdict, history: &history, fail_on: &fail_on };
        output
            .print(&report, || [described(&history, &names), checked(&fail_on, &[])].join("\n"))?;
    }
    ended(verdict, &fail_on, output)
}

/// Conditions compare the last run with the first.
fn check(
    args: &Compare,
    given: &[&Signature],
    history: &History,
) -> Result<Vec<LimitResult>, Error> {
    let ([first, ..], [.., last]) = (&history.runs[..], &history.runs[..]) else {
        return Ok(Vec::new());
    };
    let ends = Comparison::of(&[given[first.given], given[last.given]], args.at_least);
    args.fail_on.iter().map(|limit| limit.check(&ends, &[])).collect()
}

fn described(history: &History, names: &[String]) -> String {
    let tiers = history.columns.iter().map(|column| &column.tier);
    let is_one_tier = tiers.clone().all(|tier| *tier == history.columns[0].tier);
    let unit = |(at, column): (usize, &Subject)| {
        let values = history.runs.iter().filter_map(|run| run.numbers[at].value);
        column.unit_for(values.reduce(f64::max))
    };
    let units: Vec<(f64, &str)> = history.columns.iter().enumerate().map(unit).collect();
    let heading = |(column, (_, unit)): (&Subject, &(f64, &str))| {
        let unit = format!(", {unit}>");
        let subject = if is_one_tier { column.words_in_tier() } else { column.words() };
        subject + &unit
    };
    let header: Vec<String> = ["date".to_owned(), "run".to_owned()]
        .into_iter()
        .chain(history.columns.iter().zip(&units).map(heading))
        .collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    // Pad cells without arrows, to align the numbers.
    let width = |column: usize| {
        let arrows = history.runs.iter().map(|run| arrows(&run.numbers[column]));
        arrows.map(|arrows| arrows.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..history.columns.len()).map(width).collect();
    let row = |run: &Run| {
        let date = run.date.clone().unwrap_or_else(|| "—".to_owned());
        let cells = run.numbers.iter().zip(&widths).zip(&units);
        let cells = cells.map(|((value, width), (size, _))| cell(value, *width, *size));
        [date, names[run.given].clone()].into_iter().chain(cells).collect::<Vec<_>>()
    };
    let mut text =
        "runs by date; ↑ ↓ changed since the previous run, (↑) (↓) since the first\n\n".to_owned();
    text += &format!("{}\n", table(&header, history.runs.iter().map(row)));
    text += &format!("{}\n", history.strictness.words());
    let undated = (history.undated > 0)
        .then(|| format!("{} without a date: listed last, in the given order", history.undated));
    text + &remarks(undated)
}

/// A number in units of this size, with arrows if it changed.
fn cell(run: &RunValue, width: usize, size: f64) -> String {
    let value = run.value.map_or_else(|| "—".to_owned(), |value| number(value / size, 4));
    format!("{value}{:width$}", arrows(run))
}

fn arrows(run: &RunValue) -> String {
    let arrows = run.arrows();
    if arrows.is_empty() { arrows } else { format!(" {arrows}") }
}
