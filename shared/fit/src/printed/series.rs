//! The output of one benchmark of messages between two ranks, by size.

use loggia_model::signature::{Quantity, Samples, Statistic};
use loggia_model::stats::change::{Change, changes};
use loggia_model::stats::distribution::two_sided;
use loggia_model::stats::least_squares::Weights;
use loggia_model::stats::line::{Line, line};
use loggia_model::stats::quantile::median;
use loggia_model::stats::{CONFIDENCE, Estimate};
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeMap;

/// The scatter of a curve is taken from sizes up to this one, where it is nearly level; with too
/// few of them, from the smallest.
const LEVEL: u64 = 1024;
const SMALLEST: usize = 6;

/// EEL is that of eight bytes (Bell et al., Section 4).
const SMALL: f64 = 8.0;

/// A jump of the end-to-end time is a switch of the protocol from this relative height on, and from
/// this multiple of the curve's scatter on.
const JUMP: f64 = 0.15;
const OUT_OF_SCATTER: f64 = 4.0;

/// Among short messages, a time that is more than this multiple of the one before belongs to another
/// protocol.
const CLEAR_JUMP: f64 = 1.5;

/// Lines through long messages take sizes above the switch; without one, down to the largest
/// divided by this.
const LARGE: u64 = 16;
/// Minimum number of sizes.
const FEWEST: usize = 3;

/// Times by size.
pub(super) type Times = BTreeMap<u64, f64>;

/// The numbers of one benchmark of one tool, in one style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Series {
    /// Name of the tool, as in samples.
    pub(super) tool: String,
    /// The send mode of its messages.
    pub(super) style: String,
    /// RTT/2; if L and g(m) were printed instead, their sum.
    pub(super) ends: Times,
    /// The time per message of a stream …
    pub(super) gaps: Times,
    /// … with this many in flight, if known.
    pub(super) depth: Option<u32>,
    pub(super) send_calls: Times,
    pub(super) recv_calls: Times,
    /// Relative scatter of the times of one size: around a line, or between runs.
    scatter: Option<f64>,
    /// Of these, that between runs.
    repeated: Option<f64>,
}

/// The series of a tier, in the order in which they are among the samples.
pub(super) fn of_tier(tier: &str, samples: &[Samples]) -> Vec<Series> {
    of_pairs(tier, samples, 1)
}

/// The same while so many pairs exchanged at once.
pub(super) fn of_pairs(tier: &str, samples: &[Samples], pairs: u32) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    let mine =
        |samples: &&Samples| samples.tier.as_deref() == Some(tier) && samples.pairs() == pairs;
    let named = |samples: &Samples| {
        let style = samples.style.as_deref().unwrap_or("send");
        Some((samples.tool.clone()?, style.to_owned()))
    };
    for name in samples.iter().filter(mine).filter_map(named) {
        if series.iter().any(|known| known.tool == name.0 && known.style == name.1) {
            continue;
        }
        let own = || samples.iter().filter(mine).filter(|of| named(of).as_ref() == Some(&name));
        let mut one = Series::default();
        one.fill(own);
        (one.tool, one.style) = name;
        series.push(one);
    }
    series
}

impl Series {
    fn fill<'a, I: Iterator<Item = &'a Samples>>(&mut self, own: impl Fn() -> I) {
        let mut spread: Vec<f64> = Vec::new();
        let mut times = |quantity| {
            let (times, apart) = by_size(quantity, own());
            spread.extend(apart);
            times
        };
        self.ends = times(Quantity::EndToEnd);
        self.gaps = times(Quantity::Gap);
        self.send_calls = times(Quantity::SendOverhead);
        self.recv_calls = times(Quantity::RecvOverhead);
        self.depth = own().filter(|of| of.quantity == Quantity::Gap).find_map(|of| of.depth);
        let latency = own().filter(|of| of.quantity == Quantity::Latency);
        let latency: Vec<f64> = latency.flat_map(|of| &of.times).map(|time| time.0).collect();
        if let (true, Some(latency)) = (self.ends.is_empty(), median(&latency)) {
            self.ends = self.gaps.iter().map(|(size, gap)| (*size, latency + gap)).collect();
        }
        let around = scatter(&self.ends).or_else(|| scatter(&self.gaps));
        let between = spread.into_iter().max_by(f64::total_cmp);
        self.repeated = between;
        self.scatter = match (around, between) {
            (Some(around), Some(between)) => Some(around.max(between)),
            (around, between) => around.or(between),
        };
    }

    /// The time at the size nearest to eight bytes; its interval is the scatter of the curve there.
    pub(super) fn at_small(&self, times: &Times) -> Option<(u64, Estimate)> {
        let far = |size: u64| libm::fabs(libm::log((size.max(1) as f64) / SMALL));
        let nearest = times.iter().min_by(|a, b| far(*a.0).total_cmp(&far(*b.0)));
        nearest.map(|(size, time)| (*size, self.with_scatter(*time)))
    }

    /// A time, with the scatter as its interval.
    pub(super) fn with_scatter(&self, time: f64) -> Estimate {
        match self.scatter {
            Some(scatter) => Estimate::around(time, scatter * time),
            None => Estimate::unbounded(time),
        }
    }

    /// Half round trips as they were measured: their interval is the spread between runs. How far a
    /// line misses them says nothing about them.
    pub(super) fn measured_ends(&self) -> BTreeMap<u64, Estimate> {
        let estimate = |time: f64| match self.repeated {
            Some(spread) => Estimate::around(time, spread * time),
            None => Estimate::unbounded(time),
        };
        self.ends.iter().map(|(size, time)| (*size, estimate(*time))).collect()
    }

    /// All times, with the scatter as their interval.
    pub(super) fn all(&self, times: &Times) -> BTreeMap<u64, Estimate> {
        times.iter().map(|(size, time)| (*size, self.with_scatter(*time))).collect()
    }

    /// The clearest jump of the end-to-end time, or, if more sizes are known, of the receive calls.
    pub(super) fn switch(&self) -> Option<Change> {
        let times = [&self.ends, &self.recv_calls].into_iter().max_by_key(|times| times.len())?;
        let curve: Vec<(Bytes, Micros)> =
            times.iter().map(|(size, time)| (Bytes(*size), Micros(*time))).collect();
        let scatter = scatter(times).unwrap_or_default();
        let found = changes(&curve, JUMP.max(OUT_OF_SCATTER * scatter));
        found.into_iter().find(|change| change.jump > 0.0)
    }

    /// The slope between the only two sizes. It has no interval.
    pub(super) fn between_two(times: &Times) -> Option<(Estimate, u64, u64)> {
        let mut all = times.iter();
        let (Some(first), Some(last), None) = (all.next(), all.next(), all.next()) else {
            return None;
        };
        // Short messages do not show the time per byte.
        if *last.0 < LEVEL * LARGE || *last.0 < *first.0 * LARGE {
            return None;
        }
        let slope = (last.1 - first.1) / (*last.0 as f64 - *first.0 as f64);
        Some((Estimate::unbounded(slope), *first.0, *last.0))
    }

    /// The line through long messages, with the sizes that it goes through.
    pub(super) fn long(&self, times: &Times) -> Option<(Line, u64, u64)> {
        let largest = *times.keys().next_back()?;
        let from = match self.switch() {
            Some(switch) => switch.above.0,
            None => largest / LARGE,
        };
        let through = |from: u64| -> Vec<(f64, f64)> {
            times.range(from.max(1)..).map(|(size, time)| (*size as f64, *time)).collect()
        };
        let mut points = through(from);
        if points.len() < FEWEST {
            points = through(largest / LARGE);
        }
        let smallest = points.first().map(|(size, _)| *size as u64)?;
        // Ordinary least squares: the longest messages show the time per byte best.
        let line = line(&points, Weights::Equal).filter(|_| points.len() >= FEWEST)?;
        Some((line, smallest, largest))
    }
}

/// The times of a quantity by size (the median over runs), and their relative scatter. The
/// statistic that most sizes have comes first; of equals, medians before means, which one outlier
/// can move.
fn by_size<'a>(quantity: Quantity, own: impl Iterator<Item = &'a Samples>) -> (Times, Option<f64>) {
    let order = [
        Statistic::Median,
        Statistic::Percentile(50),
        Statistic::Mean,
        Statistic::Reported,
        Statistic::Raw,
    ];
    let mut by_statistic: BTreeMap<usize, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for samples in own.filter(|samples| samples.quantity == quantity) {
        let place = order.iter().position(|known| *known == samples.statistic);
        if let (Some(place), Some(bytes)) = (place, samples.bytes) {
            let times = by_statistic.entry(place).or_default().entry(bytes.0).or_default();
            times.extend(samples.times.iter().map(|time| time.0));
        }
    }
    let fullest = by_statistic.into_values().rev().max_by_key(BTreeMap::len);
    let Some(all) = fullest else { return (Times::new(), None) };
    let apart = |times: &Vec<f64>| {
        let (least, most) = times
            .iter()
            .fold((f64::INFINITY, 0.0f64), |(low, high), time| (low.min(*time), high.max(*time)));
        (times.len() > 1).then(|| (most - least) / (most + least))
    };
    let apart: Vec<f64> = all.values().filter_map(apart).collect();
    // One repeated size says nothing about the others.
    let apart = if 2 * apart.len() > all.len() { apart } else { Vec::new() };
    let times = all.iter().filter_map(|(size, times)| Some((*size, median(times)?))).collect();
    (times, median(&apart))
}

/// Scatter of single times around the line through short messages, at the confidence of intervals;
/// without those above a jump, where another protocol begins.
fn scatter(times: &Times) -> Option<f64> {
    let below_jump = times.values().zip(times.values().skip(1));
    let below_jump =
        below_jump.take_while(|(time, next)| **next <= CLEAR_JUMP * **time).count() + 1;
    let level = times.range(..=LEVEL).count().min(below_jump).max(SMALLEST);
    let points: Vec<(f64, f64)> =
        times.iter().take(level).map(|(size, time)| (*size as f64, *time)).collect();
    let fit = line(&points, Weights::Relative)?.fit;
    (fit.freedom >= 2).then(|| two_sided(CONFIDENCE, fit.freedom as f64) * fit.scatter())
}
