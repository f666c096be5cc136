//! The parameters of a tier, as a table.

use super::table::table;
use loggia_model::signature::Tier;
use loggia_model::signature::listing::{self, Value};
use loggia_model::units::Interval;
use loggia_model::units::words::{number, size};

const HEADER: [&str; 5] = ["", "value>", "unit", "quality", "source"];

/// One row per parameter, under the tier's name.
pub(crate) fn of(tier: &Tier) -> String {
    format!("{}\n{}", tier.name, table(&HEADER, rows(tier)))
}

/// The same without sources.
pub(crate) fn brief(tier: &Tier) -> String {
    let rows = rows(tier).map(|[symbol, value, unit, verdict, _]| [symbol, value, unit, verdict]);
    format!("{}\n{}", tier.name, table(&HEADER[..4], rows))
}

fn rows(tier: &Tier) -> impl Iterator<Item = [String; 5]> {
    listing::entries(tier).into_iter().map(|entry| {
        let symbol = match &entry.style {
            Some(style) => format!("{style} {}", entry.symbol),
            None => entry.symbol.clone(),
        };
        let verdict = format!("{:?}", entry.verdict).to_lowercase();
        [symbol, words(&entry.value), entry.unit.to_owned(), verdict, entry.source]
    })
}

/// A number, with its bounds if it has any.
pub(crate) fn bounded(of: Interval<f64>, digits: usize) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(|value| number(value, digits));
    if of.is_bounded() { format!("{value} ({low}–{high})") } else { value }
}

fn words(value: &Value) -> String {
    let six = |value: f64| number(value, 6);
    match value {
        Value::None => "—".to_owned(),
        Value::Number(number) => bounded(*number, 6),
        Value::Line(fixed, each) => format!("{} + {} per byte", six(fixed.0), six(each.0)),
        Value::Points(points) => match points.as_slice() {
            [first, .., last] if first.value != last.value => {
                let sizes = format!("{}–{}", size(first.bytes), size(last.bytes));
                format!("{}–{} ({sizes})", six(first.value.0), six(last.value.0))
            }
            [first, ..] => six(first.value.0),
            [] => "—".to_owned(),
        },
        Value::Word(word) => word.clone(),
    }
}
