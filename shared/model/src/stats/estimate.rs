//! A value with bounds, and arithmetic on such values.
//!
//! `+` on intervals adds the bounds: the worst case. Independent measurements seldom err in one
//! direction. So here, deviations are combined in quadrature on each side: below² = Σ below_i²,
//! above² = Σ above_i². below_i is the decrease of the result if only the i-th part is at its worse
//! bound.

use crate::units::Interval;

/// A measured number with its interval. Bounds are infinite if the samples cannot bound it.
pub type Estimate = Interval<f64>;

impl Interval<f64> {
    /// A value with this half-width on both sides.
    #[must_use]
    pub fn around(value: f64, half: f64) -> Self {
        Interval { value, low: value - half, high: value + half }
    }

    /// A value with unknown bounds.
    #[must_use]
    pub fn unbounded(value: f64) -> Self {
        Interval { value, low: f64::NEG_INFINITY, high: f64::INFINITY }
    }

    /// Distance of the further bound from the value.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.value - self.low).max(self.high - self.value)
    }

    /// Width of the interval relative to the value.
    #[must_use]
    pub fn relative_width(&self) -> f64 {
        let width = self.high - self.low;
        if width == 0.0 { 0.0 } else { width / self.value.abs() }
    }

    /// Whether the interval contains a number.
    #[must_use]
    pub fn contains(&self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    /// Whether both intervals overlap.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// The same bounds with another value, extended to include it.
    #[must_use]
    pub fn moved_to(self, value: f64) -> Self {
        Interval { value, low: self.low.min(value), high: self.high.max(value) }
    }

    /// The same value with the larger half-width of both.
    #[must_use]
    pub fn widened_to(self, other: &Self) -> Self {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high), ..self }
    }
}

/// The result of a formula for independent estimates. It must be monotonic in each of them.
///
/// # Example
/// ```
/// use loggia_model::stats::estimate::{Estimate, propagate};
/// // L = EEL − o_s − o_r
/// let parts = [Estimate::around(10.0, 0.3), Estimate::around(2.0, 0.4), Estimate::exact(1.0)];
/// let latency = propagate(parts, |[end_to_end, send, receive]| end_to_end - send - receive);
/// assert_eq!(latency.value, 7.0);
/// assert!((latency.high - 7.5).abs() < 1e-12);
/// ```
#[must_use]
pub fn propagate<const N: usize>(
    parts: [Estimate; N],
    formula: impl Fn([f64; N]) -> f64,
) -> Estimate {
    let values = parts.map(|part| part.value);
    let value = formula(values);
    let (mut below, mut above) = (0.0, 0.0);
    for (at, part) in parts.iter().enumerate() {
        let with = |bound| {
            let mut values = values;
            values[at] = bound;
            formula(values) - value
        };
        let (one, other) = (with(part.low), with(part.high));
        if one.is_nan() || other.is_nan() {
            return Estimate::unbounded(value);
        }
        below = libm::hypot(below, one.min(other).min(0.0));
        above = libm::hypot(above, one.max(other).max(0.0));
    }
    Estimate { value, low: value - below, high: value + above }
}

/// a + b, independent of each other.
#[must_use]
pub fn sum(a: Estimate, b: Estimate) -> Estimate {
    propagate([a, b], |[a, b]| a + b)
}

/// a − b, independent of each other.
#[must_use]
pub fn difference(a: Estimate, b: Estimate) -> Estimate {
    propagate([a, b], |[a, b]| a - b)
}

/// An estimate times a factor.
#[must_use]
pub fn scale(a: Estimate, factor: f64) -> Estimate {
    propagate([a], |[a]| a * factor)
}

/// a / b, independent of each other; unbounded if b may be zero.
#[must_use]
pub fn ratio(a: Estimate, b: Estimate) -> Estimate {
    if b.contains(0.0) {
        return Estimate::unbounded(a.value / b.value);
    }
    propagate([a, b], |[a, b]| a / b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skewed(value: f64, below: f64, above: f64) -> Estimate {
        Estimate { value, low: value - below, high: value + above }
    }

    fn assert_close(found: Estimate, expected: Estimate) {
        for (a, b) in
            [(found.value, expected.value), (found.low, expected.low), (found.high, expected.high)]
        {
            assert!((a - b).abs() < 1e-12, "{found:?} for {expected:?}");
        }
    }

    #[test]
    fn sides_are_combined_in_quadrature() {
        let (a, b) = (skewed(10.0, 3.0, 5.0), skewed(4.0, 4.0, 12.0));
        assert_close(sum(a, b), skewed(14.0, 5.0, 13.0));
        assert_close(difference(a, b), skewed(6.0, libm::hypot(3.0, 12.0), libm::hypot(5.0, 4.0)));
        assert_close(scale(a, -2.0), skewed(-20.0, 10.0, 6.0));
    }

    #[test]
    fn a_ratio_is_exact_in_each_part() {
        let divisor = skewed(4.0, 2.0, 4.0);
        assert_close(ratio(Estimate::exact(8.0), divisor), skewed(2.0, 1.0, 2.0));
        assert_close(ratio(skewed(8.0, 4.0, 4.0), Estimate::exact(4.0)), skewed(2.0, 1.0, 1.0));
        assert!(ratio(Estimate::exact(8.0), skewed(1.0, 1.5, 1.0)).high.is_infinite());
    }

    #[test]
    fn unbounded_estimates_stay_unbounded() {
        let unknown = Estimate::unbounded(3.0);
        for result in [
            sum(unknown, Estimate::exact(1.0)),
            difference(Estimate::exact(1.0), unknown),
            ratio(unknown, Estimate::around(2.0, 0.1)),
            scale(unknown, 0.0),
        ] {
            assert!(result.low.is_infinite() && result.high.is_infinite(), "{result:?}");
        }
    }

    #[test]
    fn widths_are_relative_to_the_value() {
        assert!((skewed(10.0, 1.0, 2.0).relative_width() - 0.3).abs() < 1e-12);
        assert_eq!(skewed(10.0, 1.0, 2.0).half_width(), 2.0);
        assert_eq!(Estimate::exact(0.0).relative_width(), 0.0);
        assert!(skewed(0.0, 1.0, 1.0).relative_width().is_infinite());
    }
}
