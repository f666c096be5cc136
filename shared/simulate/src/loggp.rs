//! LogGP's costs of a signature, for the closed forms of algorithms.

use super::Ticks;
use super::costs::price;
use crate::collective;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::rules::Rules;
use loggia_model::units::{Bytes, Interval, Micros, MicrosPerByte};

/// LogGP's costs of a route.
#[derive(Clone, Copy, Debug)]
pub struct LogGpCosts<'a> {
    route: Route<'a>,
    bound: Bound,
    compute: MicrosPerByte,
}

/// Which of a parameter's bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The lower.
    Low,
    /// Neither: the value.
    Value,
    /// The upper.
    High,
}

impl Bound {
    fn of<U>(self, interval: Interval<U>) -> U {
        match self {
            Bound::Low => interval.low,
            Bound::Value => interval.value,
            Bound::High => interval.high,
        }
    }
}

impl<'a> LogGpCosts<'a> {
    /// Of a route, where combining a byte takes so long.
    pub fn new(route: Route<'a>, compute: MicrosPerByte) -> Result<Self, Error> {
        LogGpCosts::at(route, compute, Bound::Value)
    }

    /// The same, with every parameter at one of its bounds.
    pub fn at(route: Route<'a>, compute: MicrosPerByte, bound: Bound) -> Result<Self, Error> {
        // Everything that is asked for later is there.
        price(&route, Rules::LogGp, false, Bytes(1), &mut Vec::new())?;
        Ok(LogGpCosts { route, bound, compute })
    }

    fn ticks(&self, time: Option<Interval<Micros>>) -> u64 {
        let time = time.map(|time| self.bound.of(time));
        time.map_or(0, |time| Ticks::Picoseconds.of(time).unwrap_or(u64::MAX))
    }
}

impl collective::Costs for LogGpCosts<'_> {
    fn send(&self, bytes: u64) -> u64 {
        self.ticks(self.route.send_overhead(Bytes(bytes)).map(|at| at.time))
    }

    fn recv(&self, bytes: u64) -> u64 {
        self.ticks(self.route.recv_overhead(Bytes(bytes)).map(|at| at.time))
    }

    fn latency(&self) -> u64 {
        self.ticks(self.route.latency())
    }

    fn gap(&self) -> u64 {
        self.ticks(self.route.gap())
    }

    fn bytes(&self, bytes: u64) -> u64 {
        let after_the_first = Bytes(bytes).after_the_first();
        self.ticks(self.route.gap_per_byte().map(|gap| gap.map(|each| each.of(after_the_first))))
    }

    fn compute(&self, bytes: u64) -> u64 {
        combining(self.compute, bytes)
    }
}

/// How many picoseconds combining so many bytes takes; what is too long is the longest.
pub fn combining(per_byte: MicrosPerByte, bytes: u64) -> u64 {
    Ticks::Picoseconds.of(per_byte.of(bytes as f64)).unwrap_or(u64::MAX)
}
