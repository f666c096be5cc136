//! Overheads of both sides over computation.

use super::figure::{self, Figure, Ink, Weight};
use super::plane::Plane;
use super::scale::{Frame, Log};
use super::steps::Axis;
use loggia_model::model::Route;
use loggia_model::model::exchange::Exchange;
use loggia_model::model::overlap::{Overlap, Programs, by_loggp};
use loggia_model::units::{Bytes, Micros};

/// An overhead over computation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) ink: Ink,
    pub(crate) weight: Weight,
    pub(crate) label: &'static str,
    /// Computation and overhead.
    pub(crate) points: Vec<(Micros, Micros)>,
}

/// Overhead of each side over its own computation; the other side's is fixed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sweep {
    /// Computation horizontally, overhead vertically.
    pub(crate) plane: Plane,
    /// Lines of both sides, those of LogGP first.
    pub(crate) lines: Vec<Line>,
}

/// Number of values of computation.
const STEPS: u32 = 160;

/// Overheads by LogGPO and LogGP, for computation from 0 to the end of the axis.
pub(crate) fn sweep(
    route: &Route,
    bytes: Bytes,
    found: &Overlap,
    programs: &Programs,
    until: Micros,
) -> Sweep {
    let at = |step: u32| Micros(until.0 * f64::from(step) / f64::from(STEPS));
    let sender = |compute: Micros| Programs { send_compute: compute, ..*programs };
    let receiver = |compute: Micros| Programs { recv_compute: compute, ..*programs };
    let by_loggp_of = |programs: Programs| by_loggp(route, bytes, &programs);
    let line = |ink, weight, label, of: &dyn Fn(Micros) -> Option<Micros>| Line {
        ink,
        weight,
        label,
        points: (0..=STEPS).filter_map(|step| Some((at(step), of(at(step))?))).collect(),
    };
    let send = |e: Exchange| e.send;
    let recv = |e: Exchange| e.recv;
    let mut lines = vec![
        line(Ink::Other, Weight::Thin, "LogGP o_s", &|c| by_loggp_of(sender(c)).map(send)),
        line(Ink::Other, Weight::Thin, "LogGP o_r", &|c| by_loggp_of(receiver(c)).map(recv)),
        line(Ink::Send, Weight::Bold, "O_s", &|c| Some(send(found.with(&sender(c))))),
        line(Ink::Recv, Weight::Bold, "O_r", &|c| Some(recv(found.with(&receiver(c))))),
    ];
    lines.retain(|line| !line.points.is_empty());
    let most = lines.iter().flat_map(|line| &line.points).map(|(_, y)| *y);
    let most = super::moments::round_up(most.fold(Micros(0.0), Micros::max));
    Sweep { plane: Plane { until, most }, lines }
}

impl Sweep {
    /// The lines as a plot, for the read-out.
    pub(crate) fn figure(&self) -> Figure {
        let nanoseconds = |(x, y): &(Micros, Micros)| (x.0 * 1e3, Some(y.0));
        let line = |line: &Line| figure::Line {
            ink: line.ink,
            weight: line.weight,
            label: line.label.to_owned(),
            points: line.points.iter().map(nanoseconds).collect(),
        };
        let [x, y] =
            [self.plane.until.0 * 1e3, self.plane.most.0].map(|high| Log { low: 0.0, high });
        Figure::of_lines(Axis::Compute, x, y, self.lines.iter().map(line).collect())
    }

    /// A line as an SVG path, without points on straight segments.
    pub(crate) fn path(&self, frame: Frame, line: &Line) -> String {
        let pixels: Vec<(f64, f64)> =
            line.points.iter().map(|(x, y)| self.plane.pixel(frame, *x, *y)).collect();
        let is_bend = |i: usize| {
            let (Some(before), Some(after)) = (i.checked_sub(1), pixels.get(i + 1)) else {
                return true;
            };
            (pixels[before].1 + after.1 - 2.0 * pixels[i].1).abs() > 0.05
        };
        let kept = (0..pixels.len()).filter(|i| is_bend(*i));
        let words: Vec<String> =
            kept.map(|i| format!("{:.1} {:.1}", pixels[i].0, pixels[i].1)).collect();
        format!("M{}", words.join("L"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::loggpo::assumptions;
    use loggia_model::model::overlap::overlap;

    #[test]
    fn lines_pass_through_the_exchange_and_end_at_the_edges() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let assumed = assumptions(&Route::of(&t3d, None, None).unwrap());
        for assumption in assumed {
            t3d.set(assumption.symbol, &assumption.value).unwrap();
        }
        let route = Route::of(&t3d, None, None).unwrap();
        let bytes = Bytes(100_000);
        let programs = Programs { send_compute: Micros(500.0), ..Programs::default() };
        let found = overlap(&route, bytes, &programs).unwrap();
        let until = Micros(1000.0);
        let sweep = sweep(&route, bytes, &found, &programs, until);
        assert_eq!(sweep.lines.len(), 4);
        let own = sweep.lines.iter().find(|line| line.label == "O_s").unwrap();
        assert!(own.points.contains(&(Micros(500.0), found.exchange.send)));
        let frame = Frame::inside(600.0, 300.0, 12.0);
        for line in &sweep.lines {
            let path = sweep.path(frame, line);
            assert!(path.starts_with(&format!("M{:.1} ", frame.left)), "{path}");
            assert!(path.contains(&format!("L{:.1} ", frame.right)), "{path}");
            assert!(path.len() < 400, "straight lines are short: {path}");
        }
    }
}
