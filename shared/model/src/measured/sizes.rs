//! One table over sizes.
//!
//! Between two sizes the time is a straight line on double logarithmic paper. Where it jumps or
//! drops from one size to the next, the library has changed its algorithm or protocol: that step
//! stays one, and lies just above the smaller size, since limits of libraries are inclusive. Beyond
//! the last size, the bytes cost what they cost in the last regime.

use super::{Basis, Doubt, Estimate, MeasuredTime};
use crate::signature::Point;
use crate::units::{Bytes, Micros};
use libm::{exp2, log2};

/// The time grows faster than this power of the size only at a step …
const STEEPEST: f64 = 1.3;
/// … if it also grows by this factor, …
const JUMP: f64 = 1.25;
/// … and it falls below this part of itself only at a step.
const DROP: f64 = 0.87;
/// Smallest error of an answer if no other is known: ±5% at a measured size.
const ERROR_MEASURED: f64 = 0.07;
/// … ±7% between sizes.
const ERROR_BETWEEN: f64 = 0.1;
/// The largest error that bounds may tell: a factor of four.
const ERROR_AT_MOST: f64 = 2.0;
/// Increase of the error per doubling beyond the last size.
const ERROR_A_DOUBLING: f64 = 0.12;
/// Quantile of the leave-one-out errors that counts; worse ones are outliers.
const LUCK: f64 = 0.8;

/// A table's time at a size; none if the table is empty.
#[must_use]
pub fn at(points: &[Point], bytes: Bytes) -> Option<MeasuredTime> {
    estimate(points, bytes).map(Estimate::reading)
}

/// The steps between neighbouring sizes.
pub fn steps(points: &[Point]) -> impl Iterator<Item = (Bytes, Bytes)> {
    points.windows(2).filter(|pair| is_step(&pair[0], &pair[1])).map(|p| (p[0].bytes, p[1].bytes))
}

/// The size on logarithmic paper, where no byte is half as much as one.
pub(super) fn log_size(bytes: Bytes) -> f64 {
    log2((bytes.0 as f64).max(0.5))
}

pub(super) fn log_time(point: &Point) -> f64 {
    log2(point.value.0)
}

/// Position of a size in a table.
enum SizePosition<'a> {
    At(&'a Point),
    Below(&'a Point),
    /// Before the point of this number.
    Between(usize),
    Beyond(&'a Point),
}

impl<'a> SizePosition<'a> {
    fn of(points: &'a [Point], bytes: Bytes) -> Option<Self> {
        let above = points.partition_point(|point| point.bytes < bytes);
        let (first, last) = (points.first()?, points.last()?);
        Some(match points.get(above) {
            Some(point) if point.bytes == bytes => SizePosition::At(point),
            None => SizePosition::Beyond(last),
            Some(_) if above == 0 => SizePosition::Below(first),
            Some(_) => SizePosition::Between(above),
        })
    }

    fn time(&self, points: &[Point], bytes: Bytes) -> f64 {
        match *self {
            SizePosition::At(point) | SizePosition::Below(point) => point.value.0,
            SizePosition::Between(above) => exp2(between(points, above, bytes)),
            SizePosition::Beyond(last) => beyond(points, last, bytes),
        }
    }
}

/// The logarithm of a time alone, which takes much less than its error does.
pub(super) fn log_at(points: &[Point], bytes: Bytes) -> Option<f64> {
    Some(log2(SizePosition::of(points, bytes)?.time(points, bytes)))
}

pub(super) fn estimate(points: &[Point], bytes: Bytes) -> Option<Estimate> {
    let place = SizePosition::of(points, bytes)?;
    let time = place.time(points, bytes);
    let extrapolated =
        |error, doubt| Estimate { time, error, basis: Basis::Extrapolated, doubts: vec![doubt] };
    Some(match place {
        SizePosition::At(point) => {
            let (error, doubts) = (error_at(point), Vec::new());
            Estimate { time, error, basis: Basis::Measured, doubts }
        }
        SizePosition::Below(first) => {
            extrapolated(ERROR_BETWEEN.max(error_at(first)), Doubt::BelowSizes(first.bytes))
        }
        SizePosition::Between(above) => {
            let (a, b) = (&points[above - 1], &points[above]);
            let step = is_step(a, b).then_some(Doubt::Step(a.bytes, b.bytes));
            let (error, doubts) = (error_between(points, above), step.into_iter().collect());
            Estimate { time, error, basis: Basis::Interpolated, doubts }
        }
        SizePosition::Beyond(last) => {
            let doublings = log_size(bytes) - log_size(last.bytes);
            let error = ERROR_BETWEEN.max(0.5 * usual_error(points)) + ERROR_A_DOUBLING * doublings;
            extrapolated(error, Doubt::AboveSizes(last.bytes))
        }
    })
}

/// The error that a point's bounds tell.
fn error_at(point: &Point) -> f64 {
    let log = log_time(point);
    let factor = |bound: Option<Micros>| {
        bound.filter(|bound| bound.0 > 0.0).map_or(0.0, |bound| (log2(bound.0) - log).abs())
    };
    let error = factor(point.low).max(factor(point.high));
    if error > 0.0 { error.min(ERROR_AT_MOST) } else { ERROR_MEASURED }
}

fn is_step(a: &Point, b: &Point) -> bool {
    let ratio = b.value.0 / a.value.0;
    let slope = log2(ratio) / (log_size(b.bytes) - log_size(a.bytes));
    slope > STEEPEST && ratio > JUMP || ratio < DROP
}

/// The straight line through two points.
fn line(a: &Point, b: &Point, bytes: Bytes) -> f64 {
    let (x, y) = (log_size(a.bytes), log_time(a));
    y + (log_time(b) - y) * (log_size(bytes) - x) / (log_size(b.bytes) - x)
}

fn between(points: &[Point], above: usize, bytes: Bytes) -> f64 {
    let (a, b) = (&points[above - 1], &points[above]);
    match is_step(a, b) {
        true => before(b, points.get(above + 1), bytes),
        false => line(a, b, bytes),
    }
}

fn error_between(points: &[Point], above: usize) -> f64 {
    let (a, b) = (&points[above - 1], &points[above]);
    let around = left_out(points, above - 1).max(left_out(points, above));
    // Either regime may hold here.
    let regimes = if is_step(a, b) { 0.5 * (log_time(b) - log_time(a)).abs() } else { 0.0 };
    ERROR_BETWEEN.max(around).max(regimes).max(0.5 * usual_error(points))
}

/// After a step, in the regime that begins with `b`.
fn before(b: &Point, next: Option<&Point>, bytes: Bytes) -> f64 {
    let slope = next.filter(|next| !is_step(b, next)).map_or(0.5, |next| {
        (log_time(next) - log_time(b)) / (log_size(next.bytes) - log_size(b.bytes))
    });
    log_time(b) - slope.clamp(0.0, 1.0) * (log_size(b.bytes) - log_size(bytes))
}

/// Error of interpolating a point from its neighbours; 0 at the ends. Includes steps, since there
/// may be more of them.
fn left_out(points: &[Point], place: usize) -> f64 {
    let neighbours =
        place.checked_sub(1).and_then(|before| points.get(before)).zip(points.get(place + 1));
    let point = &points[place];
    neighbours.map_or(0.0, |(a, b)| (line(a, b, point.bytes) - log_time(point)).abs())
}

/// The usual leave-one-out error.
pub(super) fn usual_error(points: &[Point]) -> f64 {
    let inner = 1..points.len().saturating_sub(1);
    let mut errors: Vec<f64> = inner.map(|place| left_out(points, place)).collect();
    errors.sort_by(f64::total_cmp);
    let place = (LUCK * errors.len() as f64) as usize;
    errors.get(place.min(errors.len().saturating_sub(1))).copied().unwrap_or(0.3)
}

/// Beyond the last size: the last regime's line over bytes.
fn beyond(points: &[Point], last: &Point, bytes: Bytes) -> f64 {
    let regime =
        points.windows(2).rposition(|pair| is_step(&pair[0], &pair[1])).map_or(0, |i| i + 1);
    let earlier = points[regime..points.len() - 1].iter().rev().take(2).next_back();
    let per_byte = earlier.map_or(last.value.0 / last.bytes.0.max(1) as f64, |earlier| {
        ((last.value.0 - earlier.value.0) / (last.bytes.0 - earlier.bytes.0) as f64).max(0.0)
    });
    last.value.0 + per_byte * (bytes.0 - last.bytes.0) as f64
}

/// Times of these bytes, in µs.
#[cfg(test)]
pub(super) fn table(times: &[(u64, f64)]) -> Vec<Point> {
    let point = |&(bytes, time): &(u64, f64)| Point {
        bytes: Bytes(bytes),
        value: Micros(time),
        low: None,
        high: None,
    };
    times.iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(points: &[Point], bytes: u64) -> f64 {
        at(points, Bytes(bytes)).unwrap().time.value.0
    }

    #[test]
    fn what_was_measured_is_answered() {
        let points = table(&[(0, 1.8), (1, 1.8), (1024, 2.5), (4096, 4.0)]);
        for point in &points {
            let reading = at(&points, point.bytes).unwrap();
            assert!((reading.time.value.0 / point.value.0 - 1.0).abs() < 1e-12);
            assert_eq!((reading.basis, reading.doubts), (Basis::Measured, vec![]));
        }
        assert!(at(&[], Bytes(8)).is_none());
    }

    #[test]
    fn between_two_sizes_it_is_a_line_on_log_paper() {
        let points = table(&[(1024, 2.0), (4096, 4.0)]);
        assert!((time(&points, 2048) - 8.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(at(&points, Bytes(2048)).unwrap().basis, Basis::Interpolated);
    }

    /// Above the limit, the new regime holds, without interpolation.
    #[test]
    fn a_step_stays_a_step() {
        let points = table(&[(2048, 4.0), (4096, 5.0), (8192, 20.0), (16384, 24.0)]);
        let reading = at(&points, Bytes(5000)).unwrap();
        assert_eq!(reading.doubts, [Doubt::Step(Bytes(4096), Bytes(8192))]);
        assert!(reading.time.value.0 > 16.0, "{:?}", reading.time);
        assert_eq!(time(&points, 4096), 5.0);
        assert_eq!(steps(&points).count(), 1);
    }

    #[test]
    fn beyond_the_last_size_each_byte_costs_the_same() {
        let points = table(&[(1 << 20, 100.0), (2 << 20, 200.0), (4 << 20, 400.0)]);
        assert!((time(&points, 8 << 20) - 800.0).abs() < 1e-6);
        let [near, far] = [8 << 20, 64 << 20].map(|m| at(&points, Bytes(m)).unwrap().time);
        assert!(far.high.0 / far.value.0 > near.high.0 / near.value.0);
        assert_eq!(time(&points, 1), 100.0, "small messages take the least time that was measured");
    }
}
