//! The interval of a time in a file: bounds, or the spread over ranks or repetitions.

use loggia_model::signature::{Point, Samples, Statistic};
use loggia_model::units::Micros;

/// Percentiles from this on are upper bounds.
const UPPER_TAIL: u8 = 90;

/// The two bounds, if known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    low: Option<f64>,
    high: Option<f64>,
}

/// The explicit bounds in the file.
pub(super) fn given(samples: &[&Samples]) -> Spread {
    let mut spread = Spread::default();
    for samples in samples {
        match samples.statistic {
            Statistic::Low => spread.low = combine(spread.low, minimum(samples), f64::min),
            Statistic::High => spread.high = combine(spread.high, maximum(samples), f64::max),
            _ => {}
        }
    }
    spread
}

/// The explicit bounds; otherwise the fastest and slowest rank, or the tails of repetitions.
pub(super) fn interval(samples: &[&Samples]) -> Spread {
    let given = given(samples);
    let (mut ranks, mut tails) = (Spread::default(), Spread::default());
    for samples in samples {
        match samples.statistic {
            Statistic::MinimumOverRanks => {
                ranks.low = combine(ranks.low, minimum(samples), f64::min)
            }
            Statistic::MaximumOverRanks => {
                ranks.high = combine(ranks.high, maximum(samples), f64::max)
            }
            Statistic::Minimum => tails.low = combine(tails.low, minimum(samples), f64::min),
            Statistic::Percentile(percent) if percent >= UPPER_TAIL => {
                tails.high = combine(tails.high, maximum(samples), f64::min);
            }
            _ => {}
        }
    }
    Spread {
        low: given.low.or(ranks.low).or(tails.low),
        high: given.high.or(ranks.high).or(tails.high),
    }
}

/// Sets the bounds of a point; they always include its time.
pub(super) fn widen(point: &mut Point, spread: Spread) {
    let value = point.value.0;
    point.low = spread.low.map(|low| Micros(low.min(value))).or(point.low);
    point.high = spread.high.map(|high| Micros(high.max(value))).or(point.high);
}

fn combine(known: Option<f64>, other: Option<f64>, select: fn(f64, f64) -> f64) -> Option<f64> {
    match (known, other) {
        (Some(known), Some(other)) => Some(select(known, other)),
        (known, other) => known.or(other),
    }
}

fn minimum(samples: &Samples) -> Option<f64> {
    samples.times.iter().map(|time| time.0).reduce(f64::min)
}

fn maximum(samples: &Samples) -> Option<f64> {
    samples.times.iter().map(|time| time.0).reduce(f64::max)
}
