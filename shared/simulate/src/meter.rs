//! Times made out of parameters: plain ones, and such as know what they are made of.

use loggia_schedule::explain::{Part, Traced};
use loggia_schedule::time::Moving;

/// Makes times out of parameters: plain ones, or such as know what they are made of.
pub(super) trait Meter<T> {
    /// `count` of a parameter, `ticks` together; `inside` a node or not.
    fn time(&self, part: Part, inside: bool, count: u64, ticks: u64) -> T;
}

/// Just the time.
pub(super) struct Plain;

impl Meter<u64> for Plain {
    fn time(&self, _: Part, _: bool, _: u64, ticks: u64) -> u64 {
        ticks
    }
}

/// Times with amounts of each parameter.
pub(super) struct ByPart;

impl Meter<Traced> for ByPart {
    fn time(&self, part: Part, _: bool, count: u64, ticks: u64) -> Traced {
        Traced::made_of(part, count as i64, ticks)
    }
}

/// One parameter grows, between nodes; from its own value, or from another.
pub(super) struct Growing {
    pub part: Part,
    /// Its value in ticks.
    pub at: Option<u64>,
}

impl Growing {
    fn ticks(&self, part: Part, inside: bool, count: u64, ticks: u64) -> (u64, bool) {
        let grows = part == self.part && !inside;
        match self.at {
            Some(at) if grows => (at.wrapping_mul(count), grows),
            _ => (ticks, grows),
        }
    }
}

impl Meter<Moving> for Growing {
    fn time(&self, part: Part, inside: bool, count: u64, ticks: u64) -> Moving {
        let (ticks, grows) = self.ticks(part, inside, count, ticks);
        Moving::new(ticks, if grows { count as i64 } else { 0 })
    }
}

impl Meter<u64> for Growing {
    fn time(&self, part: Part, inside: bool, count: u64, ticks: u64) -> u64 {
        self.ticks(part, inside, count, ticks).0
    }
}
