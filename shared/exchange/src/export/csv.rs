//! CSV: one row per parameter, point of a curve and term of a closed form.
//!
//! Numbers have full precision and the units of the signature file: us, us/byte, bytes. The
//! unit of a term's coefficient gives the term the form's unit: `us/(p log p)`.

use crate::csv::row;
use loggia_model::signature::listing::{Entry, Value, entries};
use loggia_model::signature::{Collective, Form, FormTerm, Quality, RankFunction, Signature};
use loggia_model::units::{Bytes, Interval, Micros};

const HEADER: [&str; 12] = [
    "path", "symbol", "tier", "style", "bytes", "procs", "value", "low", "high", "unit", "verdict",
    "source",
];

/// The cells of a row; empty if absent.
#[derive(Clone, Default)]
struct Row {
    path: String,
    symbol: String,
    tier: String,
    style: String,
    bytes: String,
    procs: String,
    value: String,
    low: String,
    high: String,
    unit: String,
    quality: Quality,
    source: String,
}

pub(super) fn table(signature: &Signature) -> String {
    let mut rows = Vec::new();
    for (index, tier) in signature.tiers.iter().enumerate() {
        for entry in entries(tier) {
            let row = Row {
                path: format!("tiers[{index}].{}", entry.path),
                symbol: entry.symbol.clone(),
                tier: tier.name.clone(),
                style: entry.style.clone().unwrap_or_default(),
                // A spreadsheet may not read the table as UTF-8.
                unit: entry.unit.replace('µ', "u"),
                quality: entry.quality,
                source: entry.source.clone(),
                ..Row::default()
            };
            rows.extend(entry_rows(&entry, &row));
        }
    }
    for (index, form) in signature.collectives.iter().enumerate() {
        rows.extend(operation_rows(&format!("collectives[{index}]"), form));
    }
    let rows = rows.into_iter().map(Row::text);
    std::iter::once(row(&HEADER)).chain(rows).collect()
}

impl Row {
    fn text(self) -> String {
        row(&[
            self.path,
            self.symbol,
            self.tier,
            self.style,
            self.bytes,
            self.procs,
            self.value,
            self.low,
            self.high,
            self.unit,
            format!("{:?}", self.quality).to_lowercase(),
            self.source,
        ])
    }

    fn part(&self, part: &str) -> Row {
        Row { path: format!("{}.{part}", self.path), ..self.clone() }
    }

    fn number(self, value: f64) -> Row {
        Row { value: value.to_string(), ..self }
    }

    fn bounded(self, low: Option<f64>, high: Option<f64>) -> Row {
        let text = |bound: Option<f64>| bound.map(|b| b.to_string()).unwrap_or_default();
        Row { low: text(low), high: text(high), ..self }
    }
}

fn entry_rows(entry: &Entry, row: &Row) -> Vec<Row> {
    match &entry.value {
        Value::None => vec![row.clone()],
        Value::Word(word) => vec![Row { value: word.clone(), ..row.clone() }],
        Value::Number(interval) => {
            let Interval { value, low, high } = *interval;
            let [low, high] = [low, high].map(|bound| interval.is_bounded().then_some(bound));
            vec![row.clone().number(value).bounded(low, high)]
        }
        Value::Line(fixed, per_byte) => vec![
            row.part("fixed").number(fixed.0),
            Row { unit: format!("{}/byte", row.unit), ..row.part("per_byte") }.number(per_byte.0),
        ],
        Value::Points(points) => {
            let point = |(index, point): (usize, &loggia_model::signature::Point)| {
                let us = |time: Option<Micros>| time.map(|time| time.0);
                Row { bytes: point.bytes.0.to_string(), ..row.part(&format!("points[{index}]")) }
                    .number(point.value.0)
                    .bounded(us(point.low), us(point.high))
            };
            points.iter().enumerate().map(point).collect()
        }
    }
}

fn operation_rows(path: &str, form: &Collective) -> Vec<Row> {
    let range = |low: u64, high: u64| format!("{low}-{high}");
    let bytes = form
        .bytes
        .as_ref()
        .map(|b: &loggia_model::signature::Range<Bytes>| range(b.low.0, b.high.0));
    let row = Row {
        path: path.to_owned(),
        bytes: bytes.unwrap_or_default(),
        procs: range(form.procs.low.0.into(), form.procs.high.0.into()),
        quality: form.quality,
        source: form.source.clone(),
        ..Row::default()
    };
    let parts = [
        ("startup", "T0", "us", Some(&form.startup)),
        ("per_byte", "t_b", "us/byte", form.per_byte.as_ref()),
        ("compute_per_byte", "t_c", "us/byte", form.compute_per_byte.as_ref()),
    ];
    let op = form.op.name();
    let part_rows = |(part, symbol, unit, form_part): (&str, &str, &str, Option<&Form>)| {
        let Some(form_part) = form_part else { return Vec::new() };
        let prefix = if form_part.reciprocal { "1/" } else { "" };
        let row = Row { symbol: format!("{prefix}{symbol}(p) of {op}"), ..row.part(part) };
        let unit = if form_part.reciprocal { format!("1/({unit})") } else { unit.to_owned() };
        let term = |(index, term): (usize, &FormTerm)| {
            Row { unit: per(&unit, term), ..row.part(&format!("terms[{index}]")) }
                .number(term.value)
                .bounded(term.low, term.high)
        };
        form_part.terms.iter().enumerate().map(term).collect()
    };
    parts.into_iter().flat_map(part_rows).collect()
}

/// The unit of a term's coefficient.
fn per(unit: &str, term: &FormTerm) -> String {
    match (term.times, term.power == 1.0) {
        (RankFunction::One, _) => unit.to_owned(),
        (RankFunction::P, true) => format!("{unit}/p"),
        (times, true) => format!("{unit}/({})", times.words()),
        (times, false) => format!("{unit}/({})^{}", times.words(), term.power),
    }
}
