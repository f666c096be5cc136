//! One value from several rounds, spread over a whole run.
//!
//! A machine is not the same at every moment: another job comes, a clock rate changes, a page lies
//! elsewhere after the next start. Samples taken together share their moment, so no number of them
//! says how far another moment would be; only other rounds do.
//!
//! The value is the median of all samples, not the median of the rounds' medians. While the rounds
//! overlap, it averages over them, which five to ten round medians' median does not: that wastes a
//! third of the information. Where they do not overlap, it resists a bad round just as well.
//!
//! The interval is the wider one, on either side, of two:
//! - within: from the ranks of all samples, as if rounds did not matter;
//! - between: Student's t on the spread of the rounds' medians, cut off where the ranks of these
//!   medians do (from six rounds on), so that one bad round does not push the bound to where no
//!   round ever was. A drift spreads the medians, and so widens it.
//!
//! Nominal 95% hold the truth in 93% to 99% of runs, whether rounds differ or not, see
//! `shared/tests/stats.rs`.

use super::distribution::{normal_quantile, two_sided};
use super::estimate::Estimate;
use super::quantile::Sample;

/// What several rounds say together.
#[derive(Clone, Debug, PartialEq)]
pub struct Combined {
    /// The median of all samples, with the interval that honours both kinds of spread.
    pub estimate: Estimate,
    /// The same with what the spread of all samples alone would say.
    pub within: Estimate,
    /// The same with what the spread of the rounds' medians alone says; unbounded for one round.
    pub between: Estimate,
    /// The rounds' medians, in the order of the rounds.
    pub medians: Vec<f64>,
    /// How many times wider the rounds' medians spread than the noise of single samples explains:
    /// near 1 where rounds are alike. Unknown for one round, or too few samples.
    pub disagreement: Option<f64>,
    /// How many samples there are in all.
    pub samples: usize,
}

/// The value that rounds of samples have in common. Rounds should be about equally long; a longer
/// one counts for more, and then fewer count. Of a single round the interval says what that round
/// knew, and nothing of other moments.
#[must_use]
pub fn combine(rounds: &[&[f64]], tick: f64, confidence: f64) -> Option<Combined> {
    let all = Sample::new(&rounds.concat(), tick);
    let within = all.estimate(0.5, confidence)?;
    let medians: Vec<f64> =
        rounds.iter().filter_map(|round| Sample::new(round, tick).median()).collect();
    let count = medians.len() as f64;
    let shares = rounds.iter().map(|round| round.len() as f64 / all.len() as f64);
    // As many rounds of equal length would be worth as much.
    let effective = 1.0 / shares.map(|share| share * share).sum::<f64>();
    let spread = deviation(&medians);
    let half = two_sided(confidence, count - 1.0) * spread / libm::sqrt(effective);
    let between = if medians.len() > 1 {
        cut_off(Estimate::around(within.value, half), &medians, confidence)
    } else {
        Estimate::unbounded(within.value)
    };
    let estimate = if medians.len() > 1 { within.widened_to(&between) } else { within };
    let error = (within.high - within.low) / (2.0 * normal_quantile((1.0 + confidence) / 2.0));
    let explained = error * libm::sqrt(count);
    let known = medians.len() > 1 && explained > 0.0 && explained.is_finite();
    let disagreement = known.then(|| spread / explained);
    Some(Combined { estimate, within, between, medians, disagreement, samples: all.len() })
}

/// No further than the ranks of the medians, which no assumption about rounds needs.
fn cut_off(between: Estimate, medians: &[f64], confidence: f64) -> Estimate {
    let medians = Sample::new(medians, 0.0);
    let Some(ranked) = medians.estimate(0.5, confidence) else { return between };
    Estimate {
        value: between.value,
        low: between.low.max(ranked.low.min(between.value)),
        high: between.high.min(ranked.high.max(between.value)),
    }
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

    /// Twenty samples, evenly over ±1 around a centre.
    fn round(centre: f64) -> Vec<f64> {
        (0..20).map(|i| centre + (f64::from(i) - 9.5) / 9.5).collect()
    }

    fn combined(centres: &[f64]) -> Combined {
        let rounds: Vec<Vec<f64>> = centres.iter().map(|&centre| round(centre)).collect();
        let rounds: Vec<&[f64]> = rounds.iter().map(Vec::as_slice).collect();
        combine(&rounds, 0.0, 0.95).unwrap()
    }

    #[test]
    fn equal_rounds_are_as_sure_as_their_samples() {
        let found = combined(&[50.0; 6]);
        assert_eq!(found.estimate, found.within);
        assert!((found.estimate.value - 50.0).abs() < 1e-9);
        assert!(found.disagreement.unwrap() < 1e-9);
        assert_eq!((found.medians.len(), found.samples), (6, 120));
    }

    #[test]
    fn rounds_that_differ_widen_the_interval() {
        let found = combined(&[50.0, 53.0, 48.0, 51.0, 49.0]);
        // t = 2.776, s = √3.7
        let half = 2.776_445 * libm::sqrt(3.7 / 5.0);
        assert!((found.between.high - found.between.value - half).abs() < 1e-5, "{found:?}");
        assert_eq!(found.estimate, found.between);
        assert!(found.disagreement.unwrap() > 3.0);
    }

    #[test]
    fn drift_widens_the_interval() {
        let found = combined(&[50.0, 50.5, 51.0, 51.5, 52.0, 52.5, 53.0, 53.5]);
        assert!(found.estimate.high - found.estimate.low > 1.5, "{found:?}");
        assert!(found.within.high - found.within.low < 0.9, "{found:?}");
    }

    #[test]
    fn a_bad_round_moves_no_bound_to_where_no_round_was() {
        let found = combined(&[50.0, 50.1, 49.9, 50.0, 100.0, 50.1, 49.9, 50.0]);
        assert!((found.estimate.value - 50.0).abs() < 0.2);
        assert!(found.estimate.low > 49.0 && found.estimate.high > 60.0, "{found:?}");
    }

    #[test]
    fn uneven_rounds_count_as_fewer() {
        let (long, short) = (round(50.0).repeat(10), round(52.0));
        let uneven = combine(&[&long, &short, &short], 0.0, 0.95).unwrap();
        let even = combined(&[50.0, 52.0, 52.0]);
        assert!(uneven.between.half_width() > even.between.half_width() * 1.3);
    }

    #[test]
    fn one_round_knows_only_itself() {
        let found = combined(&[50.0]);
        assert_eq!(found.estimate, found.within);
        assert!(found.between.low.is_infinite() && found.disagreement.is_none());
        assert_eq!(combine(&[], 0.0, 0.95), None);
        assert_eq!(combine(&[&[]], 0.0, 0.95), None);
    }

    #[test]
    fn a_tick_leaves_some_width() {
        let rounds = [&[70.0; 30][..]; 5];
        let found = combine(&rounds, 10.0, 0.95).unwrap();
        assert!(found.estimate.low <= 69.0 && found.estimate.high >= 71.0);
    }
}
