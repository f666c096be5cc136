//! Values of the slider of a number in a sketch, and their text.

use crate::draw::steps::eight_an_octave;
use loggia_model::units::Bytes;
use loggia_model::units::words::{number, size};
use loggia_plan::expression::Kind;

/// The kind of a slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberSlider {
    /// Times: 10 ps to 1000 s.
    Time,
    /// Sizes: 1 B to 1 GiB.
    Size,
    /// Whole numbers: 1 to a million.
    Whole,
    /// Any other number: 0.001 to a million.
    Factor,
}

/// Values per decade, with two digits each.
const A_DECADE: u32 = 24;
/// Decades of µs, and of other numbers.
const TIMES: (i32, i32) = (-5, 9);
const FACTORS: (i32, i32) = (-3, 6);
/// Octaves of sizes, and of whole numbers.
const SIZES: u32 = 30;
const WHOLES: u32 = 20;

impl NumberSlider {
    /// The slider for a quantity.
    pub(crate) fn of(kind: Kind, is_whole: bool) -> Self {
        match kind {
            Kind::Time => NumberSlider::Time,
            Kind::Size => NumberSlider::Size,
            Kind::Number if is_whole => NumberSlider::Whole,
            Kind::Number => NumberSlider::Factor,
        }
    }

    /// Number of steps.
    pub(crate) fn steps(self) -> u32 {
        let decades = |(low, high): (i32, i32)| (high - low) as u32 * A_DECADE;
        match self {
            NumberSlider::Time => decades(TIMES),
            NumberSlider::Factor => decades(FACTORS),
            // Values 1 to 7, then eight per octave.
            NumberSlider::Size => 7 + (SIZES - 3) * 8,
            NumberSlider::Whole => 7 + (WHOLES - 3) * 8,
        }
    }

    /// The value at a step, in µs, bytes, or without unit.
    pub(crate) fn value(self, step: u32) -> f64 {
        match self {
            NumberSlider::Time => decade(step, TIMES.0),
            NumberSlider::Factor => decade(step, FACTORS.0),
            NumberSlider::Size | NumberSlider::Whole => eight_an_octave(step) as f64,
        }
    }

    /// The step with the nearest value.
    pub(crate) fn nearest(self, value: f64) -> u32 {
        let (mut low, mut high) = (0, self.steps());
        while high - low > 1 {
            let middle = (low + high) / 2;
            match self.value(middle) <= value {
                true => low = middle,
                false => high = middle,
            }
        }
        let nearer = self.value(high) - value <= value - self.value(low);
        if nearer { high } else { low }
    }

    /// The text of a value; without a unit if there was none before.
    pub(crate) fn written(self, value: f64, has_unit: bool) -> String {
        match (self, has_unit) {
            (NumberSlider::Time, true) => time(value),
            (NumberSlider::Size, true) => size(Bytes(value as u64)).replace(' ', ""),
            (NumberSlider::Size | NumberSlider::Whole, _) => format!("{value:.0}"),
            _ => number(value, 3),
        }
    }
}

/// 10, 11, 12, 13, 15, 16 … 91, in the decade of the step.
fn decade(step: u32, first: i32) -> f64 {
    let part = f64::from(step % A_DECADE) / f64::from(A_DECADE);
    let digits = (10.0 * 10_f64.powf(part)).round();
    let power = first + (step / A_DECADE) as i32 - 1;
    // Division by a whole power of ten rounds once.
    if power < 0 { digits / 10_f64.powi(-power) } else { digits * 10_f64.powi(power) }
}

/// A time with a fitting unit, as it is typed: `2ns`, `1.5us`.
fn time(us: f64) -> String {
    let (scaled, unit) = match us {
        us if us < 1e-3 => (us * 1e6, "ps"),
        us if us < 1.0 => (us * 1e3, "ns"),
        us if us < 1e3 => (us, "us"),
        us if us < 1e6 => (us / 1e3, "ms"),
        us => (us / 1e6, "s"),
    };
    format!("{}{unit}", number(scaled, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::units::Micros;

    const ALL: [NumberSlider; 4] =
        [NumberSlider::Time, NumberSlider::Size, NumberSlider::Whole, NumberSlider::Factor];

    #[test]
    fn values_rise_and_each_is_nearest_to_itself() {
        for slide in ALL {
            let values: Vec<f64> = (0..=slide.steps()).map(|step| slide.value(step)).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{slide:?} {values:?}");
            for (step, value) in (0..).zip(&values) {
                assert_eq!(slide.nearest(*value), step, "{slide:?}");
            }
        }
        let ends = ALL.map(|slide| (slide.value(0), slide.value(slide.steps())));
        assert_eq!(ends, [(1e-5, 1e9), (1.0, (1 << 30) as f64), (1.0, 1_048_576.0), (1e-3, 1e6)]);
        assert_eq!(NumberSlider::Whole.nearest(0.0), 0);
        assert_eq!(NumberSlider::Time.nearest(1e12), NumberSlider::Time.steps());
    }

    #[test]
    fn written_values_parse_as_the_slider_s_value() {
        for step in 0..=NumberSlider::Time.steps() {
            let value = NumberSlider::Time.value(step);
            let read: Micros = NumberSlider::Time.written(value, true).parse().unwrap();
            assert!((read.0 / value - 1.0).abs() < 1e-9, "{value} {read:?}");
        }
        let time = |us| NumberSlider::Time.written(us, true);
        assert_eq!([0.002, 1.5, 50.0, 2.4e6].map(time), ["2ns", "1.5us", "50us", "2.4s"]);
        assert_eq!(NumberSlider::Time.written(500.0, false), "500");
        assert_eq!(NumberSlider::Size.written(65536.0, true), "64KiB");
        assert_eq!(NumberSlider::Size.written(8.0, false), "8");
        assert_eq!(NumberSlider::Factor.written(0.011, false), "0.011");
    }
}
