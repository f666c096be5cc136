//! Timelines and space-time diagrams.

use super::{Row, headed, number};
use crate::sharing::words as text;
use loggia_model::timeline::{Span, Timeline};
use loggia_simulate::record::{Flight, Record, Span as Busy};
use loggia_worker::{BusyInterval, MessageFlight, TimelineSection};

pub(super) fn of_timeline(timeline: &Timeline) -> Vec<Row> {
    headed(&text::SPAN, timeline.spans.iter().map(row))
}

/// Rows of several timelines, each after the timeline's name.
pub(super) fn of_timelines(all: &[(String, Timeline)]) -> Vec<Row> {
    let head: Vec<&str> = std::iter::once(text::NAME).chain(text::SPAN).collect();
    let named =
        |name: &str, span: &Span| std::iter::once(name.to_owned()).chain(row(span)).collect();
    let rows = all
        .iter()
        .flat_map(|(name, timeline)| timeline.spans.iter().map(move |span| named(name, span)));
    headed(&head, rows)
}

fn row(span: &Span) -> Row {
    vec![
        span.place.name().to_owned(),
        span.towards.map(|place| place.name()).unwrap_or_default().to_owned(),
        span.activity.symbol().to_owned(),
        span.message.to_owned(),
        number(span.start.0),
        number(span.end.0),
    ]
}

/// Activities, then messages.
pub(super) fn of_record(record: &Record) -> Vec<Row> {
    let critical = |is: bool| u8::from(is).to_string();
    let busy = |span: &Busy| {
        vec![
            span.rank.to_string(),
            String::new(),
            span.activity.name().to_owned(),
            number(span.start.0),
            number(span.end.0),
            critical(span.is_critical),
        ]
    };
    let flight = |flight: &Flight| {
        vec![
            flight.from.to_string(),
            flight.to.to_string(),
            text::MESSAGE.to_owned(),
            number(flight.leaves.0),
            number(flight.arrives.0),
            critical(flight.is_critical),
        ]
    };
    let flights = record.flights.iter().map(flight);
    headed(&text::BUSY, record.spans.iter().map(busy).chain(flights))
}

/// The visible part of a run: intervals and messages, or shares per cell if there are too many.
pub(super) fn of_section(section: &TimelineSection) -> Vec<Row> {
    let Some(each) = &section.each else { return of_cells(section) };
    let interval = |interval: &BusyInterval| {
        vec![
            interval.rank.to_string(),
            interval.cpu.to_string(),
            String::new(),
            interval.activity.to_owned(),
            interval.op.clone(),
            number(interval.start_us.0),
            number(interval.end_us.0),
        ]
    };
    let arrow = |arrow: &MessageFlight| {
        vec![
            arrow.from.to_string(),
            String::new(),
            arrow.to.to_string(),
            text::MESSAGE.to_owned(),
            String::new(),
            number(arrow.leaves_us.0),
            number(arrow.arrives_us.0),
        ]
    };
    let arrows = section.arrows.iter().flatten().map(arrow);
    headed(&text::INTERVAL, each.iter().map(interval).chain(arrows))
}

/// Cells with activity, row by row.
fn of_cells(section: &TimelineSection) -> Vec<Row> {
    let across = section.viewport.cells.max(1) as usize;
    let cell = |(i, shares): (usize, &[u8])| {
        let first = section.viewport.first + (i / across) as u32 * section.ranks_a_row;
        let from = section.viewport.from.0 + (i % across) as f64 * section.cell_us.0;
        let mut row = vec![
            first.to_string(),
            section.ranks_a_row.to_string(),
            number(from),
            number(from + section.cell_us.0),
        ];
        row.extend(shares.iter().map(|share| format!("{:.3}", f64::from(*share) / 255.0)));
        row
    };
    let busy = |(_, shares): &(usize, &[u8])| shares.iter().any(|share| *share > 0);
    headed(&text::CELL, section.shares.chunks_exact(4).enumerate().filter(busy).map(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::units::Micros;
    use loggia_worker::Viewport;

    #[test]
    fn cells_have_position_and_shares() {
        let viewport = Viewport {
            from: Micros(100.0),
            to: Micros(101.0),
            first: 8,
            ranks: 8,
            cells: 2,
            rows: 2,
        };
        let section = TimelineSection {
            viewport,
            intervals: 1 << 20,
            each: None,
            messages: 1 << 20,
            arrows: None,
            ranks_a_row: 4,
            shares_length: 0,
            cell_us: Micros(0.5),
            shares: vec![0, 0, 0, 0, 255, 0, 0, 0, 0, 51, 0, 0, 0, 0, 0, 0],
        };
        let rows = of_section(&section);
        assert_eq!(rows.len(), 3, "{rows:?}");
        assert_eq!(rows[1][..6], ["8", "4", "100.5", "101", "1.000", "0.000"]);
        assert_eq!(rows[2][..6], ["12", "4", "100", "100.5", "0.000", "0.200"]);
    }
}
