//! Bandwidth by size, predicted and measured.

use super::along;
use crate::draw::figure::{Dot, Figure, Ink, Line, Unit, Weight, bandwidth_dot, half};
use crate::draw::scale::Log;
use crate::draw::steps::Axis;
use loggia_model::model::metrics::PointToPoint;
use loggia_model::model::{self, Route};
use loggia_model::signature::Point;
use loggia_model::units::Bytes;

/// Bandwidth over size, with r_inf and n_1/2. `None` if no model is possible.
pub(crate) fn figure(route: &Route, metrics: &PointToPoint, measured: &[Point]) -> Option<Figure> {
    let sizes: Vec<Bytes> = Axis::Bytes.values().map(Bytes).collect();
    let rate = |bytes: &Bytes| {
        let time = model::predict(route, metrics.model, *bytes).ok()?.time()?;
        Some((bytes.count(), Some(bytes.within(time).0)))
    };
    let points: Vec<_> = sizes.iter().map_while(rate).collect();
    let first = points.first()?.1?;
    let bound = metrics.asymptotic_bandwidth.map(|bound| Line {
        ink: Ink::Other,
        weight: Weight::Faint,
        label: "r∞".to_owned(),
        points: [1, Axis::Bytes.high()].map(|x| (Bytes(x).count(), Some(bound.0))).to_vec(),
    });
    let predicted = Line {
        ink: Ink::Total,
        weight: Weight::Bold,
        label: metrics.model?.title().to_owned(),
        points,
    };
    let lines: Vec<Line> = bound.into_iter().chain([predicted]).collect();
    let dots: Vec<Dot> =
        measured.iter().filter(|point| point.bytes.0 > 0).map(bandwidth_dot).collect();
    let reach = lines.iter().flat_map(Line::runs).flatten().map(|(_, y)| y);
    let x = along(sizes.iter().map(|size| size.count()))?;
    let y = Log::around(reach.chain(super::reach(&dots)).chain([first]))?;
    Some(Figure {
        unit: Unit::Rate,
        dots,
        milestones: half(metrics).into_iter().collect(),
        ..Figure::of_lines(Axis::Bytes, x, y, lines)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::metrics::point_to_point;
    use loggia_model::units::Micros;

    #[test]
    fn n_half_equals_that_of_the_paper() {
        let ap3000 = library::load("ap3000-mpi").unwrap();
        let route = Route::of(&ap3000, None, Some("send")).unwrap();
        let metrics = point_to_point(&route, None).unwrap();
        let figure = figure(&route, &metrics, &[]).unwrap();
        assert_eq!(figure.milestones[0].label, "n½ = 4260 B");
        let (bytes, rate) = *figure.lines[1].points.last().unwrap();
        assert!(bytes == 16_777_216.0 && (61.0..61.73).contains(&rate.unwrap()), "{rate:?}");
    }

    #[test]
    fn a_longer_time_is_a_smaller_bandwidth() {
        let bounds = [9.0, 12.0].map(|us| Some(Micros(us)));
        let [low, high] = bounds;
        let point = Point { bytes: Bytes(100), value: Micros(10.0), low, high };
        let Dot { y: [value, low, high], .. } = bandwidth_dot(&point);
        assert_eq!(value, 10.0);
        assert!(low < value && value < high);
    }
}
