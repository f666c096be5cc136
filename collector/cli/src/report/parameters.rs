//! The parameters of a tier, as a table.

use super::table::table;
use loggia_model::signature::listing::{self, Value};
use loggia_model::signature::{Noise, Tier};
use loggia_model::units::words::{number, per_byte_unit, size};
use loggia_model::units::{Interval, MicrosPerByte};

const HEADER: [&str; 5] = ["", "value>", "unit", "quality", "source"];

/// One row per parameter, under the tier's name.
pub(crate) fn of(tier: &Tier) -> String {
    format!("{}\n{}", tier.name, table(&HEADER, rows(tier)))
}

/// Like [`of`], without sources.
pub(crate) fn brief(tier: &Tier) -> String {
    let rows = rows(tier).map(|[symbol, value, unit, quality, _]| [symbol, value, unit, quality]);
    format!("{}\n{}", tier.name, table(&HEADER[..4], rows))
}

fn rows(tier: &Tier) -> impl Iterator<Item = [String; 5]> {
    let parameters = listing::entries(tier).into_iter().map(|entry| {
        let symbol = match &entry.style {
            Some(style) => format!("{style} {}", entry.symbol),
            None => entry.symbol.clone(),
        };
        let quality = entry.quality.words().to_owned();
        let (value, unit) = scaled(&entry.value, entry.unit);
        [symbol, value_text(&value), unit.to_owned(), quality, entry.source]
    });
    parameters.chain(tier.noise.iter().flat_map(noise_rows))
}

/// The distribution of a small message's time. Its statistics have no quality.
fn noise_rows(noise: &Noise) -> impl Iterator<Item = [String; 5]> {
    let (time, source) = match noise.bytes {
        Some(bytes) => (format!("RTT/2 of {}", size(bytes)), noise.source.clone()),
        None if noise.source.is_empty() => ("RTT/2".to_owned(), "a small message".to_owned()),
        None => ("RTT/2".to_owned(), format!("a small message: {}", noise.source)),
    };
    noise.statistics().map(move |(name, value)| {
        let value = number(value.0, 4);
        [format!("{time}, {name}"), value, "µs".to_owned(), "—".to_owned(), source.clone()]
    })
}

/// A time per byte in the unit that reads best.
fn scaled(value: &Value, unit: &'static str) -> (Value, &'static str) {
    match value {
        Value::Number(Interval { value, low, high }) if unit == "µs/byte" => {
            let (size, unit) = per_byte_unit(MicrosPerByte(*value));
            let [value, low, high] = [value, low, high].map(|number| number / size);
            (Value::Number(Interval { value, low, high }), unit)
        }
        value => (value.clone(), unit),
    }
}

/// A number, with its bounds if it has any.
pub(crate) fn bounded(of: Interval<f64>, digits: usize) -> String {
    let [value, low, high] = [of.value, of.low, of.high].map(|value| number(value, digits));
    if of.is_bounded() { format!("{value} ({low}–{high})") } else { value }
}

fn value_text(value: &Value) -> String {
    let four_digits = |value: f64| number(value, 4);
    match value {
        Value::None => "—".to_owned(),
        Value::Number(number) => bounded(*number, 4),
        Value::Line(fixed, each) => {
            format!("{} + {} per byte", four_digits(fixed.0), four_digits(each.0))
        }
        Value::Points(points) => match points.as_slice() {
            [first, .., last] if first.value != last.value => {
                let sizes = format!("{}–{}", size(first.bytes), size(last.bytes));
                format!("{}–{} ({sizes})", four_digits(first.value.0), four_digits(last.value.0))
            }
            [first, ..] => four_digits(first.value.0),
            [] => "—".to_owned(),
        },
        Value::Word(word) => word.clone(),
    }
}
