//! The report as text.

use crate::commands::details::sections;
use crate::commands::details::text::{some, why, with_sections};
use crate::report::table::{remarks, table};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use loggia_report::run::RunReport;
use loggia_simulate::result::{Curve, SimulationResult};

pub(super) fn of(report: &RunReport, ranks: u32) -> String {
    let SimulationResult { rules, events, messages, time_us, stuck, rank_times_us, .. } =
        &report.answer;
    let mut text =
        format!("{}\non {}, simulation model {rules}\n\n", report.schedule, report.machine);
    match (time_us, stuck) {
        (Some(end), None) => text += &format!("{}\n", time(*end)),
        // LogGOPSim ignores operations that never start.
        (Some(end), Some(_)) => {
            text += &format!(
                "stuck: the program cannot complete; the rest completes after {}\n",
                time(*end)
            );
        }
        (None, _) => text += "stuck: the program cannot complete\n",
    }
    let counted = |count: u64, noun: &str| match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    };
    text += &format!(
        "{}, {}, {}\n",
        counted(ranks.into(), "rank"),
        counted(*messages, "message"),
        counted(*events, "event")
    );
    if let (Some(first), Some(last)) = (earliest(rank_times_us), time_us)
        && first != *last
    {
        text += &format!("the first rank completes after {}\n", time(first));
    }
    let before = [
        report.closed_form.as_ref().map(|form| {
            let exact = if form.exact { "exact" } else { "estimate" };
            format!(
                "closed form: {} = {} ({exact}; valid for {})\n",
                form.formula,
                time(form.time_us),
                form.range
            )
        }),
        stuck.as_ref().map(why),
    ];
    let after = [report.curve.as_ref().map(curve), Some(remarks(&report.warnings))];
    with_sections(text, before.into_iter().chain(sections(&report.details)).chain(after))
}

fn earliest(times: &[Micros]) -> Option<Micros> {
    times.iter().copied().reduce(|a, b| if b.0 < a.0 { b } else { a })
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
            if piece.jump { "jump" } else { "" }.to_owned(),
        ],
    });
    let p = curve.parameter;
    let header = [&format!("{p} from, µs>"), "to, µs>", "T, µs>", &format!("dT/d{p}>"), ""];
    let broken = curve.broken_off_at_us.map(|at| {
        format!("! too many segments: truncated at {}; use a narrower range\n", time(at))
    });
    format!("completion time over {p}\n{}{}", table(&header, rows), broken.unwrap_or_default())
}
