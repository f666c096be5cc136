//! Builders of times from parameters: plain ticks, ticks with the amount of each parameter, or
//! ticks with a derivative.

use loggia_schedule::explain::{Part, Traced};
use loggia_schedule::time::TimeWithSlope;

/// Builds times of type `T`.
pub(super) trait TimeBuilder<T> {
    /// `count` times a parameter, `ticks` in total; `inside` a node or not.
    fn time(&self, part: Part, inside: bool, count: u64, ticks: u64) -> T;

    /// The same for a measured time: `rest` ticks more than `count` times the parameter, which
    /// stay if the parameter changes.
    fn measured(&self, part: Part, inside: bool, count: u64, ticks: u64, rest: i64) -> T {
        let _ = rest;
        self.time(part, inside, count, ticks)
    }
}

/// Builds plain ticks.
pub(super) struct Plain;

impl TimeBuilder<u64> for Plain {
    fn time(&self, _: Part, _: bool, _: u64, ticks: u64) -> u64 {
        ticks
    }
}

/// Builds times with amounts of each parameter.
pub(super) struct ByPart;

impl TimeBuilder<Traced> for ByPart {
    fn time(&self, part: Part, _: bool, count: u64, ticks: u64) -> Traced {
        Traced::made_of(part, count as i64, ticks)
    }
}

/// Builds times with their derivative by one parameter between nodes, at its own or another value.
pub(super) struct WithDerivative {
    pub part: Part,
    /// Another value of the parameter, in ticks.
    pub at: Option<u64>,
}

impl WithDerivative {
    fn ticks(&self, part: Part, inside: bool, count: u64, ticks: u64, rest: i64) -> (u64, bool) {
        let grows = part == self.part && !inside;
        match self.at {
            Some(at) if grows => (at.wrapping_mul(count).saturating_add_signed(rest), grows),
            _ => (ticks, grows),
        }
    }
}

impl TimeBuilder<TimeWithSlope> for WithDerivative {
    fn time(&self, part: Part, inside: bool, count: u64, ticks: u64) -> TimeWithSlope {
        self.measured(part, inside, count, ticks, 0)
    }

    fn measured(
        &self,
        part: Part,
        inside: bool,
        count: u64,
        ticks: u64,
        rest: i64,
    ) -> TimeWithSlope {
        let (ticks, grows) = self.ticks(part, inside, count, ticks, rest);
        TimeWithSlope::new(ticks, if grows { count as i64 } else { 0 })
    }
}

impl TimeBuilder<u64> for WithDerivative {
    fn time(&self, part: Part, inside: bool, count: u64, ticks: u64) -> u64 {
        self.ticks(part, inside, count, ticks, 0).0
    }

    fn measured(&self, part: Part, inside: bool, count: u64, ticks: u64, rest: i64) -> u64 {
        self.ticks(part, inside, count, ticks, rest).0
    }
}
