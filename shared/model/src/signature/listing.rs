//! The parameters of a tier as a list, for the command and the page.

use super::{Curve, Parameter, Point, Progress, Quality, Style, Tier};
use crate::units::words::size;
use crate::units::{Bytes, Interval, Magnitude, Micros, MicrosPerByte};

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Path in the tier: `latency`, `styles[0].send_overhead`.
    pub path: String,
    /// The send mode of the parameter, if any.
    pub style: Option<String>,
    /// The paper's symbol.
    pub symbol: String,
    pub value: Value,
    pub unit: &'static str,
    /// Quality of the value.
    pub quality: Quality,
    /// Paper and table, or measurement; for an unusable value, the reason.
    pub source: String,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Unknown.
    None,
    /// A number, with its bounds.
    Number(Interval<f64>),
    /// Times over the size.
    Points(Vec<Point>),
    /// A fixed time and a per-byte time.
    Line(Micros, MicrosPerByte),
    /// A word.
    Word(String),
}

/// All reported parameters of a tier.
pub fn entries(tier: &Tier) -> Vec<Entry> {
    let depth = |(place, point): (usize, &super::DepthPoint)| {
        let entry = number("gap", &gap_at(point.depth), "µs", Some(&point.gap));
        entry.map(|entry| entry.within(&format!("gap_by_depth[{place}]")))
    };
    let of_tier = [
        number("latency", "L", "µs", tier.latency.as_ref()),
        number("gap", "g", "µs", tier.gap.as_ref()),
        number("gap_per_byte", "G", "µs/byte", tier.gap_per_byte.as_ref()),
        number("node_gap_per_byte", "1/R_N", "µs/byte", tier.node_gap_per_byte.as_ref()),
        number("end_to_end_latency", "EEL", "µs", tier.end_to_end_latency.as_ref()),
        curve("gap_by_size", "g(m)", tier.gap_by_size.as_ref()),
    ];
    of_tier
        .into_iter()
        .flatten()
        .chain(tier.gap_by_depth.iter().enumerate().filter_map(depth))
        .chain(tier.progress.iter().flat_map(progress))
        .chain(tier.styles.iter().enumerate().flat_map(style))
        .collect()
}

/// Symbol of the gap with this many messages in flight.
pub fn gap_at(depth: u32) -> String {
    format!("g, {depth} in flight")
}

impl Entry {
    fn within(mut self, part: &str) -> Self {
        self.path = format!("{part}.{}", self.path);
        self
    }
}

fn style((place, style): (usize, &Style)) -> impl Iterator<Item = Entry> {
    let all = [
        curve("send_overhead", "o_s", style.send_overhead.as_ref()),
        curve("recv_overhead", "o_r", style.recv_overhead.as_ref()),
        number("startup", "t_s", "µs", style.startup.as_ref()),
        number("per_byte", "t_b", "µs/byte", style.per_byte.as_ref()),
        number("eager_limit", "S", "bytes", style.eager_limit.as_ref()),
    ];
    let part = format!("styles[{place}]");
    let of_it =
        move |entry: Entry| Entry { style: Some(style.name.0.clone()), ..entry }.within(&part);
    all.into_iter().flatten().map(of_it)
}

fn progress(progress: &Progress) -> impl Iterator<Item = Entry> {
    let word = |path: String, symbol: &str, word: String| Entry {
        path,
        style: None,
        symbol: symbol.to_owned(),
        value: Value::Word(word),
        unit: "",
        quality: progress.quality,
        source: progress.source.clone(),
    };
    let from = |bytes: Bytes| format!(" from {}", size(bytes));
    let transfers = progress.transfer.iter().enumerate().map(|(place, t)| {
        let words = format!("{}{}", t.transfer.symbol(), from(t.from));
        word(format!("transfer[{place}]"), "transfer", words)
    });
    let all = [
        number("eager_limit", "S", "bytes", progress.eager_limit.as_ref()),
        progress.kind.map(|kind| word("kind".to_owned(), "progress", kind.symbol().to_owned())),
        number("control_overhead", "O'", "µs", progress.control_overhead.as_ref()),
        curve("initiation", "O_i", progress.initiation.as_ref()),
        curve("copy", "O_c", progress.copy.as_ref()),
    ];
    let transfers: Vec<Entry> = transfers.collect();
    all.into_iter().flatten().chain(transfers).map(|entry| entry.within("progress"))
}

fn number<U: Magnitude>(
    path: &str,
    symbol: &str,
    unit: &'static str,
    of: Option<&Parameter<U>>,
) -> Option<Entry> {
    let of = of?;
    let value = of.interval().map_or(Value::None, |i| Value::Number(i.map(|v| v.magnitude())));
    let (path, symbol, source) = (path.to_owned(), symbol.to_owned(), of.source.clone());
    Some(Entry { path, style: None, symbol, value, unit, quality: of.quality, source })
}

fn curve(path: &str, symbol: &str, of: Option<&Curve>) -> Option<Entry> {
    let of = of?;
    let value = match (of.fixed, of.points.as_slice()) {
        (Some(fixed), _) => match of.per_byte {
            Some(each) => Value::Line(fixed, each),
            None => Value::Number(Interval::exact(fixed.0)),
        },
        (None, []) => Value::None,
        (None, points) => Value::Points(points.to_vec()),
    };
    let path = match value {
        Value::Number(_) => format!("{path}.fixed"),
        _ => path.to_owned(),
    };
    let (symbol, source) = (symbol.to_owned(), of.source.clone());
    Some(Entry { path, style: None, symbol, value, unit: "µs", quality: of.quality, source })
}
