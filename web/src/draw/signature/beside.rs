//! What several machines' signatures say, on the same axes.

use super::overheads::sizes;
use super::{along, dot, reach};
use crate::draw::figure::{Dot, Figure, Ink, Line, Weight};
use crate::draw::scale::Log;
use crate::draw::steps::Axis;
use loggia_model::model::Route;
use loggia_model::signature::{At, Curve, Verdict};
use loggia_model::timeline::Place;
use loggia_model::units::{Bytes, Interval};

/// Values along both axes.
type Points = Vec<(f64, Option<f64>)>;

/// A machine's way, and what it looks like.
pub(crate) struct Of<'a> {
    pub(crate) route: Route<'a>,
    pub(crate) ink: Ink,
    pub(crate) label: String,
}

impl Of<'_> {
    fn line(&self, points: Points) -> Line {
        let weight = if self.ink == Ink::Total { Weight::Bold } else { Weight::Thin };
        Line { ink: self.ink, weight, label: self.label.clone(), points }
    }

    fn overhead(&self, side: Place) -> Option<(Points, &Curve)> {
        let style = self.route.style?;
        type Overhead = fn(&Route<'_>, Bytes) -> Option<At>;
        let (curve, at): (_, Overhead) = match side {
            Place::Sender => (&style.send_overhead, |route, bytes| route.send_overhead(bytes)),
            _ => (&style.recv_overhead, |route, bytes| route.recv_overhead(bytes)),
        };
        let curve = curve.as_ref().filter(|curve| curve.verdict != Verdict::Unusable)?;
        let value = |size: Bytes| at(&self.route, size).map(|at| at.time.value.0);
        let points = sizes(curve).into_iter().map(|size| (size.count(), value(size)));
        Some((points.collect(), curve))
    }
}

/// o_s or o_r over the size, each machine's in the style asked about.
pub(crate) fn overheads(all: &[Of], side: Place) -> Option<Figure> {
    let (mut lines, mut dots) = (Vec::new(), Vec::new());
    for one in all.iter().rev() {
        let Some((points, curve)) = one.overhead(side) else { continue };
        lines.push(one.line(points));
        dots.extend(curve.points.iter().map(|point| dot(one.ink, point)));
    }
    let sizes = lines.iter().flat_map(|line: &Line| &line.points).map(|(size, _)| *size);
    figure(Axis::Bytes, along(sizes)?, lines, dots)
}

/// g over the number of messages under way.
pub(crate) fn depths(all: &[Of]) -> Option<Figure> {
    let (mut lines, mut dots) = (Vec::new(), Vec::new());
    for one in all.iter().rev() {
        let known = one.route.tier.gap_by_depth.iter().filter_map(|point| {
            let Interval { value, low, high } = point.gap.interval()?;
            Some(Dot { ink: one.ink, x: point.depth.into(), y: [value.0, low.0, high.0] })
        });
        let known: Vec<Dot> = known.collect();
        let points: Vec<_> = known.iter().map(|dot| (dot.x, Some(dot.y[0]))).collect();
        if !points.is_empty() {
            lines.push(one.line(points));
        }
        dots.extend(known);
    }
    let x = along(dots.iter().map(|dot| dot.x))?;
    figure(Axis::Depth, x, lines, dots)
}

/// G for each byte: what the bytes alone take.
pub(crate) fn bytes(all: &[Of]) -> Option<Figure> {
    let of = |one: &Of| {
        let each = one.route.gap_per_byte()?.value;
        let point = |size: u64| (Bytes(size).count(), Some(each.of(Bytes(size).count()).0));
        Some(one.line(Axis::Bytes.values().map(point).collect()))
    };
    let lines = all.iter().rev().filter_map(of).collect();
    let x = Log { low: Axis::Bytes.low() as f64, high: Axis::Bytes.high() as f64 };
    figure(Axis::Bytes, x, lines, Vec::new())
}

fn figure(axis: Axis, x: Log, lines: Vec<Line>, dots: Vec<Dot>) -> Option<Figure> {
    let seen = lines.iter().flat_map(Line::runs).flatten().map(|(_, y)| y);
    let y = Log::around(seen.chain(reach(&dots)))?;
    Some(Figure { dots, ..Figure::of_lines(axis, x, y, lines) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn machines_share_the_axes_and_the_one_in_question_lies_on_top() {
        let machines = ["cray-t3d", "now-sparc", "ap3000-mpi"].map(|n| library::load(n).unwrap());
        let of = |(i, machine)| Of {
            route: Route::of(machine, None, None).unwrap(),
            ink: Ink::of_machine(i),
            label: machine.name.clone(),
        };
        let all: Vec<Of> = machines.iter().enumerate().map(of).collect();
        let labels = |figure: Option<Figure>| -> Vec<String> {
            figure.unwrap().lines.into_iter().map(|line| line.label).collect()
        };
        assert_eq!(labels(overheads(&all, Place::Sender)), ["now-sparc", "cray-t3d"]);
        assert_eq!(labels(bytes(&all)), ["now-sparc", "cray-t3d"]);
        assert_eq!(depths(&all), None);
    }
}
