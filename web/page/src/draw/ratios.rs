//! Overlap ratios over computation, for several machines.

use super::figure::{self, Figure, Ink, Unit, Weight};
use super::scale::{Frame, Log};
use super::steps::Axis;
use loggia_model::model::exchange::overlap_ratio;
use loggia_model::model::overlap::{Overlap, Programs};
use loggia_model::timeline::Lane;
use loggia_model::units::Micros;

/// The overlap ratio of one side over its own computation; the other side's is fixed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) ink: Ink,
    pub(crate) side: Lane,
    /// Computation in ns, and the ratio.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Number of values of computation.
const STEPS: u32 = 80;

/// Axis of computation in ns, from a small part of the shortest of these to the longest, including
/// the `selected` ones.
pub(crate) fn axis(longest: impl Iterator<Item = Micros>, selected: [Micros; 2]) -> Option<Log> {
    const PART: f64 = 0.002;
    let all = longest.map(|time| time.0 * 1e3).filter(|ns| ns.is_finite() && *ns > 0.0);
    let (low, high) =
        all.fold((f64::INFINITY, 0.0_f64), |(low, high), ns| (low.min(ns), high.max(ns)));
    let furthest = selected.into_iter().fold(high, |high, selected| high.max(selected.0 * 1e3));
    (high > 0.0).then_some(Log { low: (low * PART).max(1.0), high: furthest })
}

/// One side's ratio for this computation.
pub(crate) fn ratio(found: &Overlap, programs: &Programs, side: Lane, ns: f64) -> Option<f64> {
    let compute = Micros(ns / 1e3);
    let overhead = match side {
        Lane::Sender => found.with(&Programs { send_compute: compute, ..*programs }).send,
        _ => found.with(&Programs { recv_compute: compute, ..*programs }).recv,
    };
    overlap_ratio(compute, overhead)
}

/// Both sides' lines.
pub(crate) fn both(found: &Overlap, programs: &Programs, x: Log, ink: Ink) -> [Line; 2] {
    let values = || (0..=STEPS).map(|step| x.at(f64::from(step) / f64::from(STEPS)));
    [Lane::Sender, Lane::Receiver].map(|side| {
        let points = values().filter_map(|ns| Some((ns, ratio(found, programs, side, ns)?)));
        Line { ink, side, points: points.collect() }
    })
}

/// The lines as a plot, for the read-out: each machine's sender and receiver.
pub(crate) fn figure(lines: &[(String, [Line; 2])], x: Log) -> Figure {
    let line = |name: &str, of: &Line| figure::Line {
        ink: of.ink,
        weight: Weight::Thin,
        label: format!("{name}, {}", of.side.name()),
        points: of.points.iter().map(|(x, y)| (*x, Some(*y))).collect(),
    };
    let lines = lines.iter().flat_map(|(name, both)| both.iter().map(move |of| line(name, of)));
    let y = Log { low: 0.0, high: 1.0 };
    let figure = Figure::of_lines(Axis::Compute, x, y, lines.collect());
    Figure { unit: Unit::Share, ..figure }
}

pub(crate) fn pixel(frame: Frame, x: Log, (ns, ratio): (f64, f64)) -> (f64, f64) {
    (frame.x(x, ns), frame.bottom - ratio * (frame.bottom - frame.top))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::Route;
    use loggia_model::model::loggpo::assumptions;
    use loggia_model::model::overlap::overlap;
    use loggia_model::units::Bytes;

    #[test]
    fn ratios_equal_those_of_the_exchange() {
        let mut t3d = library::load("cray-t3d").unwrap();
        for assumption in assumptions(&Route::of(&t3d, None, None).unwrap()) {
            t3d.set(assumption.symbol, &assumption.value).unwrap();
        }
        let route = Route::of(&t3d, None, None).unwrap();
        let [send_compute, recv_compute] = [500.0, 700.0].map(Micros);
        let programs = Programs { send_compute, recv_compute, ..Programs::default() };
        let found = overlap(&route, Bytes(1 << 20), &programs).unwrap();
        assert_eq!(ratio(&found, &programs, Lane::Sender, 500e3), found.ratios[0]);
        assert_eq!(ratio(&found, &programs, Lane::Receiver, 700e3), found.ratios[1]);
        let x = axis([Micros(1000.0), Micros(10.0)].into_iter(), [Micros(2.0); 2]).unwrap();
        assert_eq!((x.low, x.high), (20.0, 1e6));
        for line in both(&found, &programs, x, Ink::Series1) {
            assert!(line.points.iter().all(|(_, ratio)| (0.0..=1.0).contains(ratio)));
        }
        let frame = Frame { left: 10.0, right: 110.0, top: 0.0, bottom: 50.0, em: 10.0 };
        assert_eq!(pixel(frame, x, (20.0, 0.5)), (10.0, 25.0));
        assert_eq!(axis(std::iter::empty(), [Micros(1.0); 2]), None);
    }
}
