//! Times taken from measurements: at, between and beyond what was measured.
//!
//! | file | question |
//! |---|---|
//! | [`sizes`] | one table over sizes: at a size, between two, beyond the last |
//! | [`pairs`] | a message while other pairs of the same two nodes exchange, too |
//! | [`ranks`] | a collective operation's tables over the numbers of ranks |
//! | [`validation`] | how far predictions from tables are off, and what to measure next |
//!
//! All arithmetic on times is done on their logarithms, so an error is a factor: half the time is as
//! wrong as twice the time. An interval of 95% is a factor, too.

pub mod pairs;
pub mod ranks;
pub mod sizes;
pub mod validation;

use crate::signature::{Operation, Signature, Table, Tier};
use crate::units::words::{number, size};
use crate::units::{Bytes, Interval, Micros, Procs};
use libm::{exp2, log2};
use serde::{Deserialize, Serialize};

/// The basis of an answer, best first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Basis {
    /// Measured at these very bytes and ranks.
    Measured,
    /// Between measurements.
    Interpolated,
    /// Beyond the measurements, with the growth of the operation.
    Extrapolated,
    /// Computed from parameters that were fitted to measurements of parts.
    Modelled,
    /// Computed from numbers that a paper published.
    Published,
}

impl Basis {
    /// The word for it, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the answer comes from a table of measured times.
    #[must_use]
    pub fn is_of_table(self) -> bool {
        self <= Basis::Extrapolated
    }

    /// The basis of a model's answer: a paper's numbers, or fitted parameters.
    #[must_use]
    pub fn of_model(signature: &Signature) -> Self {
        match signature.origin {
            crate::signature::Origin::Citation { .. } => Basis::Published,
            _ => Basis::Modelled,
        }
    }
}

/// An answer from measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredTime {
    /// The time, with a 95% interval of the answer itself.
    pub time: Interval<Micros>,
    pub basis: Basis,
    /// Reservations.
    pub doubts: Vec<Doubt>,
}

/// A reservation about an answer from measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Between these two sizes, the time changes abruptly: another algorithm or protocol.
    Step(Bytes, Bytes),
    /// No smaller size was measured.
    BelowSizes(Bytes),
    /// No larger size was measured.
    AboveSizes(Bytes),
    /// No more ranks were measured.
    AboveRanks(Procs),
    /// No fewer ranks were measured.
    BelowRanks(Procs),
    /// Measured on this number of ranks alone, so the growth with ranks is assumed.
    OneNumberOfRanks(Procs),
    /// Measured with this number of ranks per node, which differs from the requested one.
    PerNode(u32),
    /// No more pairs of two nodes were measured at once.
    AbovePairs(u32),
    /// Several pairs were measured from this size on: what they cost each other below is assumed.
    PairsFrom(Bytes),
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Doubt::Step(low, high) => write!(
                f,
                "between {} and {} the measured time changes abruptly: another algorithm or protocol",
                size(low),
                size(high)
            ),
            Doubt::BelowSizes(bytes) => {
                write!(f, "extrapolated below {}, the smallest size that was measured", size(bytes))
            }
            Doubt::AboveSizes(bytes) => {
                write!(f, "extrapolated beyond {}, the largest size that was measured", size(bytes))
            }
            Doubt::AboveRanks(procs) => {
                write!(
                    f,
                    "extrapolated beyond p = {}, the largest number of ranks that was measured",
                    procs.0
                )
            }
            Doubt::BelowRanks(procs) => {
                write!(
                    f,
                    "extrapolated below p = {}, the smallest number of ranks that was measured",
                    procs.0
                )
            }
            Doubt::OneNumberOfRanks(procs) => {
                write!(
                    f,
                    "measured at p = {} alone: the growth with the number of ranks is assumed",
                    procs.0
                )
            }
            Doubt::PerNode(ranks) => {
                write!(
                    f,
                    "measured with {ranks} rank{} on each node",
                    if ranks == 1 { "" } else { "s" }
                )
            }
            Doubt::AbovePairs(pairs) => {
                write!(f, "extrapolated beyond {pairs} pairs, the most that were measured at once")
            }
            Doubt::PairsFrom(bytes) => write!(
                f,
                "several pairs were measured from {} on: below, what they cost each other follows \
                 from the max-rate model, and {}% more latency is assumed for each doubling of pairs",
                size(bytes),
                number(pairs::LATENCY_A_DOUBLING * 100.0, 2)
            ),
        }
    }
}

/// A time and its error.
#[derive(Clone, Debug, PartialEq)]
struct Estimate {
    time: f64,
    /// Half the width of the 95% interval, as a logarithm to base 2.
    error: f64,
    /// The interval that was given with the measurement.
    bounds: Option<(Micros, Micros)>,
    basis: Basis,
    doubts: Vec<Doubt>,
}

impl Estimate {
    /// The time as a logarithm to base 2.
    fn log(&self) -> f64 {
        log2(self.time)
    }

    fn reading(self) -> MeasuredTime {
        let factor = exp2(self.error);
        let around = (Micros(self.time / factor), Micros(self.time * factor));
        let (low, high) = self.bounds.unwrap_or(around);
        let time = Interval { value: Micros(self.time), low, high };
        MeasuredTime { time, basis: self.basis, doubts: self.doubts }
    }
}

impl Signature {
    /// Half a round trip of a message, as measured on a tier in a style's send mode.
    #[must_use]
    pub fn measured_message(
        &self,
        tier: &Tier,
        style: Option<&str>,
        bytes: Bytes,
    ) -> Option<MeasuredTime> {
        sizes::at(&self.message_table(tier, style)?.points, bytes)
    }

    /// The table of RTT/2 on a tier in a style's send mode.
    #[must_use]
    pub fn message_table(&self, tier: &Tier, style: Option<&str>) -> Option<&Table> {
        let of_tier = |table: &&Table| {
            table.op.is_none()
                && table.pairs.is_none()
                && table.tier.as_deref().is_none_or(|name| name == tier.name)
        };
        let mode =
            |name: &str| crate::signature::StyleName(name.to_owned()).mpi().map(|(mode, _)| mode);
        let closeness = |table: &&Table| match (table.style.as_deref(), style) {
            (measured, asked) if measured == asked => 3,
            (Some(measured), Some(asked))
                if mode(measured).is_some() && mode(measured) == mode(asked) =>
            {
                2
            }
            (None, _) | (_, None) => 1,
            _ => 0,
        };
        self.tables
            .iter()
            .filter(of_tier)
            .filter(|table| closeness(table) > 0)
            .max_by_key(closeness)
    }

    /// Half a round trip on a tier while so many pairs of two nodes exchange at once, as measured
    /// there or told from what was.
    #[must_use]
    pub fn measured_pairs(
        &self,
        tier: &Tier,
        style: Option<&str>,
        pairs: u32,
        bytes: Bytes,
    ) -> Option<MeasuredTime> {
        let one = self.message_table(tier, style)?;
        let of = |table: &&Table| {
            table.pairs.is_some()
                && (table.tier.as_deref(), table.style.as_deref())
                    == (one.tier.as_deref(), one.style.as_deref())
        };
        let several = self.tables.iter().filter(of);
        let several = several.filter_map(|table| Some((table.pairs?, table.points.as_slice())));
        pairs::at(&one.points, several.collect(), pairs, bytes)
    }

    /// Source of an operation's measured times.
    #[must_use]
    pub fn source_of_table(&self, op: Operation) -> Option<&str> {
        self.tables.iter().find(|table| table.op == Some(op)).map(|table| table.source.as_str())
    }

    /// A collective operation, as measured, its bytes counted as its algorithms count them, with the
    /// measured number of ranks per node that is nearest to this one; without one, that of the
    /// measurement with the most ranks.
    #[must_use]
    pub fn measured_collective(
        &self,
        op: Operation,
        procs: Procs,
        per_node: Option<u32>,
        bytes: Bytes,
    ) -> Option<MeasuredTime> {
        ranks::on_nodes(&self.tables, op, procs, per_node, bytes)
    }
}
