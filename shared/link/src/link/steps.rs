//! The precision of measured numbers in a link: values of curves are rounded to 0.5%, bounds are
//! rounded outwards.

use libm::{ceil, log10, pow, round};
use loggia_model::units::words::number;

/// Steps per decade of a curve's values: a step is 0.9%, so rounding errors are below 0.45%.
const VALUES: f64 = 256.0;
/// Steps per decade of widths: a step is 21%.
const WIDTHS: f64 = 12.0;
/// Width of the first step relative to the value, approximately; smaller widths count as 0.
const LEAST_WIDTH: f64 = 1e-4;
/// Maximum number of steps.
const MAX: i64 = 200;

/// The lower or the upper bound.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Low,
    High,
}

/// A number rounded to decimal digits.
pub(super) fn rounded(x: f64, digits: usize) -> f64 {
    number(x, digits).parse().unwrap_or(x)
}

/// The step of a value above zero.
pub(super) fn step_of(value: f64) -> i64 {
    round(log10(value) * VALUES) as i64
}

/// The value of a step.
pub(super) fn value_at(step: i64) -> f64 {
    rounded(pow(10.0, step as f64 / VALUES), 4)
}

/// The bound at this many steps from a value.
pub(super) fn bound(value: f64, side: Side, steps: i64) -> f64 {
    let part = if steps > 0 { LEAST_WIDTH * pow(10.0, steps as f64 / WIDTHS) } else { 0.0 };
    let width = value.abs() * part;
    let out = match side {
        Side::Low => value - width,
        Side::High => value + width,
    };
    rounded(out, 6)
}

/// The minimum number of steps that include a bound; `None` if it is too far.
pub(super) fn steps_to(value: f64, side: Side, at: f64) -> Option<i64> {
    let includes = |steps: i64| match side {
        Side::Low => bound(value, side, steps) <= at,
        Side::High => bound(value, side, steps) >= at,
    };
    let part = (at - value).abs() / value.abs() / LEAST_WIDTH;
    let estimate = ceil(log10(part) * WIDTHS).clamp(1.0, MAX as f64) as i64;
    // Rounding may shift the result by one step.
    [0, estimate - 1, estimate, estimate + 1].into_iter().find(|&n| n < MAX && includes(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_errors_are_at_most_half_a_step() {
        for i in 0..10_000 {
            let value = 1e-5 * pow(1.0017, f64::from(i));
            let rounded_value = value_at(step_of(value));
            assert!((rounded_value / value - 1.0).abs() < 0.005, "{value} {rounded_value}");
            assert_eq!(step_of(rounded_value), step_of(value), "{value}");
        }
    }

    #[test]
    fn bounds_are_rounded_outwards_by_less_than_a_step() {
        for value in [0.000_118_7, 1.0, 9.999, -12.35, 48_123.4] {
            for part in [0.0, 1e-6, 1e-4, 0.003, 0.05, 0.9999, 1.0, 3.0] {
                for side in [Side::Low, Side::High] {
                    let out = if matches!(side, Side::Low) { -1.0 } else { 1.0 };
                    let at = value + out * part * f64::abs(value);
                    let rounded_value = bound(value, side, steps_to(value, side, at).unwrap());
                    let [exact, stepped] =
                        [at, rounded_value].map(|x| (x - value) * out / f64::abs(value));
                    assert!(stepped >= exact - 1e-12, "{value} {part}: {rounded_value}");
                    assert!(stepped <= exact * 1.22 + 1.3e-4, "{value} {part}: {rounded_value}");
                }
            }
        }
        assert_eq!(bound(0.2, Side::Low, steps_to(0.2, Side::Low, 0.0).unwrap()), 0.0);
        assert_eq!(steps_to(1.0, Side::High, 1e300), None);
    }

    #[test]
    fn steps_are_reproduced() {
        for value in [0.000_118_7, 0.1, 1.0, 9.999, 48_123.4] {
            for side in [Side::Low, Side::High] {
                let again = |n| steps_to(value, side, bound(value, side, n));
                assert!((0..150).all(|n| again(n) == Some(n)), "{value}");
            }
        }
    }
}
