//! Comparable values of a machine: numbers, curves and texts, each with its subject.

use super::ratio::Number;
use crate::signature::listing::{self, Entry, Value, gap_at};
use crate::signature::{Collective, Curve, Operation, Quality, Signature, Tier};
use crate::units::words::{per_byte_unit, size};
use crate::units::{Bytes, MicrosPerByte, Procs};
use serde::Serialize;

/// Name of a message.
pub(super) const MESSAGE: &str = "p2p";

/// The subject of a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// The tier; none for a collective operation.
    pub tier: Option<String>,
    /// The send mode, if any.
    pub style: Option<String>,
    /// The paper's symbol, or the operation's name.
    pub symbol: String,
    pub unit: &'static str,
    /// Size of the message or operation.
    pub bytes: Option<Bytes>,
    /// Number of processes.
    pub procs: Option<Procs>,
    /// Messages in flight.
    pub depth: Option<u32>,
}

/// A comparable value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ComparableValue {
    Number(Number),
    /// Times over the size.
    Curve(Curve),
    /// A word, and whether it is certain.
    Word(String, bool),
    /// The closed form of an operation.
    Form(Collective),
    /// No value, for this reason.
    Nothing(String),
}

/// All known values of a machine, in the order of its file.
pub(super) fn known(signature: &Signature) -> Vec<(Subject, ComparableValue)> {
    let tiers = signature.tiers.iter().flat_map(of_tier);
    let form =
        |form: &Collective| (Subject::of_operation(form.op), ComparableValue::Form(form.clone()));
    tiers.chain(signature.collectives.iter().map(form)).collect()
}

fn of_tier(tier: &Tier) -> Vec<(Subject, ComparableValue)> {
    let mut all: Vec<(Subject, ComparableValue)> = Vec::new();
    for entry in listing::entries(tier) {
        let mut subject = Subject::of_entry(tier, &entry);
        let by_depth = tier.gap_by_depth.iter().find(|point| entry.symbol == gap_at(point.depth));
        if let Some(point) = by_depth {
            subject = Subject { symbol: BY_DEPTH.to_owned(), depth: Some(point.depth), ..subject };
        }
        match entry.symbol.as_str() {
            // S gives the sizes at which the mechanism changes; the mechanisms are one text.
            TRANSFER if all.iter().any(|(known, _)| known.is_of(&subject)) => {}
            TRANSFER => all.push((subject, ComparableValue::transfer(tier, &entry))),
            _ => all.push((subject, ComparableValue::of_entry(entry))),
        }
    }
    all
}

/// Name of the mechanism in the listing.
const TRANSFER: &str = "transfer";

/// The gap with any number of messages in flight.
pub(super) const BY_DEPTH: &str = "g(q)";

impl Subject {
    /// The display unit, and its size in the subject's unit. Times per byte have a unit that fits
    /// this value.
    #[must_use]
    pub fn unit_for(&self, value: Option<f64>) -> (f64, &'static str) {
        match value.filter(|_| self.unit == "µs/byte") {
            Some(value) => per_byte_unit(MicrosPerByte(value)),
            None => (1.0, self.unit),
        }
    }

    fn of_tier(tier: &Tier) -> Self {
        Subject {
            tier: Some(tier.name.clone()),
            style: None,
            symbol: String::new(),
            unit: "",
            bytes: None,
            procs: None,
            depth: None,
        }
    }

    fn of_entry(tier: &Tier, entry: &Entry) -> Self {
        let (style, symbol) = (entry.style.clone(), entry.symbol.clone());
        Subject { style, symbol, unit: entry.unit, ..Subject::of_tier(tier) }
    }

    fn of_operation(op: Operation) -> Self {
        Subject::of_time(op.name())
    }

    fn of_time(name: &str) -> Self {
        Subject {
            tier: None,
            style: None,
            symbol: name.to_owned(),
            unit: "µs",
            bytes: None,
            procs: None,
            depth: None,
        }
    }

    /// One message of this size, by the route and model of each machine.
    pub fn message(bytes: Bytes) -> Self {
        Subject { bytes: Some(bytes), ..Subject::of_time(MESSAGE) }
    }

    /// An operation on p processes with m bytes.
    pub fn operation(op: Operation, procs: Procs, bytes: Bytes) -> Self {
        let (bytes, procs) = (Some(bytes), Some(procs));
        Subject { bytes, procs, ..Subject::of_operation(op) }
    }

    /// A short name: `network isend o_s at 8 B`, `bcast of 64 KiB on 16 ranks`.
    pub fn words(&self) -> String {
        let tier = self.tier.as_ref().map(|tier| format!("{tier} ")).unwrap_or_default();
        tier + &self.words_in_tier()
    }

    /// The short name without the tier.
    pub fn words_in_tier(&self) -> String {
        let style = self.style.as_ref().map(|style| format!("{style} ")).unwrap_or_default();
        format!("{style}{}{}", self.symbol, self.point())
    }

    /// Size and ranks: ` at 8 B`, or an empty text.
    pub fn point(&self) -> String {
        let join = if self.tier.is_some() { "at" } else { "of" };
        let bytes = self.bytes.filter(|bytes| bytes.0 > 0 || self.tier.is_some());
        let of = bytes.map(|bytes| format!(" {join} {}", size(bytes))).unwrap_or_default();
        let on = self.procs.map(|procs| format!(" on {} ranks", procs.0)).unwrap_or_default();
        let with = self.depth.map(|depth| format!(", {depth} in flight")).unwrap_or_default();
        of + &on + &with
    }

    /// Whether it is the same curve, form or number, at any size.
    pub(super) fn is_of(&self, other: &Subject) -> bool {
        self.is_same_parameter(other) && self.depth == other.depth
    }

    /// Whether it is the same parameter, at any size and depth.
    pub(super) fn is_same_parameter(&self, other: &Subject) -> bool {
        (&self.tier, &self.style, &self.symbol) == (&other.tier, &other.style, &other.symbol)
    }
}

impl ComparableValue {
    /// All mechanisms as a word, that of small messages first.
    fn transfer(tier: &Tier, entry: &Entry) -> Self {
        let all = tier.progress.iter().flat_map(|progress| &progress.transfer);
        let words: Vec<&str> = all.map(|from| from.transfer.symbol()).collect();
        ComparableValue::Word(words.join(", "), entry.quality != Quality::Uncertain)
    }

    fn of_entry(entry: Entry) -> Self {
        let Entry { value, quality, source, unit, .. } = entry;
        let curve = Curve { points: Vec::new(), fixed: None, per_byte: None, quality, source };
        match value {
            Value::None => ComparableValue::Nothing(curve.source),
            // A limit is certainly between two measured sizes.
            Value::Number(limit) if unit == "bytes" => {
                ComparableValue::Number(Number::given(limit))
            }
            Value::Number(number) => ComparableValue::Number(Number::reported(number, quality)),
            Value::Points(points) => ComparableValue::Curve(Curve { points, ..curve }),
            Value::Line(fixed, each) => {
                ComparableValue::Curve(Curve { fixed: Some(fixed), per_byte: Some(each), ..curve })
            }
            Value::Word(word) => ComparableValue::Word(word, quality != Quality::Uncertain),
        }
    }

    /// The sizes at which a curve has points.
    pub(super) fn sizes(&self) -> Vec<Bytes> {
        match self {
            ComparableValue::Curve(curve) => curve.points.iter().map(|point| point.bytes).collect(),
            _ => Vec::new(),
        }
    }

    /// The number at a size; for a curve only at reported sizes, or with interpolation.
    pub(super) fn at(&self, bytes: Bytes, between: bool) -> Option<Number> {
        match self {
            ComparableValue::Number(number) => Some(*number),
            ComparableValue::Curve(curve) => {
                let is_point = curve.points.iter().any(|point| point.bytes == bytes);
                let is_allowed = is_point || between || curve.points.is_empty();
                let at = curve.at(bytes).filter(|at| is_allowed && at.clamped_from.is_none())?;
                Some(Number::reported(at.time.map(|time| time.0), curve.quality))
            }
            _ => None,
        }
    }
}
