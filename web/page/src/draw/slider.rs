//! A parameter's slider: from 1/100 to 100 times its value, on a logarithmic scale.

use loggia_model::units::words::number;

/// Steps from the original value to either end.
const STEPS: i32 = 100;
/// Factor between the original value and either end.
const FURTHEST: f64 = 100.0;
/// If the original value is 0: the first step, and the largest value as a multiple of it.
const LEAST: f64 = 1e-3;
const SPAN: f64 = 1e6;

/// A slider around a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ParameterSlider(pub(crate) f64);

impl ParameterSlider {
    /// The number of steps.
    pub(crate) fn steps(self) -> i32 {
        2 * STEPS
    }

    /// The value at a step as text, with three digits; the original value with all digits.
    pub(crate) fn value(self, step: i32) -> String {
        let ParameterSlider(original) = self;
        if original <= 0.0 {
            let share = f64::from(step - 1) / f64::from(2 * STEPS - 1);
            return match step {
                ..=0 => "0".to_owned(),
                _ => number(LEAST * SPAN.powf(share), 3),
            };
        }
        match step - STEPS {
            0 => original.to_string(),
            away => number(original * FURTHEST.powf(f64::from(away) / f64::from(STEPS)), 3),
        }
    }

    /// The step nearest to a value.
    pub(crate) fn nearest(self, value: f64) -> i32 {
        let ParameterSlider(original) = self;
        if value <= 0.0 {
            return 0;
        }
        let step = if original <= 0.0 {
            1.0 + (value / LEAST).ln() / SPAN.ln() * f64::from(2 * STEPS - 1)
        } else {
            f64::from(STEPS) * (1.0 + (value / original).ln() / FURTHEST.ln())
        };
        (step.round() as i32).clamp(0, 2 * STEPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_is_in_the_middle_and_exact() {
        let turn = ParameterSlider(3.123_456_789);
        assert_eq!(turn.value(turn.nearest(3.123_456_789)), "3.123456789");
        assert_eq!(turn.value(0), "0.0312");
        assert_eq!(turn.value(turn.steps()), "312");
    }

    #[test]
    fn every_step_is_nearest_to_its_value() {
        for turn in [
            ParameterSlider(3.0),
            ParameterSlider(0.0),
            ParameterSlider(1e-6),
            ParameterSlider(4040.0),
        ] {
            for step in 0..=turn.steps() {
                let value: f64 = turn.value(step).parse().unwrap();
                assert!((turn.nearest(value) - step).abs() <= 1, "{turn:?} {step} {value}");
            }
        }
    }
}
