//! The numbers of a picture as CSV, with units in the header and all digits.
//!
//! | file | pictures |
//! |---|---|
//! | [`lines`] | lines over an axis |
//! | [`spans`] | activities over time |
//! | [`shares`] | parts of a whole; the map of the fastest method |

mod lines;
mod shares;
mod spans;

use super::Data;
use loggia_exchange::csv::row;

/// The rows with their header.
pub(super) fn table(data: &Data) -> String {
    let rows = match data {
        Data::Figure(figure) => lines::of_figure(figure),
        Data::Timeline(timeline) => spans::of_timeline(timeline),
        Data::Timelines(all) => spans::of_timelines(all),
        Data::Sweep(sweep) => lines::of_sweep(sweep),
        Data::Ratios(machines) => lines::of_ratios(machines),
        Data::Fastest(seen) => shares::of_map(&seen.1),
        Data::Record(record) => spans::of_record(record),
        Data::TimelineData(lanes) => spans::of_section(&lanes.section),
        Data::Curve(curve) => shares::of_curve(curve),
        Data::Split(bars) => shares::of_split(bars),
        Data::Plan(plan) => shares::of_plan(plan),
        Data::Bars(drawn) => shares::of_bars(drawn),
        Data::History(history, names) => history.table(names),
    };
    rows.iter().map(|cells| row(cells)).collect()
}

type Row = Vec<String>;

/// Rows below a header.
fn headed(head: &[&str], rows: impl Iterator<Item = Row>) -> Vec<Row> {
    let head = head.iter().map(|&name| name.to_owned()).collect();
    std::iter::once(head).chain(rows).collect()
}

/// Empty if the number is unknown.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

fn filled(mut row: Row, width: usize) -> Row {
    row.resize(width, String::new());
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::figure::{Band, Dot, Figure, Ink, Line, Weight};
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
    fn numbers_keep_all_digits_and_unknown_ones_are_empty() {
        let table = table(&Data::Figure(Rc::new(figure())));
        assert_eq!(
            table,
            "message size (bytes),\"isend, total (us)\",L (us)\r\n\
             1,0.30000000000000004,\r\n2,,0.0000001\r\n"
        );
    }

    #[test]
    fn bounds_and_single_values_have_columns() {
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
