//! The distribution of samples: minimum to maximum, 5th to 95th percentile, quartiles, median.

use crate::draw::scale::Log;
use loggia_model::stats::summary::Summary;

/// A strip, in fractions of its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strip {
    /// Minimum and maximum.
    pub(crate) all: [f64; 2],
    /// 5th and 95th percentile.
    pub(crate) most: [f64; 2],
    /// The quartiles.
    pub(crate) middle: [f64; 2],
    pub(crate) median: f64,
}

/// A common scale of several strips.
pub(crate) fn scale(summaries: &[Summary]) -> Option<Log> {
    Log::around(summaries.iter().flat_map(|s| [s.least, s.largest]))
}

/// The strip of a summary; values that a logarithmic scale cannot show are at its end.
pub(crate) fn strip(summary: &Summary, scale: Log) -> Strip {
    let at = |value: f64| scale.share(value.max(scale.low)).clamp(0.0, 1.0);
    Strip {
        all: [summary.least, summary.largest].map(at),
        most: [summary.low, summary.high].map(at),
        middle: [summary.lower_quartile, summary.upper_quartile].map(at),
        median: at(summary.median),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_in_order() {
        let times: Vec<f64> = (1..=100).map(f64::from).collect();
        let summary = Summary::of(&times, 0.0).unwrap();
        let scale = scale(&[summary]).unwrap();
        let Strip { all, most, middle, median } = strip(&summary, scale);
        let places = [all[0], most[0], middle[0], median, middle[1], most[1], all[1]];
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
        assert!(places[0] > 0.0 && places[6] < 1.0);
    }
}
