//! Plots of parts, and the map of the fastest algorithm.

use super::{Row, headed, number};
use crate::draw::heat::Map;
use crate::draw::split::PARTS;
use crate::sharing::words as text;
use loggia_link::figures::{Bar, Drawn};
use loggia_plan::plan::Plan;
use loggia_plan::table;
use loggia_simulate::result::{Curve, Piece};

/// The fastest method for each size and p.
pub(super) fn of_map(map: &Map) -> Vec<Row> {
    let cell = |column: usize, row: usize| {
        let winner = map.at(column, row).flatten().unwrap_or_default();
        vec![map.columns[column].to_string(), map.rows[row].to_string(), winner.to_owned()]
    };
    let row = |row: usize| (0..map.columns.len()).map(move |column| cell(column, row));
    headed(&text::FASTEST, (0..map.rows.len()).flat_map(row))
}

/// The linear pieces of a curve.
pub(super) fn of_curve(curve: &Curve) -> Vec<Row> {
    let row = |piece: &Piece| {
        let Piece { from_us, to_us, time_us, slope, jump } = piece;
        let times = [from_us, to_us, time_us].map(|time| number(time.0));
        times.into_iter().chain([slope.to_string(), u8::from(*jump).to_string()]).collect()
    };
    let head = text::pieces(curve.parameter);
    headed(&head.each_ref().map(String::as_str), curve.pieces.iter().map(row))
}

/// The parts of ranks' times.
pub(super) fn of_split(bars: &[loggia_worker::Bar]) -> Vec<Row> {
    let row = |bar: &loggia_worker::Bar| {
        let ranks = [bar.first, bar.ranks].map(|n| n.to_string());
        ranks.into_iter().chain(PARTS.map(|part| number((part.time)(&bar.mean).0))).collect()
    };
    let parts = PARTS.map(|part| text::in_us(part.words));
    let head: Vec<&str> = text::RANKS.into_iter().chain(parts.iter().map(String::as_str)).collect();
    headed(&head, bars.iter().map(row))
}

/// An iteration and its parts, for each number of ranks.
pub(super) fn of_plan(plan: &Plan) -> Vec<Row> {
    headed(&table::HEAD, table::rows(plan))
}

/// Bars of a figure, with a row for each part.
pub(super) fn of_bars(drawn: &Drawn) -> Vec<Row> {
    let parts = |bar: &Bar| -> Vec<Row> {
        let row = |part: &loggia_link::figures::Part| {
            let value = part.value.map(number).unwrap_or_default();
            vec![bar.label.clone(), part.symbol.to_owned(), value]
        };
        bar.parts.iter().map(row).collect()
    };
    headed(
        &text::bars(drawn.unit).each_ref().map(String::as_str),
        drawn.bars.iter().flat_map(parts),
    )
}
