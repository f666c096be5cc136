//! The answer as text.

use super::Said;
use crate::report::table::{remarks, table};
use loggia_model::simulate::answer::{Answer, CriticalPath, Curve, RankSplit, Sensitivity, Stuck};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};

/// So many rows of a table are shown at its top and at its end.
const SHOWN: usize = 12;

pub(super) fn of(said: &Said, ranks: u32) -> String {
    let Answer { rules, events, messages, time_us, stuck, rank_times_us, .. } = &said.answer;
    let mut text = format!("{}\non {}, by the rules of {rules}\n\n", said.schedule, said.machine);
    match (time_us, stuck) {
        (Some(end), None) => text += &format!("{}\n", time(*end)),
        // LogGOPSim does not miss what it never began.
        (Some(end), Some(_)) => {
            text += &format!("stuck: it cannot finish; what can is over after {}\n", time(*end));
        }
        (None, _) => text += "stuck: it cannot finish\n",
    }
    let many = |count: u64, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    text += &format!(
        "{}, {}, {}\n",
        many(ranks.into(), "rank"),
        many(*messages, "message"),
        many(*events, "event")
    );
    if let (Some(first), Some(last)) = (earliest(rank_times_us), time_us)
        && first != *last
    {
        text += &format!("the first rank ends after {}\n", time(first));
    }
    let sections = [
        said.closed_form.as_ref().map(|form| {
            let exact = if form.exact { "exact here" } else { "an estimate here" };
            format!(
                "closed form: {} = {} ({exact}; it is for {})\n",
                form.formula,
                time(form.time_us),
                form.range
            )
        }),
        stuck.as_ref().map(why),
        said.sensitivity.as_ref().map(sensitivity),
        said.critical_path.as_ref().map(path),
        said.ranks.as_deref().map(splits),
        said.curve.as_ref().map(curve),
        Some(remarks(&said.warnings)),
    ];
    for section in sections.into_iter().flatten().filter(|section| !section.is_empty()) {
        text += "\n";
        text += &section;
    }
    text
}

fn earliest(times: &[Micros]) -> Option<Micros> {
    times.iter().copied().reduce(|a, b| if b.0 < a.0 { b } else { a })
}

pub(in crate::commands) fn why(stuck: &Stuck) -> String {
    let mut text = format!(
        "{} receives and messages were left over; {} operations never began\n",
        stuck.unmatched, stuck.never_began
    );
    let mut list = |title: &str, lines: &[String]| {
        if !lines.is_empty() {
            text += &format!("{title}\n  {}\n", lines.join("\n  "));
        }
    };
    list("each of these waits for the next, and the last for the first:", &stuck.cycle);
    list("nobody sends what these wait for:", &stuck.receives_without_send);
    list("nobody receives what these send:", &stuck.sends_without_receive);
    list("received, but their senders were never told:", &stuck.sends_unanswered);
    text
}

pub(in crate::commands) fn sensitivity(s: &Sensitivity) -> String {
    let rows = [
        ("dT/dL", s.d_latency, "latencies"),
        ("dT/do", s.d_overhead, "overheads"),
        ("dT/dO'", s.d_control_overhead, "control overheads"),
        ("dT/dg", s.d_gap, "gaps"),
        ("dT/dG", s.d_gap_per_byte, "bytes"),
    ];
    let rows =
        rows.map(|(name, value, what)| [name.to_owned(), value.to_string(), what.to_owned()]);
    table(&["", "µs for a µs>", ""], rows)
}

/// The first and the last of many rows.
fn some<T>(rows: &[T]) -> impl Iterator<Item = Option<&T>> {
    let many = rows.len() > 2 * SHOWN + 1;
    let (top, end) = match many {
        true => (&rows[..SHOWN], &rows[rows.len() - SHOWN..]),
        false => (rows, &rows[..0]),
    };
    top.iter().map(Some).chain(many.then_some(None)).chain(end.iter().map(Some))
}

pub(in crate::commands) fn path(path: &CriticalPath) -> String {
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

pub(in crate::commands) fn splits(ranks: &[RankSplit]) -> String {
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
    format!("where the time goes, µs\n{}", table(&header, rows))
}

fn curve(curve: &Curve) -> String {
    let rows = some(&curve.pieces).map(|piece| match piece {
        None => {
            std::array::from_fn(|column| if column == 0 { "…".to_owned() } else { String::new() })
        }
        Some(piece) => [
            number(piece.from_us.0, 8),
            number(piece.to_us.0, 8),
            number(piece.time_us.0, 8),
            piece.slope.to_string(),
            if piece.jump { "jumps here" } else { "" }.to_owned(),
        ],
    });
    let p = curve.parameter;
    let header = [&format!("{p} from, µs>"), "to, µs>", "T, µs>", &format!("dT/d{p}>"), ""];
    let broken = curve.broken_off_at_us.map(|at| {
        format!("! too many pieces: broken off at {}; ask for a narrower range\n", time(at))
    });
    format!("the end over {p}\n{}{}", table(&header, rows), broken.unwrap_or_default())
}
