//! `loggia predict collective --algorithm NAME|best`: an algorithm instead of a fitted formula.

use super::collective::{Report, in_tail};
use super::{beside_measured, bounded};
use crate::commands::collective_times::CollectiveQuery;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::Signature;
use loggia_model::measured::Basis;
use loggia_model::model::composition::Question;
use loggia_model::signature::Tail;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, size};
use loggia_simulate::algorithm::{By, Modelled};
use loggia_simulate::request::{self, Best};
use serde::Serialize;

/// The part of the report that only an algorithm has.
#[derive(Serialize)]
struct ByAlgorithm {
    time_us: Micros,
    low_us: Micros,
    high_us: Micros,
    startup_us: Micros,
    transmission_us: Micros,
    compute_us: Micros,
    by: By,
    basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured_us: Option<Micros>,
    terms: Vec<Term>,
    formula: &'static str,
    formula_is_exact_for: &'static str,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Term {
    symbol: &'static str,
    count: f64,
    value_us: f64,
}

pub(super) fn say(
    signature: &Signature,
    question: &Question,
    found: request::ByAlgorithm,
    (best, tail): (Option<Best>, Option<Tail>),
    output: &mut Output,
) -> Result<(), Failure> {
    let transmission_us = found.transmission();
    let request::ByAlgorithm { rules, modelled, warnings } = found;
    let Modelled { algorithm, time, startup, compute, formula, range, by, .. } = modelled;
    let terms = modelled.terms.iter().map(|term| Term {
        symbol: term.symbol,
        count: term.count,
        value_us: term.time.0 / term.count,
    });
    let report = Report {
        query: CollectiveQuery::of(signature, question),
        model: rules.name(),
        algorithm: algorithm.name,
        how: ByAlgorithm {
            time_us: time.value,
            low_us: time.low,
            high_us: time.high,
            startup_us: startup,
            transmission_us,
            compute_us: compute,
            by,
            basis: Basis::of_model(signature),
            measured_us: question.measured(signature),
            terms: terms.collect(),
            formula,
            formula_is_exact_for: range,
            warnings,
        },
        best,
        tail,
    };
    output.answer(&report, || {
        let rows = modelled
            .terms
            .iter()
            .map(|term| [term.symbol.to_owned(), number(term.count, 12), number(term.time.0, 8)]);
        format!(
            "{} · {} by {} · p = {} · {} {}\n{} · {}\n{}{}\n\n{formula}\n(exact for {range})\n\n{}{}{}{}",
            signature.title,
            question.op.name(),
            algorithm.name,
            question.procs.0,
            size(question.bytes),
            question.bytes_are.words(),
            bounded(Some(time)),
            report.how.basis.name(),
            beside_measured(Some(time.value), report.how.measured_us),
            algorithm.summary,
            table(&["", "count>", "µs>"], rows),
            report.best.as_ref().map(words).unwrap_or_default(),
            report.tail.as_ref().map(in_tail).unwrap_or_default(),
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
