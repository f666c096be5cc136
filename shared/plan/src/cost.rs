//! The cost of a step, and its parts.

use loggia_model::model::MEASURED;
use loggia_model::units::Micros;
use serde::{Deserialize, Serialize};

/// Relative rounding error of sums in another order.
const ROUNDING: f64 = 1e-12;

/// Parts of a time, in µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// Computation of the rank, and the arithmetic of its reductions.
    pub compute: f64,
    /// o, O', O
    pub overhead: f64,
    /// L
    pub latency: f64,
    /// g
    pub gap: f64,
    /// G and 1/R_N, times the bytes
    pub bytes: f64,
    /// Waiting for the computation of other ranks.
    pub waiting: f64,
}

impl Breakdown {
    /// The sum of the parts.
    #[must_use]
    pub fn total(&self) -> f64 {
        let Breakdown { compute, overhead, latency, gap, bytes, waiting } = self;
        compute + overhead + latency + gap + bytes + waiting
    }

    /// Combines the parts of two breakdowns.
    #[must_use]
    pub fn with(self, other: Breakdown, f: impl Fn(f64, f64) -> f64) -> Breakdown {
        Breakdown {
            compute: f(self.compute, other.compute),
            overhead: f(self.overhead, other.overhead),
            latency: f(self.latency, other.latency),
            gap: f(self.gap, other.gap),
            bytes: f(self.bytes, other.bytes),
            waiting: f(self.waiting, other.waiting),
        }
    }

    /// All parts multiplied by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Breakdown {
        self.with(self, |part, _| part * factor)
    }

    /// The additional time of another breakdown. If its critical path differs, some of its parts
    /// are smaller; the other parts are then scaled so that their sum is the additional time.
    pub(super) fn difference(self, other: Breakdown) -> Breakdown {
        let more = other.total() - self.total();
        let grown = other.with(self, |other, own| (other - own).max(0.0));
        match grown.total() {
            0.0 => Breakdown { waiting: more, ..Breakdown::default() },
            total => grown.times(more / total),
        }
    }

    /// The same total, without negative parts.
    #[must_use]
    pub fn settled(self) -> Breakdown {
        let positive = self.with(self, |part, _| part.max(0.0));
        match positive.total() {
            0.0 => Breakdown { waiting: self.total(), ..Breakdown::default() },
            total => positive.times(self.total() / total),
        }
    }

    /// Scaled to another total; computation is not scaled.
    #[must_use]
    pub fn within(self, total: f64) -> Breakdown {
        let compute = self.compute.min(total);
        let rest = Breakdown { compute: 0.0, ..self };
        let factor = match rest.total() {
            0.0 => 0.0,
            rest => (total - compute) / rest,
        };
        Breakdown { compute, ..rest.times(factor) }.up_to(total)
    }

    /// With waiting added up to a total; rounding errors are ignored.
    pub(super) fn up_to(self, total: f64) -> Breakdown {
        let more = total - self.total();
        match more.abs() <= ROUNDING * total {
            true => self,
            false => Breakdown { waiting: self.waiting + more, ..self },
        }
    }

    /// Separates the rank's own computation from waiting. Computation hidden behind communication
    /// is not counted.
    #[must_use]
    pub fn of_which(self, own: f64) -> Breakdown {
        let own = own.min(self.compute);
        Breakdown { compute: own, waiting: self.waiting + self.compute - own, ..self }
    }
}

/// The cost of a step in an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepCost {
    /// Line of the sketch.
    pub line: usize,
    pub what: String,
    /// Mean time per iteration.
    pub time_us: Micros,
    pub parts: Breakdown,
    /// Algorithm of a collective operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Basis of its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<CostBasis>,
}

impl StepCost {
    /// The method of a collective operation, with its basis if that is the machine.
    #[must_use]
    pub fn method(&self) -> Option<String> {
        Some(self.from?.named(self.by.as_deref()?))
    }
}

/// The cost of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CollectiveCost {
    pub(super) parts: Breakdown,
    /// Closed form or algorithm.
    pub(super) by: &'static str,
    pub(super) from: CostBasis,
    /// Ends of the interval of a measured time, relative to it; `None` if the interval follows from
    /// the machine's parameters.
    pub(super) bounds: Option<[f64; 2]>,
}

/// The basis of a collective operation's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostBasis {
    /// Measured, on this machine.
    Measured,
    /// Between measurements of this machine.
    Interpolated,
    /// From measurements of this machine before a parameter was changed.
    Scaled,
    /// Beyond measurements of this machine.
    Extrapolated,
    /// By a closed form that a paper published for this machine.
    Published,
    /// By a closed form fitted to measurements of this machine.
    Fitted,
    /// By the model of an algorithm.
    Algorithm,
    /// An estimate: the algorithm's closed form is not exact here, and its simulation takes too
    /// long.
    Estimate,
}

impl CostBasis {
    /// Whether the algorithm is known, so that its messages can be simulated.
    pub(super) fn is_of_algorithm(self) -> bool {
        matches!(self, CostBasis::Algorithm | CostBasis::Estimate)
    }

    /// A method, with its basis if that is the machine: `formula (published)`. A measured time has
    /// no method.
    #[must_use]
    pub fn named(self, by: &str) -> String {
        match self.of_machine() {
            Some(basis) if by == MEASURED => basis.to_owned(),
            Some(basis) => format!("{by} ({basis})"),
            None => by.to_owned(),
        }
    }

    /// The word for a basis that is the machine.
    fn of_machine(self) -> Option<&'static str> {
        match self {
            CostBasis::Measured => Some("measured"),
            CostBasis::Interpolated => Some("interpolated"),
            CostBasis::Scaled => Some("scaled"),
            CostBasis::Extrapolated => Some("extrapolated"),
            CostBasis::Published => Some("published"),
            CostBasis::Fitted => Some("fitted"),
            CostBasis::Algorithm | CostBasis::Estimate => None,
        }
    }
}
