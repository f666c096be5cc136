//! One table over sizes.
//!
//! Between two sizes, the time is a startup plus a cost per byte, as for a message. (Real tables
//! with every other size left out fit this better than a straight line in log-log scale: see
//! `tests/truth.rs`.) If the time jumps or drops from one size to the next, the library has changed
//! its algorithm or protocol. Such a step is kept. It lies just above the smaller size, since
//! limits of libraries are inclusive. Beyond the last size, the cost per byte is that of the last
//! regime, or, if that is short, a common one of the last regimes: steps may be noise. Below the
//! first size, it is that between the first two.
//!
//! The error grows with the distance to the measured sizes. Between two distant sizes, the curve
//! may be flat first and then grow with the bytes. From a single size, the time may be constant or
//! in proportion to the bytes.

use super::{Basis, Doubt, Estimate, MeasuredTime};
use crate::signature::Point;
use crate::units::{Bytes, Interval, Micros, MicrosPerByte};
use libm::{exp2, log2};

/// A step up has a larger exponent of the size than this …
const STEEPEST: f64 = 1.3;
/// … and a larger ratio of times than this.
const JUMP: f64 = 1.25;
/// A step down has a smaller ratio of times than this.
const DROP: f64 = 0.87;
/// If four sizes lie within this number of doublings, a step needs two sizes before and two after
/// it. So a single outlier is no step.
const DENSE: f64 = 1.5;
/// Sizes are close below this number of doublings.
const CLOSE: f64 = 0.5;
/// Sizes are distant above this number of doublings.
const FAR: f64 = 1.5;
/// Up to this size, the time of a message is startup only.
pub(super) const SMALL: Bytes = Bytes(1024);
/// From a single size, the assumed exponent of the size, between 0 and 1.
const UNKNOWN_POWER: f64 = 0.5;
/// Default error at a measured size: ±5%.
const ERROR_MEASURED: f64 = 0.07;
/// Least error between sizes: ±7%.
const ERROR_BETWEEN: f64 = 0.1;
/// The largest error derived from bounds: a factor of four.
const ERROR_AT_MOST: f64 = 2.0;
/// Increase of the error per doubling beyond the last size, …
const ERROR_PER_DOUBLING: f64 = 0.3;
/// … and per doubling below the first.
const ERROR_PER_HALVING: f64 = 0.25;
/// The slope beyond the last size is taken over this factor of sizes, which reduces the noise.
const SPAN_OF_SLOPE: u64 = 4;
/// Tolerance per doubling beyond the last size for the limits of a time: constant, and in
/// proportion to the bytes. The algorithm may change.
const ERROR_OF_ENDS: f64 = 0.1;
/// Quantile of the leave-one-out errors; larger ones are outliers.
const USUAL_QUANTILE: f64 = 0.8;

/// The time of a table at a size; none if the table is empty.
#[must_use]
pub fn at(points: &[Point], bytes: Bytes) -> Option<MeasuredTime> {
    estimate(points, bytes).map(Estimate::reading)
}

/// The time of a table of messages, whose protocol changes above `limit`: a step is there, rather
/// than just above the smaller size.
pub(super) fn at_with_limit(
    points: &[Point],
    limit: Option<Bytes>,
    bytes: Bytes,
) -> Option<MeasuredTime> {
    if let (Some(limit), Some(SizePosition::Between(above))) =
        (limit, SizePosition::of(points, bytes))
        && bytes <= limit
        && limit < points[above].bytes
        && is_step(points, above)
    {
        let eager = at(&points[..above], bytes)?;
        return Some(MeasuredTime { basis: Basis::Interpolated, doubts: Vec::new(), ..eager });
    }
    at(points, bytes)
}

/// The time beyond the only measured size, where the cost per byte is known from other
/// measurements. A handshake may take two latencies more.
pub(super) fn beyond_one(
    one: &Point,
    per_byte: Interval<MicrosPerByte>,
    bytes: Bytes,
) -> MeasuredTime {
    let more = (bytes.0 - one.bytes.0) as f64;
    let time = per_byte.map(|each| one.value + each.of(more));
    let error = exp2(ERROR_BETWEEN.max(error_at(std::slice::from_ref(one), one)));
    let time = Interval {
        value: time.value,
        low: time.low * (1.0 / error),
        high: (time.high + one.value * 2.0) * error,
    };
    let doubts = vec![Doubt::AboveSizes(one.bytes)];
    MeasuredTime { time, basis: Basis::Extrapolated, doubts }
}

/// The steps between neighbouring sizes.
pub fn steps(points: &[Point]) -> impl Iterator<Item = (Bytes, Bytes)> {
    let above = (1..points.len()).filter(|above| is_step(points, *above));
    above.map(|above| (points[above - 1].bytes, points[above].bytes))
}

/// Logarithm of the size to base 2; 0 bytes count as half a byte.
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
    /// Before the point with this index.
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
            SizePosition::At(point) => point.value.0,
            SizePosition::Below(first) => below(points, first, bytes),
            SizePosition::Between(above) => between(points, above, bytes),
            SizePosition::Beyond(last) => beyond(points, last, bytes),
        }
    }
}

/// Only the logarithm of a time, which is much faster than its error.
pub(super) fn log_at(points: &[Point], bytes: Bytes) -> Option<f64> {
    Some(log2(SizePosition::of(points, bytes)?.time(points, bytes)))
}

pub(super) fn estimate(points: &[Point], bytes: Bytes) -> Option<Estimate> {
    let place = SizePosition::of(points, bytes)?;
    let time = place.time(points, bytes);
    let extrapolated = |error, bounds, doubt| {
        let (basis, doubts) = (Basis::Extrapolated, vec![doubt]);
        Estimate { time, error, bounds, basis, doubts }
    };
    Some(match place {
        SizePosition::At(point) => Estimate {
            time,
            error: error_at(points, point),
            bounds: point.low.zip(point.high),
            basis: Basis::Measured,
            doubts: Vec::new(),
        },
        SizePosition::Below(first) => {
            let halvings = log_size(first.bytes) - log_size(bytes);
            let least = ERROR_BETWEEN.max(error_at(points, first));
            // The fall of the time counts as error once more.
            let falls = match points.get(1) {
                Some(_) if !is_step(points, 1) => log_time(first) - log2(time),
                _ => UNKNOWN_POWER * halvings,
            };
            let error =
                least + falls.min(ERROR_AT_MOST.max(0.5 * falls)) + ERROR_PER_HALVING * halvings;
            extrapolated(error, None, Doubt::BelowSizes(first.bytes))
        }
        SizePosition::Between(above) => {
            let (a, b) = (&points[above - 1], &points[above]);
            let step = is_step(points, above).then_some(Doubt::Step(a.bytes, b.bytes));
            let error = error_between(points, above, bytes);
            let (basis, doubts) = (Basis::Interpolated, step.into_iter().collect());
            Estimate { time, error, bounds: None, basis, doubts }
        }
        SizePosition::Beyond(last) => {
            let doublings = log_size(bytes) - log_size(last.bytes);
            let least = ERROR_BETWEEN.max(0.5 * usual_error(points));
            // The slope of a short regime is unknown.
            let unknown = match slope_beyond(points) {
                Slope::OfRegime(_) => 0.0,
                Slope::OfFormer(_) | Slope::Unknown => 0.5 * doublings,
            };
            let error = least + unknown + ERROR_PER_DOUBLING * doublings;
            // The time beyond lies between constant and proportional to the bytes.
            let slack = exp2(2.0 * least + ERROR_OF_ENDS * doublings);
            let (low, high) = (last.value.0 / slack, last.value.0 * exp2(doublings) * slack);
            let factor = exp2(error);
            let low = (time / factor).max(low).min(time);
            let high = (time * factor).min(high).max(time);
            let bounds = (Micros(low), Micros(high));
            extrapolated(error, Some(bounds), Doubt::AboveSizes(last.bytes))
        }
    })
}

/// The error of a point from its bounds; without bounds, from its neighbours.
fn error_at(points: &[Point], point: &Point) -> f64 {
    error_beside(points, point, || usual_error(points))
}

/// Like [`error_at`], with the usual leave-one-out error, which takes long to find in a long table.
fn error_beside(points: &[Point], point: &Point, usual: impl FnOnce() -> f64) -> f64 {
    let log = log_time(point);
    let factor = |bound: Option<Micros>| {
        bound.filter(|bound| bound.0 > 0.0).map_or(0.0, |bound| (log2(bound.0) - log).abs())
    };
    let error = factor(point.low).max(factor(point.high));
    if error > 0.0 {
        return error.min(ERROR_AT_MOST);
    }
    let place = points.partition_point(|other| other.bytes < point.bytes);
    let own = leave_one_out_error(points, place);
    if own > ERROR_MEASURED { own.min(usual()).max(ERROR_MEASURED) } else { ERROR_MEASURED }
}

/// Whether the time jumps or drops just before this point.
fn is_step(points: &[Point], above: usize) -> bool {
    let (a, b) = (&points[above - 1], &points[above]);
    let ratio = b.value.0 / a.value.0;
    let slope = log2(ratio) / (log_size(b.bytes) - log_size(a.bytes));
    let is_jump = slope > STEEPEST && ratio > JUMP;
    if !is_jump && ratio >= DROP {
        return false;
    }
    let around =
        above.checked_sub(2).and_then(|before| points.get(before)).zip(points.get(above + 1));
    let Some((before, after)) = around else { return true };
    if log_size(after.bytes) - log_size(before.bytes) > DENSE {
        return true;
    }
    let [before, after] = [before, after].map(|point| point.value.0);
    match is_jump {
        true => b.value.0.min(after) > JUMP * a.value.0.max(before),
        false => b.value.0.max(after) < DROP * a.value.0.min(before),
    }
}

/// Whether the time jumps or drops just before this point or just after it.
fn is_next_to_step(points: &[Point], place: usize) -> bool {
    let is_step = |above: usize| 0 < above && above < points.len() && is_step(points, above);
    is_step(place) || is_step(place + 1)
}

/// The straight line through two points in log-log scale.
fn line(a: &Point, b: &Point, bytes: Bytes) -> f64 {
    let (x, y) = (log_size(a.bytes), log_time(a));
    y + (log_time(b) - y) * (log_size(bytes) - x) / (log_size(b.bytes) - x)
}

/// A startup and a cost per byte, through two points.
fn startup_and_bytes(a: &Point, b: &Point, bytes: Bytes) -> f64 {
    let of = |bytes: Bytes| bytes.0 as f64;
    let share = (of(bytes) - of(a.bytes)) / (of(b.bytes) - of(a.bytes));
    a.value.0 + (b.value.0 - a.value.0) * share
}

fn is_far(a: &Point, b: &Point) -> bool {
    log_size(b.bytes) - log_size(a.bytes) > FAR
}

fn between(points: &[Point], above: usize, bytes: Bytes) -> f64 {
    let (a, b) = (&points[above - 1], &points[above]);
    match is_step(points, above) {
        true => before(points, above, bytes),
        false => startup_and_bytes(a, b, bytes),
    }
}

fn error_between(points: &[Point], above: usize, bytes: Bytes) -> f64 {
    let (a, b) = (&points[above - 1], &points[above]);
    let step = is_step(points, above);
    // At a known step, the leave-one-out error of a point is the step itself.
    let is_at_other_step = |place: usize| is_next_to_step(points, place) && !step;
    let of_end = |place: usize| {
        if is_at_other_step(place) { 0.0 } else { leave_one_out_error(points, place) }
    };
    let around = of_end(above - 1).max(of_end(above));
    // Either regime may hold here.
    let regimes = if step { 0.5 * (log_time(b) - log_time(a)).abs() } else { 0.0 };
    // The curve may be flat first and then grow with the bytes, or be straight.
    let latest = log_time(a).max(log_time(b) - (log_size(b.bytes) - log_size(bytes)));
    let shapes = if is_far(a, b) { 0.5 * (line(a, b, bytes) - latest).abs() } else { 0.0 };
    let usual = usual_error(points);
    let [at_a, at_b] = [a, b].map(|end| error_beside(points, end, || usual));
    let ends = at_a.max(at_b);
    // Between close sizes, curves are straight: the residual is noise.
    let is_close = log_size(b.bytes) - log_size(a.bytes) < CLOSE;
    let usual = if is_close { 1.5 } else { 0.5 } * usual;
    ERROR_BETWEEN.max(around).max(regimes).max(shapes).max(ends).max(usual)
}

/// After a step, by the regime that begins with the point above it.
fn before(points: &[Point], above: usize, bytes: Bytes) -> f64 {
    let b = &points[above];
    let next = points.get(above + 1).filter(|_| !is_step(points, above + 1));
    let slope = next.map_or(UNKNOWN_POWER, |next| {
        (log_time(next) - log_time(b)) / (log_size(next.bytes) - log_size(b.bytes))
    });
    exp2(log_time(b) - slope.clamp(0.0, 1.0) * (log_size(b.bytes) - log_size(bytes)))
}

/// Error of interpolating a point from its neighbours; 0 at the ends. It includes steps, since more
/// may exist.
fn leave_one_out_error(points: &[Point], place: usize) -> f64 {
    let neighbours =
        place.checked_sub(1).and_then(|before| points.get(before)).zip(points.get(place + 1));
    let point = &points[place];
    neighbours
        .map_or(0.0, |(a, b)| (log2(startup_and_bytes(a, b, point.bytes)) - log_time(point)).abs())
}

/// The usual leave-one-out error.
pub(super) fn usual_error(points: &[Point]) -> f64 {
    let inner = 1..points.len().saturating_sub(1);
    let mut errors: Vec<f64> = inner.map(|place| leave_one_out_error(points, place)).collect();
    if errors.is_empty() {
        return 0.3;
    }
    let place = (USUAL_QUANTILE * errors.len() as f64) as usize;
    let place = place.min(errors.len() - 1);
    *errors.select_nth_unstable_by(place, f64::total_cmp).1
}

/// Cost per byte beyond the last size, in µs.
enum Slope {
    /// In the last regime.
    OfRegime(f64),
    /// Of the last regimes together: the last one is short.
    OfFormer(f64),
    /// A single size was measured.
    Unknown,
}

fn slope_beyond(points: &[Point]) -> Slope {
    let last = points.len().saturating_sub(1);
    let regime = (1..=last).rev().find(|above| is_step(points, *above)).unwrap_or(0);
    let is_far = |place: &usize| points[*place].bytes.0 * SPAN_OF_SLOPE <= points[last].bytes.0;
    let from = (0..last).rev().find(is_far).unwrap_or(0);
    let doublings = log_size(points[last].bytes) - log_size(points[regime].bytes);
    if doublings >= CLOSE {
        return slope_of_regimes(points, from.max(regime)).map_or(Slope::Unknown, Slope::OfRegime);
    }
    // Two sizes with a step between them still show how the time grows.
    let across = || Some(cost_per_byte(points.get(last.checked_sub(1)?)?, &points[last]));
    slope_of_regimes(points, from).or_else(across).map_or(Slope::Unknown, Slope::OfFormer)
}

/// The cost per byte of the points from this place on, by least squares: one slope for all regimes,
/// and a startup for each. None if no regime has two sizes.
fn slope_of_regimes(points: &[Point], from: usize) -> Option<f64> {
    let (mut covariance, mut variance) = (0.0, 0.0);
    let mut start = from;
    for end in from + 1..=points.len() {
        if end < points.len() && !is_step(points, end) {
            continue;
        }
        let regime = &points[start..end];
        let mean = |of: fn(&Point) -> f64| regime.iter().map(of).sum::<f64>() / regime.len() as f64;
        let (bytes, time) = (mean(|point| point.bytes.0 as f64), mean(|point| point.value.0));
        for point in regime {
            let distance = point.bytes.0 as f64 - bytes;
            covariance += distance * (point.value.0 - time);
            variance += distance * distance;
        }
        start = end;
    }
    (variance > 0.0).then(|| (covariance / variance).max(0.0))
}

fn cost_per_byte(from: &Point, to: &Point) -> f64 {
    ((to.value.0 - from.value.0) / (to.bytes.0 - from.bytes.0) as f64).max(0.0)
}

/// Beyond the last size.
fn beyond(points: &[Point], last: &Point, bytes: Bytes) -> f64 {
    match slope_beyond(points) {
        Slope::OfRegime(slope) | Slope::OfFormer(slope) => {
            last.value.0 + slope * (bytes.0 - last.bytes.0) as f64
        }
        Slope::Unknown => in_power(last, bytes),
    }
}

/// Below the first size: by startup and cost per byte of the first two, at least in proportion to
/// the bytes.
fn below(points: &[Point], first: &Point, bytes: Bytes) -> f64 {
    match points.get(1) {
        // A step hides the cost per byte; small messages take the startup.
        Some(_) if is_step(points, 1) && first.bytes <= SMALL => first.value.0,
        Some(next) if !is_step(points, 1) => {
            let least = first.value.0 * exp2(log_size(bytes) - log_size(first.bytes));
            startup_and_bytes(first, next, bytes).clamp(least, first.value.0)
        }
        _ => in_power(first, bytes),
    }
}

/// From a single size.
fn in_power(of: &Point, bytes: Bytes) -> f64 {
    exp2(log_time(of) + UNKNOWN_POWER * (log_size(bytes) - log_size(of.bytes)))
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
    fn measured_times_are_reproduced() {
        let points = table(&[(0, 1.8), (1, 1.8), (1024, 2.5), (4096, 4.0)]);
        for point in &points {
            let reading = at(&points, point.bytes).unwrap();
            assert!((reading.time.value.0 / point.value.0 - 1.0).abs() < 1e-12);
            assert_eq!((reading.basis, reading.doubts), (Basis::Measured, vec![]));
        }
        assert!(at(&[], Bytes(8)).is_none());
    }

    #[test]
    fn between_two_sizes_the_time_is_a_startup_and_a_cost_per_byte() {
        let points = table(&[(1000, 2.0), (4000, 5.0)]);
        assert!((time(&points, 2000) - 3.0).abs() < 1e-12);
        assert_eq!(at(&points, Bytes(2000)).unwrap().basis, Basis::Interpolated);
    }

    /// A curve that is flat first, and a curve that grows from the start, can both pass through two
    /// distant sizes.
    #[test]
    fn an_interval_grows_with_the_distance_to_measured_sizes() {
        let points = table(&[(8, 10.0), (1 << 20, 5000.0)]);
        let truth = |bytes: u64| 10.0 + 4990.0 * bytes as f64 / f64::from(1 << 20);
        for bytes in [64, 4 << 10, 256 << 10] {
            let found = at(&points, Bytes(bytes)).unwrap().time;
            assert!((found.value.0 / truth(bytes) - 1.0).abs() < 0.01, "{bytes} B: {found:?}");
        }
        let wide = at(&points, Bytes(4 << 10)).unwrap().time;
        assert!(wide.high.0 / wide.low.0 > 4.0, "{wide:?}");
        // One size gives no slope: from constant to proportional, all is possible.
        let one = table(&[(8, 10.0)]);
        let found = at(&one, Bytes(1 << 20)).unwrap().time;
        assert!(found.low.0 < 11.0 && found.high.0 > 1e6, "{found:?}");
        let below = at(&table(&[(1 << 20, 1000.0), (2 << 20, 1999.0)]), Bytes(1 << 10)).unwrap();
        assert!(below.time.value.0 < 3.0, "{:?}", below.time);
    }

    /// Among close sizes, an outlier is no change of protocol.
    #[test]
    fn an_outlier_is_no_step() {
        let outlier =
            table(&[(1000, 10.0), (1100, 10.3), (1200, 15.0), (1300, 10.9), (1400, 11.1)]);
        assert_eq!(steps(&outlier).count(), 0);
        let step = table(&[(1000, 10.0), (1100, 10.3), (1200, 15.0), (1300, 15.4), (1400, 15.8)]);
        assert_eq!(steps(&step).count(), 1);
    }

    #[test]
    fn reported_bounds_are_reproduced() {
        let mut points = table(&[(8, 100.0), (64, 200.0)]);
        (points[0].low, points[0].high) = (Some(Micros(99.0)), Some(Micros(180.0)));
        let found = at(&points, Bytes(8)).unwrap().time;
        assert_eq!((found.low, found.high), (Micros(99.0), Micros(180.0)));
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
    fn a_step_is_at_the_eager_limit() {
        let points = table(&[(2048, 4.0), (4096, 5.0), (8192, 20.0), (16384, 24.0)]);
        let at = |bytes| at_with_limit(&points, Some(Bytes(6000)), Bytes(bytes)).unwrap();
        let eager = at(6000);
        assert!((eager.time.value.0 - (5.0 + 1904.0 / 2048.0)).abs() < 1e-12, "{eager:?}");
        assert_eq!((eager.basis, eager.doubts), (Basis::Interpolated, vec![]));
        assert!(at(6001).time.value.0 > 16.0);
        assert_eq!(at(4096).time.value, Micros(5.0));
    }

    /// `../shared/fixtures`, Netgauge's four quiet runs: a step near the last size, or one noisy
    /// size, changed the time of 16 MiB by a factor of 350 between runs.
    #[test]
    fn noise_near_the_last_size_does_not_decide_what_is_beyond() {
        // 10 µs and 0.1 µs per 1000 bytes; the last sizes fall, and look like a step.
        let noise = |i: u64| if i >= 60 { -6.0 + 0.3 * (64 - i) as f64 } else { (i % 3) as f64 };
        let times: Vec<(u64, f64)> =
            (1..=64).map(|i| (i * 1000, 10.0 + 0.1 * i as f64 + noise(i))).collect();
        let points = table(&times);
        assert!(steps(&points).count() > 0);
        let per_byte = (time(&points, 4_000_000) - time(&points, 2_000_000)) / 2e6;
        assert!((0.5e-4..2e-4).contains(&per_byte), "{per_byte}");
    }

    /// Both regimes cost the same per byte, and the second begins with the last size.
    #[test]
    fn a_last_regime_of_one_size_costs_as_much_per_byte_as_the_former() {
        let points = table(&[(1000, 2.0), (2000, 3.0), (4000, 5.0), (8000, 29.0)]);
        assert!((time(&points, 16000) - 37.0).abs() < 1e-9);
    }

    #[test]
    fn beyond_the_last_size_the_cost_per_byte_is_constant() {
        let points = table(&[(1 << 20, 100.0), (2 << 20, 200.0), (4 << 20, 400.0)]);
        assert!((time(&points, 8 << 20) - 800.0).abs() < 1e-6);
        let [near, far] = [8 << 20, 64 << 20].map(|m| at(&points, Bytes(m)).unwrap().time);
        assert!(far.high.0 / far.value.0 > near.high.0 / near.value.0);
        assert!(time(&points, 1) < 1e-3, "the cost per byte is the same below the first size");
    }
}
