//! Properties of samples in time order: warm-up, outliers, autocorrelation, drift.
//!
//! All functions use ranks or quartiles, so that the size of an outlier has no effect.

use super::estimate::{Estimate, scale};
use super::line::theil_sen;
use super::quantile::{Sample, median};

/// Minimum number of samples to judge their order.
const FEWEST: usize = 10;

/// Minimum difference of the start, in standard errors. The best of many splits of noise reaches 4
/// in less than 1% of series.
const SIGNIFICANT: f64 = 4.0;

/// Tukey's fence for outliers, in interquartile ranges beyond a quartile.
const FENCE: f64 = 3.0;

/// Number of blocks whose medians show a drift.
const BLOCKS: usize = 20;

/// Number of warm-up samples at the start. They differ systematically from the rest, upwards (cold
/// caches, first touch) or downwards (empty queues).
///
/// Two rules alternate until neither cuts. The first cuts initial samples that are outliers
/// relative to the later half. The second cuts at the split with the largest difference of ranks
/// (Mann & Whitney), if it is four standard errors, including autocorrelation. A series that has
/// not settled within its first half has a drift: then the result is 0, and [`drift`] reports it.
#[must_use]
pub fn warm_up(samples: &[f64]) -> usize {
    if samples.len() < FEWEST {
        return 0;
    }
    let mut start = 0;
    loop {
        let rest = &samples[start..];
        let cut = outliers_at_start(rest).max(split(rest));
        if cut == 0 {
            return start;
        }
        start += cut;
        if start > samples.len() / 2 {
            return 0;
        }
    }
}

fn outliers_at_start(samples: &[f64]) -> usize {
    let later = outliers(&samples[samples.len() / 2..], 0.0);
    samples.iter().take_while(|&&sample| later.is_outside(sample)).count()
}

/// The split at which the start differs most from the rest, if significant.
fn split(samples: &[f64]) -> usize {
    let count = samples.len() as f64;
    let ranks = centred_ranks(samples);
    let variance = ranks.iter().map(|rank| rank * rank).sum::<f64>() / (count - 1.0);
    if variance == 0.0 {
        return 0;
    }
    let mut sum = 0.0;
    let (mut most, mut at) = (0.0, 0);
    for (i, rank) in ranks[..samples.len() / 2].iter().enumerate() {
        sum += rank;
        let k = (i + 1) as f64;
        let difference = sum.abs() / libm::sqrt(variance * k * (count - k) / count);
        if difference > most {
            (most, at) = (difference, i + 1);
        }
    }
    let later = &samples[samples.len() / 2..];
    if most > SIGNIFICANT * inflation(later) { at } else { 0 }
}

/// Centred ranks; equal samples share a rank.
fn centred_ranks(samples: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_unstable_by(|&a, &b| samples[a].total_cmp(&samples[b]));
    let middle = (samples.len() as f64 - 1.0) / 2.0;
    let mut ranks = vec![0.0; samples.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&a, &b| samples[a] == samples[b]) {
        let rank = before as f64 + (equal.len() as f64 - 1.0) / 2.0;
        equal.iter().for_each(|&at| ranks[at] = rank - middle);
        before += equal.len();
    }
    ranks
}

/// Outliers. They are counted, never removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outliers {
    /// Number below the fences.
    pub low: usize,
    /// Number above the fences.
    pub high: usize,
    /// Both fences; infinite without samples.
    pub fences: (f64, f64),
}

impl Outliers {
    /// Total number.
    #[must_use]
    pub fn count(&self) -> usize {
        self.low + self.high
    }

    /// Whether a sample is beyond a fence.
    #[must_use]
    pub fn is_outside(&self, sample: f64) -> bool {
        sample < self.fences.0 || sample > self.fences.1
    }
}

/// Counts outliers by Tukey's outer fences: three interquartile ranges beyond the quartiles, and at
/// least a tick. The scale is logarithmic if all quartiles are positive.
#[must_use]
pub fn outliers(samples: &[f64], tick: f64) -> Outliers {
    let sorted = Sample::new(samples, tick);
    let quartiles = (sorted.quantile(0.25), sorted.quantile(0.75));
    let fences = match quartiles {
        (Some(q1), Some(q3)) if q1 > 0.0 => {
            let factor = libm::pow(q3 / q1, FENCE);
            (q1 / factor - tick, q3 * factor + tick)
        }
        (Some(q1), Some(q3)) => {
            let distance = FENCE * (q3 - q1) + tick;
            (q1 - distance, q3 + distance)
        }
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let count = |outside: &dyn Fn(f64) -> bool| samples.iter().filter(|&&x| outside(x)).count();
    Outliers { low: count(&|x| x < fences.0), high: count(&|x| x > fences.1), fences }
}

/// Autocorrelation of ranks at lag 1, from −1 to 1; within ±2/√n for 95% of independent series.
#[must_use]
pub fn lag_one(samples: &[f64]) -> f64 {
    let ranks = centred_ranks(samples);
    let variance: f64 = ranks.iter().map(|rank| rank * rank).sum();
    if variance == 0.0 {
        return 0.0;
    }
    ranks.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / variance
}

/// Factor of the interval relative to independent samples: √((1+r)/(1−r)) for a significant
/// autocorrelation r, otherwise 1.
#[must_use]
pub fn inflation(samples: &[f64]) -> f64 {
    let r = lag_one(samples).min(0.99);
    if r * libm::sqrt(samples.len() as f64) < 2.0 {
        return 1.0;
    }
    libm::sqrt((1.0 + r) / (1.0 - r))
}

/// Relative increase from the first to the last sample: Theil–Sen slope of the medians of twenty
/// blocks. There is drift if the interval excludes 0.
#[must_use]
pub fn drift(samples: &[f64], confidence: f64) -> Option<Estimate> {
    let level = median(samples)?;
    let block = samples.len().div_ceil(BLOCKS);
    let points: Vec<(f64, f64)> = samples
        .chunks(block)
        .enumerate()
        .filter_map(|(i, block)| Some((i as f64, median(block)?)))
        .collect();
    let whole = points.len() as f64 / level;
    Some(scale(theil_sen(&points, confidence)?.slope, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudorandom numbers, uniform from 0 to 1.
    fn noise(n: usize) -> impl Iterator<Item = f64> {
        let mut state = 1u64;
        (0..n).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64
        })
    }

    fn around(level: impl Fn(usize) -> f64, n: usize) -> Vec<f64> {
        noise(n).enumerate().map(|(i, x)| level(i) * (0.95 + x / 10.0)).collect()
    }

    #[test]
    fn warm_ups_are_found() {
        let falling = around(|i| 10.0 * (1.0 + 3.0 * libm::exp(-(i as f64) / 10.0)), 500);
        assert!((25..60).contains(&warm_up(&falling)), "{}", warm_up(&falling));
        let cold = around(|i| if i < 2 { 80.0 } else { 10.0 }, 200);
        assert_eq!(warm_up(&cold), 2);
        let step = around(|i| if i < 30 { 10.4 } else { 10.0 }, 500);
        assert!((25..40).contains(&warm_up(&step)), "{}", warm_up(&step));
        let empty_queue = around(|i| if i < 16 { 1.0 } else { 10.0 }, 200);
        assert_eq!(warm_up(&empty_queue), 16);
    }

    #[test]
    fn a_drift_is_not_a_warm_up() {
        let drifting = around(|i| 10.0 + i as f64 / 100.0, 500);
        assert_eq!(warm_up(&drifting), 0);
        let rise = drift(&drifting, 0.95).unwrap();
        assert!(rise.contains(5.0 / 12.5) && rise.low > 0.3, "{rise:?}");
    }

    #[test]
    fn steady_samples_have_neither() {
        let steady = around(|i| if i % 97 == 5 { 100.0 } else { 10.0 }, 1000);
        assert_eq!(warm_up(&steady), 0);
        assert!(drift(&steady, 0.95).unwrap().contains(0.0));
        assert!(lag_one(&steady).abs() < 0.07);
        assert_eq!(inflation(&steady), 1.0);
        for short in [&steady[..0], &steady[..1], &steady[..9], &[7.0; 50]] {
            assert_eq!(warm_up(short), 0);
        }
    }

    #[test]
    fn outliers_are_counted() {
        let mut samples = around(|_| 10.0, 200);
        assert_eq!(outliers(&samples, 0.0).count(), 0);
        samples[17] = 30.0;
        samples[3] = 2.0;
        samples[9] = 1e9;
        let found = outliers(&samples, 0.0);
        assert_eq!((found.low, found.high), (1, 2));
        assert_eq!(outliers(&[], 0.0).count(), 0);
    }

    #[test]
    fn a_neighbouring_tick_is_no_outlier() {
        let samples = [&[70.0; 90][..], &[80.0; 10], &[60.0; 5], &[250.0; 3]].concat();
        assert_eq!(outliers(&samples, 10.0).count(), 3);
        assert_eq!(outliers(&[-1.0, 0.0, 0.0, 1.0, 0.0, 90.0], 1.0).count(), 1);
    }

    #[test]
    fn autocorrelation_is_detected() {
        let correlated = noise(400).scan(0.0, |last, x| {
            *last = 0.8 * *last + x;
            Some(*last)
        });
        let correlated: Vec<f64> = correlated.collect();
        assert!((lag_one(&correlated) - 0.8).abs() < 0.1, "{}", lag_one(&correlated));
        assert!((2.0..4.0).contains(&inflation(&correlated)));
        assert_eq!(lag_one(&[7.0; 20]), 0.0);
    }
}
