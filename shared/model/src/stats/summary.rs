//! A summary of samples for plots.

use super::quantile::quantile;
use super::series::outliers;

/// Plain quantiles of samples, and the number of outliers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of samples.
    pub count: usize,
    /// The number of outliers.
    pub outliers: usize,
    /// The minimum.
    pub least: f64,
    /// The 5% quantile.
    pub low: f64,
    /// The 25% quantile.
    pub lower_quartile: f64,
    /// The median.
    pub median: f64,
    /// The 75% quantile.
    pub upper_quartile: f64,
    /// The 95% quantile.
    pub high: f64,
    /// The maximum.
    pub largest: f64,
}

impl Summary {
    /// The summary of samples in any order, from a clock with this tick; none without samples.
    ///
    /// # Example
    /// ```
    /// use loggia_model::stats::summary::Summary;
    /// let summary = Summary::of(&[3.0, 1.0, 2.0, 500.0, 2.0, 3.0], 0.0).unwrap();
    /// assert_eq!((summary.least, summary.median, summary.largest), (1.0, 2.5, 500.0));
    /// assert_eq!((summary.count, summary.outliers), (6, 1));
    /// ```
    #[must_use]
    pub fn of(samples: &[f64], tick: f64) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(Summary {
            count: samples.len(),
            outliers: outliers(samples, tick).count(),
            least: *sorted.first()?,
            low: quantile(&sorted, 0.05)?,
            lower_quartile: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            upper_quartile: quantile(&sorted, 0.75)?,
            high: quantile(&sorted, 0.95)?,
            largest: *sorted.last()?,
        })
    }
}
