//! A predicted time: total, terms, formula, and range of validity.

use super::Model;
use crate::measured::{Basis, Doubt, MeasuredTime};
use crate::signature::{At, Range};
use crate::units::words::{number, size};
use crate::units::{Bytes, Interval, Micros, Procs};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// The name of the method that takes measured times, interpolated and extrapolated.
pub const MEASURED: &str = "measured";

/// A predicted time with all data to verify it by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The model, for one message.
    pub model: Option<Model>,
    pub terms: Vec<Term>,
    /// The formula in the paper's symbols.
    pub symbols: &'static str,
    pub warnings: Vec<Warning>,
    /// The sum of the terms; none if a term has no value.
    pub total: Option<Interval<Micros>>,
    pub basis: Basis,
    /// The time from measurements, if a model was chosen; and whether it was measured itself,
    /// interpolated or extrapolated.
    pub measured: Option<(Micros, Basis)>,
}

/// `count` times a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The paper's symbol.
    pub symbol: &'static str,
    /// Number of messages, or of bytes for a per-byte parameter.
    pub count: f64,
    /// In µs, or µs per byte.
    pub each: Interval<Micros>,
}

/// A limit of the validity of a number.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// A curve was evaluated outside its points.
    ClampedFrom {
        symbol: &'static str,
        bytes: Bytes,
        /// The nearest reported size, whose value is used.
        from: Bytes,
    },
    /// A closed form was evaluated outside the numbers of processes that it was fitted to.
    OutsideProcs(Range<Procs>),
    /// A closed form was fitted at this number of processes alone, and has no value at others.
    OneNumberOfProcs(Procs),
    /// A closed form was evaluated outside the sizes that it was fitted to.
    OutsideBytes(Range<Bytes>),
    /// A term is negative or not finite, and so has no value.
    NoNumber {
        /// Name of the term.
        term: &'static str,
        /// Number of processes.
        procs: Procs,
        /// The value of the form.
        value: f64,
    },
    /// A limit of measured times.
    Measured(Doubt),
    /// A remark of the model.
    Remark(&'static str),
}

impl Term {
    /// `count` of a parameter.
    pub fn new(symbol: &'static str, count: f64, each: Interval<Micros>) -> Self {
        Term { symbol, count, each }
    }

    /// The time of the term.
    pub fn time(&self) -> Interval<Micros> {
        self.each.map(|each| each * self.count)
    }
}

impl Warning {
    /// Whether the number is outside the measured range.
    pub fn is_extrapolation(&self) -> bool {
        !matches!(
            self,
            Warning::Remark(_) | Warning::Measured(Doubt::Step(..) | Doubt::PairsFrom(_))
        )
    }

    /// Warnings of curves that are evaluated outside their points.
    pub fn of_curves<'a>(
        bytes: Bytes,
        curves: impl IntoIterator<Item = (&'static str, &'a At)>,
    ) -> Vec<Self> {
        let warning = |(symbol, at): (&'static str, &At)| {
            at.clamped_from.map(|from| Warning::ClampedFrom { symbol, bytes, from })
        };
        curves.into_iter().filter_map(warning).collect()
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::ClampedFrom { symbol, bytes, from } => write!(
                f,
                "{symbol} is unknown at {}; clamped to its value at {}",
                size(*bytes),
                size(*from)
            ),
            Warning::OutsideProcs(range) => write!(
                f,
                "extrapolated: p is outside {}–{}, the fitted range of the closed form",
                range.low.0, range.high.0
            ),
            Warning::OneNumberOfProcs(procs) => write!(
                f,
                "the closed form was fitted at p = {} alone, so it has no time at another p",
                procs.0
            ),
            Warning::OutsideBytes(range) => write!(
                f,
                "extrapolated: the size is outside {}–{}, the fitted range of the closed form",
                size(range.low),
                size(range.high)
            ),
            Warning::NoNumber { term, procs, value } if value.is_finite() => write!(
                f,
                "the closed form's {term} is negative at p = {} ({}), so there is no time",
                procs.0,
                number(*value, 4)
            ),
            Warning::NoNumber { term, procs, .. } => write!(
                f,
                "the closed form's {term} is not finite at p = {}, so there is no time",
                procs.0
            ),
            Warning::Measured(doubt) => doubt.fmt(f),
            Warning::Remark(text) => f.write_str(text),
        }
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Prediction {
    /// A prediction that adds up its terms.
    pub fn sum(
        model: Option<Model>,
        symbols: &'static str,
        terms: Vec<Term>,
        warnings: Vec<Warning>,
    ) -> Self {
        let mut total: Interval<Micros> = terms.iter().map(Term::time).sum();
        let is_number = total.value.0.is_finite();
        // A time is at least 0, even if its interval reaches below.
        if total.value.0 >= 0.0 {
            total.low = total.low.max(Micros(0.0));
        }
        let mut warnings = warnings;
        if !is_number {
            warnings.push(Warning::Remark("the sum of the terms is too large"));
        }
        let (basis, total) = (Basis::Modelled, is_number.then_some(total));
        Prediction { model, terms, symbols, warnings, total, basis, measured: None }
    }

    /// A measured time, in terms whose sum it is.
    pub fn read(reading: MeasuredTime, symbols: &'static str, terms: Vec<Term>) -> Self {
        let MeasuredTime { time, basis, doubts } = reading;
        let warnings = doubts.into_iter().map(Warning::Measured).collect();
        let total = Some(time);
        Prediction { model: None, terms, symbols, warnings, total, basis, measured: None }
    }

    /// The predicted time.
    pub fn time(&self) -> Option<Micros> {
        self.total.map(|total| total.value)
    }

    /// Relative error of the prediction: measured/predicted − 1.
    pub fn residual(&self, measured: Micros) -> Option<f64> {
        let predicted = self.time().filter(|time| time.0 > 0.0)?;
        Some(measured.0 / predicted.0 - 1.0)
    }

    /// Whether the prediction is outside the measured range.
    pub fn is_extrapolated(&self) -> bool {
        self.warnings.iter().any(Warning::is_extrapolation)
    }

    /// The parameters with bounds; they determine the bounds of the total.
    pub fn bounded_by(&self) -> Vec<&'static str> {
        self.terms.iter().filter(|t| t.each.is_bounded()).map(|t| t.symbol).collect()
    }

    /// The formula, with values substituted:
    /// `o_s + L + o_r + (k−1)G = 30 + 3.1 + 15 + 15·0.04 = 48.7 µs`.
    pub fn formula(&self) -> String {
        format!("{} = {}", self.symbols, self.substituted())
    }

    /// The right side of the formula: values and sum.
    pub fn substituted(&self) -> String {
        let Some(total) = self.time() else { return "no number".to_owned() };
        let terms: Vec<_> = self.terms.iter().map(|term| (term.count, term.each.value)).collect();
        with_values(&terms, total)
    }
}

/// Terms, each a count and a value, and their sum: `6·2.6259 + 12·0.51446 = 21.929 µs`. They have one
/// unit: ns where a value is below 1 ns.
pub fn with_values(terms: &[(f64, Micros)], total: Micros) -> String {
    let is_small = |(_, each): &(f64, Micros)| (1e-12..1e-3).contains(&each.0.abs());
    let (unit, name) = if terms.iter().any(is_small) { (1e-3, "ns") } else { (1.0, "µs") };
    let value = |time: Micros| number(time.0 / unit, 5);
    let term = |(count, each): &(f64, Micros)| match *count == 1.0 {
        true => value(*each),
        false => format!("{}·{}", number(*count, 17), value(*each)),
    };
    let terms: Vec<String> = terms.iter().map(term).collect();
    format!("{} = {} {name}", terms.join(" + "), value(total))
}

impl Serialize for Term {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut term = serializer.serialize_struct("Term", 4)?;
        term.serialize_field("symbol", self.symbol)?;
        term.serialize_field("count", &self.count)?;
        term.serialize_field("value_us", &self.each.value)?;
        term.serialize_field("total_us", &self.time().value)?;
        term.end()
    }
}

impl Serialize for Prediction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut answer = serializer.serialize_struct("Prediction", 12)?;
        match self.model {
            None if self.basis.is_of_table() => answer.serialize_field("model", MEASURED)?,
            model => answer.serialize_field("model", &model)?,
        }
        answer.serialize_field("time_us", &self.time())?;
        answer.serialize_field("low_us", &self.total.map(|t| t.low))?;
        answer.serialize_field("high_us", &self.total.map(|t| t.high))?;
        answer.serialize_field("bounded_by", &self.bounded_by())?;
        answer.serialize_field("terms", &self.terms)?;
        answer.serialize_field("formula", &self.formula())?;
        answer.serialize_field("basis", &self.basis)?;
        if let Some((time, basis)) = self.measured {
            answer.serialize_field("measured_us", &time)?;
            answer.serialize_field("measured_basis", &basis)?;
        }
        answer.serialize_field("extrapolated", &self.is_extrapolated())?;
        answer.serialize_field("warnings", &self.warnings)?;
        answer.end()
    }
}
