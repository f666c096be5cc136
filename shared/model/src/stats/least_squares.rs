//! Least squares of a few known terms: y = c_1 x_1 + … + c_k x_k, k ≤ 4.
//!
//! It also selects closed forms: which of T0(p) = a, a + b log p, a + b p … fits best without
//! overfitting.

use super::distribution::two_sided;
use super::estimate::Estimate;

/// Maximum number of terms.
pub const MAX_TERMS: usize = 4;

/// A column depends on the others if its relative residual is below this.
const DEPENDENT: f64 = 1e-10;

/// Relative residuals below this are rounding errors, and count as an exact fit.
const ROUNDING: f64 = 1e-12;

/// Weights of the points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weights<'a> {
    /// Equal weights, for constant absolute noise.
    Equal,
    /// 1/y², for constant relative noise, as in times over many sizes.
    Relative,
    /// Proportional to 1/variance.
    Given(&'a [f64]),
}

impl Weights<'_> {
    /// `None` if a weight is missing, negative or not finite.
    fn of(self, y: &[f64]) -> Option<Vec<f64>> {
        let weights: Vec<f64> = match self {
            Weights::Equal => vec![1.0; y.len()],
            Weights::Relative => y.iter().map(|y| 1.0 / (y * y)).collect(),
            Weights::Given(weights) => weights.to_vec(),
        };
        let is_valid = weights.iter().all(|&weight| weight >= 0.0 && weight.is_finite());
        (is_valid && weights.len() == y.len()).then_some(weights)
    }
}

/// A fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// One coefficient per column.
    pub coefficients: Vec<f64>,
    /// Covariance of the coefficients; infinite if there are no more points than terms.
    pub covariance: Vec<Vec<f64>>,
    /// Residual of each point.
    pub residuals: Vec<f64>,
    /// Weighted sum of squared residuals; with relative weights, of relative residuals.
    pub residual_sum: f64,
    /// Number of points minus number of terms.
    pub freedom: usize,
    /// Akaike's criterion, corrected for few points: smaller is better. Only fits to the same
    /// values with the same weights are comparable.
    pub aicc: f64,
    /// Schwarz's criterion, with a larger penalty per term.
    pub bic: f64,
}

impl Fit {
    /// A coefficient with its t-interval.
    #[must_use]
    pub fn coefficient(&self, term: usize, confidence: f64) -> Option<Estimate> {
        let mut row = vec![0.0; self.coefficients.len()];
        *row.get_mut(term)? = 1.0;
        Some(self.at(&row, confidence))
    }

    /// Value of the fit at these columns, with the t-interval of the mean, without the noise of a
    /// single measurement.
    #[must_use]
    pub fn at(&self, row: &[f64], confidence: f64) -> Estimate {
        let terms = row.iter().zip(&self.coefficients);
        let value = terms.map(|(x, coefficient)| x * coefficient).sum();
        if self.freedom == 0 {
            return Estimate::unbounded(value);
        }
        let across = |row_of: &Vec<f64>| row_of.iter().zip(row).map(|(c, x)| c * x).sum::<f64>();
        let variance: f64 = self.covariance.iter().zip(row).map(|(c, x)| x * across(c)).sum();
        let error = libm::sqrt(variance.max(0.0));
        Estimate::around(value, two_sided(confidence, self.freedom as f64) * error)
    }

    /// The standard deviation of a point of weight 1 around the fit; with relative weights, the
    /// relative scatter.
    #[must_use]
    pub fn scatter(&self) -> f64 {
        if self.freedom == 0 { 0.0 } else { libm::sqrt(self.residual_sum / self.freedom as f64) }
    }
}

/// Fits columns of known values to measured ones. None for zero or more than four columns, columns
/// of different lengths, linearly dependent columns, fewer points than columns, or an invalid
/// weight.
///
/// # Formula
/// QR of √w·X by modified Gram & Schmidt, R c = Qᵀ√w·y, covariance s² (RᵀR)⁻¹, s² = Σwr²/(n−k).
/// With K = k + 1 (the variance is fitted too), AICc = n ln(Σwr²/n) + 2K + 2K(K+1)/(n−K−1) and
/// BIC = n ln(Σwr²/n) + K ln n.
///
/// # Example
/// ```
/// use loggia_model::stats::least_squares::{Weights, least_squares};
/// let (one, log_p) = ([1.0; 5], [1.0, 2.0, 3.0, 4.0, 5.0]);
/// let times = [9.1, 12.9, 17.0, 21.1, 24.9];
/// let rising = least_squares(&[&one, &log_p], &times, Weights::Equal).unwrap();
/// let constant = least_squares(&[&one], &times, Weights::Equal).unwrap();
/// assert!(rising.coefficient(1, 0.95).unwrap().contains(4.0));
/// assert!(rising.bic < constant.bic);
/// ```
#[must_use]
pub fn least_squares(columns: &[&[f64]], y: &[f64], weights: Weights) -> Option<Fit> {
    let is_valid = (1..=MAX_TERMS).contains(&columns.len())
        && columns.iter().all(|column| column.len() == y.len());
    if !is_valid {
        return None;
    }
    let weights = weights.of(y)?;
    let counting = weights.iter().filter(|&&weight| weight > 0.0).count();
    let freedom = counting.checked_sub(columns.len())?;
    let roots: Vec<f64> = weights.iter().map(|&weight| libm::sqrt(weight)).collect();
    let (r, right) = triangle(columns, y, &roots)?;
    let coefficients = solve(&r, &right);
    let fitted = |at: usize| columns.iter().zip(&coefficients).map(|(x, c)| x[at] * c).sum::<f64>();
    let residuals: Vec<f64> = y.iter().enumerate().map(|(at, y)| y - fitted(at)).collect();
    let weighted_squares =
        |values: &[f64]| values.iter().zip(&weights).map(|(v, w)| v * v * w).sum::<f64>();
    let residual_sum = weighted_squares(&residuals);
    let (aicc, bic) = criteria(
        residual_sum.max(weighted_squares(y) * ROUNDING * ROUNDING),
        counting,
        columns.len(),
    );
    let variance = if freedom == 0 { f64::INFINITY } else { residual_sum / freedom as f64 };
    let covariance = covariance(&r, variance);
    Some(Fit { coefficients, covariance, residuals, residual_sum, freedom, aicc, bic })
}

/// R and Qᵀ√w·y.
fn triangle(columns: &[&[f64]], y: &[f64], roots: &[f64]) -> Option<(Vec<Vec<f64>>, Vec<f64>)> {
    let weighted = |column: &[f64]| column.iter().zip(roots).map(|(x, root)| x * root).collect();
    let mut rest: Vec<Vec<f64>> = columns.iter().map(|column| weighted(column)).collect();
    let mut y: Vec<f64> = weighted(y);
    let mut r = vec![vec![0.0; columns.len()]; columns.len()];
    let mut right = vec![0.0; columns.len()];
    for j in 0..columns.len() {
        let whole: Vec<f64> = weighted(columns[j]);
        let length = libm::sqrt(dot(&rest[j], &rest[j]));
        // Also true if a number is not finite.
        if !(length > DEPENDENT * libm::sqrt(dot(&whole, &whole)) && length.is_finite()) {
            return None;
        }
        let q: Vec<f64> = rest[j].iter().map(|x| x / length).collect();
        r[j][j] = length;
        for (k, column) in rest.iter_mut().enumerate().skip(j + 1) {
            r[j][k] = remove_component(&q, column);
        }
        right[j] = remove_component(&q, &mut y);
    }
    right.iter().all(|value| value.is_finite()).then_some((r, right))
}

/// Removes the component along q from a column; returns its length.
fn remove_component(q: &[f64], column: &mut [f64]) -> f64 {
    let along = dot(q, column);
    column.iter_mut().zip(q).for_each(|(x, q)| *x -= along * q);
    along
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// x of R x = right, from the last row up.
fn solve(r: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; right.len()];
    for i in (0..right.len()).rev() {
        let known = dot(&r[i][i + 1..], &x[i + 1..]);
        x[i] = (right[i] - known) / r[i][i];
    }
    x
}

/// variance · R⁻¹ R⁻ᵀ.
fn covariance(r: &[Vec<f64>], variance: f64) -> Vec<Vec<f64>> {
    let terms = r.len();
    let unit = |at| (0..terms).map(|i| if i == at { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..terms).map(|at| solve(r, &unit(at))).collect();
    let entry = |i: usize, j: usize| columns.iter().map(|c| c[i] * c[j]).sum::<f64>();
    (0..terms).map(|i| (0..terms).map(|j| variance * entry(i, j)).collect()).collect()
}

/// AICc and BIC.
fn criteria(residual_sum: f64, points: usize, terms: usize) -> (f64, f64) {
    let (n, k) = (points as f64, terms as f64 + 1.0);
    let misfit = n * libm::log(residual_sum / n);
    let few = if n > k + 1.0 { 2.0 * k * (k + 1.0) / (n - k - 1.0) } else { f64::INFINITY };
    (misfit + 2.0 * k + few, misfit + k * libm::log(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_found() {
        let x: Vec<f64> = (0..8).map(f64::from).collect();
        let squares: Vec<f64> = x.iter().map(|x| x * x).collect();
        let y: Vec<f64> = x.iter().map(|x| 5.0 - 2.0 * x + 0.5 * x * x).collect();
        let fit = least_squares(&[&[1.0; 8], &x, &squares], &y, Weights::Equal).unwrap();
        for (found, expected) in fit.coefficients.iter().zip([5.0, -2.0, 0.5]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert!(fit.residual_sum < 1e-20 && fit.freedom == 5);
    }

    #[test]
    fn errors_are_as_in_scipy() {
        // The heights and weights of Wikipedia's "Simple linear regression", by scipy's
        // stats.linregress: a = −39.06196, b = 61.27219, s_a = 2.93800, s_b = 1.77592
        let x = [
            1.47, 1.50, 1.52, 1.55, 1.57, 1.60, 1.63, 1.65, 1.68, 1.70, 1.73, 1.75, 1.78, 1.80,
            1.83,
        ];
        let y = [
            52.21, 53.12, 54.48, 55.84, 57.20, 58.57, 59.93, 61.29, 63.11, 64.47, 66.28, 68.10,
            69.92, 72.19, 74.46,
        ];
        let fit = least_squares(&[&[1.0; 15], &x], &y, Weights::Equal).unwrap();
        let intercept = fit.coefficient(0, 0.95).unwrap();
        let slope = fit.coefficient(1, 0.95).unwrap();
        // The article's intervals, to the digits it prints.
        assert!((intercept.low + 45.4).abs() < 0.05 && (intercept.high + 32.7).abs() < 0.05);
        assert!((slope.low - 57.4).abs() < 0.05 && (slope.high - 65.1).abs() < 0.05);
        assert!((slope.value - 61.27219).abs() < 1e-5 && (intercept.value + 39.06196).abs() < 1e-5);
        let error = |estimate: &Estimate| estimate.half_width() / two_sided(0.95, 13.0);
        assert!((error(&slope) - 1.77592).abs() < 1e-5);
        assert!((error(&intercept) - 2.93800).abs() < 1e-5);
        // The fit is most certain at the mean, which its covariance shows.
        let mean = x.iter().sum::<f64>() / 15.0;
        let middle = fit.at(&[1.0, mean], 0.95).half_width();
        assert!(middle < fit.at(&[1.0, 1.47], 0.95).half_width());
        let expected = two_sided(0.95, 13.0) * fit.scatter() / libm::sqrt(15.0);
        assert!((middle - expected).abs() < 1e-9);
    }

    #[test]
    fn relative_weights_fit_small_values_as_well_as_large_ones() {
        let x = [1.0, 1e3, 1e6];
        let y = [1.1, 10.9, 1.0e4];
        let ones = [1.0; 3];
        let fit = least_squares(&[&ones, &x], &y, Weights::Relative).unwrap();
        let relative: f64 = fit.residuals.iter().zip(y).map(|(r, y)| r * r / (y * y)).sum();
        assert!((fit.residual_sum - relative).abs() < 1e-15);
        assert!((fit.coefficients[0] - 1.09).abs() < 0.05, "{fit:?}");
        let given: Vec<f64> = y.iter().map(|y| 1.0 / (y * y)).collect();
        assert_eq!(least_squares(&[&ones, &x], &y, Weights::Given(&given)), Some(fit));
    }

    #[test]
    fn the_right_form_wins() {
        let p: Vec<f64> = (1..=8).map(|k| f64::from(1 << k)).collect();
        let log: Vec<f64> = p.iter().map(|&p| libm::log2(p)).collect();
        let p_log: Vec<f64> = p.iter().zip(&log).map(|(p, log)| p * log).collect();
        let one = [1.0; 8];
        let noise = [1.01, 0.99, 1.005, 0.992, 1.008, 1.0, 0.995, 1.004];
        let forms: [&[&[f64]]; 4] = [&[&one], &[&one, &log], &[&one, &p], &[&one, &p_log]];
        for (right, truth) in [(1, &log), (2, &p), (3, &p_log)] {
            let y: Vec<f64> = truth.iter().zip(noise).map(|(x, e)| (20.0 + 3.0 * x) * e).collect();
            let fits = forms.map(|form| least_squares(form, &y, Weights::Relative).unwrap());
            for (at, fit) in fits.iter().enumerate() {
                assert!(at == right || fits[right].aicc < fit.aicc, "{at} beats {right}");
                assert!(at == right || fits[right].bic < fit.bic, "{at} beats {right}");
            }
        }
        // A term without effect is not selected.
        let y = noise.map(|e| 20.0 * e);
        let fits = forms.map(|form| least_squares(form, &y, Weights::Relative).unwrap());
        assert!(fits[1..].iter().all(|fit| fit.aicc > fits[0].aicc && fit.bic > fits[0].bic));
    }

    #[test]
    fn invalid_input_has_no_fit() {
        let one: &[f64] = &[1.0; 3];
        let y = [1.0, 2.0, 3.0];
        let none = |columns: &[&[f64]], y: &[f64], weights| {
            assert_eq!(least_squares(columns, y, weights), None);
        };
        none(&[], &y, Weights::Equal);
        none(&[one, one], &y, Weights::Equal);
        none(&[&[1.0; 2]], &y, Weights::Equal);
        none(&[&[0.0; 3]], &y, Weights::Equal);
        none(&[&[f64::NAN; 3]], &y, Weights::Equal);
        none(&[one], &[0.0, 1.0, 2.0], Weights::Relative);
        none(&[one], &y, Weights::Given(&[1.0]));
        none(&[one], &y, Weights::Given(&[1.0, -1.0, 1.0]));
        none(&[&[1.0], &[2.0]], &[1.0], Weights::Equal);
    }

    #[test]
    fn without_freedom_the_covariance_is_infinite() {
        let fit = least_squares(&[&[1.0; 2], &[1.0, 2.0]], &[3.0, 5.0], Weights::Equal).unwrap();
        assert!((fit.coefficients[1] - 2.0).abs() < 1e-12);
        assert_eq!(fit.coefficient(1, 0.95).unwrap().high, f64::INFINITY);
        assert!(fit.aicc == f64::INFINITY);
    }
}
