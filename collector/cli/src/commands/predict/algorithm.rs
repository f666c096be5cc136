//! `loggia predict collective --algorithm NAME|best`: an algorithm instead of a fitted formula.

use super::{bounded, compared_with_measured, tail_line};
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::Signature;
use loggia_model::model::composition::Question;
use loggia_model::signature::Tail;
use loggia_model::units::words::{number, size};
use loggia_report::collective::CollectiveReport;
use loggia_simulate::algorithm::Modelled;
use loggia_simulate::collective::definitions;
use loggia_simulate::request::{self, Best};

pub(super) fn print(
    signature: &Signature,
    question: &Question,
    found: request::ByAlgorithm,
    (best, tail): (Option<Best>, Option<Tail>),
    output: &mut Output,
) -> Result<(), Failure> {
    let report = CollectiveReport::by_algorithm(signature, question, &found, (best, tail));
    let modelled = &found.modelled;
    let &Modelled { algorithm, time, formula, range, .. } = modelled;
    output.print(&report, || {
        let rows = modelled
            .terms
            .iter()
            .map(|term| [term.symbol.to_owned(), number(term.count, 12), number(term.time.0, 5)]);
        format!(
            "{} · {} by {} · p = {} · {} {}\n{} · {}\n{}{}\n\nclosed form, exact under LogGP for {range}:\n{formula}\n{}\n\n{}{}{}{}",
            signature.title,
            question.op.name(),
            algorithm.name,
            question.procs.0,
            size(question.bytes),
            question.bytes_are.words(),
            bounded(Some(time)),
            report.how.basis.name(),
            compared_with_measured(
                Some(time.value),
                report.how.measured_us.zip(report.how.measured_basis),
            ),
            algorithm.summary,
            definitions(formula).join("\n"),
            table(&["", "count>", "µs>"], rows),
            report.best.as_ref().map(words).unwrap_or_default(),
            report.tail.as_ref().map(tail_line).unwrap_or_default(),
            remarks(&report.how.warnings)
        )
    })
}

/// The ranking, and its crossovers.
pub(super) fn words(found: &Best) -> String {
    let best = found.ranking.first().map_or(1.0, |first| first.time_us.0);
    let rows = found.ranking.iter().map(|ranked| {
        [
            ranked.name.to_owned(),
            ranked.from.to_owned(),
            number(ranked.time_us.0, 6),
            format!("×{}", number(ranked.time_us.0 / best, 3)),
        ]
    });
    let mut text = format!("\n{}", table(&["", "", "µs>", ">"], rows));
    if let Some(next) = found.next_over_bytes {
        text += &format!("from {}, {} is the fastest\n", size(next.at), next.algorithm);
    }
    if let Some(next) = found.next_over_procs {
        text += &format!("from p = {}, {} is the fastest\n", next.at.0, next.algorithm);
    }
    text
}
