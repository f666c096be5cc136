//! Estimates from noisy samples: every value with an interval, a quality and a reason.
//!
//! It follows Hoefler & Belli, *Scientific Benchmarking of Parallel Computing Systems* (SC'15):
//! medians and quantiles with rank-based intervals, no assumption about the distribution of times,
//! adaptive stopping, outliers counted and kept.
//!
//! | module | contents |
//! |---|---|
//! | [`quantile`] | quantiles and their intervals, with a coarse clock |
//! | [`rounds`] | one value from rounds measured at several times of a run |
//! | [`series`] | warm-up, outliers, autocorrelation, drift |
//! | [`stop`] | stopping rule: number of further samples |
//! | [`summary`] | a summary of samples for plots |
//! | [`least_squares`] | least squares over few terms, and selection of a closed form |
//! | [`mod@line`] | lines by least squares, and robust lines |
//! | [`change`] | jumps of a curve over sizes |
//! | [`estimate`] | sums, differences and ratios of estimates |
//! | [`quality`] | quality of an estimate (good, uncertain, unusable), with a reason |
//! | [`distribution`] | quantiles of Student's t, normal and binomial distributions |
//!
//! If the samples cannot bound a value, its interval is infinite, and [`quality::judge`] reports
//! it.

pub mod change;
pub mod distribution;
pub mod estimate;
pub mod least_squares;
pub mod line;
pub mod quality;
pub mod quantile;
pub mod rounds;
pub mod series;
pub mod stop;
pub mod summary;

pub use estimate::Estimate;

/// Default confidence level of intervals.
pub const CONFIDENCE: f64 = 0.95;
