//! What a step costs, and what that time consists of.

use loggia_model::units::Micros;
use serde::{Deserialize, Serialize};

/// What adding up the same times in another order may change.
const ROUNDING: f64 = 1e-12;

/// What a time is made of, in µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// A rank's own computation.
    pub compute: f64,
    /// o, O', O
    pub overhead: f64,
    /// L
    pub latency: f64,
    /// g
    pub gap: f64,
    /// G and 1/R_N, by the byte
    pub bytes: f64,
    /// Others' computation, that it waits for.
    pub waiting: f64,
}

impl Breakdown {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        let Breakdown { compute, overhead, latency, gap, bytes, waiting } = self;
        compute + overhead + latency + gap + bytes + waiting
    }

    /// Each with the other's.
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

    /// So many times as much.
    #[must_use]
    pub fn times(self, factor: f64) -> Breakdown {
        self.with(self, |part, _| part * factor)
    }

    /// What the other takes more. Its longest way may be another one, so that some part is less: then
    /// the others are less, too, and together they are what is more.
    pub(super) fn until(self, other: Breakdown) -> Breakdown {
        let more = other.total() - self.total();
        let apart = other.with(self, |other, own| (other - own).max(0.0));
        match apart.total() {
            0.0 => Breakdown { waiting: more, ..Breakdown::default() },
            total => apart.times(more / total),
        }
    }

    /// The same time without parts below zero, as differences may have them.
    #[must_use]
    pub fn settled(self) -> Breakdown {
        let apart = self.with(self, |part, _| part.max(0.0));
        match apart.total() {
            0.0 => Breakdown { waiting: self.total(), ..Breakdown::default() },
            total => apart.times(self.total() / total),
        }
    }

    /// The same in another time: a rank's own computation stays what it is.
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

    /// With waiting up to a time, but for what is rounding.
    pub(super) fn up_to(self, total: f64) -> Breakdown {
        let more = total - self.total();
        match more.abs() <= ROUNDING * total {
            true => self,
            false => Breakdown { waiting: self.waiting + more, ..self },
        }
    }

    /// With a rank's own computation set apart from what it waits for. What is computed while
    /// messages take longer is not seen.
    #[must_use]
    pub fn of_which(self, own: f64) -> Breakdown {
        let own = own.min(self.compute);
        Breakdown { compute: own, waiting: self.waiting + self.compute - own, ..self }
    }
}

/// What one step costs in an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepCost {
    /// In which line of the sketch it stands.
    pub line: usize,
    /// What it does.
    pub what: String,
    /// Its part of an iteration, on average.
    pub time_us: Micros,
    /// What that is made of.
    pub parts: Breakdown,
    /// How a collective operation is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How its time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Basis>,
}

/// What a collective operation costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CollectiveCost {
    pub(super) parts: Breakdown,
    /// Its form or algorithm.
    pub(super) by: &'static str,
    pub(super) from: Basis,
}

/// How the time of a collective operation is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// It was measured, there and of this operation.
    Measured,
    /// It is what an algorithm's messages cost.
    Algorithm,
    /// It is about that: the algorithm's closed form is not exact here, and its run would be long.
    Estimate,
}
