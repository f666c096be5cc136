//! A signature compact enough for a link: what was typed or published stays exact; what was measured
//! keeps four digits or more, its curves fewer points, its bounds their place to a fifth of their
//! distance, and no raw samples. What was left out is listed.

use super::steps::{Side, bound, rounded, step_of, steps_to, value_at};
use loggia_model::Signature;
use loggia_model::signature::{Curve, FormTerm, Parameter, Point, Quality};
use loggia_model::stats::quality::without_widths;
use loggia_model::units::{Bytes, Magnitude, Micros};

/// The largest relative error of a thinned curve.
const CURVE_ERROR: f64 = 0.01;
/// Or by this part of what its bounds leave open to either side.
const OPEN: f64 = 0.25;
/// Four digits are at most 0.05% off.
const DIGITS: i32 = 4;

/// The signature without what a link need not carry, and what that was.
pub(super) fn compacted(signature: &Signature) -> (Signature, Vec<String>) {
    let mut compact = signature.clone();
    let mut omitted = Vec::new();
    let samples: usize = compact.samples.iter().map(|s| s.times.len()).sum();
    if samples > 0 {
        omitted.push(format!("{samples} sample{}", if samples == 1 { "" } else { "s" }));
        compact.samples.clear();
    }
    if compact.collection.take().is_some() {
        omitted.push("how it was measured".to_owned());
    }
    let mut points = 0;
    for tier in &mut compact.tiers {
        round(tier.latency.as_mut());
        round(tier.gap.as_mut());
        round(tier.gap_per_byte.as_mut());
        round(tier.node_gap_per_byte.as_mut());
        round(tier.end_to_end_latency.as_mut());
        for point in &mut tier.gap_by_depth {
            round(Some(&mut point.gap));
        }
        let of_tier = tier.progress.as_ref().and_then(|progress| limit(&progress.eager_limit));
        points += thin(tier.gap_by_size.as_mut(), of_tier);
        for style in &mut tier.styles {
            let own = limit(&style.eager_limit).or(of_tier);
            points += thin(style.send_overhead.as_mut(), own);
            points += thin(style.recv_overhead.as_mut(), own);
            round(style.startup.as_mut());
            round(style.per_byte.as_mut());
        }
        if let Some(progress) = &mut tier.progress {
            round(progress.control_overhead.as_mut());
            points += thin(progress.initiation.as_mut(), of_tier);
            points += thin(progress.copy.as_mut(), of_tier);
        }
    }
    for form in compact.collectives.iter_mut().filter(|form| is_measured(form.quality)) {
        let forms =
            [Some(&mut form.startup), form.per_byte.as_mut(), form.compute_per_byte.as_mut()];
        forms.into_iter().flatten().flat_map(|form| &mut form.terms).for_each(round_term);
    }
    if points > 0 {
        omitted.push(format!(
            "{points} curve point{} that the others tell to within 1% or a quarter of their interval",
            if points == 1 { "" } else { "s" }
        ));
    }
    (compact, omitted)
}

fn is_measured(quality: Quality) -> bool {
    matches!(quality, Quality::Good | Quality::Uncertain)
}

/// Four digits, and more where the bounds are that close.
fn digits(value: f64, width: f64) -> usize {
    let places = |x: f64| libm::floor(libm::log10(x)) as i32;
    let least = if value == 0.0 || width <= 0.0 { 0 } else { places(value) + 2 - places(width) };
    least.clamp(DIGITS, f64::DIGITS as i32) as usize
}

/// A value rounded to this many digits, with bounds that include the original ones.
fn bounded([value, low, high]: [f64; 3], value_is: impl Fn(f64) -> f64) -> [f64; 3] {
    let told = value_is(value);
    let out = |side, at| {
        let steps = if told == 0.0 { None } else { steps_to(told, side, at) };
        steps.map_or(rounded(at, DIGITS as usize), |steps| bound(told, side, steps))
    };
    [told, out(Side::Low, low), out(Side::High, high)]
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
    let told = to_digits([interval.value, interval.low, interval.high].map(U::magnitude));
    for (number, told) in
        [&mut parameter.value, &mut parameter.low, &mut parameter.high].into_iter().zip(told)
    {
        *number = number.map(|_| U::from_magnitude(told));
    }
}

fn round_term(term: &mut FormTerm) {
    let told =
        to_digits([term.value, term.low.unwrap_or(term.value), term.high.unwrap_or(term.value)]);
    let numbers = [Some(&mut term.value), term.low.as_mut(), term.high.as_mut()];
    for (number, told) in numbers.into_iter().zip(told) {
        number.into_iter().for_each(|x| *x = told);
    }
}

/// S, if it is known.
fn limit(parameter: &Option<Parameter<Bytes>>) -> Option<Bytes> {
    parameter.as_ref()?.value
}

/// Rounds values to steps, and leaves out points that a line between their neighbours tells well
/// enough, but not those on either side of S: there is no line across it. Returns their number.
fn thin(curve: Option<&mut Curve>, limit: Option<Bytes>) -> usize {
    let Some(curve) = curve.filter(|c| is_measured(c.quality)) else { return 0 };
    curve.source = without_widths(&curve.source);
    let told: Vec<Point> = curve.points.iter().map(in_steps).collect();
    // An already compact curve stays as it is, so that repeated sharing does not change it.
    if told == curve.points {
        return 0;
    }
    let before = curve.points.len();
    let mut kept = vec![false; before];
    let above = limit.map_or(0, |limit| curve.points.partition_point(|point| point.bytes <= limit));
    let ends = [Some(0), above.checked_sub(1), Some(above), before.checked_sub(1)];
    let mut ends: Vec<usize> = ends.into_iter().flatten().filter(|end| *end < before).collect();
    ends.sort_unstable();
    ends.iter().for_each(|end| kept[*end] = true);
    for pair in ends.windows(2) {
        keep_corners(&curve.points, &told, (pair[0], pair[1]), &mut kept);
    }
    curve.points =
        told.into_iter().zip(kept).filter_map(|(point, kept)| kept.then_some(point)).collect();
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

/// Largest distance of a line from a point.
pub(super) fn allowed(point: &Point) -> f64 {
    let open = point.high.unwrap_or(point.value) - point.low.unwrap_or(point.value);
    (point.value.0 * CURVE_ERROR).max(open.0 / 2.0 * OPEN)
}

/// Keeps, between two kept points, the one furthest off the line, and so on.
fn keep_corners(points: &[Point], told: &[Point], ends: (usize, usize), kept: &mut [bool]) {
    let mut intervals = vec![ends];
    while let Some((from, to)) = intervals.pop() {
        let (a, b) = (told[from], told[to]);
        let off = |point: &Point| {
            let share = (point.bytes.0 - a.bytes.0) as f64 / (b.bytes.0 - a.bytes.0) as f64;
            let error = (a.value + (b.value - a.value) * share - point.value).0.abs();
            if error == 0.0 { 0.0 } else { error / allowed(point) }
        };
        let worst = (from + 1..to).max_by(|&i, &j| off(&points[i]).total_cmp(&off(&points[j])));
        if let Some(worst) = worst.filter(|&i| off(&points[i]) > 1.0) {
            kept[worst] = true;
            intervals.extend([(from, worst), (worst, to)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
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

    #[test]
    fn a_measured_curve_is_thinned_to_within_one_percent() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let full = measured_curve();
        t3d.tiers[0].styles[0].send_overhead = Some(full.clone());
        let (compact, omitted) = compacted(&t3d);
        compact.validate().unwrap();
        let thin = compact.tiers[0].styles[0].send_overhead.as_ref().unwrap();
        assert!(thin.points.len() < full.points.len() / 2, "{}", thin.points.len());
        assert!(omitted.iter().any(|o| o.contains("curve points")), "{omitted:?}");
        for point in &full.points {
            let told = thin.at(point.bytes).unwrap().time.value.0;
            assert!((told / point.value.0 - 1.0).abs() <= CURVE_ERROR, "{point:?} {told}");
        }
    }

    /// Points that a line tells stay where S lies between them: no line crosses it.
    #[test]
    fn points_on_either_side_of_the_eager_limit_stay() {
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
    fn a_measured_value_keeps_its_interval_and_a_thousandth() {
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
