//! Plots of lines over an axis.

use super::{Row, filled, number};
use crate::draw::figure::{Dot, Figure};
use crate::draw::{ratios, sweep};
use crate::sharing::words as text;
use loggia_model::timeline::Lane;

/// A column per line, a row per value of the axis; then single values, one per row.
pub(super) fn of_figure(figure: &Figure) -> Vec<Row> {
    let unit = text::unit(figure.unit);
    let series = text::series(figure);
    let mut head = vec![text::along(figure.axis).to_owned()];
    head.extend(series.iter().map(|name| format!("{name}{unit}")));
    if figure.band.is_some() {
        head.extend(text::BOUNDS.map(|name| format!("{name}{unit}")));
    }
    if !figure.dots.is_empty() {
        head.extend(text::POINT.map(|name| format!("{name}{unit}")));
    }
    let width = head.len();
    let mut rows = vec![head];
    rows.extend(places(figure).into_iter().map(|x| filled(row_at(figure, x), width)));
    let first = width - text::POINT.len();
    rows.extend(figure.dots.iter().map(|dot| filled(single(dot, first), width)));
    rows
}

/// All values of the axis at which a line or band has a point, ascending.
fn places(figure: &Figure) -> Vec<f64> {
    let lines = figure.lines.iter().flat_map(|line| line.points.iter().map(|(x, _)| *x));
    let band = figure.band.iter().flat_map(|band| band.points.iter().map(|(x, ..)| *x));
    distinct(lines.chain(band))
}

fn row_at(figure: &Figure, place: f64) -> Row {
    let mut row = vec![number(place)];
    row.extend(figure.lines.iter().map(|line| value(&line.points, place)));
    if let Some(band) = &figure.band {
        let found = band.points.iter().find(|(x, ..)| *x == place);
        row.extend(found.map_or_else(Default::default, |(_, low, high)| [*low, *high].map(number)));
    }
    row
}

fn single(dot: &Dot, first: usize) -> Row {
    let mut row = filled(vec![number(dot.x)], first);
    row.extend(dot.y.map(number));
    row
}

/// Distinct values, ascending.
fn distinct(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The value of a line; empty if unknown.
fn value(points: &[(f64, Option<f64>)], place: f64) -> String {
    let found = points.iter().find(|(x, _)| *x == place);
    found.and_then(|(_, y)| *y).map(number).unwrap_or_default()
}

/// Overheads over computation.
pub(super) fn of_sweep(sweep: &sweep::Sweep) -> Vec<Row> {
    let name = |line: &sweep::Line| format!("{} (us)", line.label);
    let points = |line: &sweep::Line| line.points.iter().map(|(x, y)| (x.0, Some(y.0))).collect();
    let lines: Vec<Named> = sweep.lines.iter().map(|line| (name(line), points(line))).collect();
    columns(text::COMPUTATION_US, &lines)
}

/// Overlap ratios over computation, for both sides on each machine.
pub(super) fn of_ratios(machines: &[(String, [ratios::Line; 2])]) -> Vec<Row> {
    let named = |machine: &str, line: &ratios::Line| -> Named {
        let side = if line.side == Lane::Sender { text::RATIOS[0] } else { text::RATIOS[1] };
        (format!("{machine}: {side}"), line.points.iter().map(|(x, y)| (*x, Some(*y))).collect())
    };
    let lines = machines.iter().flat_map(|(title, both)| both.each_ref().map(|l| named(title, l)));
    columns(text::COMPUTATION_NS, &lines.collect::<Vec<_>>())
}

type Named = (String, Vec<(f64, Option<f64>)>);

/// A column for the axis, and one per line.
fn columns(along: &str, lines: &[Named]) -> Vec<Row> {
    let names = lines.iter().map(|(name, _)| name.clone());
    let head = std::iter::once(along.to_owned()).chain(names).collect();
    let places = distinct(lines.iter().flat_map(|(_, points)| points.iter().map(|(x, _)| *x)));
    let row = |x: f64| {
        let values = lines.iter().map(|(_, points)| value(points, x));
        std::iter::once(number(x)).chain(values).collect()
    };
    std::iter::once(head).chain(places.into_iter().map(row)).collect()
}
