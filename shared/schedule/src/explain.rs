//! Where the time of a run goes: what lies on its critical path, and how much of each parameter.

use crate::observe::{Observer, Work};
use crate::time::Time;

/// What a time can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// L
    Latency,
    /// o, of either side; O_i and O_c in LogGPO
    Overhead,
    /// O'
    Control,
    /// g
    Gap,
    /// G, by the byte
    Bytes,
    /// 1/R_N, by the byte
    Card,
    /// O, by the byte
    OverheadBytes,
    /// Computation, in the schedule's units
    Compute,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 8] = [
        Part::Latency,
        Part::Overhead,
        Part::Control,
        Part::Gap,
        Part::Bytes,
        Part::Card,
        Part::OverheadBytes,
        Part::Compute,
    ];
}

/// So many of a parameter, and how long they take together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many: of bytes for what is counted by the byte.
    pub count: i64,
    /// How long.
    pub ticks: i64,
}

/// A time that knows what it is made of, and what happened last before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traced {
    ticks: u64,
    shares: [Share; Part::ALL.len()],
    /// The number of the last thing on the way here, plus one.
    via: u32,
}

impl Traced {
    /// `count` of a parameter, `ticks` together.
    pub fn made_of(part: Part, count: i64, ticks: u64) -> Self {
        let mut shares = [Share::default(); Part::ALL.len()];
        shares[part as usize] = Share { count, ticks: ticks as i64 };
        Traced { ticks, shares, via: 0 }
    }

    /// How much of it is that.
    pub fn share(&self, part: Part) -> Share {
        self.shares[part as usize]
    }

    fn combine(self, other: Self, sign: i64) -> [Share; Part::ALL.len()] {
        let mut shares = self.shares;
        for (share, other) in shares.iter_mut().zip(other.shares) {
            share.count = share.count.wrapping_add(other.count.wrapping_mul(sign));
            share.ticks = share.ticks.wrapping_add(other.ticks.wrapping_mul(sign));
        }
        shares
    }
}

impl PartialEq for Traced {
    fn eq(&self, other: &Self) -> bool {
        self.ticks == other.ticks
    }
}

impl Eq for Traced {}

impl PartialOrd for Traced {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Traced {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.ticks.cmp(&other.ticks)
    }
}

impl Time for Traced {
    fn from_ticks(ticks: u64) -> Self {
        Traced { ticks, ..Traced::default() }
    }

    fn computation(units: u64, ticks_each: u64) -> Self {
        Traced::made_of(Part::Compute, units as i64, units.wrapping_mul(ticks_each))
    }

    fn plus(self, span: Self) -> Self {
        let ticks = self.ticks.wrapping_add(span.ticks);
        Traced { ticks, shares: self.combine(span, 1), via: self.via }
    }

    fn minus(self, span: Self) -> Self {
        let ticks = self.ticks.wrapping_sub(span.ticks);
        Traced { ticks, shares: self.combine(span, -1), via: self.via }
    }

    fn after_the_first(self, bytes: u64) -> Self {
        let count = bytes.wrapping_sub(1);
        let mut shares = self.shares;
        for share in &mut shares {
            share.count = share.count.wrapping_mul(count as i64);
            share.ticks = share.ticks.wrapping_mul(count as i64);
        }
        Traced { ticks: self.ticks.wrapping_mul(count), shares, via: self.via }
    }

    fn ticks(self) -> u64 {
        self.ticks
    }

    fn distance(self, other: Self) -> usize {
        self.ticks.distance(other.ticks)
    }
}

/// Something on the way to the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// What.
    pub work: Work,
    /// When it began.
    pub start: u64,
    /// When it ended.
    pub end: u64,
    /// What was before it on its way, plus one.
    via: u32,
}

/// Remembers what happened, so that the way to any time can be told.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    stops: Vec<Stop>,
}

impl Trace {
    /// Everything that led to a time, the first first.
    pub fn way_to(&self, time: &Traced) -> Vec<Stop> {
        let stop = |via: u32| self.stops.get((via as usize).wrapping_sub(1));
        let mut way: Vec<Stop> =
            std::iter::successors(stop(time.via), |at| stop(at.via)).copied().collect();
        way.reverse();
        way
    }
}

impl Observer<Traced> for Trace {
    fn begins(&mut self, work: Work, now: Traced, span: Traced) -> Traced {
        let (start, end) = (now.ticks, now.ticks.wrapping_add(span.ticks));
        self.stops.push(Stop { work, start, end, via: now.via });
        Traced { via: self.stops.len() as u32, ..now }
    }
}
