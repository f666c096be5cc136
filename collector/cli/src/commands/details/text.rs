//! Details of a simulation as text.

use crate::report::table::table;
use loggia_model::units::Micros;
use loggia_model::units::words::number;
use loggia_simulate::result::{CriticalPath, RankSplit, Sensitivity, Stuck};

/// Rows shown at the top and at the end of a long table.
const SHOWN: usize = 12;

/// Why a run is stuck: cycles of waiting, unmatched sends and receives.
pub(in crate::commands) fn why(stuck: &Stuck) -> String {
    let mut text = format!("{}\n", stuck.summary());
    for (heading, lines) in stuck.sections() {
        text += &format!("{heading}:\n  {}\n", lines.join("\n  "));
    }
    text
}

pub(super) fn sensitivity(s: &Sensitivity) -> String {
    let card = s.d_node_gap_per_byte.map(|bytes| ("dT/d(1/R_N)", bytes, "bytes"));
    let rows = [
        ("dT/dL", s.d_latency, "latencies"),
        ("dT/do", s.d_overhead, "overheads"),
        ("dT/dO'", s.d_control_overhead, "control overheads"),
        ("dT/dg", s.d_gap, "gaps"),
        ("dT/dG", s.d_gap_per_byte, "bytes"),
    ];
    let rows = rows.into_iter().chain(card);
    let rows =
        rows.map(|(name, value, what)| [name.to_owned(), value.to_string(), what.to_owned()]);
    table(&["", "µs per µs>", ""], rows)
}

/// The first and the last rows, with `None` for those between.
pub(in crate::commands) fn some<T>(rows: &[T]) -> impl Iterator<Item = Option<&T>> {
    let is_long = rows.len() > 2 * SHOWN + 1;
    let (top, end) = match is_long {
        true => (&rows[..SHOWN], &rows[rows.len() - SHOWN..]),
        false => (rows, &rows[..0]),
    };
    top.iter().map(Some).chain(is_long.then_some(None)).chain(end.iter().map(Some))
}

pub(super) fn path(path: &CriticalPath) -> String {
    let terms = path.terms.iter().map(|term| {
        let count = term.count.map_or(String::new(), |count| count.to_string());
        [term.symbol.to_owned(), count, number(term.time_us, 8)]
    });
    let steps = some(&path.steps).map(|step| match step {
        None => ["…".to_owned(), String::new(), String::new(), String::new()],
        Some(step) => [
            number(step.start_us.0, 8),
            number(step.end_us.0, 8),
            step.activity.to_owned(),
            step.op.clone(),
        ],
    });
    format!(
        "critical path\n{}\n{}",
        table(&["", "count>", "µs>"], terms),
        table(&["from, µs>", "to, µs>", "", ""], steps)
    )
}

pub(super) fn splits(ranks: &[RankSplit]) -> String {
    let all: Vec<(usize, &RankSplit)> = ranks.iter().enumerate().collect();
    let rows = some(&all).map(|row| match row {
        None => {
            std::array::from_fn(|column| if column == 0 { "…".to_owned() } else { String::new() })
        }
        Some((rank, split)) => {
            let us = |time: Micros| number(time.0, 6);
            [
                rank.to_string(),
                us(split.compute_us),
                us(split.send_overhead_us),
                us(split.recv_overhead_us),
                us(split.control_us),
                us(split.gap_us),
                us(split.waiting_us),
                split.messages.to_string(),
            ]
        }
    });
    let header =
        ["rank>", "compute>", "send>", "receive>", "control>", "gap>", "waiting>", "messages>"];
    format!("time breakdown per rank, µs\n{}", table(&header, rows))
}

/// A text followed by the non-empty sections.
pub(in crate::commands) fn with_sections(
    mut text: String,
    sections: impl IntoIterator<Item = Option<String>>,
) -> String {
    for section in sections.into_iter().flatten().filter(|section| !section.is_empty()) {
        text += "\n";
        text += &section;
    }
    text
}
