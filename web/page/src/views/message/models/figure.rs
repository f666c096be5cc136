//! Several models and measured times, as times, bandwidths or residuals.

use crate::draw::figure::{Dot, Figure, Ink, Milestone, Unit, Weight};
use crate::draw::steps::Axis;
use crate::views::message::comparison::figure::{self, Series};
use crate::views::message::figure::milestones;
use loggia_model::model::crossover::between_styles;
use loggia_model::model::{Model, Route};
use loggia_model::signature::Point;
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Micros};

/// Maximum number of marked crossovers; a table lists all.
const MARKED: usize = 3;

/// Time or bandwidth by every possible model, the selected one last.
pub(crate) fn figure(
    route: &Route,
    chosen: Model,
    unit: Unit,
    measured: &[Point],
) -> Option<Figure> {
    let others = Model::ALL.into_iter().filter(|model| *model != chosen);
    let lines = others
        .chain([chosen])
        .filter(|model| model.is_possible(route))
        .map(|model| figure::line(&series(*route, model, model == chosen), unit))
        .collect();
    let dots = figure::dots(measured, Ink::Total, unit);
    let milestones = milestones(route, Some(chosen)).into_iter().chain(crossings(route, chosen));
    figure::figure(lines, dots, milestones.collect(), unit)
}

fn series(route: Route<'_>, model: Model, is_chosen: bool) -> Series<'_> {
    Series {
        route,
        model: Some(model),
        ink: if is_chosen { Ink::Total } else { Ink::Other },
        weight: if is_chosen { Weight::Bold } else { Weight::Faint },
        label: model.title().to_owned(),
    }
}

/// Crossovers between send modes within the axis.
fn crossings(route: &Route, model: Model) -> Vec<Milestone> {
    let all = between_styles(route, model).into_iter();
    let seen = all.filter(|crossing| crossing.at.0 <= Axis::Bytes.high()).take(MARKED);
    let mark = |(at, to): (Bytes, String)| Milestone {
        at: at.count(),
        label: format!("{to} from {}", size(at)),
    };
    seen.map(|crossing| mark((crossing.at, crossing.to))).collect()
}

/// Measured times divided by predicted ones; `None` without measurements.
pub(crate) fn residuals(route: &Route, model: Model, measured: &[Point]) -> Option<Figure> {
    let dots = measured.iter().filter_map(|point| ratio(route, model, point));
    Figure::of_residuals(model.title(), dots.collect())
}

fn ratio(route: &Route, model: Model, point: &Point) -> Option<Dot> {
    let prediction = model.predict(route, point.bytes).ok()?;
    let part = |time: Option<Micros>| prediction.residual(time.unwrap_or(point.value));
    let [value, low, high] = [Some(point.value), point.low, point.high].map(part);
    let y = [value?, low?, high?].map(|part| 1.0 + part);
    (point.bytes.0 > 0 && y[0] > 0.0).then_some(Dot { ink: Ink::Total, x: point.bytes.count(), y })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    fn point(bytes: u64, us: f64) -> Point {
        Point { bytes: Bytes(bytes), value: Micros(us), low: Some(Micros(us * 0.9)), high: None }
    }

    #[test]
    fn every_possible_model_has_a_line_and_the_chosen_one_is_last() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let figure = figure(&route, Model::LogP, Unit::Time, &[point(16, 50.0)]).unwrap();
        let labels: Vec<&str> = figure.lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(labels, ["LogGP", "LogP"]);
        assert_eq!(figure.dots[0].y, [50.0, 45.0, 50.0]);
    }

    #[test]
    fn residuals_are_around_one() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        assert_eq!(residuals(&route, Model::LogGp, &[]), None);
        // 48.7 µs are predicted.
        let figure = residuals(&route, Model::LogGp, &[point(16, 48.7 * 1.5)]).unwrap();
        assert!((figure.dots[0].y[0] - 1.5).abs() < 1e-9);
        assert!((figure.y.low * figure.y.high - 1.0).abs() < 1e-9);
        assert!(figure.y.high > 1.5);
    }
}
