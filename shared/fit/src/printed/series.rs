//! The output of one point-to-point benchmark, by size.

use loggia_model::signature::{Quantity, Samples, Statistic};
use loggia_model::stats::change::{Change, changes};
use loggia_model::stats::distribution::two_sided;
use loggia_model::stats::least_squares::Weights;
use loggia_model::stats::line::{Line, line};
use loggia_model::stats::quantile::median;
use loggia_model::stats::{CONFIDENCE, Estimate};
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeMap;

/// The scatter is estimated from sizes up to this, where the curve is nearly constant …
const LEVEL: u64 = 1024;
/// … but from at least this many of the smallest sizes.
const SMALLEST: usize = 6;

/// EEL refers to 8 bytes (Bell et al., Section 4).
const SMALL: f64 = 8.0;

/// Minimum relative height of a jump that counts as a protocol switch …
const JUMP: f64 = 0.15;
/// … and minimum multiple of the curve's scatter.
const OUT_OF_SCATTER: f64 = 4.0;

/// Among short messages, a time above this multiple of the previous time belongs to another protocol.
const CLEAR_JUMP: f64 = 1.5;

/// Lines through long messages use sizes above the switch, or without a switch, sizes from the largest
/// divided by this.
const LARGE: u64 = 16;
/// Minimum number of sizes for a line.
const MIN_SIZES: usize = 3;

/// Times by size.
pub(super) type Times = BTreeMap<u64, f64>;

/// The numbers of one benchmark in one send mode.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Series {
    /// Name of the tool, as in samples.
    pub(super) tool: String,
    pub(super) style: String,
    /// RTT/2, or L + g(m) if these were printed instead.
    pub(super) ends: Times,
    /// Time per message in a stream.
    pub(super) gaps: Times,
    /// Messages in flight in the stream, if known.
    pub(super) depth: Option<u32>,
    pub(super) send_calls: Times,
    pub(super) recv_calls: Times,
    /// Relative scatter of the times of one size: the larger of residuals of a line and scatter
    /// between runs.
    scatter: Option<f64>,
    /// Relative scatter between runs.
    repeated: Option<f64>,
}

/// The series of a tier, in the order of the samples.
pub(super) fn of_tier(tier: &str, samples: &[Samples]) -> Vec<Series> {
    of_pairs(tier, samples, 1)
}

/// The series of concurrent pairs of a tier, in the order of the samples.
pub(super) fn of_pairs(tier: &str, samples: &[Samples], pairs: u32) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    let is_selected =
        |samples: &&Samples| samples.tier.as_deref() == Some(tier) && samples.pairs() == pairs;
    let name_of = |samples: &Samples| {
        let style = samples.style.as_deref().unwrap_or("send");
        Some((samples.tool.clone()?, style.to_owned()))
    };
    for name in samples.iter().filter(is_selected).filter_map(name_of) {
        if series.iter().any(|known| known.tool == name.0 && known.style == name.1) {
            continue;
        }
        let of_series = || {
            samples
                .iter()
                .filter(is_selected)
                .filter(|samples| name_of(samples).as_ref() == Some(&name))
        };
        let mut new = Series::default();
        new.fill(of_series);
        (new.tool, new.style) = name;
        series.push(new);
    }
    series
}

impl Series {
    fn fill<'a, I: Iterator<Item = &'a Samples>>(&mut self, of_series: impl Fn() -> I) {
        let mut spread: Vec<f64> = Vec::new();
        let mut times = |quantity| {
            let (times, relative_spread) = by_size(quantity, of_series());
            spread.extend(relative_spread);
            times
        };
        self.ends = times(Quantity::EndToEnd);
        self.gaps = times(Quantity::Gap);
        self.send_calls = times(Quantity::SendOverhead);
        self.recv_calls = times(Quantity::RecvOverhead);
        self.depth = of_series()
            .filter(|samples| samples.quantity == Quantity::Gap)
            .find_map(|samples| samples.depth);
        let latency = of_series().filter(|samples| samples.quantity == Quantity::Latency);
        let latency: Vec<f64> =
            latency.flat_map(|samples| &samples.times).map(|time| time.0).collect();
        if let (true, Some(latency)) = (self.ends.is_empty(), median(&latency)) {
            self.ends = self.gaps.iter().map(|(size, gap)| (*size, latency + gap)).collect();
        }
        let line_scatter = scatter(&self.ends).or_else(|| scatter(&self.gaps));
        let run_scatter = spread.into_iter().max_by(f64::total_cmp);
        self.repeated = run_scatter;
        self.scatter = match (line_scatter, run_scatter) {
            (Some(line_scatter), Some(run_scatter)) => Some(line_scatter.max(run_scatter)),
            (line_scatter, run_scatter) => line_scatter.or(run_scatter),
        };
    }

    /// The time at the size nearest to 8 bytes, with the scatter as interval.
    pub(super) fn at_small(&self, times: &Times) -> Option<(u64, Estimate)> {
        let distance = |size: u64| libm::fabs(libm::log((size.max(1) as f64) / SMALL));
        let nearest = times.iter().min_by(|a, b| distance(*a.0).total_cmp(&distance(*b.0)));
        nearest.map(|(size, time)| (*size, self.with_scatter(*time)))
    }

    /// A time with the scatter as interval.
    pub(super) fn with_scatter(&self, time: f64) -> Estimate {
        match self.scatter {
            Some(scatter) => Estimate::around(time, scatter * time),
            None => Estimate::unbounded(time),
        }
    }

    /// Measured RTT/2 with the scatter between runs as interval; residuals of a line do not apply to
    /// measured times.
    pub(super) fn measured_ends(&self) -> BTreeMap<u64, Estimate> {
        let estimate = |time: f64| match self.repeated {
            Some(spread) => Estimate::around(time, spread * time),
            None => Estimate::unbounded(time),
        };
        self.ends.iter().map(|(size, time)| (*size, estimate(*time))).collect()
    }

    /// All times with the scatter as interval.
    pub(super) fn all(&self, times: &Times) -> BTreeMap<u64, Estimate> {
        times.iter().map(|(size, time)| (*size, self.with_scatter(*time))).collect()
    }

    /// The largest jump of the end-to-end time, or of the receive calls if they have more sizes.
    pub(super) fn switch(&self) -> Option<Change> {
        let times = [&self.ends, &self.recv_calls].into_iter().max_by_key(|times| times.len())?;
        let curve: Vec<(Bytes, Micros)> =
            times.iter().map(|(size, time)| (Bytes(*size), Micros(*time))).collect();
        let scatter = scatter(times).unwrap_or_default();
        let changes = changes(&curve, JUMP.max(OUT_OF_SCATTER * scatter));
        changes.into_iter().find(|change| change.jump > 0.0)
    }

    /// The slope between two sizes, if there are exactly two; without an interval.
    pub(super) fn between_two(times: &Times) -> Option<(Estimate, u64, u64)> {
        let mut all = times.iter();
        let (Some(first), Some(last), None) = (all.next(), all.next(), all.next()) else {
            return None;
        };
        // The time per byte needs a long message.
        if *last.0 < LEVEL * LARGE || *last.0 < *first.0 * LARGE {
            return None;
        }
        let slope = (last.1 - first.1) / (*last.0 as f64 - *first.0 as f64);
        Some((Estimate::unbounded(slope), *first.0, *last.0))
    }

    /// The line through long messages, with its smallest and largest size.
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
        if points.len() < MIN_SIZES {
            points = through(largest / LARGE);
        }
        let smallest = points.first().map(|(size, _)| *size as u64)?;
        // Equal weights: the longest messages give the best estimate of the time per byte.
        let line = line(&points, Weights::Equal).filter(|_| points.len() >= MIN_SIZES)?;
        Some((line, smallest, largest))
    }
}

/// The times of a quantity by size (median over runs), and their relative scatter. Uses the statistic
/// with the most sizes; on ties, medians before means, which are sensitive to outliers.
fn by_size<'a>(
    quantity: Quantity,
    of_series: impl Iterator<Item = &'a Samples>,
) -> (Times, Option<f64>) {
    let order = [
        Statistic::Median,
        Statistic::Percentile(50),
        Statistic::Mean,
        Statistic::Reported,
        Statistic::Raw,
    ];
    let mut by_statistic: BTreeMap<usize, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for samples in of_series.filter(|samples| samples.quantity == quantity) {
        let rank = order.iter().position(|known| *known == samples.statistic);
        if let (Some(rank), Some(bytes)) = (rank, samples.bytes) {
            let times = by_statistic.entry(rank).or_default().entry(bytes.0).or_default();
            times.extend(samples.times.iter().map(|time| time.0));
        }
    }
    let longest = by_statistic.into_values().rev().max_by_key(BTreeMap::len);
    let Some(all) = longest else { return (Times::new(), None) };
    let relative_spread = |times: &Vec<f64>| {
        let (minimum, maximum) = times
            .iter()
            .fold((f64::INFINITY, 0.0f64), |(low, high), time| (low.min(*time), high.max(*time)));
        (times.len() > 1).then(|| (maximum - minimum) / (maximum + minimum))
    };
    let relative_spread: Vec<f64> = all.values().filter_map(relative_spread).collect();
    // Repetitions of a minority of sizes do not represent the others.
    let relative_spread =
        if 2 * relative_spread.len() > all.len() { relative_spread } else { Vec::new() };
    let times = all.iter().filter_map(|(size, times)| Some((*size, median(times)?))).collect();
    (times, median(&relative_spread))
}

/// Relative half-width, at the confidence of intervals, of the residuals of the line through short
/// messages below the first jump, where another protocol begins.
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
