//! The numbers of a picture as CSV: units in the head, every digit.

use super::Data;
use crate::draw::figure::{Dot, Figure};
use crate::text::sharing as text;
use loggia_model::timeline::{Span, Timeline};

/// All of them.
pub(super) fn table(data: &Data) -> String {
    let rows = match data {
        Data::Figure(figure) => of_figure(figure),
        Data::Timeline(timeline) => of_timeline(timeline),
    };
    rows.iter().map(|row| line(row)).collect()
}

type Row = Vec<String>;

/// A column for each line, a row for each value along the axis; then single values, one a row.
fn of_figure(figure: &Figure) -> Vec<Row> {
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
    rows.extend(places(figure).into_iter().map(|x| filled(at(figure, x), width)));
    let first = width - text::POINT.len();
    rows.extend(figure.dots.iter().map(|dot| filled(single(dot, first), width)));
    rows
}

/// Every value along the axis at which a line or a band has one, least first.
fn places(figure: &Figure) -> Vec<f64> {
    let lines = figure.lines.iter().flat_map(|line| line.points.iter().map(|(x, _)| *x));
    let band = figure.band.iter().flat_map(|band| band.points.iter().map(|(x, ..)| *x));
    let mut places: Vec<f64> = lines.chain(band).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

fn at(figure: &Figure, place: f64) -> Row {
    let value = |points: &[(f64, Option<f64>)]| {
        let found = points.iter().find(|(x, _)| *x == place);
        found.and_then(|(_, y)| *y).map(number).unwrap_or_default()
    };
    let mut row = vec![number(place)];
    row.extend(figure.lines.iter().map(|line| value(&line.points)));
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

fn of_timeline(timeline: &Timeline) -> Vec<Row> {
    let row = |span: &Span| {
        vec![
            span.place.name().to_owned(),
            span.towards.map(|place| place.name()).unwrap_or_default().to_owned(),
            span.activity.symbol().to_owned(),
            span.message.to_owned(),
            number(span.start.0),
            number(span.end.0),
        ]
    };
    let head = text::SPAN.map(str::to_owned).to_vec();
    std::iter::once(head).chain(timeline.spans.iter().map(row)).collect()
}

/// Empty where there is no number.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

fn filled(mut row: Row, width: usize) -> Row {
    row.resize(width, String::new());
    row
}

/// As RFC 4180 has it.
fn line(row: &[String]) -> String {
    let cell = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    format!("{}\r\n", row.iter().map(cell).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::figure::{Band, Ink, Line, Weight};
    use crate::draw::scale::Log;
    use crate::draw::steps::Axis;
    use std::rc::Rc;

    fn figure() -> Figure {
        let line = |label: &str, points: &[(f64, Option<f64>)]| Line {
            ink: Ink::Total,
            weight: Weight::Bold,
            label: label.to_owned(),
            points: points.to_vec(),
        };
        let lines = vec![
            line("isend, total", &[(1.0, Some(0.1 + 0.2)), (2.0, None)]),
            line("L", &[(2.0, Some(1e-7))]),
        ];
        let scale = Log { low: 1.0, high: 2.0 };
        Figure::of_lines(Axis::Bytes, scale, scale, lines)
    }

    #[test]
    fn no_digit_is_lost_and_what_is_missing_stays_empty() {
        let table = table(&Data::Figure(Rc::new(figure())));
        assert_eq!(
            table,
            "message size (bytes),\"isend, total (us)\",L (us)\r\n\
             1,0.30000000000000004,\r\n2,,0.0000001\r\n"
        );
    }

    #[test]
    fn bounds_and_single_values_stand_in_columns_of_their_own() {
        let band = Band { ink: Ink::Total, points: vec![(1.0, 0.25, 0.5)] };
        let dots = vec![Dot { ink: Ink::Total, x: 8.0, y: [3.0, 2.0, f64::INFINITY] }];
        let table = table(&Data::Figure(Rc::new(Figure { band: Some(band), dots, ..figure() })));
        let lines: Vec<&str> = table.lines().collect();
        assert!(
            lines[0].ends_with(",low (us),high (us),point (us),point low (us),point high (us)")
        );
        assert_eq!(lines[1], "1,0.30000000000000004,,0.25,0.5,,,");
        assert_eq!(lines[3], "8,,,,,3,2,");
    }
}
