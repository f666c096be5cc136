//! Values of all lines at one position of the horizontal axis.

use super::figure::{Figure, Ink, Line};
use super::steps::{in_order, nearest_of};

/// The value of a line or of a measured point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) ink: Ink,
    pub(crate) label: String,
    pub(crate) y: f64,
    /// Whether it is a measured point outside the lines.
    pub(crate) is_point: bool,
}

/// Horizontal values with at least one number, ascending.
fn places(figure: &Figure) -> Vec<u64> {
    let lines = figure.lines.iter().flat_map(|line| &line.points);
    let lines = lines.filter(|(_, y)| y.is_some()).map(|(x, _)| *x);
    let all = lines.chain(figure.dots.iter().map(|dot| dot.x));
    in_order(all.filter(|x| (figure.x.low..=figure.x.high).contains(x)).map(|x| x.round() as u64))
}

/// The position nearest to a value.
pub(crate) fn nearest(figure: &Figure, value: f64) -> u64 {
    let value = value.round() as u64;
    nearest_of(&places(figure), value, value)
}

/// The position before or after another one.
pub(crate) fn neighbour(figure: &Figure, at: u64, forward: bool) -> u64 {
    let to = if forward { at + 1 } else { at.saturating_sub(1) };
    nearest_of(&places(figure), at, to)
}

/// The values at a position, from the top down. Lines without a label are left out, and so are
/// measured points on a line.
pub(crate) fn values(figure: &Figure, at: u64) -> Vec<Value> {
    let at = at as f64;
    let name = |ink: Ink| {
        let of_ink = figure.lines.iter().find(|line| line.ink == ink && !line.label.is_empty());
        of_ink.map(|line| line.label.clone()).unwrap_or_default()
    };
    let value = |line: &Line| {
        let label = match line.label.as_str() {
            "" => name(line.ink),
            label => label.to_owned(),
        };
        Some(Value { ink: line.ink, label, y: value(line, at)?, is_point: false })
    };
    // Of equal values, the most important line is first; it is the last in the figure.
    let mut values: Vec<Value> = figure.lines.iter().rev().filter_map(value).collect();
    for dot in figure.dots.iter().filter(|dot| dot.x.round() == at) {
        let is_on_line =
            |one: &Value| one.ink == dot.ink && (one.y - dot.y[0]).abs() <= 1e-9 * one.y.abs();
        if !values.iter().any(is_on_line) {
            let (ink, label, y) = (dot.ink, name(dot.ink), dot.y[0]);
            values.push(Value { ink, label, y, is_point: true });
        }
    }
    // For so few values, a library sort would only be more code to load.
    let mut ordered: Vec<Value> = Vec::new();
    for value in values {
        let place = ordered.partition_point(|before| before.y >= value.y);
        ordered.insert(place, value);
    }
    ordered
}

/// The value of a line, linearly interpolated between its points.
fn value(line: &Line, at: f64) -> Option<f64> {
    let after = line.points.iter().position(|(x, _)| *x >= at)?;
    let (x, y) = line.points[after];
    if x == at || after == 0 {
        return y.filter(|_| x == at);
    }
    let (before, low) = line.points[after - 1];
    Some(low? + (y? - low?) * (at - before) / (x - before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::figure::{Dot, Weight};

    #[test]
    fn every_line_is_read_at_the_nearest_place() {
        let figure = Figure::example();
        assert_eq!(nearest(&figure, 1030.4), 1024);
        assert_eq!([neighbour(&figure, 1024, true), neighbour(&figure, 1024, false)], [1152, 960]);
        assert_eq!(
            [neighbour(&figure, 16 << 20, true), neighbour(&figure, 1, false)],
            [16 << 20, 1]
        );
        let read = values(&figure, 1000);
        assert_eq!(read[0].label, "total");
        assert!((read[0].y - 60.0).abs() < 1e-9, "on a straight line between two sizes");
    }

    #[test]
    fn values_are_sorted_and_points_on_a_line_left_out() {
        let line = |ink: Ink, y: f64, label: &str| Line {
            ink,
            weight: Weight::Thin,
            label: label.to_owned(),
            points: vec![(1.0, Some(y)), (4.0, Some(y)), (8.0, None)],
        };
        let lines = vec![line(Ink::Send, 2.0, "o_s"), line(Ink::Recv, 3.0, "o_r")];
        let dot = |ink, y| Dot { ink, x: 4.0, y: [y; 3] };
        let dots = vec![dot(Ink::Send, 2.0), dot(Ink::Recv, 3.5)];
        let figure = Figure { lines, dots, ..Figure::example() };
        let read = values(&figure, 4);
        let words: Vec<_> = read.iter().map(|v| (v.label.as_str(), v.y, v.is_point)).collect();
        assert_eq!(words, [("o_r", 3.5, true), ("o_r", 3.0, false), ("o_s", 2.0, false)]);
        assert!(values(&figure, 6).is_empty());
    }
}
