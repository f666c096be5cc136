//! One value from several rounds, spread over a run.
//!
//! The state of a machine changes over time: other jobs, clock rates, memory pages after a restart.
//! Samples of one round share a state, so they do not show the variation between states; only other
//! rounds do.
//!
//! The value is the Hodges–Lehmann estimate: the median of the pairwise means of the rounds'
//! medians. It averages over states of the machine, whereas a median jumps between them. For equal
//! rounds it loses 5% of the information, a median one third. It stays close to the good rounds
//! with up to 25% bad ones.
//!
//! The interval is Wilcoxon's, from the ranks of the same pairwise means: it only assumes a
//! symmetric distribution of the rounds. With too few rounds for it (six for 95%), Student's t on
//! the medians is used. A drift spreads the medians, and so widens the interval. Rounds within
//! seconds share a state, too. So many consecutive rounds are merged into blocks, as many as a long
//! run has states.
//!
//! The coverage of nominal 95% intervals is 93% to 99%, for equal and for different rounds; see
//! `shared/model/tests/stats.rs`.

use super::distribution::{signed_rank, two_sided};
use super::estimate::{Estimate, sum};
use super::quantile::Sample;

/// From this number of rounds on, rounds are merged into blocks.
const MANY: usize = 2 * BLOCKS;
/// Number of blocks.
const BLOCKS: usize = 16;

/// The common value of rounds of samples, with an interval that includes the spread between rounds.
/// All rounds have the same weight, so they should be about equally long. The interval of a single
/// round excludes variation between rounds.
#[must_use]
pub fn combine(rounds: &[&[f64]], tick: f64, confidence: f64) -> Option<Estimate> {
    let samples: Vec<Sample> = rounds.iter().map(|round| Sample::new(round, tick)).collect();
    let medians: Vec<f64> = samples.iter().filter_map(Sample::median).collect();
    if let [_] = medians.as_slice() {
        return samples.iter().find_map(|sample| sample.estimate(0.5, confidence));
    }
    // The resolution of the clock is the same in every round.
    let hidden = Sample::new(&rounds.concat(), tick).resolution();
    let estimate = match blocks(&medians) {
        Some(blocks) => bounded(&blocks, confidence)?.moved_to(centre(&medians)?),
        None => bounded(&medians, confidence)?,
    };
    Some(sum(estimate, Estimate::around(0.0, hidden)))
}

/// One value per block of rounds, in order of time.
fn blocks(medians: &[f64]) -> Option<Vec<f64>> {
    if medians.len() < MANY {
        return None;
    }
    let bound = |i: usize| i * medians.len() / BLOCKS;
    (0..BLOCKS).map(|i| centre(&medians[bound(i)..bound(i + 1)])).collect()
}

/// Means of all pairs of values, including each with itself.
fn means_of_pairs(values: &[f64]) -> Vec<f64> {
    let mut pairs = Vec::with_capacity(values.len() * (values.len() + 1) / 2);
    for (i, one) in values.iter().enumerate() {
        pairs.extend(values[..=i].iter().map(|other| (one + other) / 2.0));
    }
    pairs
}

/// The element with this rank.
fn ranked(pairs: &mut [f64], rank: usize) -> f64 {
    *pairs.select_nth_unstable_by(rank, f64::total_cmp).1
}

fn middle(pairs: &mut [f64]) -> Option<f64> {
    let last = pairs.len().checked_sub(1)?;
    Some((ranked(pairs, last / 2) + ranked(pairs, last.div_ceil(2))) / 2.0)
}

fn centre(values: &[f64]) -> Option<f64> {
    middle(&mut means_of_pairs(values))
}

fn bounded(values: &[f64], confidence: f64) -> Option<Estimate> {
    let mut pairs = means_of_pairs(values);
    let value = middle(&mut pairs)?;
    if let Some(rank) = signed_rank(values.len(), confidence) {
        let from_end = pairs.len() - 1 - rank;
        let (low, high) = (ranked(&mut pairs, rank), ranked(&mut pairs, from_end));
        return Some(Estimate { value, low, high });
    }
    let count = values.len() as f64;
    let half = two_sided(confidence, count - 1.0) * deviation(values);
    Some(Estimate::around(value, half / libm::sqrt(count)))
}

/// The standard deviation of a sample.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    libm::sqrt(squares / (count - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty samples, evenly within ±1 of a centre.
    fn round(centre: f64) -> Vec<f64> {
        (0..20).map(|i| centre + (f64::from(i) - 9.5) / 9.5).collect()
    }

    fn combined(centres: &[f64]) -> Estimate {
        let rounds: Vec<Vec<f64>> = centres.iter().map(|&centre| round(centre)).collect();
        let rounds: Vec<&[f64]> = rounds.iter().map(Vec::as_slice).collect();
        combine(&rounds, 0.0, 0.95).unwrap()
    }

    #[test]
    fn rounds_that_differ_widen_the_interval() {
        let found = combined(&[50.0, 53.0, 48.0, 51.0, 49.0]);
        // t = 2.776, s = √3.7
        let half = 2.776_445 * libm::sqrt(3.7 / 5.0);
        assert!((found.high - found.value - half).abs() < 1e-5, "{found:?}");
    }

    /// Wilcoxon's table: with 8 rounds T ≤ 3 at 5%, so the bounds are the fourth pairwise means.
    #[test]
    fn bounds_are_those_of_wilcoxon() {
        let found = combined(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]);
        // 1, 1.5, 2, 2.5 … 80, 96, 128 by hand: (64+64)/2 = 64, (128+16)/2 = 72 …
        assert!((found.low - 2.5).abs() < 1e-9, "{found:?}");
        assert!((found.high - 72.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn drift_widens_the_interval() {
        let found = combined(&[50.0, 50.5, 51.0, 51.5, 52.0, 52.5, 53.0, 53.5]);
        assert!(found.high - found.low > 1.5, "{found:?}");
    }

    #[test]
    fn two_states_are_averaged() {
        let found = combined(&[50.0, 60.0, 50.0, 60.0, 60.0, 50.0, 60.0, 50.0]);
        assert!((found.value - 55.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn a_bad_round_has_little_effect() {
        let found = combined(&[50.0, 50.1, 49.9, 50.0, 100.0, 50.1, 49.9, 50.0]);
        assert!((found.value - 50.0).abs() < 0.2);
        assert!(found.low > 49.0 && found.high < 80.0, "{found:?}");
    }

    #[test]
    fn one_round_excludes_variation_between_rounds() {
        let found = combined(&[50.0]);
        assert_eq!(found, Sample::new(&round(50.0), 0.0).estimate(0.5, 0.95).unwrap());
        assert_eq!(combine(&[], 0.0, 0.95), None);
        assert_eq!(combine(&[&[]], 0.0, 0.95), None);
    }

    #[test]
    fn consecutive_equal_rounds_count_once() {
        // Ten rounds in a row are alike, sixteen times.
        let moments: Vec<f64> = (0..16).map(|i| 50.0 + f64::from(i * 7 % 16)).collect();
        let many: Vec<f64> = moments.iter().flat_map(|m| [*m; 10]).collect();
        let (few, many) = (combined(&moments), combined(&many));
        assert!((few.value - many.value).abs() < 0.3);
        assert!(many.high - many.low > 0.9 * (few.high - few.low), "{few:?} {many:?}");
    }

    #[test]
    fn a_tick_sets_a_least_width() {
        let rounds = [&[70.0; 30][..]; 5];
        let found = combine(&rounds, 10.0, 0.95).unwrap();
        assert!(found.low <= 69.0 && found.high >= 71.0);
    }
}
