//! `loggia predict …`: one file per subcommand.

mod algorithm;
pub(crate) mod collective;
pub(crate) mod messages;
pub(crate) mod overlap;
pub(crate) mod p2p;
pub(crate) mod protocol;

use crate::cli::{RouteArgs, SignatureArgs};
use crate::report::table::table;
use crate::source::load_with;
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::model::{Prediction, Route, Term};
use loggia_model::signature::{Signature, Tail};
use loggia_model::units::words::{number, off, size, time};
use loggia_model::units::{Bytes, Interval, Micros};

/// The signature with the parameters that the command line sets for the tier and send mode.
fn load(of: &SignatureArgs, args: &RouteArgs) -> Result<Signature, Error> {
    load_with(&of.sig, args.defaults(), &of.assume.set)
}

fn route<'a>(signature: &'a Signature, args: &RouteArgs) -> Result<Route<'a>, Error> {
    Route::of(signature, args.tier.as_deref(), args.style.as_deref())
}

fn heading(route: &Route, bytes: Bytes) -> String {
    let style = route.style.map(|style| format!(" · {} ({})", style.name.0, style.name.words()));
    format!(
        "{} · {}{} · {}\n",
        route.signature.title,
        route.tier.name,
        style.unwrap_or_default(),
        size(bytes)
    )
}

/// The terms as a table, with their sources.
fn terms<'a>(terms: &[Term], source: impl Fn(&Term) -> Option<&'a str>) -> String {
    table(
        &["term", "count>", "each, µs>", "µs>", "source"],
        terms.iter().map(|term| {
            [
                term.symbol.to_owned(),
                number(term.count, 17),
                number(term.each.value.0, 6),
                number(term.time().value.0, 6),
                source(term).unwrap_or_default().to_owned(),
            ]
        }),
    )
}

/// A time, with its bounds if its parameters have any.
fn bounded(total: Option<Interval<Micros>>) -> String {
    match total {
        None => "unknown".to_owned(),
        Some(t) if t.is_bounded() => {
            format!("{} ({} to {})", time(t.value), time(t.low), time(t.high))
        }
        Some(t) => time(t.value),
    }
}

/// The total with its basis and formula, and the error of a model chosen instead of measured data.
fn conclusion(prediction: &Prediction) -> String {
    let total = bounded(prediction.total);
    let total = match prediction.model {
        Some(model) => format!("{}: {total} · {}", model.title(), prediction.basis.name()),
        None if prediction.basis.is_of_table() => format!("{}: {total}", prediction.basis.name()),
        None => format!("{total} · {}", prediction.basis.name()),
    };
    let error = compared_with_measured(prediction.time(), prediction.measured);
    format!("{total}\n{error}{}\n", prediction.formula())
}

/// The time from measurements with its basis, and the error of the prediction. A derived time may be
/// wrong itself, so it gives only a difference.
fn compared_with_measured(predicted: Option<Micros>, measured: Option<(Micros, Basis)>) -> String {
    let error = |(predicted, (measured, basis)): (Micros, (Micros, Basis))| {
        let word = if basis == Basis::Measured { "error" } else { "difference" };
        let error = off(predicted.0 / measured.0 - 1.0);
        format!("{}: {}; {word} {error}\n", basis.name(), time(measured))
    };
    predicted.zip(measured).map(error).unwrap_or_default()
}

/// The tail of the distribution, as a line of text.
fn tail_line(tail: &Tail) -> String {
    format!("{}\n", tail.words())
}
