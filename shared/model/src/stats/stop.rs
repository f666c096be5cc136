//! Stopping rule of measurements: at the requested relative interval.
//!
//! Intervals narrow with 1/√n (Hoefler & Belli, Section 4.2.2), so the current width gives the
//! number of missing samples. A test after every sample would stop too early by chance. With this
//! number of further samples, only a few tests are needed.

use super::quantile::Sample;
use super::series::inflation;

/// Rounding error of squares and roots.
const ROUNDING: f64 = 1e-9;

/// The precision to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Half-width of the median's interval relative to the median: 0.01.
    pub relative: f64,
    /// Confidence level: 0.95.
    pub confidence: f64,
    /// Minimum number of samples.
    pub least: usize,
    /// The tick of the clock, or 0.
    pub tick: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The goal is reached.
    Enough,
    /// Take this many more samples, then test again.
    More(usize),
    /// The goal is unreachable: the clock is too coarse, or the median is not above zero.
    OutOfReach,
}

impl Goal {
    /// The need after these samples, without their warm-up. Autocorrelation widens the interval. If
    /// the clock is too coarse for the goal, the target of the sampling error is the resolution of
    /// the clock.
    #[must_use]
    pub fn need(&self, samples: &[f64]) -> Need {
        let count = samples.len();
        if count < self.least {
            return Need::More(self.least - count);
        }
        let sample = Sample::new(samples, self.tick);
        let Some(estimate) = sample.estimate(0.5, self.confidence) else { return Need::More(1) };
        let requested = self.relative * estimate.value;
        if requested.is_nan() || requested <= 0.0 {
            return Need::OutOfReach;
        }
        let hidden = sample.resolution();
        let half = (estimate.high - estimate.low) / 2.0;
        let sampled = inflation(samples) * other_term(half, hidden);
        let target = other_term(requested, hidden).max(hidden);
        if sampled > target {
            return Need::More(missing(count, sampled / target));
        }
        let reached = libm::hypot(sampled, hidden) <= requested * (1.0 + ROUNDING);
        if reached { Need::Enough } else { Need::OutOfReach }
    }
}

/// The other term of a sum in quadrature.
fn other_term(whole: f64, part: f64) -> f64 {
    libm::sqrt((whole * whole - part * part).max(0.0))
}

/// Number of samples to narrow an interval by a factor, bounded, since a width from few samples is
/// uncertain.
fn missing(count: usize, times: f64) -> usize {
    let missing = (count as f64 * (times * times - 1.0)).min(count as f64);
    (missing as usize).max(count / 10).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOAL: Goal = Goal { relative: 0.01, confidence: 0.95, least: 30, tick: 0.0 };

    /// Within ±10% of 100, without autocorrelation.
    fn samples(n: u32) -> Vec<f64> {
        (0..n).map(|i| 90.0 + 20.0 * ((f64::from(i) * 0.618_034) % 1.0)).collect()
    }

    #[test]
    fn the_minimum_is_taken_first() {
        assert_eq!(GOAL.need(&[]), Need::More(30));
        assert_eq!(GOAL.need(&[5.0; 12]), Need::More(18));
        assert_eq!(GOAL.need(&[5.0; 30]), Need::Enough);
        let few = Goal { least: 0, ..GOAL };
        assert_eq!(few.need(&[]), Need::More(1));
        // Three samples bound nothing yet.
        assert_eq!(few.need(&[5.0; 3]), Need::More(3));
    }

    #[test]
    fn the_requested_samples_suffice() {
        // ±10 over √n: 1% of 100 takes (1.96 · ½ · 20)² ≈ 384 samples.
        let Need::More(more) = GOAL.need(&samples(200)) else { panic!("200 are too few") };
        assert!((100..350).contains(&more), "{more}");
        assert_eq!(GOAL.need(&samples(600)), Need::Enough);
        assert_eq!(GOAL.need(&samples(30)), Need::More(30));
    }

    #[test]
    fn a_coarse_clock_makes_the_goal_unreachable() {
        let ticking = Goal { tick: 10.0, ..GOAL };
        assert_eq!(ticking.need(&[70.0; 1000]), Need::OutOfReach);
        assert_eq!(Goal { relative: 0.02, ..ticking }.need(&[70.0; 1000]), Need::Enough);
        // Few samples have a larger uncertainty than the tick.
        assert!(matches!(ticking.need(&[70.0; 30]), Need::More(_)));
        assert_eq!(GOAL.need(&[-1.0; 100]), Need::OutOfReach);
    }

    #[test]
    fn autocorrelation_needs_more_samples() {
        // Each value four times in a row.
        let repeated: Vec<f64> = samples(150).iter().flat_map(|&x| [x; 4]).collect();
        assert!(matches!(GOAL.need(&repeated), Need::More(_)));
    }
}
