//! Concurrent messages of several pairs on two nodes.
//!
//! Often one pair was measured at all sizes, but several pairs only at few, such as the largest.
//! Elsewhere, the time follows from two bounds. They hold in the max-rate model (Gropp, Olson &
//! Samfass, see [`model::pairs`](crate::model::pairs)) if the pairs saturate the card of a node:
//!
//! - in step: all pairs wait for the card, and each has its full latency in addition,
//!   T₁(s) + (Tₙ(S) − T₁(S)) s/S;
//! - out of step: the latency of one pair overlaps with the bytes of the other pairs,
//!   max(T₁(s), Tₙ(S) s/S).
//!
//! The result is their mean. T₁ is the measured time of one pair, including protocol steps. S is
//! the largest size measured with several pairs. Short messages do not saturate the card, but wait
//! in queues that R_N does not describe. If not measured, this cost is assumed: a part of the
//! latency, T₁(s) − s/R_b, per doubling of pairs.
//!
//! The deviation of measured times from this rule is interpolated between measured sizes and pairs.
//! So every measured time is reproduced.

use super::sizes::{estimate, log_at, log_size, log_time};
use super::{Basis, Doubt, Estimate, MeasuredTime};
use crate::signature::Point;
use crate::units::Bytes;
use libm::{exp2, log2};

/// Assumed increase per doubling of pairs, as a part of the latency.
pub(super) const LATENCY_PER_DOUBLING: f64 = 0.05;
/// Least error between measured sizes and pairs.
const ERROR_BETWEEN: f64 = 0.1;
/// Least error below the sizes measured with several pairs.
const ERROR_OF_RULE: f64 = 0.35;
/// Additional error per doubling of pairs beyond the measured ones.
const ERROR_PER_DOUBLING: f64 = 0.2;

/// Measured times of a number of pairs, by size.
type Column<'a> = (u32, &'a [Point]);

/// The time of one of several pairs; none if only one pair was measured.
#[must_use]
pub fn at(one: &[Point], several: Vec<Column>, pairs: u32, bytes: Bytes) -> Option<MeasuredTime> {
    MeasuredPairs::of(one, several)?.estimate(pairs, bytes).map(Estimate::reading)
}

/// The measured times of one pair and of several.
struct MeasuredPairs<'a> {
    one: &'a [Point],
    /// By number of pairs, ascending.
    columns: Vec<Column<'a>>,
    /// S, the largest size of several pairs.
    largest: Bytes,
    /// The times at S, by number of pairs from 1 on.
    row: Vec<(u32, f64)>,
    /// 1/R_b near S.
    per_byte: f64,
}

impl<'a> MeasuredPairs<'a> {
    fn of(one: &'a [Point], mut columns: Vec<Column<'a>>) -> Option<Self> {
        columns.retain(|(pairs, points)| *pairs > 1 && !points.is_empty());
        columns.sort_by_key(|(pairs, points)| (*pairs, std::cmp::Reverse(points.len())));
        columns.dedup_by_key(|(pairs, _)| *pairs);
        let last = |column: &Column<'a>| column.1.last().copied();
        let largest = columns.iter().filter_map(last).map(|point| point.bytes).max()?;
        let at_largest = |column: &Column<'a>| {
            let point = last(column).filter(|point| point.bytes == largest)?;
            Some((column.0, point.value.0))
        };
        let alone = |bytes| log_at(one, bytes).map(exp2);
        let whole = alone(largest)?;
        let quarter = Bytes(largest.0 / 4);
        let per_byte = (whole - alone(quarter)?) / (largest.count() - quarter.count()).max(1.0);
        let row = [(1, whole)].into_iter().chain(columns.iter().filter_map(at_largest)).collect();
        Some(MeasuredPairs { one, columns, largest, row, per_byte: per_byte.max(0.0) })
    }

    fn estimate(&self, pairs: u32, bytes: Bytes) -> Option<Estimate> {
        let alone = estimate(self.one, bytes)?;
        if pairs <= 1 {
            return Some(alone);
        }
        if let Some(point) = self.point(pairs, bytes) {
            return estimate(std::slice::from_ref(point), bytes);
        }
        let bounds = self.bounds(pairs, bytes)?;
        let Deviation { log, scatter, from } = self.deviation(pairs, bytes)?;
        let time = bounds.mean() * exp2(log);
        let Estimate { mut error, mut basis, mut doubts, .. } = alone;
        basis = basis.max(Basis::Interpolated);
        error = error.max(scatter).max(ERROR_BETWEEN);
        if bytes < from {
            error = error.max(ERROR_OF_RULE).max(0.5 * bounds.log_ratio());
            doubts.push(Doubt::PairsFrom(from));
        }
        if bytes > self.largest {
            basis = Basis::Extrapolated;
            if !doubts.iter().any(|doubt| matches!(doubt, Doubt::AboveSizes(_))) {
                doubts.push(Doubt::AboveSizes(self.largest));
            }
        }
        let most = self.columns.last()?.0;
        if pairs > most {
            error += ERROR_PER_DOUBLING * log2(f64::from(pairs) / f64::from(most));
            basis = Basis::Extrapolated;
            doubts.push(Doubt::AbovePairs(most));
        }
        Some(Estimate { time, error, bounds: None, basis, doubts })
    }

    /// The measured time at this size with this number of pairs.
    fn point(&self, pairs: u32, bytes: Bytes) -> Option<&'a Point> {
        let (_, points) = self.columns.iter().find(|(of, _)| *of == pairs)?;
        points.iter().find(|point| point.bytes == bytes)
    }

    /// The time of this number of pairs at S: constant until the card is saturated, then
    /// proportional to the pairs.
    fn at_largest(&self, pairs: u32) -> Option<f64> {
        let above = self.row.partition_point(|(of, _)| *of < pairs);
        let full = |(of, time): (u32, f64)| time * f64::from(pairs) / f64::from(of);
        let below = above.checked_sub(1).and_then(|below| self.row.get(below)).copied();
        match (below, self.row.get(above).copied()) {
            (_, Some((of, time))) if of == pairs => Some(time),
            (Some((_, less)), Some(more)) => Some(full(more).max(less)),
            // Beyond: proportional to the pairs, if the card is saturated.
            (Some((of, time)), None) => {
                let alone = self.row.first()?.1;
                Some(if time > 1.05 * alone { full((of, time)) } else { time })
            }
            (None, more) => more.map(|(_, time)| time),
        }
    }

    /// The bounds of the max-rate model for this number of pairs, in step and out of step.
    fn bounds(&self, pairs: u32, bytes: Bytes) -> Option<Bounds> {
        let time = exp2(log_at(self.one, bytes)?);
        let latency = (time - self.per_byte * bytes.count()).max(0.0);
        let alone = time + LATENCY_PER_DOUBLING * log2(f64::from(pairs)) * latency;
        let share = bytes.count() / self.largest.count().max(1.0);
        let together = self.at_largest(pairs)?;
        let longer = (together - self.at_largest(1)?).max(0.0);
        Some(Bounds { in_step: alone + longer * share, out_of_step: alone.max(together * share) })
    }

    /// Deviation from the rule at a size, interpolated between the neighbouring columns.
    fn deviation(&self, pairs: u32, bytes: Bytes) -> Option<Deviation> {
        let above = self.columns.partition_point(|(of, _)| *of < pairs);
        let of = |column: &Column| self.deviation_of(column, bytes);
        let below = above.checked_sub(1).and_then(|below| self.columns.get(below));
        match (below, self.columns.get(above)) {
            (_, Some(column)) if column.0 == pairs => of(column),
            (below, Some(column)) => {
                let from = below.map_or(1, |below| below.0);
                let (low, high) = (below.map_or(Some(Deviation::NONE), of)?, of(column)?);
                let share = f64::from(pairs - from) / f64::from(column.0 - from);
                Some(low.toward(high, share))
            }
            (Some(column), None) => of(column),
            (None, None) => None,
        }
    }

    /// The deviation at a smaller size, derived from that at the smallest measured size. Its part
    /// between the bounds shrinks with their distance. Its part beyond the bounds is latency, so it
    /// stays.
    fn deviation_below(&self, log: f64, pairs: u32, smallest: Bytes, bytes: Bytes) -> Option<f64> {
        let (here, there) = (self.bounds(pairs, bytes)?, self.bounds(pairs, smallest)?);
        let [low, high] =
            [there.out_of_step, there.in_step].map(|bound| log2(bound / there.mean()));
        let between = log.clamp(low, high);
        let part =
            if between == 0.0 { 0.0 } else { (here.log_ratio() / there.log_ratio()).min(1.0) };
        let more = (exp2(log) - exp2(between)) * there.mean();
        let most = here.mean();
        Some(log2(exp2(between * part) + more.clamp(-0.5 * most, most) / most))
    }

    fn deviation_of(&self, (pairs, points): &Column, bytes: Bytes) -> Option<Deviation> {
        let at =
            |point: &Point| Some(log_time(point) - log2(self.bounds(*pairs, point.bytes)?.mean()));
        let (first, last) = (points.first()?, points.last()?);
        let from = first.bytes;
        let above = points.partition_point(|point| point.bytes < bytes);
        let (Some(low), Some(high)) = (above.checked_sub(1), points.get(above)) else {
            let log = if above == 0 {
                self.deviation_below(at(first)?, *pairs, from, bytes)?
            } else {
                at(last)?
            };
            return Some(Deviation { log, scatter: 0.0, from });
        };
        let [low, high] = [&points[low], high];
        let [x, a, b] = [bytes, low.bytes, high.bytes].map(log_size);
        let [low, high] = [at(low)?, at(high)?];
        let log = low + (high - low) * (x - a) / (b - a);
        Some(Deviation { log, scatter: 0.5 * (high - low).abs(), from })
    }
}

/// Bounds of the time of several pairs.
struct Bounds {
    in_step: f64,
    out_of_step: f64,
}

impl Bounds {
    fn mean(&self) -> f64 {
        0.5 * (self.in_step + self.out_of_step)
    }

    /// Base-2 logarithm of their ratio.
    fn log_ratio(&self) -> f64 {
        log2(self.in_step / self.out_of_step)
    }
}

/// Deviation of measured times from the rule.
struct Deviation {
    /// As a logarithm to base 2.
    log: f64,
    /// Half the change between the neighbours.
    scatter: f64,
    /// The smallest size measured with several pairs.
    from: Bytes,
}

impl Deviation {
    /// The deviation of one pair.
    const NONE: Deviation = Deviation { log: 0.0, scatter: 0.0, from: Bytes(0) };

    fn toward(self, other: Deviation, share: f64) -> Self {
        Deviation {
            log: self.log + (other.log - self.log) * share,
            scatter: self.scatter.max(other.scatter),
            from: self.from.max(other.from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sizes::table;
    use super::*;

    /// One pair takes 2 µs and 1 ns per byte; two pairs saturate a card of 2 GB/s.
    fn one() -> Vec<Point> {
        let sizes = (3..=20).map(|power| 1u64 << power);
        table(&sizes.map(|s| (s, 2.0 + 0.001 * s as f64)).collect::<Vec<_>>())
    }

    fn read(several: &[Column], pairs: u32, bytes: u64) -> MeasuredTime {
        at(&one(), several.to_vec(), pairs, Bytes(bytes)).unwrap()
    }

    #[test]
    fn measured_times_are_reproduced() {
        let eight = table(&[(8, 2.4), (1024, 6.5), (1 << 20, 4198.0)]);
        for point in &eight {
            let reading = read(&[(8, &eight)], 8, point.bytes.0);
            assert!((reading.time.value.0 / point.value.0 - 1.0).abs() < 1e-12);
            assert_eq!((reading.basis, reading.doubts), (Basis::Measured, vec![]));
        }
        let between = read(&[(8, &eight)], 8, 32_768);
        assert_eq!((between.basis, between.doubts), (Basis::Interpolated, vec![]));
        assert!(at(&one(), Vec::new(), 8, Bytes(8)).is_none(), "several pairs were not measured");
    }

    /// From the largest size alone: long messages grow with the pairs, short ones hardly.
    #[test]
    fn below_the_measured_sizes_the_card_limits_the_rate() {
        let eight = table(&[(1 << 20, 4196.0)]);
        let long = read(&[(8, &eight)], 8, 1 << 18);
        assert!((long.time.value.0 / 1050.0 - 1.0).abs() < 0.02, "{long:?}");
        assert_eq!(long.doubts, [Doubt::PairsFrom(Bytes(1 << 20))]);
        let short = read(&[(8, &eight)], 8, 8).time.value.0;
        assert!((2.1..2.5).contains(&short), "{short}");
    }

    /// Two pairs do not saturate the card, eight pairs do.
    #[test]
    fn the_card_saturates_between_measured_pairs() {
        let eight = table(&[(1 << 20, 4196.0)]);
        let time = |pairs| read(&[(8, &eight)], pairs, 1 << 20).time.value.0;
        assert!((time(2) / 1051.0 - 1.0).abs() < 0.01, "{}", time(2));
        assert!((time(4) / 2098.0 - 1.0).abs() < 0.01, "{}", time(4));
        let beyond = read(&[(8, &eight)], 16, 1 << 20);
        assert!((beyond.time.value.0 / 8392.0 - 1.0).abs() < 0.01);
        assert_eq!(
            (beyond.basis, beyond.doubts),
            (Basis::Extrapolated, vec![Doubt::AbovePairs(8)])
        );
    }

    /// The excess of the smallest size over both bounds holds for smaller sizes, limited to
    /// doubling them. Between two sizes, the deviation is interpolated.
    #[test]
    fn deviations_hold_for_other_sizes() {
        let rule = table(&[(1 << 20, 4196.0)]);
        let of = |bytes| read(&[(8, &rule)], 8, bytes).time.value.0;
        // In step, 8 pairs take 18.7 µs.
        let slow = table(&[(4096, 19.7), (1 << 20, 4196.0)]);
        let time = |bytes| read(&[(8, &slow)], 8, bytes).time.value.0;
        assert!((time(64) - of(64) - 1.0).abs() < 0.15, "{} {}", time(64), of(64));
        assert!((1.01..1.1).contains(&(time(65_536) / of(65_536))), "{}", time(65_536));
        // Out of step: short messages are no faster.
        let fast = table(&[(4096, 16.5), (1 << 20, 4196.0)]);
        let time = read(&[(8, &fast)], 8, 64).time.value.0;
        assert!((time / of(64) - 1.0).abs() < 0.05, "{time}");
    }
}
