//! Quantiles of the distributions behind confidence intervals.

use std::f64::consts::{PI, SQRT_2};

/// From this freedom on, Student's t equals the normal distribution to seven digits.
const GAUSSIAN_FREEDOM: f64 = 1e7;

/// Largest n with ranks from the exact binomial distribution.
const MAX_EXACT: usize = 200;

/// Largest n with enumerated sums of ranks.
const MAX_SIGNED: usize = 25;

/// The p-quantile of the standard normal distribution.
///
/// # Example
/// ```
/// let z = loggia_model::stats::distribution::normal_quantile(0.975);
/// assert!((z - 1.959964).abs() < 1e-6);
/// ```
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    let tail = |x: f64| libm::erfc(x / SQRT_2) / 2.0;
    let density = |x: f64| libm::exp(-x * x / 2.0) / libm::sqrt(2.0 * PI);
    quantile(p, tail, density)
}

/// The p-quantile of Student's t distribution with this number of degrees of freedom; infinite for
/// 0 degrees.
///
/// # Example
/// ```
/// let t = loggia_model::stats::distribution::student_t_quantile(0.975, 4.0);
/// assert!((t - 2.776445).abs() < 1e-6);
/// ```
#[must_use]
pub fn student_t_quantile(p: f64, freedom: f64) -> f64 {
    if freedom >= GAUSSIAN_FREEDOM {
        return normal_quantile(p);
    }
    if freedom <= 0.0 {
        return f64::INFINITY * (p - 0.5);
    }
    // P(T > t) = I(ν/(ν+t²); ν/2, 1/2)/2
    let tail = |t: f64| incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5) / 2.0;
    let scale = libm::exp(libm::lgamma((freedom + 1.0) / 2.0) - libm::lgamma(freedom / 2.0))
        / libm::sqrt(freedom * PI);
    let density = |t: f64| scale * libm::exp(-(freedom + 1.0) / 2.0 * libm::log1p(t * t / freedom));
    quantile(p, tail, density)
}

/// The factor of a standard error for an interval of this confidence.
pub fn two_sided(confidence: f64, freedom: f64) -> f64 {
    student_t_quantile((1.0 + confidence) / 2.0, freedom)
}

/// Quantile of a distribution that is symmetric around 0 and decreasing from 0, by Newton's method.
/// From 0 it never overshoots, since the upper half is concave.
fn quantile(p: f64, tail: impl Fn(f64) -> f64, density: impl Fn(f64) -> f64) -> f64 {
    if p.is_nan() {
        return p;
    }
    if p <= 0.0 || p >= 1.0 {
        return f64::INFINITY * (p - 0.5);
    }
    let beyond = p.min(1.0 - p);
    let mut x = 0.0;
    for _ in 0..200 {
        let step = (tail(x) - beyond) / density(x);
        x += step;
        if step <= x * 1e-14 {
            break;
        }
    }
    if p < 0.5 { -x } else { x }
}

/// The regularised incomplete beta function I(x; a, b), by its continued fraction (Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - beta) / a;
    let away_from_zero = |y: f64| if y.abs() < 1e-300 { 1e-300 } else { y };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..500 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// The ranks, from 1, of the two samples that enclose the true quantile with at least this
/// confidence. They are 0 and n + 1 if n samples cannot bound this side.
///
/// # Formula
/// l is the largest rank with P(B < l) ≤ α/2, u the smallest with P(B ≥ u) ≤ α/2, where
/// B ~ Binomial(n, q) counts the samples below the quantile. For large n, Hoefler & Belli's
/// ⌊nq − z√(nq(1−q))⌋ and ⌈1 + nq + z√(nq(1−q))⌉.
///
/// # Example
/// ```
/// use loggia_model::stats::distribution::rank_bounds;
/// assert_eq!(rank_bounds(5, 0.5, 0.95), (0, 6));
/// assert_eq!(rank_bounds(6, 0.5, 0.95), (1, 6));
/// ```
#[must_use]
pub fn rank_bounds(n: usize, q: f64, confidence: f64) -> (usize, usize) {
    let outside = (1.0 - confidence) / 2.0;
    (lower_rank(n, q, outside), n + 1 - lower_rank(n, 1.0 - q, outside))
}

fn lower_rank(n: usize, q: f64, outside: f64) -> usize {
    let count = n as f64;
    if n > MAX_EXACT {
        let spread = libm::sqrt(count * q * (1.0 - q));
        return (count * q - normal_quantile(1.0 - outside) * spread).max(0.0) as usize;
    }
    let odds = libm::log(q) - libm::log1p(-q);
    let mut logarithm = count * libm::log1p(-q);
    let mut below = 0.0;
    for k in 0..n {
        below += libm::exp(logarithm);
        if below > outside {
            return k;
        }
        logarithm += odds + libm::log((n - k) as f64 / (k + 1) as f64);
    }
    n
}

/// For Wilcoxon's signed-rank interval of the centre: the number of pairwise means (Walsh averages)
/// outside the interval, at each end. None if n is too small for this confidence.
///
/// # Example
/// ```
/// use loggia_model::stats::distribution::signed_rank;
/// assert_eq!(signed_rank(5, 0.95), None);
/// assert_eq!(signed_rank(6, 0.95), Some(0));
/// assert_eq!(signed_rank(10, 0.95), Some(8));
/// ```
#[must_use]
pub fn signed_rank(n: usize, confidence: f64) -> Option<usize> {
    let outside = (1.0 - confidence) / 2.0;
    let count = n as f64;
    if n > MAX_SIGNED {
        let mean = count * (count + 1.0) / 4.0;
        let spread = libm::sqrt(mean * (2.0 * count + 1.0) / 6.0);
        // Continuity correction of ½, as the sum is an integer.
        return Some((mean - normal_quantile(1.0 - outside) * spread - 0.5).max(0.0) as usize);
    }
    // Number of the 2ⁿ subsets of the ranks 1 … n with a sum.
    let mut counts = vec![1.0];
    for rank in 1..=n {
        let previous = counts.clone();
        counts.resize(previous.len() + rank, 0.0);
        for (sum, count) in previous.into_iter().enumerate() {
            counts[sum + rank] += count;
        }
    }
    let all: f64 = counts.iter().sum();
    let mut below = 0.0;
    let inside = counts.iter().position(|count| {
        below += count / all;
        below > outside
    });
    inside?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_is_as_in_scipy() {
        // scipy 1.x, stats.t.ppf
        for (freedom, p, t) in [
            (1.0, 0.75, 1.0),
            (1.0, 0.975, 12.706_204_736_174_694),
            (1.0, 0.9995, 636.619_248_768_789_7),
            (2.0, 0.975, 4.302_652_729_749_462),
            (3.0, 0.995, 5.840_909_309_733_355),
            (4.0, 0.975, 2.776_445_105_197_793_4),
            (5.0, 0.95, 2.015_048_373_333_023_3),
            (9.0, 0.9995, 4.780_912_585_931_217),
            (10.0, 0.975, 2.228_138_851_986_274),
            (30.0, 0.995, 2.749_995_653_567_225_4),
            (100.0, 0.975, 1.983_971_518_523_551_8),
            (1000.0, 0.9995, 3.300_282_648_423_944),
        ] {
            let found = student_t_quantile(p, freedom);
            assert!((found - t).abs() < 1e-9 * t, "{found} for {t}, {freedom} at {p}");
            assert!((student_t_quantile(1.0 - p, freedom) + t).abs() < 1e-7 * t);
        }
        assert_eq!(student_t_quantile(0.975, 0.0), f64::INFINITY);
    }

    #[test]
    fn gauss_is_as_in_scipy() {
        // scipy 1.x, stats.norm.ppf
        for (p, z) in [
            (0.5, 0.0),
            (0.6, 0.253_347_103_135_799_7),
            (0.9, 1.281_551_565_544_600_4),
            (0.975, 1.959_963_984_540_054),
            (0.9999, 3.719_016_485_455_709),
            (0.999_999, 4.753_424_308_817_087),
        ] {
            assert!((normal_quantile(p) - z).abs() < 1e-10, "{z}");
            assert!((normal_quantile(1.0 - p) + z).abs() < 1e-9, "-{z}");
        }
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert!((student_t_quantile(0.975, 1e6) - normal_quantile(0.975)).abs() < 1e-5);
    }

    #[test]
    fn ranks_are_as_in_scipy() {
        // scipy 1.x, stats.binom.cdf
        for (n, low, high) in [(10, 2, 9), (20, 6, 15), (30, 10, 21), (40, 14, 27), (50, 18, 33)] {
            assert_eq!(rank_bounds(n, 0.5, 0.95), (low, high), "{n}");
        }
        // ½^9 per side is too large for 99.9%, ½^11 is not.
        assert_eq!(rank_bounds(9, 0.5, 0.999), (0, 10));
        assert_eq!(rank_bounds(11, 0.5, 0.999), (1, 11));
    }

    #[test]
    fn signed_ranks_are_as_in_the_table() {
        // Wilcoxon's T at 5%, two-sided.
        for (n, t) in [(6, 0), (7, 2), (8, 3), (9, 5), (12, 13), (15, 25), (20, 52), (25, 89)] {
            assert_eq!(signed_rank(n, 0.95), Some(t), "{n}");
        }
        // Beyond enumeration: 30 → 137, 40 → 264, 50 → 434.
        for (n, t) in [(30, 137_usize), (40, 264), (50, 434)] {
            assert!(signed_rank(n, 0.95).unwrap().abs_diff(t) <= 1, "{n}");
        }
    }

    #[test]
    fn the_approximation_continues_the_exact_ranks() {
        for q in [0.1, 0.5, 0.9] {
            let exact = rank_bounds(MAX_EXACT, q, 0.95);
            let normal = rank_bounds(MAX_EXACT + 1, q, 0.95);
            assert!(exact.0.abs_diff(normal.0) <= 1 && exact.1.abs_diff(normal.1) <= 2);
        }
    }

    #[test]
    fn a_high_quantile_of_few_samples_has_no_upper_bound() {
        assert_eq!(rank_bounds(50, 0.99, 0.95).1, 51);
        assert!(rank_bounds(50, 0.99, 0.95).0 > 40);
    }
}
