//! Everything that a tier's parameters say, one entry each: what the command and the page list.

use super::{Curve, Parameter, Point, Progress, Style, Tier, Verdict};
use crate::units::words::size;
use crate::units::{Bytes, Interval, Magnitude, Micros, MicrosPerByte};

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The style that it belongs to, if it is of one.
    pub style: Option<String>,
    /// The paper's symbol.
    pub symbol: String,
    /// What is known.
    pub value: Value,
    /// In what it is counted.
    pub unit: &'static str,
    /// How far it can be trusted.
    pub verdict: Verdict,
    /// Paper and table, or measurement; if there is no value, why.
    pub source: String,
}

/// What is known of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    None,
    /// A number, with its bounds.
    Number(Interval<f64>),
    /// Times by size.
    Points(Vec<Point>),
    /// A time and so much for each byte.
    Line(Micros, MicrosPerByte),
    /// A word.
    Word(String),
}

/// All that is reported of a tier.
pub fn entries(tier: &Tier) -> Vec<Entry> {
    let depth = |point: &super::DepthPoint| {
        number(&format!("g, {} under way", point.depth), "µs", Some(&point.gap))
    };
    let of_tier = [
        number("L", "µs", tier.latency.as_ref()),
        number("g", "µs", tier.gap.as_ref()),
        number("G", "µs/byte", tier.gap_per_byte.as_ref()),
        number("EEL", "µs", tier.end_to_end_latency.as_ref()),
        curve("g(m)", tier.gap_by_size.as_ref()),
    ];
    of_tier
        .into_iter()
        .flatten()
        .chain(tier.gap_by_depth.iter().filter_map(depth))
        .chain(tier.progress.iter().flat_map(progress))
        .chain(tier.styles.iter().flat_map(style))
        .collect()
}

fn style(style: &Style) -> impl Iterator<Item = Entry> {
    let all = [
        curve("o_s", style.send_overhead.as_ref()),
        curve("o_r", style.recv_overhead.as_ref()),
        number("t_s", "µs", style.startup.as_ref()),
        number("t_b", "µs/byte", style.per_byte.as_ref()),
        number("S", "bytes", style.eager_limit.as_ref()),
    ];
    let of_it = |entry: Entry| Entry { style: Some(style.name.0.clone()), ..entry };
    all.into_iter().flatten().map(of_it)
}

fn progress(progress: &Progress) -> impl Iterator<Item = Entry> {
    let word = |symbol: &str, word: String| Entry {
        style: None,
        symbol: symbol.to_owned(),
        value: Value::Word(word),
        unit: "",
        verdict: progress.verdict,
        source: progress.source.clone(),
    };
    let from = |bytes: Bytes| format!(" from {}", size(bytes));
    let transfers = progress
        .transfer
        .iter()
        .map(|t| word("transfer", format!("{}{}", t.transfer.symbol(), from(t.from))));
    let all = [
        number("S", "bytes", progress.eager_limit.as_ref()),
        progress.kind.map(|kind| word("progress", kind.symbol().to_owned())),
        number("O'", "µs", progress.control_overhead.as_ref()),
        curve("O_i", progress.initiation.as_ref()),
        curve("O_c", progress.copy.as_ref()),
    ];
    let transfers: Vec<Entry> = transfers.collect();
    all.into_iter().flatten().chain(transfers)
}

fn number<U: Magnitude>(
    symbol: &str,
    unit: &'static str,
    of: Option<&Parameter<U>>,
) -> Option<Entry> {
    let of = of?;
    let value = of.interval().map_or(Value::None, |i| Value::Number(i.map(|v| v.magnitude())));
    let (symbol, source) = (symbol.to_owned(), of.source.clone());
    Some(Entry { style: None, symbol, value, unit, verdict: of.verdict, source })
}

fn curve(symbol: &str, of: Option<&Curve>) -> Option<Entry> {
    let of = of?;
    let value = match (of.fixed, of.points.as_slice()) {
        (Some(fixed), _) => match of.per_byte {
            Some(each) => Value::Line(fixed, each),
            None => Value::Number(Interval::exact(fixed.0)),
        },
        (None, []) => Value::None,
        (None, points) => Value::Points(points.to_vec()),
    };
    let (symbol, source) = (symbol.to_owned(), of.source.clone());
    Some(Entry { style: None, symbol, value, unit: "µs", verdict: of.verdict, source })
}
