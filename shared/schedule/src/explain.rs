//! Critical path of a run, and the share of each parameter in its completion time.

use crate::observe::{Observer, Work};
use crate::time::Time;

/// A parameter of which a time consists.
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
    /// G, per byte
    Bytes,
    /// 1/R_N, per byte
    Card,
    /// O, per byte
    OverheadBytes,
    /// Computation, in the schedule's units
    Compute,
}

impl Part {
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

/// An amount of one parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Count; for G and O, bytes.
    pub count: i64,
    /// Total time.
    pub ticks: i64,
}

/// A time with its amounts of each parameter, and the last event on its critical path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traced {
    ticks: u64,
    shares: [Share; Part::ALL.len()],
    /// Number of the last event on the critical path, plus one.
    via: u32,
}

impl Traced {
    /// `count` times a parameter, with the total time `ticks`.
    pub fn made_of(part: Part, count: i64, ticks: u64) -> Self {
        let mut shares = [Share::default(); Part::ALL.len()];
        shares[part as usize] = Share { count, ticks: ticks as i64 };
        Traced { ticks, shares, via: 0 }
    }

    /// The amount of one parameter.
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

/// An event on the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    pub work: Work,
    pub start: u64,
    pub end: u64,
    /// Number of the event before it on the path, plus one.
    via: u32,
}

/// Records events, so that the critical path of any time can be found.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    stops: Vec<Stop>,
}

impl Trace {
    /// The critical path of a time, in order of time.
    pub fn critical_path(&self, time: &Traced) -> Vec<Stop> {
        let stop = |via: u32| self.stops.get((via as usize).wrapping_sub(1));
        let mut path: Vec<Stop> =
            std::iter::successors(stop(time.via), |at| stop(at.via)).copied().collect();
        path.reverse();
        path
    }
}

impl Observer<Traced> for Trace {
    fn begins(&mut self, work: Work, now: Traced, span: Traced) -> Traced {
        let (start, end) = (now.ticks, now.ticks.wrapping_add(span.ticks));
        self.stops.push(Stop { work, start, end, via: now.via });
        Traced { via: self.stops.len() as u32, ..now }
    }
}
