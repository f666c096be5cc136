//! Medians and quantiles with rank-based intervals, for a clock with coarse ticks.
//!
//! A clock with a tick of 10 ns reports a call of 73 ns as 70 or 80 ns. So the plain median is one
//! of both, and its interval may have zero width. Here each tick is a bin around its value, and its
//! samples are spread evenly over the bin: the grouped median. Its error is up to 1/8 tick if times
//! jitter by less than a tick, and smaller for larger jitter. No interval is narrower than this
//! error.

use super::distribution::rank_bounds;
use super::estimate::{Estimate, sum};

/// Largest error of the grouped median, in ticks: 0.086 for equal or normal times, 0.127 for
/// lognormal times with σ = ½, at any scale.
const WORST_OF_GROUPING: f64 = 0.125;

/// Samples closer than this part of a tick belong to the same tick; the rest is rounding.
const SAME_TICK: f64 = 1e-3;

/// The quantile of sorted samples: the i-th of n is the (i − ½)/n quantile (Hazen), with linear
/// interpolation. Bins can be interpolated under this definition.
///
/// # Example
/// ```
/// use loggia_model::stats::quantile::quantile;
/// assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 0.5), Some(3.0));
/// assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 1.0), Some(8.0));
/// assert_eq!(quantile(&[], 0.5), None);
/// ```
#[must_use]
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = (sorted.len() as f64 * q - 0.5).clamp(0.0, last as f64);
    let before = at as usize;
    let (low, high) = (sorted[before], sorted[(before + 1).min(last)]);
    Some(low + (high - low) * (at - before as f64))
}

/// The plain median of samples in any order.
#[must_use]
pub fn median(samples: &[f64]) -> Option<f64> {
    Sample::new(samples, 0.0).median()
}

/// Sorted samples; those of one tick are spread over the tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    values: Vec<f64>,
    tick: f64,
}

impl Sample {
    /// Samples in any order, from a clock with this tick, or 0. For means over a batch, divide the
    /// tick by the batch size.
    #[must_use]
    pub fn new(samples: &[f64], tick: f64) -> Self {
        let mut values = samples.to_vec();
        values.sort_unstable_by(f64::total_cmp);
        if tick > 0.0 {
            for bin in values.chunk_by_mut(|a, b| b - a <= tick * SAME_TICK) {
                let (value, count) = (bin[0], bin.len() as f64);
                for (i, sample) in bin.iter_mut().enumerate() {
                    *sample = value + tick * ((i as f64 + 0.5) / count - 0.5);
                }
            }
            // Bins overlap if samples are closer than a tick.
            values.sort_unstable_by(f64::total_cmp);
        }
        Sample { values, tick: tick.max(0.0) }
    }

    /// Number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The grouped quantile.
    #[must_use]
    pub fn quantile(&self, q: f64) -> Option<f64> {
        quantile(&self.values, q)
    }

    /// The grouped median.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }

    /// Uncertainty of the median due to the tick, for any number of samples: 1/8 tick, less if
    /// there are many ticks between the quartiles.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        let (Some(low), Some(high)) = (self.quantile(0.25), self.quantile(0.75)) else {
            return 0.0;
        };
        self.tick * WORST_OF_GROUPING * (self.tick / (high - low)).min(1.0)
    }

    /// The quantile with its rank-based interval, combined in quadrature with
    /// [`resolution`](Self::resolution). The interval is valid for any distribution of independent
    /// times. A bound is infinite with too few samples: the median needs six samples for 95%.
    #[must_use]
    pub fn estimate(&self, q: f64, confidence: f64) -> Option<Estimate> {
        let value = self.quantile(q)?;
        let (low, high) = rank_bounds(self.len(), q, confidence);
        let at = |rank: usize| rank.checked_sub(1).and_then(|at| self.values.get(at)).copied();
        let ranked = Estimate {
            value,
            low: at(low).unwrap_or(f64::NEG_INFINITY).min(value),
            high: at(high).unwrap_or(f64::INFINITY).max(value),
        };
        let resolution = self.resolution();
        Some(if resolution > 0.0 { sum(ranked, Estimate::around(0.0, resolution)) } else { ranked })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn grouped_medians_are_as_in_textbooks() {
        // L + (n/2 − F)/f · w: 65 + (10/2 − 0)/7 · 10
        let samples = [&[70.0; 7][..], &[80.0; 3]].concat();
        assert!(close(Sample::new(&samples, 10.0).median().unwrap(), 65.0 + 50.0 / 7.0));
        // In µs, with inexact values, and shifted off multiples of the tick.
        let shifted: Vec<f64> = samples.iter().map(|ns| ns * 1e-3 - 0.0123).collect();
        let median = Sample::new(&shifted, 0.01).median().unwrap();
        assert!(close(median, 0.065 + 0.05 / 7.0 - 0.0123));
    }

    #[test]
    fn without_a_tick_the_median_is_plain() {
        for samples in [&[3.0, 1.0, 2.0][..], &[4.0, 1.0, 2.0, 3.0], &[7.0; 5], &[1.0, 1.0, 2.0]] {
            let mut sorted = samples.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            let plain = (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0;
            assert_eq!(median(samples), Some(plain));
            assert_eq!(Sample::new(samples, 1e-9).median().unwrap() as f32, plain as f32);
        }
    }

    #[test]
    fn values_between_ticks_are_recovered() {
        // Jitter of ±7 ns around 73.4 ns, on a clock of 10 ns read at any phase.
        let samples: Vec<f64> = (0..5000)
            .map(|i| {
                let (phase, jitter) = ((f64::from(i) * 0.618_034) % 1.0, f64::from(i % 71) - 35.0);
                ((73.4 + jitter / 5.0 + phase * 10.0) / 10.0).floor() * 10.0
            })
            .collect();
        assert_eq!(median(&samples), Some(70.0));
        let estimate = Sample::new(&samples, 10.0).estimate(0.5, 0.95).unwrap();
        assert!((estimate.value - 73.4).abs() < 0.5, "{estimate:?}");
        assert!(estimate.contains(73.4), "{estimate:?}");
    }

    #[test]
    fn no_interval_is_narrower_than_the_resolution() {
        let samples = [70.0; 100_000];
        let ticking = Sample::new(&samples, 10.0).estimate(0.5, 0.95).unwrap();
        assert!(close(ticking.value, 70.0) && ticking.high >= 71.0 && ticking.low <= 69.0);
        let exact = Sample::new(&samples, 0.0).estimate(0.5, 0.95).unwrap();
        assert!(!exact.is_bounded());
        let jittering: Vec<f64> = (0..100_000).map(|i| f64::from(i % 40)).collect();
        assert!(Sample::new(&jittering, 1.0).resolution() < 0.01);
    }

    #[test]
    fn intervals_are_ranks() {
        let samples: Vec<f64> = (1..=20).map(f64::from).collect();
        let estimate = Sample::new(&samples, 0.0).estimate(0.5, 0.95).unwrap();
        assert_eq!(estimate, Estimate { value: 10.5, low: 6.0, high: 15.0 });
        let five = Sample::new(&samples[..5], 0.0).estimate(0.5, 0.95).unwrap();
        assert_eq!(five, Estimate::unbounded(3.0));
        assert_eq!(Sample::new(&[], 1.0).estimate(0.5, 0.95), None);
    }
}
