//! Compact signatures for links. Typed and published values stay exact. Measured values keep at
//! least four digits; curves have fewer points; bounds are rounded to steps of a fifth of their
//! distance; raw samples are left out. Omitted parts are listed.

use super::steps::{Side, bound, rounded, step_of, steps_to, value_at};
use loggia_model::Signature;
use loggia_model::signature::{Curve, FormTerm, Parameter, Point, Quality};
use loggia_model::stats::quality::without_widths;
use loggia_model::units::words::counted;
use loggia_model::units::{Bytes, Magnitude, Micros};

/// Maximum relative error of a thinned curve …
const CURVE_ERROR: f64 = 0.01;
/// … or maximum error relative to the half-width of its interval.
const INTERVAL_ERROR: f64 = 0.25;
/// Minimum number of digits: an error of at most 0.05%.
const DIGITS: i32 = 4;

/// The compact signature, and a list of the omitted parts.
pub(super) fn compacted(signature: &Signature) -> (Signature, Vec<String>) {
    let mut compact = signature.clone();
    let mut omitted = Vec::new();
    let samples: usize = compact.samples.iter().map(|s| s.times.len()).sum();
    if samples > 0 {
        omitted.push(counted(samples, "sample"));
        compact.samples.clear();
    }
    if compact.collection.take().is_some() {
        omitted.push("the record of the measurement".to_owned());
    }
    let mut points = 0;
    for tier in compact.tiers_before_and_now().flatten() {
        round(tier.latency.as_mut());
        round(tier.gap.as_mut());
        round(tier.gap_per_byte.as_mut());
        round(tier.node_gap_per_byte.as_mut());
        round(tier.end_to_end_latency.as_mut());
        for point in &mut tier.gap_by_depth {
            round(Some(&mut point.gap));
        }
        let tier_limit = tier.progress.as_ref().and_then(|progress| limit(&progress.eager_limit));
        points += thin(tier.gap_by_size.as_mut(), tier_limit);
        for style in &mut tier.styles {
            let style_limit = limit(&style.eager_limit).or(tier_limit);
            points += thin(style.send_overhead.as_mut(), style_limit);
            points += thin(style.recv_overhead.as_mut(), style_limit);
            round(style.startup.as_mut());
            round(style.per_byte.as_mut());
        }
        if let Some(progress) = &mut tier.progress {
            round(progress.control_overhead.as_mut());
            points += thin(progress.initiation.as_mut(), tier_limit);
            points += thin(progress.copy.as_mut(), tier_limit);
        }
    }
    for form in compact.collectives.iter_mut().filter(|form| is_measured(form.quality)) {
        let forms =
            [Some(&mut form.startup), form.per_byte.as_mut(), form.compute_per_byte.as_mut()];
        forms.into_iter().flatten().flat_map(|form| &mut form.terms).for_each(round_term);
    }
    if points > 0 {
        omitted.push(format!(
            "{}, interpolated within 1% or a quarter of the interval",
            counted(points, "curve point")
        ));
    }
    (compact, omitted)
}

fn is_measured(quality: Quality) -> bool {
    matches!(quality, Quality::Good | Quality::Uncertain)
}

/// Number of digits: four, or more if the bounds are close.
fn digits(value: f64, width: f64) -> usize {
    let places = |x: f64| libm::floor(libm::log10(x)) as i32;
    let needed = if value == 0.0 || width <= 0.0 { 0 } else { places(value) + 2 - places(width) };
    needed.clamp(DIGITS, f64::DIGITS as i32) as usize
}

/// A value rounded to this many digits, with bounds that include the original ones.
fn bounded([value, low, high]: [f64; 3], round_value: impl Fn(f64) -> f64) -> [f64; 3] {
    let value = round_value(value);
    let outward = |side, at| {
        let steps = if value == 0.0 { None } else { steps_to(value, side, at) };
        steps.map_or(rounded(at, DIGITS as usize), |steps| bound(value, side, steps))
    };
    [value, outward(Side::Low, low), outward(Side::High, high)]
}

fn to_digits(all: [f64; 3]) -> [f64; 3] {
    // An already compact value stays as it is.
    if bounded(all, |value| value) == all {
        return all;
    }
    let digits = digits(all[0].abs(), all[2] - all[1]);
    bounded(all, |value| rounded(value, digits))
}

fn round<U: Magnitude>(parameter: Option<&mut Parameter<U>>) {
    let Some(parameter) = parameter.filter(|p| is_measured(p.quality)) else { return };
    parameter.source = without_widths(&parameter.source);
    let Some(interval) = parameter.interval() else { return };
    let rounded_values = to_digits([interval.value, interval.low, interval.high].map(U::magnitude));
    let numbers = [&mut parameter.value, &mut parameter.low, &mut parameter.high];
    for (number, rounded_value) in numbers.into_iter().zip(rounded_values) {
        *number = number.map(|_| U::from_magnitude(rounded_value));
    }
}

fn round_term(term: &mut FormTerm) {
    let rounded_values =
        to_digits([term.value, term.low.unwrap_or(term.value), term.high.unwrap_or(term.value)]);
    let numbers = [Some(&mut term.value), term.low.as_mut(), term.high.as_mut()];
    for (number, rounded_value) in numbers.into_iter().zip(rounded_values) {
        number.into_iter().for_each(|x| *x = rounded_value);
    }
}

/// S, if known.
fn limit(parameter: &Option<Parameter<Bytes>>) -> Option<Bytes> {
    parameter.as_ref()?.value
}

/// Rounds values to steps, and leaves out points that linear interpolation gives within the allowed
/// error, except the two points next to S, since there is no interpolation across S. Returns the
/// number of omitted points.
fn thin(curve: Option<&mut Curve>, limit: Option<Bytes>) -> usize {
    let Some(curve) = curve.filter(|c| is_measured(c.quality)) else { return 0 };
    curve.source = without_widths(&curve.source);
    let rounded_values: Vec<Point> = curve.points.iter().map(in_steps).collect();
    // An already compact curve stays as it is, so that repeated sharing does not change it.
    if rounded_values == curve.points {
        return 0;
    }
    let before = curve.points.len();
    let mut kept = vec![false; before];
    let above = limit.map_or(0, |limit| curve.points.partition_point(|point| point.bytes <= limit));
    let fixed_points = [Some(0), above.checked_sub(1), Some(above), before.checked_sub(1)];
    let mut fixed_points: Vec<usize> =
        fixed_points.into_iter().flatten().filter(|end| *end < before).collect();
    fixed_points.sort_unstable();
    fixed_points.iter().for_each(|end| kept[*end] = true);
    for pair in fixed_points.windows(2) {
        keep_corners(&curve.points, &rounded_values, (pair[0], pair[1]), &mut kept);
    }
    curve.points = rounded_values
        .into_iter()
        .zip(kept)
        .filter_map(|(point, kept)| kept.then_some(point))
        .collect();
    before - curve.points.len()
}

pub(super) fn in_steps(point: &Point) -> Point {
    let all = [Some(point.value), point.low, point.high].map(|x| x.unwrap_or(point.value).0);
    let [value, low, high] =
        bounded(all, |value| if value > 0.0 { value_at(step_of(value)) } else { value });
    Point {
        bytes: point.bytes,
        value: Micros(value),
        low: point.low.map(|_| Micros(low)),
        high: point.high.map(|_| Micros(high)),
    }
}

/// Allowed error of interpolation at a point.
pub(super) fn allowed(point: &Point) -> f64 {
    let width = point.high.unwrap_or(point.value) - point.low.unwrap_or(point.value);
    (point.value.0 * CURVE_ERROR).max(width.0 / 2.0 * INTERVAL_ERROR)
}

/// Keeps the point with the largest error between two kept points, recursively, until all errors
/// are allowed.
fn keep_corners(
    points: &[Point],
    rounded_values: &[Point],
    fixed_points: (usize, usize),
    kept: &mut [bool],
) {
    let mut intervals = vec![fixed_points];
    while let Some((from, to)) = intervals.pop() {
        let (a, b) = (rounded_values[from], rounded_values[to]);
        let relative_error = |point: &Point| {
            let share = (point.bytes.0 - a.bytes.0) as f64 / (b.bytes.0 - a.bytes.0) as f64;
            let error = (a.value + (b.value - a.value) * share - point.value).0.abs();
            if error == 0.0 { 0.0 } else { error / allowed(point) }
        };
        let worst = (from + 1..to)
            .max_by(|&i, &j| relative_error(&points[i]).total_cmp(&relative_error(&points[j])));
        if let Some(worst) = worst.filter(|&i| relative_error(&points[i]) > 1.0) {
            kept[worst] = true;
            intervals.extend([(from, worst), (worst, to)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::Route;
    use loggia_model::units::Micros;

    fn measured_curve() -> Curve {
        let point = |i: u32| {
            let bytes = 1u64 << i;
            let value = 1.234_567_8 + 0.000_312_345_6 * bytes as f64;
            Point {
                bytes: Bytes(bytes),
                value: Micros(value),
                low: Some(Micros(value * 0.98)),
                high: Some(Micros(value * 1.02)),
            }
        };
        Curve {
            points: (0..24).map(point).collect(),
            fixed: None,
            quality: Quality::Good,
            ..Curve::assumed(Micros(0.0))
        }
    }

    #[test]
    fn published_numbers_stay_exact() {
        for name in library::names() {
            let signature = library::load(name).unwrap();
            let (mut compact, omitted) = compacted(&signature);
            assert_eq!(omitted.is_empty(), signature.samples.is_empty(), "{name}");
            compact.samples = signature.samples.clone();
            assert_eq!(compact, signature);
        }
    }

    /// The tiers before a change are rounded as the others, so the unchanged parameters stay equal.
    #[test]
    fn a_changed_machine_keeps_its_scaled_times() {
        let mut alps = library::load("alps").unwrap();
        let startup = alps.tiers[0].styles[0].startup.as_mut().unwrap();
        startup.value = startup.value.map(|time| Micros(time.0 * 1.000_012_3));
        alps.set("L", "10us").unwrap();
        let (compact, _) = compacted(&alps);
        assert_ne!(compact.tiers, alps.tiers);
        let time = |of: &Signature| {
            let route = Route::of(of, None, None).unwrap();
            route.measured(Bytes(65536)).unwrap().time.value.0
        };
        assert!((time(&compact) / time(&alps) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_measured_curve_is_thinned_within_one_percent() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let full = measured_curve();
        t3d.tiers[0].styles[0].send_overhead = Some(full.clone());
        let (compact, omitted) = compacted(&t3d);
        compact.validate().unwrap();
        let thin = compact.tiers[0].styles[0].send_overhead.as_ref().unwrap();
        assert!(thin.points.len() < full.points.len() / 2, "{}", thin.points.len());
        assert!(omitted.iter().any(|o| o.contains("curve points")), "{omitted:?}");
        for point in &full.points {
            let time = thin.at(point.bytes).unwrap().time.value.0;
            assert!((time / point.value.0 - 1.0).abs() <= CURVE_ERROR, "{point:?} {time}");
        }
    }

    /// The two points next to S stay, since there is no interpolation across S.
    #[test]
    fn points_next_to_the_eager_limit_stay() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let limit = Bytes(8192);
        t3d.tiers[0].progress.get_or_insert_default().eager_limit =
            Some(Parameter { value: Some(limit), ..Parameter::assumed(limit) });
        t3d.tiers[0].styles[0].send_overhead = Some(measured_curve());
        let (compact, _) = compacted(&t3d);
        let thin = &compact.tiers[0].styles[0].send_overhead.as_ref().unwrap().points;
        for bytes in [8192, 16_384] {
            assert!(thin.iter().any(|point| point.bytes == Bytes(bytes)), "{bytes}: {thin:?}");
        }
    }

    #[test]
    fn measured_forms_keep_four_digits() {
        let mut t3d = library::load("cray-t3d").unwrap();
        for form in &mut t3d.collectives {
            form.quality = Quality::Good;
            form.startup.terms[0].value = -12.345_678_9;
        }
        let (compact, _) = compacted(&t3d);
        assert_eq!(compact.collectives[0].startup.terms[0].value, -12.35);
        assert_eq!(compact.collectives[0].startup.terms[1].value, 3.0);
    }

    #[test]
    fn a_measured_value_keeps_its_interval_and_precision() {
        let mut t3d = library::load("cray-t3d").unwrap();
        for (value, half_width) in [
            (4.141_592_653_6, 0.1),
            (4.141_592_653_6, 1e-6),
            (12_345.678_9, 40.0),
            (0.000_123_456, 1e-6),
        ] {
            t3d.tiers[0].latency = Some(Parameter {
                value: Some(Micros(value)),
                low: Some(Micros(value - half_width)),
                high: Some(Micros(value + half_width)),
                quality: Quality::Good,
                source: "measured".to_owned(),
            });
            let (compact, _) = compacted(&t3d);
            compact.validate().unwrap();
            let rounded = compact.tiers[0].latency.as_ref().unwrap().value.unwrap().0;
            assert!((rounded / value - 1.0).abs() < 1e-3, "{value} {rounded}");
            assert!((rounded - value).abs() < 2.0 * half_width, "{value} {rounded}");
            assert!(format!("{rounded}").len() < format!("{value}").len(), "{rounded}");
        }
    }
}
