//! Numbers out of noisy samples: every value with an interval, a quality and a reason.
//!
//! It follows Hoefler & Belli, *Scientific Benchmarking of Parallel Computing Systems* (SC'15):
//! medians and quantiles with intervals from ranks, no assumption about how times are distributed,
//! adaptive stopping, outliers counted and kept.
//!
//! | module | what it answers |
//! |---|---|
//! | [`quantile`] | what is the median, and between which bounds, when the clock only ticks |
//! | [`rounds`] | what is the value, when it was measured at several times of a run |
//! | [`series`] | how long was the warm-up; are there outliers, dependence, drift |
//! | [`stop`] | were there samples enough, and how many more are worth taking |
//! | [`summary`] | where do the samples lie |
//! | [`least_squares`] | which coefficients fit a sum of a few terms; which closed form fits best |
//! | [`mod@line`] | which line fits; which slope, whatever a few points do |
//! | [`change`] | between which sizes does a curve jump |
//! | [`estimate`] | what do sums, differences and ratios of estimates give |
//! | [`quality`] | is an estimate good, uncertain or unusable, and why |
//! | [`distribution`] | the quantiles of Student, Gauss and Bernoulli that all of this rests on |
//!
//! Where the samples cannot bound a value, its interval is infinite, and [`quality::judge`] reports it.

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
