//! Ticks: powers of two for sizes, decades for times, bandwidths and counts.

use super::figure::Unit;
use super::scale::Log;
use super::steps::Axis;
use super::words::value_in;

/// A value at an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// Powers of the axis's base, with no more labels than fit the length in ems of the type.
pub(crate) fn along(axis: Axis, scale: Log, ems: f64) -> Vec<Tick> {
    const ROOM_FOR_ONE: f64 = 4.2;
    let base = axis.base();
    let power = |value: f64| value.ln() / (base as f64).ln();
    let (first, last) = (snap(power(scale.low)).ceil() as u32, snap(power(scale.high)) as u32);
    let fits = |every: &u32| f64::from((last - first) / every) * ROOM_FOR_ONE <= ems;
    let every = [1, 2, 4, 8].into_iter().find(fits).unwrap_or(16);
    let shown = (first..=last).filter(|power| power % every == 0);
    let tick = |power: u32| {
        let value = base.saturating_pow(power);
        Tick { value: value as f64, label: axis.words(value) }
    };
    shown.map(tick).collect()
}

/// Rounds a value that is nearly a whole number.
fn snap(power: f64) -> f64 {
    if (power - power.round()).abs() < 1e-9 { power.round() } else { power }
}

/// Ticks of a vertical axis.
pub(crate) fn up(unit: Unit, scale: Log, pixels: f64) -> Vec<Tick> {
    match unit {
        Unit::Time | Unit::Rate => decades(scale, pixels, |value| value_in(unit, value)),
        Unit::Ratio => ratios(scale, pixels),
        Unit::Share => shares(scale, pixels),
    }
}

/// Evenly spaced shares, as many as fit.
fn shares(scale: Log, pixels: f64) -> Vec<Tick> {
    const ROOM_FOR_ONE: f64 = 26.0;
    let room = |every: &u32| scale.share(f64::from(*every) / 100.0) * pixels >= ROOM_FOR_ONE;
    let every = [5, 10, 20, 25, 50].into_iter().find(room).unwrap_or(100);
    let shown = (0..).step_by(every as usize).map(|percent: u32| f64::from(percent) / 100.0);
    let shown = shown.take_while(|value| *value <= scale.high + 1e-9);
    shown.map(|value| Tick { value, label: format!("{:.0}%", value * 100.0) }).collect()
}

/// Ratios above and below 1, as many as fit.
fn ratios(scale: Log, pixels: f64) -> Vec<Tick> {
    const ROOM_FOR_ONE: f64 = 16.0;
    const PERCENT: [i32; 15] = [0, 50, -50, 20, -20, 10, -10, 5, -5, 2, -2, 1, -1, 100, 200];
    let place = |value: f64| scale.share(value) * pixels;
    let mut ticks: Vec<Tick> = Vec::new();
    for percent in PERCENT {
        let value = 1.0 + f64::from(percent) / 100.0;
        let is_seen = (scale.low..=scale.high).contains(&value);
        let near = |tick: &Tick| (place(tick.value) - place(value)).abs() < ROOM_FOR_ONE;
        if is_seen && !ticks.iter().any(near) {
            ticks.push(Tick { value, label: value_in(Unit::Ratio, value) });
        }
    }
    ticks
}

/// Decades; if there are few of them, also 2 and 5 between.
fn decades(scale: Log, pixels: f64, words: impl Fn(f64) -> String) -> Vec<Tick> {
    const ROOM_FOR_ONE: f64 = 26.0;
    let decades = (scale.high / scale.low).log10();
    let between: &[f64] = if decades < 2.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = ((decades * ROOM_FOR_ONE / pixels).ceil() as i32).max(1);
    let (first, last) = (scale.low.log10().floor() as i32, scale.high.log10().ceil() as i32);
    (first..=last)
        .filter(|decade| decade % every == 0)
        .flat_map(|decade| between.iter().map(move |digit| digit * 10_f64.powi(decade)))
        .filter(|value| (scale.low..=scale.high).contains(value))
        .map(|value| Tick { value, label: words(value) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn sizes_are_powers_of_two() {
        let sizes = Log { low: 1.0, high: 16_777_216.0 };
        let wide = along(Axis::Bytes, sizes, 42.0);
        assert_eq!(labels(&wide), ["1 B", "16 B", "256 B", "4 KiB", "64 KiB", "1 MiB", "16 MiB"]);
        assert_eq!(labels(&along(Axis::Bytes, sizes, 17.0)), ["1 B", "256 B", "64 KiB", "16 MiB"]);
    }

    #[test]
    fn processes_too() {
        let procs = along(Axis::Procs, Log { low: 2.0, high: 1024.0 }, 25.0);
        assert_eq!(labels(&procs), ["4", "16", "64", "256", "1024"]);
    }

    #[test]
    fn computation_is_in_decades() {
        let ticks = along(Axis::Compute, Log { low: 10.0, high: 1e8 }, 37.5);
        assert_eq!(labels(&ticks)[..3], ["10 ns", "100 ns", "1 µs"]);
        assert_eq!(ticks.len(), 8);
    }

    #[test]
    fn times_are_decades_with_their_unit() {
        let ticks = up(Unit::Time, Log { low: 0.5, high: 2e6 }, 300.0);
        let expected = ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"];
        assert_eq!(labels(&ticks), expected);
        assert_eq!(labels(&up(Unit::Time, Log { low: 0.5, high: 2e6 }, 100.0)).len(), 4);
    }

    #[test]
    fn bandwidths_are_decades_too() {
        let ticks = up(Unit::Rate, Log { low: 0.5, high: 2e4 }, 300.0);
        assert_eq!(labels(&ticks), ["1 MB/s", "10 MB/s", "100 MB/s", "1 GB/s", "10 GB/s"]);
    }

    #[test]
    fn residuals_are_round_and_apart() {
        let near = up(Unit::Ratio, Log { low: 0.96, high: 1.04 }, 100.0);
        assert_eq!(labels(&near), ["0%", "+2%", "−2%"]);
        let far = up(Unit::Ratio, Log { low: 0.3, high: 3.0 }, 100.0);
        assert_eq!(labels(&far)[..3], ["0%", "+50%", "−50%"]);
    }

    #[test]
    fn shares_are_even() {
        let all = Log { low: 0.0, high: 1.0 };
        let few = up(Unit::Share, all, 130.0);
        assert_eq!(labels(&few), ["0%", "20%", "40%", "60%", "80%", "100%"]);
        assert_eq!(up(Unit::Share, all, 300.0).len(), 11);
    }

    #[test]
    fn a_short_axis_has_more_than_one_time() {
        let ticks = up(Unit::Time, Log { low: 0.9, high: 11.0 }, 300.0);
        assert_eq!(labels(&ticks), ["1 µs", "2 µs", "5 µs", "10 µs"]);
    }
}
