//! Ticks of a linear time axis from 0, and its range.

use super::ticks::Tick;
use loggia_model::units::Micros;
use loggia_model::units::words;

/// A round end of an axis that shows `last`; small changes of `last` keep it.
pub(crate) fn round_up(last: Micros) -> Micros {
    const ROUND: [f64; 10] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
    const LEAST: f64 = 1e-3;
    let last = if last.0.is_finite() { last.0.max(LEAST) } else { LEAST };
    let decade = 10_f64.powf(last.log10().floor());
    let round = ROUND.into_iter().map(|digit| digit * decade).find(|end| *end >= last);
    Micros(round.unwrap_or(10.0 * decade))
}

/// Distance between labels, for a time span on a length in pixels.
pub(crate) fn step(span: Micros, pixels: f64, em: f64) -> f64 {
    let most = (pixels / (5.5 * em)).max(1.0);
    let least = span.0 / most;
    let decade = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade);
    steps.into_iter().find(|step| *step >= least).unwrap_or(steps[3])
}

/// Ticks from 0 to `end`, with no more labels than fit the length in pixels.
pub(crate) fn along(end: Micros, pixels: f64, em: f64) -> Vec<Tick> {
    let step = step(end, pixels, em);
    let count = (end.0 / step + 1e-9).floor() as u32;
    (0..=count)
        .map(|i| {
            let value = f64::from(i) * step;
            Tick { value, label: words::time(Micros(value)) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_ends_a_little_after_the_last_moment() {
        for (last, end) in [(58.1, 60.0), (60.0, 60.0), (60.1, 80.0), (0.83, 1.0), (1234.0, 1500.0)]
        {
            assert!((round_up(Micros(last)).0 - end).abs() < 1e-9, "{last}");
        }
        for last in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(round_up(Micros(last)).0 > 0.0);
        }
    }

    #[test]
    fn moments_are_round_and_fit() {
        let labels = |end, pixels| -> Vec<String> {
            along(Micros(end), pixels, 12.0).into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(
            labels(60.0, 500.0),
            ["0 µs", "10 µs", "20 µs", "30 µs", "40 µs", "50 µs", "60 µs"]
        );
        assert_eq!(labels(1500.0, 250.0), ["0 µs", "500 µs", "1 ms", "1.5 ms"]);
        assert_eq!(labels(60.0, 10.0), ["0 µs"]);
    }
}
