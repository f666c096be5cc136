//! g by queue depth, and g compared with G times the size.

use super::{along, reach};
use crate::draw::figure::{Dot, Figure, Ink, Line, Milestone, Weight};
use crate::draw::scale::Log;
use crate::draw::steps::Axis;
use loggia_model::model::Route;
use loggia_model::model::metrics::PointToPoint;
use loggia_model::signature::Tier;
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Interval, Micros};

/// g over the number of messages in flight (Bell et al. 2003, Figure 5).
pub(crate) fn by_depth(tier: &Tier) -> Option<Figure> {
    let dots: Vec<Dot> = tier
        .gap_by_depth
        .iter()
        .filter_map(|point| {
            let Interval { value, low, high } = point.gap.interval()?;
            Some(Dot { ink: Ink::of("g"), x: point.depth.into(), y: [value.0, low.0, high.0] })
        })
        .collect();
    let points = dots.iter().map(|dot| (dot.x, Some(dot.y[0]))).collect();
    let line = line("g", Weight::Bold, points);
    let x = along(dots.iter().map(|dot| dot.x))?;
    let y = Log::around(reach(&dots))?;
    Some(Figure { dots, ..Figure::of_lines(Axis::Depth, x, y, vec![line]) })
}

/// The gap between consecutive messages: at least g, and at least the time of the bytes, which
/// dominate from g/G on (Bell et al. 2003, Section 5.5).
pub(crate) fn by_size(route: &Route, metrics: &PointToPoint) -> Option<Figure> {
    let (gap, per_byte) = (route.gap()?.value, route.gap_per_byte()?.value);
    let sizes: Vec<Bytes> = Axis::Bytes.values().map(Bytes).collect();
    let of = |time: &dyn Fn(Bytes) -> Option<Micros>| -> Vec<(f64, Option<f64>)> {
        sizes.iter().map(|size| (size.count(), time(*size).map(|time| time.0))).collect()
    };
    let measured =
        |size| route.gap_at(size).filter(|at| at.clamped_from.is_none()).map(|at| at.time.value);
    let mut lines = vec![line("g(m)", Weight::Faint, of(&measured))];
    lines.retain(|line| !line.runs().is_empty());
    lines.push(line("g", Weight::Bold, of(&|_| Some(gap))));
    lines.push(line("G m", Weight::Thin, of(&|size| Some(per_byte.of(size.count())))));
    let x = along(sizes.iter().map(|size| size.count()))?;
    let seen = lines.iter().flat_map(Line::runs).flatten().map(|(_, y)| y);
    let y = Log::around(seen.filter(|y| *y >= gap.0 / 30.0))?;
    let milestones = metrics
        .large_message
        .map(|large| Milestone { at: large.count(), label: format!("g/G = {}", size(large)) });
    let milestones = milestones.into_iter().collect();
    Some(Figure { milestones, ..Figure::of_lines(Axis::Bytes, x, y, lines) })
}

fn line(label: &str, weight: Weight, points: Vec<(f64, Option<f64>)>) -> Line {
    Line { ink: Ink::PerByte, weight, label: label.to_owned(), points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::metrics::point_to_point;
    use loggia_model::signature::{DepthPoint, Parameter};

    #[test]
    fn gaps_by_depth_are_drawn_if_measured() {
        let mut t3d = library::load("cray-t3d").unwrap();
        assert_eq!(by_depth(&t3d.tiers[0]), None);
        let point = |depth, gap| DepthPoint { depth, gap: Parameter::assumed(Micros(gap)) };
        t3d.tiers[0].gap_by_depth = vec![point(1, 8.0), point(16, 2.0)];
        let figure = by_depth(&t3d.tiers[0]).unwrap();
        assert_eq!(figure.lines[0].points, [(1.0, Some(8.0)), (16.0, Some(2.0))]);
        assert_eq!((figure.axis, figure.dots.len()), (Axis::Depth, 2));
    }

    #[test]
    fn lines_cross_where_a_message_becomes_large() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        assert_eq!(by_size(&route, &point_to_point(&route, None).unwrap()), None, "no g");
        t3d.set("g", "4us").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let figure = by_size(&route, &point_to_point(&route, None).unwrap()).unwrap();
        assert_eq!(figure.milestones[0].at, 100.0);
        assert_eq!(figure.milestones[0].label, "g/G = 100 B");
    }
}
