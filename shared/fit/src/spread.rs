//! The interval given with a time: bounds, or the spread over ranks or repetitions.

use loggia_model::signature::{Point, Samples, Statistic};
use loggia_model::units::Micros;

/// Percentiles from this one on are upper ends.
const UPPER_TAIL: u8 = 90;

/// The two ends, where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    low: Option<f64>,
    high: Option<f64>,
}

/// The interval that the file itself calls one.
pub(super) fn given(samples: &[&Samples]) -> Spread {
    let mut spread = Spread::default();
    for samples in samples {
        match samples.statistic {
            Statistic::Low => spread.low = outer(spread.low, least(samples), f64::min),
            Statistic::High => spread.high = outer(spread.high, most(samples), f64::max),
            _ => {}
        }
    }
    spread
}

/// The given interval; otherwise the fastest and the slowest rank, or the tails of repetitions.
pub(super) fn of(samples: &[&Samples]) -> Spread {
    let given = given(samples);
    let (mut ranks, mut tails) = (Spread::default(), Spread::default());
    for samples in samples {
        match samples.statistic {
            Statistic::MinimumOverRanks => ranks.low = outer(ranks.low, least(samples), f64::min),
            Statistic::MaximumOverRanks => ranks.high = outer(ranks.high, most(samples), f64::max),
            Statistic::Minimum => tails.low = outer(tails.low, least(samples), f64::min),
            Statistic::Percentile(percent) if percent >= UPPER_TAIL => {
                tails.high = outer(tails.high, most(samples), f64::min);
            }
            _ => {}
        }
    }
    Spread {
        low: given.low.or(ranks.low).or(tails.low),
        high: given.high.or(ranks.high).or(tails.high),
    }
}

/// Gives a point these ends; its own time is always inside.
pub(super) fn widen(point: &mut Point, spread: Spread) {
    let value = point.value.0;
    point.low = spread.low.map(|low| Micros(low.min(value))).or(point.low);
    point.high = spread.high.map(|high| Micros(high.max(value))).or(point.high);
}

fn outer(known: Option<f64>, other: Option<f64>, of: fn(f64, f64) -> f64) -> Option<f64> {
    match (known, other) {
        (Some(known), Some(other)) => Some(of(known, other)),
        (known, other) => known.or(other),
    }
}

fn least(samples: &Samples) -> Option<f64> {
    samples.times.iter().map(|time| time.0).reduce(f64::min)
}

fn most(samples: &Samples) -> Option<f64> {
    samples.times.iter().map(|time| time.0).reduce(f64::max)
}
