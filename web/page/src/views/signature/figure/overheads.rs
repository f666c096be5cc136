//! o_s and o_r of every send mode over the size.

use super::{along, reach};
use crate::draw::figure::{Dot, Figure, Ink, Line, Weight, dot};
use crate::draw::scale::Log;
use crate::draw::steps::{Axis, in_order};
use loggia_model::model::Route;
use loggia_model::signature::{At, Curve, Quality, Style};
use loggia_model::units::Bytes;

/// An overhead of a route at a size.
pub(super) type Overhead = fn(&Route<'_>, Bytes) -> Option<At>;

/// Symbol, usable curve and value of o_s and of o_r.
pub(super) fn both(style: &Style) -> [(&'static str, Option<&Curve>, Overhead); 2] {
    let usable = |curve| Option::as_ref(curve).filter(|c: &&Curve| c.quality != Quality::Unusable);
    [
        ("o_s", usable(&style.send_overhead), |route, bytes| route.send_overhead(bytes)),
        ("o_r", usable(&style.recv_overhead), |route, bytes| route.recv_overhead(bytes)),
    ]
}

/// Maximum number of send modes with labels.
const NAMED: usize = 4;

/// Overheads of all send modes of a tier, the selected one last; `None` if a logarithmic axis can
/// show no value.
pub(crate) fn figure(route: &Route) -> Option<Figure> {
    let chosen = route.style?;
    let others = route.tier.styles.iter().filter(|style| style.name != chosen.name);
    let (mut lines, mut dots) = (Vec::new(), Vec::new());
    for style in others.chain([chosen]) {
        let is_chosen = style.name == chosen.name;
        let route = Route { style: Some(style), ..*route };
        for (symbol, curve, at) in both(style) {
            let Some(curve) = curve else { continue };
            let label = match is_chosen {
                true => symbol,
                false if route.tier.styles.len() > NAMED => "",
                false => style.name.0.as_str(),
            };
            lines.push(line(&route, curve, at, (symbol, label, is_chosen)));
            // Of other send modes, only points that are on no line.
            if is_chosen || curve.points.len() == 1 {
                dots.extend(curve.points.iter().map(|point| dot(Ink::of(symbol), point)));
            }
        }
    }
    let x = along(lines.iter().flat_map(|line| line.points.iter().map(|(size, _)| *size)))?;
    let y = vertical(&lines, &dots)?;
    Some(Figure { dots, ..Figure::of_lines(Axis::Bytes, x, y, lines) })
}

fn line(route: &Route, curve: &Curve, at: Overhead, words: (&str, &str, bool)) -> Line {
    let (symbol, label, is_chosen) = words;
    Line {
        ink: Ink::of(symbol),
        weight: if is_chosen { Weight::Bold } else { Weight::Faint },
        label: label.to_owned(),
        points: values(route, curve, at),
    }
}

/// Values of a curve at its sizes.
pub(super) fn values(route: &Route, curve: &Curve, at: Overhead) -> Vec<(f64, Option<f64>)> {
    let value = |size: Bytes| (size.count(), at(route, size).map(|at| at.time.value.0));
    sizes(curve).into_iter().map(value).collect()
}

/// Sizes of a curve, and round ones between them.
fn sizes(curve: &Curve) -> Vec<Bytes> {
    let own = curve.points.iter().map(|point| point.bytes);
    let ends = own.clone().min().zip(own.clone().max());
    let is_between = |size: &Bytes| ends.is_none_or(|(low, high)| low <= *size && *size <= high);
    in_order(Axis::Bytes.values().map(Bytes).filter(is_between).chain(own))
}

/// A vertical axis for all values.
pub(super) fn vertical(lines: &[Line], dots: &[Dot]) -> Option<Log> {
    let of_lines = lines.iter().flat_map(Line::runs).flatten().map(|(_, y)| y);
    Log::around(of_lines.chain(reach(dots)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    fn of(name: &str, style: Option<&str>) -> Option<Figure> {
        let signature = library::load(name).unwrap();
        figure(&Route::of(&signature, None, style).unwrap())
    }

    #[test]
    fn the_selected_send_mode_is_last_and_has_its_points() {
        let figure = of("cray-t3d", Some("issend")).unwrap();
        let labels: Vec<&str> = figure.lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(labels, ["isend", "isend", "o_s", "o_r"]);
        let ends = figure.lines[2].runs()[0].clone();
        assert_eq!((ends[0], *ends.last().unwrap()), ((16.0, 24.0), (10_000.0, 100.0)));
        assert_eq!(figure.dots.len(), 4);
        assert_eq!((figure.x.low, figure.x.high), (16.0, 10_000.0));
    }

    #[test]
    fn one_point_is_a_dot() {
        let figure = of("quadrics-shmem", None).unwrap();
        assert_eq!(figure.dots[0].y, [0.4, 0.4, 0.4]);
        assert!(figure.x.high / figure.x.low >= 16.0);
    }

    #[test]
    fn without_overheads_there_is_no_plot() {
        assert_eq!(of("ap3000-mpi", None), None);
    }
}
