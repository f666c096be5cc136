//! The parameters of a tier, as a table.

use super::table::table;
use loggia_model::signature::Tier;
use loggia_model::signature::listing::{self, Value};
use loggia_model::units::words::{number, size};

const HEADER: [&str; 5] = ["", "value>", "unit", "verdict", "source"];

/// One row a parameter, under the tier's name.
pub(crate) fn of(tier: &Tier) -> String {
    format!("{}\n{}", tier.name, table(&HEADER, rows(tier)))
}

/// The same without where each comes from.
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

fn words(value: &Value) -> String {
    let six = |value: f64| number(value, 6);
    match value {
        Value::None => "—".to_owned(),
        Value::Number(i) if i.is_bounded() => {
            format!("{} ({}–{})", six(i.value), six(i.low), six(i.high))
        }
        Value::Number(i) => six(i.value),
        Value::Line(fixed, each) => format!("{} + {} a byte", six(fixed.0), six(each.0)),
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
