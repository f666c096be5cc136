//! Lines y = a + b x: by least squares, and robust against outliers.

use super::distribution::normal_quantile;
use super::estimate::Estimate;
use super::least_squares::{Fit, Weights, least_squares};
use super::quantile::{Sample, median};

/// Maximum number of iterations towards the line with the best ratios.
const ROUNDS: usize = 40;
/// Minimum distance of a point in the weights of these iterations.
const EXACT: f64 = 1e-3;

/// A line by least squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// a and b as terms 0 and 1, with their covariance and the residuals.
    pub fit: Fit,
}

impl Line {
    /// a with its t-interval.
    #[must_use]
    pub fn intercept(&self, confidence: f64) -> Estimate {
        self.fit.at(&[1.0, 0.0], confidence)
    }

    /// b with its t-interval.
    #[must_use]
    pub fn slope(&self, confidence: f64) -> Estimate {
        self.fit.at(&[0.0, 1.0], confidence)
    }

    /// Covariance of a and b; usually negative, since both come from the same points.
    #[must_use]
    pub fn covariance(&self) -> f64 {
        self.fit.covariance[0][1]
    }

    /// a + b x with its t-interval, including the covariance.
    #[must_use]
    pub fn at(&self, x: f64, confidence: f64) -> Estimate {
        self.fit.at(&[1.0, x], confidence)
    }
}

/// The line by weighted least squares. None for fewer than two different x.
///
/// # Example
/// ```
/// use loggia_model::stats::least_squares::Weights;
/// use loggia_model::stats::line::line;
/// let points = [(0.0, 1.0), (1.0, 3.1), (2.0, 4.9), (3.0, 7.0)];
/// let line = line(&points, Weights::Equal).unwrap();
/// assert!(line.slope(0.95).contains(2.0) && line.intercept(0.95).contains(1.0));
/// ```
#[must_use]
pub fn line(points: &[(f64, f64)], weights: Weights) -> Option<Line> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let fit = least_squares(&[&vec![1.0; x.len()], &x], &y, weights)?;
    Some(Line { fit })
}

/// The line with the smallest sum of absolute logarithms of its ratios to the points. If noise is
/// as large as the values, relative least squares follow the lowest points, and absolute ones the
/// highest.
///
/// # Formula
/// Gauss–Newton steps for ln(a + b x), each point weighted by 1/|ln y − ln(a + b x)| of the
/// previous step.
#[must_use]
pub fn steady_line(points: &[(f64, f64)]) -> Option<Line> {
    let mut found = line(points, Weights::Equal)?;
    let least = points.iter().map(|(_, y)| *y).fold(f64::INFINITY, f64::min);
    for _ in 0..ROUNDS {
        // Where the line is below all points, the least value is used.
        let at = |x: f64| found.fit.at(&[1.0, x], 0.5).value.max(least);
        let ratio = |(x, y): &(f64, f64)| libm::log(y / at(*x));
        let straight: Vec<(f64, f64)> =
            points.iter().map(|p| (p.0, at(p.0) * (1.0 + ratio(p).clamp(-1.0, 1.0)))).collect();
        let weight = |p: &(f64, f64)| 1.0 / (at(p.0) * at(p.0) * libm::fabs(ratio(p)).max(EXACT));
        let weights: Vec<f64> = points.iter().map(weight).collect();
        found = line(&straight, Weights::Given(&weights))?;
    }
    Some(found)
}

/// A line by medians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobustLine {
    /// The median of all pairwise slopes, with Sen's interval.
    pub slope: Estimate,
    /// The median of y − slope·x.
    pub intercept: f64,
}

/// The Theil–Sen line, robust against up to 29% outliers. The interval is infinite below five
/// points. It computes all n(n−1)/2 slopes, so it is meant for hundreds of points. None for fewer
/// than two different x.
///
/// # Formula
/// Sen, *Estimates of the regression coefficient based on Kendall's tau* (1968): of N slopes in
/// order, the (N−C)/2-th and the (N+C)/2+1-th, with C = z√V, V = (n(n−1)(2n+5) − Σt(t−1)(2t+5))/18
/// and t the numbers of points that share an x.
#[must_use]
pub fn theil_sen(points: &[(f64, f64)], confidence: f64) -> Option<RobustLine> {
    let mut points = points.to_vec();
    points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut slopes = Vec::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let later = points[at + 1..].iter().filter(|later| later.0 > *x);
        slopes.extend(later.map(|later| (later.1 - y) / (later.0 - x)));
    }
    slopes.sort_unstable_by(f64::total_cmp);
    let value = Sample::new(&slopes, 0.0).median()?;
    let pairs = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    let shared = points.chunk_by(|a, b| a.0 == b.0).map(|same| pairs(same.len() as f64));
    let variance = pairs(points.len() as f64) - shared.sum::<f64>();
    let within = normal_quantile((1.0 + confidence) / 2.0) * libm::sqrt(variance);
    // Rank from each end.
    let rank = ((slopes.len() as f64 - within) / 2.0).max(0.0) as usize;
    let (low, high) = match rank.checked_sub(1) {
        Some(at) => (slopes[at], slopes[slopes.len() - 1 - at]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    };
    let heights: Vec<f64> = points.iter().map(|(x, y)| y - value * x).collect();
    let slope = Estimate { value, low, high };
    Some(RobustLine { slope, intercept: median(&heights)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_line_balances_the_ratios() {
        let noise = [1.0, 1.05, 30.0, 0.97, 1.0, 12.0, 1.02, 0.95, 25.0, 1.01, 0.99, 1.0];
        let point = |(k, noise): (i32, f64)| {
            let x = f64::from(1 << k);
            (x, (9.0 + 0.02 * x) * noise)
        };
        let points: Vec<(f64, f64)> = (0..).zip(noise).map(point).collect();
        let line = steady_line(&points).unwrap();
        let (a, b) = (line.intercept(0.95).value, line.slope(0.95).value);
        assert!((a / 9.0 - 1.0).abs() < 0.1 && (b / 0.02 - 1.0).abs() < 0.15, "{a} + {b} x");
    }

    #[test]
    fn a_line_through_times_over_sizes() {
        // T = 560 + 0.0083 m, alternately ±1%.
        let points: Vec<(f64, f64)> = (0..=20)
            .map(|k| {
                let m = f64::from(1 << k);
                (m, (560.0 + 0.0083 * m) * if k % 2 == 0 { 1.01 } else { 0.99 })
            })
            .collect();
        let line = line(&points, Weights::Relative).unwrap();
        let (start, slope) = (line.intercept(0.95), line.slope(0.95));
        assert!(start.contains(560.0) && start.relative_width() < 0.02, "{start:?}");
        assert!(slope.contains(0.0083) && slope.relative_width() < 0.06, "{slope:?}");
        assert!((line.fit.scatter() - 0.01).abs() < 0.001);
        assert!(line.covariance() < 0.0);
        assert!(line.at(1e5, 0.95).contains(560.0 + 830.0));
    }

    #[test]
    fn an_outlier_affects_only_least_squares() {
        let mut points: Vec<(f64, f64)> =
            (0..12).map(|i| (f64::from(i), 3.0 + 2.0 * f64::from(i))).collect();
        points[10].1 = 500.0;
        let least_squares = line(&points, Weights::Equal).unwrap().slope(0.95).value;
        let robust = theil_sen(&points, 0.95).unwrap();
        assert!(least_squares > 10.0);
        assert!((robust.slope.value - 2.0).abs() < 1e-12 && (robust.intercept - 3.0).abs() < 1e-12);
        assert!(robust.slope.contains(2.0) && robust.slope.high < 10.0);
    }

    #[test]
    fn the_example_of_sen() {
        // Sen (1968), equal to scipy's stats.theilslopes.
        let points = [
            (1.0, 9.0),
            (2.0, 15.0),
            (3.0, 19.0),
            (4.0, 20.0),
            (10.0, 45.0),
            (12.0, 55.0),
            (18.0, 78.0),
        ];
        let found = theil_sen(&points, 0.93).unwrap();
        assert!((found.slope.value - 4.0).abs() < 1e-12, "{found:?}");
        assert!((found.slope.low - 26.0 / 7.0).abs() < 1e-9, "{found:?}");
        assert!((found.slope.high - 35.0 / 8.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn too_few_points_give_an_infinite_interval() {
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0), (3.0, 5.0)];
        assert!(theil_sen(&points, 0.95).unwrap().slope.high.is_infinite());
        assert_eq!(theil_sen(&[(1.0, 2.0), (1.0, 3.0)], 0.95), None);
        assert_eq!(theil_sen(&[], 0.95), None);
        assert_eq!(line(&[(1.0, 2.0), (1.0, 3.0)], Weights::Equal), None);
    }
}
