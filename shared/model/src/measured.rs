//! Times from measurements: measured, interpolated and extrapolated.
//!
//! | file | contents |
//! |---|---|
//! | [`sizes`] | one table over sizes: at a size, between two sizes, beyond the last |
//! | [`pairs`] | concurrent messages of several pairs on two nodes |
//! | [`ranks`] | the tables of a collective operation over the number of ranks |
//! | [`validation`] | errors of predictions from tables, and proposed measurements |
//!
//! All arithmetic uses logarithms of times, so an error is a factor: half the time is as wrong as
//! twice the time. A 95% interval is a factor, too.

pub mod pairs;
pub mod ranks;
pub mod sizes;
pub mod validation;

use crate::signature::{Operation, Signature, Table, Tier, known};
use crate::units::words::{counted, size, unsigned_percent};
use crate::units::{Bytes, Interval, Micros, Procs};
use libm::{exp2, log2};
use serde::{Deserialize, Serialize};

/// The basis of a time, best first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Basis {
    /// Measured at exactly these bytes and ranks.
    Measured,
    /// Between measurements.
    Interpolated,
    /// From measurements of the machine before a parameter was changed.
    Scaled,
    /// Beyond the measurements, by the growth of the operation.
    Extrapolated,
    /// Computed from fitted parameters.
    Modelled,
    /// Computed from numbers of a paper.
    Published,
}

impl Basis {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the time comes from a table of measured times.
    #[must_use]
    pub fn is_of_table(self) -> bool {
        self <= Basis::Extrapolated
    }

    /// The basis of a time by a model: a paper's numbers, or fitted parameters.
    #[must_use]
    pub fn of_model(signature: &Signature) -> Self {
        match signature.origin {
            crate::signature::Origin::Citation { .. } => Basis::Published,
            _ => Basis::Modelled,
        }
    }
}

/// A time from measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredTime {
    /// The time, with its 95% interval.
    pub time: Interval<Micros>,
    pub basis: Basis,
    /// Limits of validity.
    pub doubts: Vec<Doubt>,
}

/// A limit of the validity of a time from measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Between these two sizes, the time changes abruptly: another algorithm or protocol.
    Step(Bytes, Bytes),
    /// No size above this eager limit was measured.
    Handshake(Bytes),
    /// The size is below this smallest measured one.
    BelowSizes(Bytes),
    /// The size is above this largest measured one.
    AboveSizes(Bytes),
    /// p is above this largest measured one.
    AboveRanks(Procs),
    /// p is below this smallest measured one.
    BelowRanks(Procs),
    /// Measured at this p only, so the growth with p is assumed.
    OneNumberOfRanks(Procs),
    /// Measured with this number of ranks per node, which differs from the requested one.
    PerNode(u32),
    /// The number of pairs is above this largest measured one.
    AbovePairs(u32),
    /// Contention of several pairs was measured from this size on, and is assumed below.
    PairsFrom(Bytes),
    /// The extrapolated time was less than this measured time of one call, which replaces it.
    LongCall(&'static str),
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
            Doubt::Handshake(limit) => write!(
                f,
                "no size above S = {} was measured: the messages of a handshake are added",
                size(limit)
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
                write!(f, "measured with {} on each node", counted(ranks, "rank"))
            }
            Doubt::AbovePairs(pairs) => {
                write!(f, "extrapolated beyond {pairs} pairs, the largest number that was measured")
            }
            Doubt::LongCall(symbol) => write!(
                f,
                "the extrapolated time is less than {symbol}, which was measured at this size: the \
                 time is {symbol}"
            ),
            Doubt::PairsFrom(bytes) => write!(
                f,
                "contention of several pairs was measured from {} on; below, it is modelled by the \
                 max-rate model and {} more latency per doubling of pairs",
                size(bytes),
                unsigned_percent(pairs::LATENCY_PER_DOUBLING)
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
    /// The interval reported with the measurement.
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
    /// RTT/2 of a message, measured on a tier in a send mode. The protocol changes above `limit`. If
    /// a single size was measured, larger messages cost G per byte.
    #[must_use]
    pub fn measured_message(
        &self,
        tier: &Tier,
        style: Option<&str>,
        limit: Option<Bytes>,
        bytes: Bytes,
    ) -> Option<MeasuredTime> {
        let points = &self.message_table(tier, style)?.points;
        match (points.as_slice(), known(tier.gap_per_byte.as_ref())) {
            ([one], Some(per_byte)) if bytes > one.bytes => {
                Some(sizes::beyond_one(one, per_byte, bytes))
            }
            _ => sizes::at_with_limit(points, limit, bytes),
        }
    }

    /// The table of RTT/2 on a tier in a send mode.
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
            (measured, requested) if measured == requested => 3,
            (Some(measured), Some(requested))
                if mode(measured).is_some() && mode(measured) == mode(requested) =>
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

    /// RTT/2 on a tier while this number of pairs on two nodes send at the same time: measured, or
    /// derived from other measurements.
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

    /// The measured time of a collective operation. `bytes` counts as its algorithms do. The
    /// nearest measured number of ranks per node is taken; without `per_node`, that of the
    /// measurement with the most ranks. `None` on a changed machine: only the simulator can scale it.
    #[must_use]
    pub fn measured_collective(
        &self,
        op: Operation,
        procs: Procs,
        per_node: Option<u32>,
        bytes: Bytes,
    ) -> Option<MeasuredTime> {
        if self.is_changed() {
            return None;
        }
        ranks::on_nodes(&self.tables, op, procs, per_node, bytes)
    }
}
