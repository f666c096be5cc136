//! Jumps in a curve of times over sizes, such as at a protocol switch of a library.
//!
//! Between two switches, the time is close to a + b m. So at every gap between neighbouring sizes,
//! a line is fitted to a few octaves on each side, by relative residuals. Both lines are extended
//! to the two sizes at the gap. If both differences have the same sign, the smaller one is the
//! jump. If the lines cross in the gap, it is only a kink: the gap per byte changes, but the time
//! does not jump.
//!
//! A jump is reported if it has the requested size and exceeds the scatter around the lines. Its
//! step, on logarithmic axes, must exceed the steps on both sides. The most significant jump comes
//! first; then each of its sides is searched again.

use super::least_squares::{Weights, least_squares};
use super::quantile::median;
use crate::units::{Bytes, Micros};
use std::ops::Range;

/// Minimum number of points on each side of a gap.
const POINTS: usize = 4;
/// Number of octaves on each side, if available.
const OCTAVES: f64 = 3.0;
const FEWEST: usize = 3;

/// Minimum ratio of a jump to the scatter around both lines.
const OUT_OF_SCATTER: f64 = 2.5;
/// Minimum ratio of its step to the scatter of steps.
const OUT_OF_STEPS: f64 = 2.0;

/// Least scatter of a measured curve.
const SMOOTHEST: f64 = 1e-3;

/// Ratio of the standard deviation to the median absolute deviation of a normal distribution.
const MEDIAN_TO_DEVIATION: f64 = 1.4826;

/// A jump between two neighbouring sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The largest size below the jump.
    pub below: Bytes,
    /// The smallest size above the jump.
    pub above: Bytes,
    /// Relative increase beyond the trend: 0.2 for 20%; negative for a drop.
    pub jump: f64,
    /// Ratio of the jump to the scatter around the lines.
    pub significance: f64,
}

/// The jumps of at least this relative size (0.15) in a curve, the most significant first. Sizes
/// and times that are not positive are left out; of equal sizes, the first is taken.
///
/// With noise below 3%, less than 5% of the curves have a false positive; above 5% noise, request
/// larger jumps. The two outermost gaps at each end are not tested, nor a curve of fewer than eight
/// points.
///
/// # Example
/// ```
/// use loggia_model::stats::change::changes;
/// use loggia_model::units::{Bytes, Micros};
/// let time = |m: u32| 560.0 + 0.0083 * f64::from(m) + if m > 65536 { 1120.0 } else { 0.0 };
/// let curve: Vec<_> =
///     (0..=20).map(|k| (Bytes(1 << k), Micros(time(1 << k)))).collect();
/// let found = changes(&curve, 0.15);
/// assert_eq!((found.len(), found[0].below, found[0].above), (1, Bytes(65536), Bytes(131072)));
/// ```
#[must_use]
pub fn changes(curve: &[(Bytes, Micros)], least: f64) -> Vec<Change> {
    let curve = Curve::new(curve);
    let mut found = Vec::new();
    let mut jumps = Vec::new();
    while let Some((gap, change)) = curve.greatest(&jumps, least) {
        jumps.push(gap);
        found.push(change);
    }
    found.sort_by(|a: &Change, b| b.significance.total_cmp(&a.significance));
    found
}

/// A curve by ascending size.
struct Curve {
    sizes: Vec<Bytes>,
    /// The points as numbers.
    x: Vec<f64>,
    times: Vec<f64>,
}

/// The fit around a gap, in natural logarithms.
struct Gap {
    /// Index of the point before the gap.
    at: usize,
    /// Jump between the lines of both sides.
    jump: f64,
    /// Scatter of the points around both lines.
    scatter: f64,
    /// Excess of this step over the neighbouring ones.
    step: f64,
}

impl Curve {
    fn new(curve: &[(Bytes, Micros)]) -> Self {
        let mut points: Vec<_> =
            curve.iter().filter(|(size, time)| size.0 > 0 && time.0 > 0.0).copied().collect();
        points.sort_by_key(|(size, _)| *size);
        points.dedup_by_key(|(size, _)| *size);
        Curve {
            sizes: points.iter().map(|(size, _)| *size).collect(),
            x: points.iter().map(|(size, _)| size.count()).collect(),
            times: points.iter().map(|(_, time)| time.0).collect(),
        }
    }

    /// The most significant jump, except the known ones.
    fn greatest(&self, known: &[usize], least: f64) -> Option<(usize, Change)> {
        let gaps: Vec<Gap> = (0..self.x.len().saturating_sub(1))
            .filter(|at| !known.contains(at))
            .filter_map(|at| self.gap(at, known))
            .collect();
        let scatter = median(&gaps.iter().map(|gap| gap.scatter).collect::<Vec<_>>())?;
        let steps = median(&gaps.iter().map(|gap| gap.step.abs()).collect::<Vec<_>>())?;
        let steps = (steps * MEDIAN_TO_DEVIATION).max(SMOOTHEST);
        let significance = |gap: &Gap| gap.jump.abs() / gap.scatter.max(scatter).max(SMOOTHEST);
        let greatest = gaps
            .iter()
            .filter(|gap| gap.jump.abs() >= libm::log1p(least))
            .filter(|gap| gap.step * gap.jump.signum() >= OUT_OF_STEPS * steps)
            .filter(|gap| significance(gap) >= OUT_OF_SCATTER)
            .max_by(|a, b| significance(a).total_cmp(&significance(b)))?;
        let change = Change {
            below: self.sizes[greatest.at],
            above: self.sizes[greatest.at + 1],
            jump: libm::expm1(greatest.jump),
            significance: significance(greatest),
        };
        Some((greatest.at, change))
    }

    /// `None` if a side has too few points.
    fn gap(&self, at: usize, known: &[usize]) -> Option<Gap> {
        let (left, right) = (self.left(at, known), self.right(at, known));
        let free = (left.len() + right.len()).checked_sub(4)? as f64;
        let (below, above) = (self.line(left.clone())?, self.line(right.clone())?);
        let [one, other] =
            [at, at + 1].map(|i| libm::log(above.at(self.x[i]) / below.at(self.x[i])));
        let jump = match (one < 0.0) == (other < 0.0) {
            true if one.abs() < other.abs() => one,
            true => other,
            false => 0.0,
        };
        let scatter = libm::sqrt((below.squares + above.squares) / free);
        let octaves = self.octaves(at, at + 1);
        let expected = (self.slope(left) + self.slope(right)) / 2.0 * octaves;
        let step = libm::log(self.times[at + 1] / self.times[at]) - expected;
        Some(Gap { at, jump, scatter, step })
    }

    fn octaves(&self, from: usize, to: usize) -> f64 {
        libm::log2(self.x[to] / self.x[from])
    }

    /// Whether a side has enough points.
    fn suffices(&self, side: &Range<usize>) -> bool {
        side.len() >= POINTS && self.octaves(side.start, side.end - 1) >= OCTAVES - 1e-9
    }

    /// The points before a gap, back to the last known jump.
    fn left(&self, at: usize, known: &[usize]) -> Range<usize> {
        let mut side = at..at + 1;
        while side.start > 0 && !known.contains(&(side.start - 1)) && !self.suffices(&side) {
            side.start -= 1;
        }
        side
    }

    /// The points after a gap, up to the next known jump.
    fn right(&self, at: usize, known: &[usize]) -> Range<usize> {
        let mut side = at + 1..at + 2;
        while side.end < self.x.len() && !known.contains(&(side.end - 1)) && !self.suffices(&side) {
            side.end += 1;
        }
        side
    }

    /// a + b m through points, with a, b ≥ 0, as for a time and a time per byte.
    fn line(&self, side: Range<usize>) -> Option<Side> {
        if side.len() < FEWEST {
            return None;
        }
        let (x, times) = (&self.x[side.clone()], &self.times[side]);
        let ones = vec![1.0; x.len()];
        let fit = |columns: &[&[f64]]| least_squares(columns, times, Weights::Relative);
        let both = fit(&[&ones, x])?;
        let (start, per_byte, squares) = match both.coefficients[..] {
            [_, per_byte] if per_byte < 0.0 => {
                let flat = fit(&[&ones])?;
                (flat.coefficients[0], 0.0, flat.residual_sum)
            }
            [start, _] if start < 0.0 => {
                let steep = fit(&[x])?;
                (0.0, steep.coefficients[0], steep.residual_sum)
            }
            [start, per_byte] => (start, per_byte, both.residual_sum),
            _ => return None,
        };
        Some(Side { start, per_byte, squares })
    }

    /// Logarithmic growth of the time per octave: the median over the octaves of a side.
    fn slope(&self, side: Range<usize>) -> f64 {
        let mut steps: Vec<(f64, f64)> = side
            .clone()
            .skip(1)
            .map(|i| (libm::log(self.times[i] / self.times[i - 1]), self.octaves(i - 1, i)))
            .map(|(rise, octaves)| (rise / octaves, octaves))
            .collect();
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = self.octaves(side.start, side.end - 1) / 2.0;
        let mut passed = 0.0;
        for &(slope, octaves) in &steps {
            passed += octaves;
            if passed >= half * (1.0 - 1e-9) {
                return slope;
            }
        }
        0.0
    }
}

/// a + b m on one side of a gap.
struct Side {
    start: f64,
    per_byte: f64,
    /// Sum of squared relative residuals.
    squares: f64,
}

impl Side {
    fn at(&self, x: f64) -> f64 {
        self.start + self.per_byte * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubling(times: impl IntoIterator<Item = f64>) -> Vec<(Bytes, Micros)> {
        times.into_iter().enumerate().map(|(k, time)| (Bytes(1 << k), Micros(time))).collect()
    }

    fn brackets(found: &[Change]) -> Vec<(u64, u64)> {
        found.iter().map(|change| (change.below.0, change.above.0)).collect()
    }

    #[test]
    fn a_handshake_of_two_latencies_shows() {
        let from = |switch: f64| {
            doubling((0..=20).map(|k| {
                let m = f64::from(1 << k);
                560.0 + 0.0083 * m + if m >= switch { 1120.0 } else { 0.0 }
            }))
        };
        for (switch, jump) in [(65536.0, 1120.0 / 1104.0), (65537.0, 1120.0 / 1648.0)] {
            let found = changes(&from(switch), 0.15);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].below.count() < switch && found[0].above.count() >= switch);
            assert!((found[0].jump - jump).abs() < 0.02, "{found:?}");
        }
    }

    #[test]
    fn a_measured_switch_at_4_kib() {
        let found = changes(
            &doubling([
                0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.23, 0.24, 0.30, 0.38, 0.42, 0.57, 3.35, 3.96,
                4.81, 6.02, 9.15, 14.58, 25.90, 48.66, 95.60,
            ]),
            0.15,
        );
        assert_eq!(brackets(&found), [(2048, 4096)], "{found:?}");
        assert!(found[0].jump > 2.0 && found[0].significance > 10.0);
    }

    #[test]
    fn a_measured_switch_of_a_fifth() {
        let found = changes(
            &doubling([
                0.66, 0.65, 0.69, 0.66, 0.66, 0.79, 0.78, 0.95, 1.02, 1.19, 1.46, 1.90, 2.14, 3.55,
                6.86, 8.18, 11.39, 17.69, 30.23, 54.45, 104.63,
            ]),
            0.15,
        );
        assert_eq!(brackets(&found), [(8192, 16384)], "{found:?}");
        assert!((found[0].jump - 0.2).abs() < 0.05);
    }

    #[test]
    fn two_switches_are_found() {
        let found = changes(
            &doubling((0..=22).map(|k| {
                let m = f64::from(1 << k);
                let first = if m > 256.0 { 0.4 } else { 0.0 };
                let second = if m > 32768.0 { 9.0 } else { 0.0 };
                1.0 + 0.0002 * m + first + second
            })),
            0.15,
        );
        let mut found = brackets(&found);
        found.sort_unstable();
        assert_eq!(found, [(256, 512), (32768, 65536)]);
    }

    #[test]
    fn a_kink_is_not_a_jump() {
        for at in [3000.0, 4096.0, 5000.0, 6000.0, 8191.0] {
            let kinked = doubling((0..=20).map(|k| (f64::from(1 << k) / at).max(1.0)));
            assert_eq!(changes(&kinked, 0.15), [], "{at}");
        }
    }

    #[test]
    fn a_fall_is_a_jump_too() {
        let falling = doubling((0..=20).map(|k| {
            let m = f64::from(1 << k);
            if m > 8192.0 { 0.7 * (1.0 + m / 8192.0) } else { 1.0 + m / 8192.0 }
        }));
        let found = changes(&falling, 0.15);
        assert_eq!(brackets(&found), [(8192, 16384)]);
        assert!((found[0].jump + 0.3).abs() < 0.02, "{found:?}");
    }

    #[test]
    fn a_switch_searched_between_two_sizes_is_bracketed_closely() {
        let time = |m: f64| 5.0 + 0.001 * m + if m > 6000.0 { 4.0 } else { 0.0 };
        let mut curve: Vec<(Bytes, Micros)> = (0..=18)
            .map(|k| 1u64 << k)
            .chain([6144, 5120, 5632, 5888, 6016, 5952, 5984, 6000, 6001])
            .map(|m| (Bytes(m), Micros(time(m as f64))))
            .collect();
        curve.push((Bytes(0), Micros(5.0)));
        assert_eq!(brackets(&changes(&curve, 0.15)), [(6000, 6001)]);
    }

    #[test]
    fn too_few_points_show_nothing() {
        assert_eq!(changes(&[], 0.15), []);
        assert_eq!(changes(&doubling([1.0, 1.0, 1.0, 9.0, 9.0]), 0.15), []);
        assert_eq!(changes(&doubling([1.0, 1.0, 1.0, 9.0, 9.0, 9.0]), 0.15), []);
        assert_eq!(changes(&doubling([1.0, 1.0, 1.0, 1.0, 9.0, 9.0, 9.0, 9.0]), 0.15).len(), 1);
    }
}
