//! Measured times of one table compared with their predictions.

use crate::draw::figure::{Band, Dot, Figure, Ink, Line, Weight, dot};
use crate::draw::scale::Log;
use crate::draw::steps::{Axis, in_order};
use loggia_exchange::score::{Compared, predicted};
use loggia_model::Signature;
use loggia_model::signature::Table;
use loggia_model::units::{Bytes, Interval, Micros};

/// The predicted time over the size, its 95% interval, and the measured points; `None` if there is
/// no prediction, or if the operation has no bytes.
pub(crate) fn figure(
    signature: &Signature,
    measured: &Signature,
    table: &Table,
    label: &str,
) -> Option<Figure> {
    let dots: Vec<Dot> = table
        .points
        .iter()
        .filter(|point| point.bytes.0 > 0)
        .map(|point| dot(Ink::Other, point))
        .collect();
    let (first, last) = (dots.first()?.x, dots.last()?.x);
    let at = |bytes: u64| {
        let (time, _) = predicted(signature, measured, table, Bytes(bytes)).ok()?;
        Some((bytes as f64, time))
    };
    let x = super::along([first, last].into_iter())?;
    let seen = |bytes: &u64| (x.low..=x.high).contains(&(*bytes as f64));
    // A table may have sizes beyond those of the slider.
    let sizes = Axis::Bytes.values().chain(table.points.iter().map(|point| point.bytes.0));
    let times: Vec<(f64, Interval<Micros>)> =
        in_order(sizes.filter(seen)).into_iter().filter_map(at).collect();
    let band = times.iter().filter(|(_, time)| time.is_bounded());
    let band = Band {
        ink: Ink::Total,
        points: band.map(|(x, time)| (*x, time.low.0, time.high.0)).collect(),
    };
    let line = Line {
        ink: Ink::Total,
        weight: Weight::Bold,
        label: label.to_owned(),
        points: times.iter().map(|(x, time)| (*x, Some(time.value.0))).collect(),
    };
    let bounds = band.points.iter().flat_map(|(_, low, high)| [*low, *high]);
    let values = line.points.iter().filter_map(|(_, y)| *y);
    let y = Log::around(values.chain(bounds).chain(dots.iter().flat_map(|dot| dot.y)))?;
    let band = Some(band).filter(|band| !band.points.is_empty());
    Some(Figure { band, dots, ..Figure::of_lines(Axis::Bytes, x, y, vec![line]) })
}

/// Each measured time divided by its prediction, and the prediction's interval.
pub(crate) fn residuals(points: &[Compared], label: &str) -> Option<Figure> {
    let dots = points.iter().filter(|point| point.bytes.0 > 0).map(|point| {
        let part = |time: Micros| point.measured_us.0 / time.0;
        let y = [point.predicted_us, point.high_us, point.low_us].map(part);
        Dot { ink: Ink::Total, x: point.bytes.count(), y }
    });
    Figure::of_residuals(label, dots.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_exchange::score::Points;
    use loggia_model::library;
    use loggia_model::signature::{Point, Statistic};

    /// A T3D whose measured messages take twice the time of LogGP, except at one size.
    fn measured() -> Signature {
        let mut t3d = library::load("cray-t3d").unwrap();
        let time = |bytes: u64| if bytes == 64 { 99.0 } else { 120.0 + 0.08 * bytes as f64 };
        let point = |power: u32| Point {
            bytes: Bytes(1 << power),
            value: Micros(time(1 << power)),
            low: None,
            high: None,
        };
        t3d.tables = vec![Table {
            op: None,
            tier: Some(t3d.tiers[0].name.clone()),
            style: None,
            procs: None,
            pairs: None,
            per_node: None,
            statistic: Statistic::Median,
            points: (0..12).map(point).collect(),
            source: "a test".to_owned(),
        }];
        t3d
    }

    #[test]
    fn the_curve_is_predicted_and_the_points_are_measured() {
        let (t3d, measured) = (library::load("cray-t3d").unwrap(), measured());
        let table = &measured.tables[0];
        let figure = figure(&t3d, &measured, table, "predicted").unwrap();
        assert_eq!(figure.dots.len(), 12);
        let at_16 = figure.lines[0].points.iter().find(|(x, _)| *x == 16.0).unwrap();
        assert!((at_16.1.unwrap() - 48.7).abs() < 1e-9, "{at_16:?}");
        let compared = Points::of(&t3d, &measured, table).compared;
        let residuals = residuals(&compared, "1").unwrap();
        assert!((residuals.dots[4].y[0] - 121.28 / 48.7).abs() < 1e-9, "{:?}", residuals.dots[4]);
    }

    #[test]
    fn a_point_that_is_left_out_does_not_predict_itself() {
        let measured = measured();
        let points = Points::left_out(&measured, 0).compared;
        let outlier = points.iter().find(|point| point.bytes.0 == 64).unwrap();
        assert!(outlier.predicted_us.0 > 115.0, "{outlier:?}");
        let at_itself = Points::of(&measured, &measured, &measured.tables[0]).compared;
        assert!(at_itself.iter().all(|point| point.error < 1e-9));
    }
}
