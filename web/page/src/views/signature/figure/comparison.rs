//! Plots of several signatures on common axes.

use super::along;
use super::overheads::{both, values, vertical};
use crate::draw::figure::{Dot, Figure, Ink, Line, Weight, dot};
use crate::draw::scale::Log;
use crate::draw::steps::Axis;
use loggia_model::model::Route;
use loggia_model::signature::Curve;
use loggia_model::timeline::Lane;
use loggia_model::units::{Bytes, Interval};

type Points = Vec<(f64, Option<f64>)>;

/// A machine's route with its colour and label.
pub(crate) struct MachineSeries<'a> {
    pub(crate) route: Route<'a>,
    pub(crate) ink: Ink,
    pub(crate) label: String,
}

impl MachineSeries<'_> {
    fn line(&self, points: Points) -> Line {
        let weight = if self.ink == Ink::Total { Weight::Bold } else { Weight::Thin };
        Line { ink: self.ink, weight, label: self.label.clone(), points }
    }

    fn overhead(&self, side: Lane) -> Option<(Points, &Curve)> {
        let [sender, receiver] = both(self.route.style?);
        let (_, curve, at) = if side == Lane::Sender { sender } else { receiver };
        Some((values(&self.route, curve?, at), curve?))
    }
}

/// o_s or o_r over size, in the selected send mode of each machine.
pub(crate) fn overheads(all: &[MachineSeries], side: Lane) -> Option<Figure> {
    let (mut lines, mut dots) = (Vec::new(), Vec::new());
    for one in all.iter().rev() {
        let Some((points, curve)) = one.overhead(side) else { continue };
        lines.push(one.line(points));
        dots.extend(curve.points.iter().map(|point| dot(one.ink, point)));
    }
    let sizes = lines.iter().flat_map(|line: &Line| &line.points).map(|(size, _)| *size);
    figure(Axis::Bytes, along(sizes)?, lines, dots)
}

/// g over the number of messages in flight.
pub(crate) fn depths(all: &[MachineSeries]) -> Option<Figure> {
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

/// G times the size, over size.
pub(crate) fn bytes(all: &[MachineSeries]) -> Option<Figure> {
    let of = |one: &MachineSeries| {
        let each = one.route.gap_per_byte()?.value;
        let point = |size: u64| (Bytes(size).count(), Some(each.of(Bytes(size).count()).0));
        Some(one.line(Axis::Bytes.values().map(point).collect()))
    };
    let lines = all.iter().rev().filter_map(of).collect();
    figure(Axis::Bytes, Axis::Bytes.scale(), lines, Vec::new())
}

fn figure(axis: Axis, x: Log, lines: Vec<Line>, dots: Vec<Dot>) -> Option<Figure> {
    let y = vertical(&lines, &dots)?;
    Some(Figure { dots, ..Figure::of_lines(axis, x, y, lines) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn machines_share_axes_and_the_selected_one_is_drawn_last() {
        let machines = ["cray-t3d", "now-sparc", "ap3000-mpi"].map(|n| library::load(n).unwrap());
        let of = |(i, machine)| MachineSeries {
            route: Route::of(machine, None, None).unwrap(),
            ink: Ink::of_machine(i),
            label: machine.name.clone(),
        };
        let all: Vec<MachineSeries> = machines.iter().enumerate().map(of).collect();
        let labels = |figure: Option<Figure>| -> Vec<String> {
            figure.unwrap().lines.into_iter().map(|line| line.label).collect()
        };
        assert_eq!(labels(overheads(&all, Lane::Sender)), ["now-sparc", "cray-t3d"]);
        assert_eq!(labels(bytes(&all)), ["now-sparc", "cray-t3d"]);
        assert_eq!(depths(&all), None);
    }
}
