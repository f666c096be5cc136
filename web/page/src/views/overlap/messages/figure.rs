//! The plots of methods for many messages.

use crate::draw::figure::{Figure, Ink, Line, Weight};
use crate::draw::steps::{Axis, in_order};
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::model::changes::{Change, changes};
use loggia_model::model::messages::{Demand, Strategy, Times, times};
use loggia_model::units::{Bytes, Micros};

/// A plot, and the crossovers in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) figure: Figure,
    /// The best method at the left end.
    pub(crate) first: Option<Strategy>,
    /// Crossovers.
    pub(crate) changes: Vec<Change<Option<Strategy>>>,
}

/// The demand at another position of the axis.
fn demand_at(demand: &Demand, axis: Axis, value: u64) -> Demand {
    match axis {
        Axis::Bytes => Demand { bytes: Bytes(value), ..*demand },
        Axis::Compute => Demand { compute: Axis::compute(value), ..*demand },
        Axis::Count => Demand { messages: value, ..*demand },
        Axis::Depth => Demand { depth: u32::try_from(value).ok(), ..*demand },
        Axis::Procs | Axis::Ranks => *demand,
    }
}

/// Times of all methods along an axis in grey, and of the best. `None` if no time is known; an
/// error if only a part of the axis has an answer.
pub(crate) fn picture(
    route: &Route,
    demand: &Demand,
    axis: Axis,
) -> Result<Option<Picture>, Error> {
    times(route, &demand_at(demand, axis, axis.high()))?;
    let at = |value| times(route, &demand_at(demand, axis, value)).ok();
    let best = |value| Some(at(value)?.best()?.0);
    let changes = changes(axis.values(), best);
    let around = changes.iter().flat_map(|change| [change.at - 1, change.at]);
    let values = in_order(axis.values().chain(around));
    let compared: Vec<(f64, Option<Times>)> =
        values.iter().map(|value| (*value as f64, at(*value))).collect();
    let of_best = |all: Times| Some(all.best()?.1.0);
    let line = |ink, weight, label: &str, time: &dyn Fn(Times) -> Option<f64>| Line {
        ink,
        weight,
        label: label.to_owned(),
        points: compared.iter().map(|(x, all)| (*x, all.and_then(time))).collect(),
    };
    let mut lines: Vec<Line> = Strategy::ALL
        .into_iter()
        .map(|strategy| {
            let time = |all: Times| all.of(strategy).map(|time| time.0);
            line(Ink::Other, Weight::Thin, super::words::short(strategy), &time)
        })
        .filter(|line| line.end().is_some())
        .collect();
    lines.push(line(Ink::Total, Weight::Bold, "", &of_best));
    let Some(figure) = Figure::through(axis, lines) else { return Ok(None) };
    let marks = changes.iter().map(|change| change.at as f64).collect();
    let figure = Figure { marks, ..figure };
    let picture = Picture { figure, first: best(axis.low()), changes };
    Ok(Some(picture))
}

/// The best time along an axis, as a line among machines.
pub(crate) fn best_line(
    route: &Route,
    demand: &Demand,
    axis: Axis,
    ink: Ink,
    label: String,
) -> Line {
    let at = |value| Some(best_time(route, demand, axis, value)?.0);
    Line {
        ink,
        weight: if ink == Ink::Total { Weight::Bold } else { Weight::Thin },
        label,
        points: axis.values().map(|value| (value as f64, at(value))).collect(),
    }
}

/// The best time at a position.
pub(crate) fn best_time(route: &Route, demand: &Demand, axis: Axis, value: u64) -> Option<Micros> {
    Some(times(route, &demand_at(demand, axis, value)).ok()?.best()?.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::messages::compare;

    const DEMAND: Demand =
        Demand { messages: 100, bytes: Bytes(8), compute: Micros(10.0), depth: None };

    #[test]
    fn each_method_with_a_time_has_a_line_and_so_has_the_best() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let picture = picture(&route, &DEMAND, Axis::Bytes).unwrap().unwrap();
        let labels: Vec<&str> = picture.figure.lines.iter().map(|l| l.label.as_str()).collect();
        assert_eq!(labels, ["blocking", "overlapped", "packed", ""]);
        assert_eq!(picture.first, Some(Strategy::Packed));
        assert_eq!(picture.figure.marks.len(), picture.changes.len());
    }

    /// EEL = 8.5, o_s = 0.7: computing more than 7.8 µs is no longer hidden, but overlapping stays
    /// EEL = 8.5, o_s = 0.7: more than 7.8 µs of computation is not hidden, but overlapping stays
    /// the best.
    #[test]
    fn a_plot_over_computation_exists_without_one_over_sizes() {
        let gm = library::load("myrinet-gm").unwrap();
        let route = Route::of(&gm, None, None).unwrap();
        let refused = picture(&route, &DEMAND, Axis::Bytes).unwrap_err();
        assert!(refused.message.contains("needs G"), "{refused}");
        let picture = picture(&route, &DEMAND, Axis::Compute).unwrap().unwrap();
        assert_eq!(picture.first, Some(Strategy::Overlapped));
        assert_eq!(picture.changes, []);
    }

    #[test]
    fn the_best_method_changes_at_the_mark() {
        let mut gm = library::load("myrinet-gm").unwrap();
        for (key, value) in [("g", "2us"), ("G", "4ns")] {
            gm.set(key, value).unwrap();
        }
        let route = Route::of(&gm, None, None).unwrap();
        let picture = picture(&route, &DEMAND, Axis::Bytes).unwrap().unwrap();
        let best = |bytes| {
            let all = compare(&route, &Demand { bytes: Bytes(bytes), ..DEMAND }).unwrap();
            all.best().map(|best| best.strategy)
        };
        assert!(!picture.changes.is_empty());
        for Change { at, from, to } in picture.changes {
            assert_eq!((best(at - 1), best(at)), (from, to));
        }
    }
}
