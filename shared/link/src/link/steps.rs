//! The precision of measured numbers in a link: values of curves are rounded to 0.5%, bounds are
//! rounded outwards.

use libm::{ceil, log10, pow, round};
use loggia_model::units::words::number;

/// Steps per decade of a curve's values: one is 0.9%, so rounding errors are below half of that.
const VALUES: f64 = 256.0;
/// Steps of widths in a factor of ten: one is 21%.
const WIDTHS: f64 = 12.0;
/// Width of the first step relative to the value, approximately; smaller widths count as 0.
const LEAST_WIDTH: f64 = 1e-4;
/// Further steps than that lead to no number.
const MOST: i64 = 200;

/// The lower or the upper bound.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Low,
    High,
}

/// A number as its short decimal text says it.
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

/// The least number of steps out that leaves a bound inside; none where it is too far.
pub(super) fn steps_to(value: f64, side: Side, at: f64) -> Option<i64> {
    let holds = |steps: i64| match side {
        Side::Low => bound(value, side, steps) <= at,
        Side::High => bound(value, side, steps) >= at,
    };
    let part = (at - value).abs() / value.abs() / LEAST_WIDTH;
    let about = ceil(log10(part) * WIDTHS).clamp(1.0, MOST as f64) as i64;
    // A rounded value may be a step off.
    [0, about - 1, about, about + 1].into_iter().find(|&n| n < MOST && holds(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_off_by_half_a_step_at_most() {
        for i in 0..10_000 {
            let value = 1e-5 * pow(1.0017, f64::from(i));
            let told = value_at(step_of(value));
            assert!((told / value - 1.0).abs() < 0.005, "{value} {told}");
            assert_eq!(step_of(told), step_of(value), "{value}");
        }
    }

    #[test]
    fn bounds_go_out_by_less_than_a_step_and_never_in() {
        for value in [0.000_118_7, 1.0, 9.999, -12.35, 48_123.4] {
            for part in [0.0, 1e-6, 1e-4, 0.003, 0.05, 0.9999, 1.0, 3.0] {
                for side in [Side::Low, Side::High] {
                    let out = if matches!(side, Side::Low) { -1.0 } else { 1.0 };
                    let at = value + out * part * f64::abs(value);
                    let told = bound(value, side, steps_to(value, side, at).unwrap());
                    let [asked, got] = [at, told].map(|x| (x - value) * out / f64::abs(value));
                    assert!(got >= asked - 1e-12, "{value} {part}: {told}");
                    assert!(got <= asked * 1.22 + 1.3e-4, "{value} {part}: {told}");
                }
            }
        }
        assert_eq!(bound(0.2, Side::Low, steps_to(0.2, Side::Low, 0.0).unwrap()), 0.0);
        assert_eq!(steps_to(1.0, Side::High, 1e300), None);
    }

    #[test]
    fn steps_are_found_again() {
        for value in [0.000_118_7, 0.1, 1.0, 9.999, 48_123.4] {
            for side in [Side::Low, Side::High] {
                let again = |n| steps_to(value, side, bound(value, side, n));
                assert!((0..150).all(|n| again(n) == Some(n)), "{value}");
            }
        }
    }
}
