//! The plot of one message: time over size.

use crate::draw::figure::{Band, Figure, Ink, Line, Milestone, Weight, half};
use crate::draw::scale::Log;
use crate::draw::steps::{Axis, in_order};
use loggia_model::model::metrics::point_to_point;
use loggia_model::model::{self, Model, Prediction, Route, Warning};
use loggia_model::signature::Curve;
use loggia_model::units::Bytes;
use loggia_model::units::words::size;

/// Time and terms over size, with other send modes of the tier behind them. The axis includes
/// `selected`. `None` if no model is possible.
pub(crate) fn figure(route: &Route, model: Option<Model>, selected: Bytes) -> Option<Figure> {
    let reported = reported_sizes(route);
    let sizes = sizes(&reported, selected);
    let predictions: Vec<Prediction> =
        sizes.iter().map_while(|size| model::predict(route, model, *size).ok()).collect();
    let model = predictions.first()?.model;
    let total: Vec<f64> = predictions.iter().filter_map(|p| Some(p.time()?.0)).collect();

    // Of a measured message, no other send mode is predicted.
    let others = model.map(|model| other_styles(route, model, &sizes));
    let mut lines = others.unwrap_or_default();
    lines.extend(terms(&predictions, &sizes));
    let points =
        sizes.iter().zip(&predictions).map(|(size, p)| (size.count(), p.time().map(|t| t.0)));
    lines.push(Line {
        ink: Ink::Total,
        weight: Weight::Bold,
        label: "total".to_owned(),
        points: points.collect(),
    });
    let x = Log { low: 1.0, high: sizes.last()?.count() };
    let y = vertical(&total, &lines)?;
    Some(Figure {
        band: band(&predictions, &sizes),
        known: unclamped_range(&predictions, &sizes),
        marks: reported.iter().map(|size| size.count()).collect(),
        milestones: milestones(route, model),
        ..Figure::of_lines(Axis::Bytes, x, y, lines)
    })
}

/// Labelled sizes: the eager limit, and n_1/2 of the model.
pub(crate) fn milestones(route: &Route, model: Option<Model>) -> Vec<Milestone> {
    let limit = route.eager_limit().map(|limit| limit.value);
    let limit =
        limit.map(|limit| Milestone { at: limit.count(), label: format!("S = {}", size(limit)) });
    let metrics = point_to_point(route, model).ok();
    limit.into_iter().chain(metrics.as_ref().and_then(half)).collect()
}

/// Sizes with reported overheads.
fn reported_sizes(route: &Route) -> Vec<Bytes> {
    let curves = route.style.into_iter().flat_map(|style| {
        let of = |curve: &Option<Curve>| curve.iter().flat_map(|c| c.points.clone()).collect();
        [of(&style.send_overhead), of(&style.recv_overhead)].map(|points: Vec<_>| points)
    });
    in_order(curves.flatten().map(|point| point.bytes).filter(|size| size.0 >= 1))
}

/// All values of the slider, the reported sizes, and the selected one.
fn sizes(reported: &[Bytes], selected: Bytes) -> Vec<Bytes> {
    let beyond = selected.0 > Axis::Bytes.high();
    // Rounded up, so that the axis does not change with every byte.
    let furthest =
        beyond.then(|| Bytes(selected.0.checked_next_power_of_two().unwrap_or(u64::MAX)));
    in_order(Axis::Bytes.values().map(Bytes).chain(reported.iter().copied()).chain(furthest))
}

/// A line per term.
fn terms(predictions: &[Prediction], sizes: &[Bytes]) -> Vec<Line> {
    let mut symbols: Vec<&'static str> = Vec::new();
    for term in predictions.iter().flat_map(|p| &p.terms) {
        if !symbols.contains(&term.symbol) {
            symbols.push(term.symbol);
        }
    }
    let value = |p: &Prediction, symbol| {
        p.terms.iter().find(|term| term.symbol == symbol).map(|term| term.time().value.0)
    };
    let line = |symbol: &'static str| Line {
        ink: Ink::of(symbol),
        weight: Weight::Thin,
        label: symbol.to_owned(),
        points: sizes.iter().zip(predictions).map(|(s, p)| (s.count(), value(p, symbol))).collect(),
    };
    symbols.into_iter().map(line).collect()
}

/// Totals of other send modes by the same model.
fn other_styles(route: &Route, model: Model, sizes: &[Bytes]) -> Vec<Line> {
    let here = route.style.map(|style| &style.name);
    let others = route.tier.styles.iter().filter(|style| Some(&style.name) != here);
    others
        .filter_map(|style| {
            let other = Route { style: Some(style), ..*route };
            let points: Option<Vec<_>> = sizes
                .iter()
                .map(|size| {
                    let time = model.predict(&other, *size).ok()?.time();
                    Some((size.count(), time.map(|t| t.0)))
                })
                .collect();
            let label = style.name.0.clone();
            Some(Line { ink: Ink::Other, weight: Weight::Faint, label, points: points? })
        })
        .collect()
}

/// Bounds of the total, if parameters have any.
fn band(predictions: &[Prediction], sizes: &[Bytes]) -> Option<Band> {
    predictions.first()?.total.filter(|total| total.is_bounded())?;
    let at = |(size, p): (&Bytes, &Prediction)| {
        p.total.map(|total| (size.count(), total.low.0, total.high.0))
    };
    let points = sizes.iter().zip(predictions).filter_map(at).collect();
    Some(Band { ink: Ink::Total, points })
}

/// The range in which no curve is clamped; `None` if that is the whole axis.
fn unclamped_range(predictions: &[Prediction], sizes: &[Bytes]) -> Option<(f64, f64)> {
    let is_clamped =
        |p: &Prediction| p.warnings.iter().any(|w| matches!(w, Warning::ClampedFrom { .. }));
    if !predictions.iter().any(is_clamped) {
        return None;
    }
    let mut free = sizes.iter().zip(predictions).filter(|(_, p)| !is_clamped(p));
    let first = free.next()?.0;
    let last = free.next_back().map_or(first, |(size, _)| size);
    Some((first.count(), last.count()))
}

/// From the smallest term comparable with the total to the largest total.
fn vertical(total: &[f64], lines: &[Line]) -> Option<Log> {
    const LEAST_SHARE: f64 = 1.0 / 300.0;
    let least_total = total.iter().copied().fold(f64::INFINITY, f64::min);
    let floor = least_total * LEAST_SHARE;
    // A term proportional to the size starts near 0; its value at 1 KiB counts.
    let visible = |line: &Line| {
        let largest = line.points.iter().filter_map(|(_, y)| *y).fold(0.0, f64::max);
        let least = line.points.iter().filter_map(|(_, y)| *y).fold(f64::INFINITY, f64::min);
        (least > largest * 1e-3).then_some(least)
    };
    let least = lines.iter().filter_map(visible).map(|least| least.max(floor));
    Log::around(total.iter().copied().chain(least).chain([least_total / 8.0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    fn of(name: &str, tier: Option<&str>) -> Option<Figure> {
        let signature = library::load(name).unwrap();
        figure(&Route::of(&signature, tier, None).unwrap(), None, Bytes(1024))
    }

    #[test]
    fn the_plot_has_terms_the_other_send_mode_and_reported_sizes() {
        let figure = of("cray-t3d", None).unwrap();
        let labels: Vec<&str> = figure.lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(labels, ["issend", "o_s", "L", "o_r", "G", "total"]);
        assert_eq!(figure.marks, [16.0, 10_000.0]);
        assert_eq!(figure.known, Some((16.0, 10_000.0)));
        assert_eq!(figure.band, None);
        assert_eq!(figure.milestones[0].label, "n½ = 2037 B");
        assert!(figure.y.low < 3.1 && figure.y.high > 670_000.0, "{:?}", figure.y);
    }

    #[test]
    fn a_latency_with_bounds_makes_a_band() {
        let figure = of("convex-exemplar", Some("inter-hypernode")).unwrap();
        let (_, low, high) = figure.band.unwrap().points[0];
        assert!((high - low - 6.0).abs() < 1e-9, "L = 4–10");
        assert_eq!(of("convex-exemplar", Some("intra-hypernode")).unwrap().band, None);
    }

    #[test]
    fn a_line_of_hockney_is_never_clamped() {
        let figure = of("ap3000-mpi", None).unwrap();
        assert_eq!(figure.known, None);
        assert_eq!(figure.solid(), (figure.x.low, figure.x.high));
        assert_eq!(figure.lines.len(), 3 + 2 + 1);
    }

    #[test]
    fn without_a_possible_model_there_is_no_plot() {
        assert_eq!(of("myrinet-gm", None), None);
    }

    #[test]
    fn a_huge_size_is_on_the_axis() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        for selected in [1 << 40, u64::MAX] {
            let figure = figure(&route, None, Bytes(selected)).unwrap();
            assert!(figure.x.high >= Bytes(selected).count());
        }
    }
}
