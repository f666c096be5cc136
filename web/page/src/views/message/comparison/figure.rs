//! The plot of one message by several models and send modes, on several machines.

use crate::draw::figure::{Dot, Figure, Ink, Line, Milestone, Unit, Weight, bandwidth_dot, dot};
use crate::draw::scale::Log;
use crate::draw::steps::Axis;
use loggia_model::model::{self, Model, Route};
use loggia_model::signature::Point;
use loggia_model::units::{Bytes, Micros};

/// A line: a model and send mode on a machine.
pub(crate) struct Series<'a> {
    pub(crate) route: Route<'a>,
    pub(crate) model: Option<Model>,
    pub(crate) ink: Ink,
    pub(crate) weight: Weight,
    pub(crate) label: String,
}

/// The values of a line at all sizes.
pub(crate) fn line(series: &Series, unit: Unit) -> Line {
    let value = |bytes: Bytes| {
        let time = model::predict(&series.route, series.model, bytes).ok()?.time()?;
        Some(in_unit(bytes, time, unit))
    };
    Line {
        ink: series.ink,
        weight: series.weight,
        label: series.label.clone(),
        points: Axis::Bytes.values().map(Bytes).map(|size| (size.count(), value(size))).collect(),
    }
}

/// Time or bandwidth at a size.
fn in_unit(bytes: Bytes, time: Micros, unit: Unit) -> f64 {
    match unit {
        Unit::Rate => bytes.within(time).0,
        _ => time.0,
    }
}

/// Measured points of a machine.
pub(crate) fn dots(measured: &[Point], ink: Ink, unit: Unit) -> Vec<Dot> {
    let seen = measured.iter().filter(|point| point.bytes.0 > 0);
    let one = |point: &Point| match unit {
        Unit::Rate => Dot { ink, ..bandwidth_dot(point) },
        _ => dot(ink, point),
    };
    seen.map(one).collect()
}

/// The plot; `None` if no value is known.
pub(crate) fn figure(
    lines: Vec<Line>,
    dots: Vec<Dot>,
    milestones: Vec<Milestone>,
    unit: Unit,
) -> Option<Figure> {
    let seen = lines.iter().flat_map(Line::runs).flatten().map(|(_, y)| y);
    let y = Log::around(seen.chain(dots.iter().map(|dot| dot.y[0])))?;
    let figure = Figure::of_lines(Axis::Bytes, Axis::Bytes.scale(), y, lines);
    Some(Figure { unit, dots, milestones, ..figure })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn a_line_has_the_times_of_its_model() {
        let now = library::load("now-sparc").unwrap();
        let route = Route::of(&now, None, None).unwrap();
        let model = Some(Model::LogP);
        let (ink, weight) = (Ink::Series1, Weight::Faint);
        let series = Series { route, model, ink, weight, label: "NOW".to_owned() };
        let [times, rates] = [Unit::Time, Unit::Rate].map(|unit| line(&series, unit));
        let at = |line: &Line| line.points.iter().find(|(x, _)| *x == 1024.0).unwrap().1.unwrap();
        let expected = model::predict(&route, model, Bytes(1024)).unwrap().time().unwrap();
        assert_eq!((at(&times), at(&rates)), (expected.0, 1024.0 / expected.0));
        assert!(times.is_dashed());
        let point = Point { bytes: Bytes(64), value: Micros(1e6), low: None, high: None };
        let dots = dots(&[point], ink, Unit::Time);
        let figure = figure(vec![times], dots, Vec::new(), Unit::Time).unwrap();
        assert!(figure.y.high > 1e6);
    }
}
