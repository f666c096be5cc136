//! The comparison as text: environment, numbers, times, conditions and verdict.

use super::report::{CollectiveTimes, Report};
use crate::report::parameters::bounded;
use crate::report::table::table;
use loggia_model::compare::{
    self, Cell, Condition, Group, LimitResult, Outcome, Overtaking, RankedTime, RatioVerdict, Row,
    Verdict, changed, groups,
};
use loggia_model::units::words::{number, size, time};

pub(super) fn of(report: &Report, all: bool) -> String {
    let parts = [
        explanation(report),
        conditions(report),
        parameters(report, all),
        times(report),
        checked(&report.fail_on, &report.labels),
        verdict(report),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

fn explanation(report: &Report) -> String {
    format!(
        "ratios are relative to {}; a number changed if it differs by more than the confidence \
         intervals allow\n",
        report.labels[0]
    )
}

/// One or more columns per machine; `>` aligns right.
fn header(report: &Report, name: &str, each: impl Fn(usize, &str) -> Vec<String>) -> Vec<String> {
    let machines = report.labels.iter().enumerate().flat_map(|(i, label)| each(i, label));
    std::iter::once(name.to_owned()).chain(machines).collect()
}

fn titled(title: &str, header: &[String], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let title = if title.is_empty() { String::new() } else { format!("{title}\n") };
    title + &table(&header, rows)
}

fn conditions(report: &Report) -> String {
    let row = |condition: &Condition| {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "—".to_owned());
        std::iter::once(condition.what.clone()).chain(condition.values.iter().map(value)).collect()
    };
    let header = header(report, "", |_, label| vec![label.to_owned()]);
    titled("environment", &header, report.conditions.iter().map(row).collect())
}

/// One table per tier, and one of operations. A curve has all points, or the largest difference.
fn parameters(report: &Report, all: bool) -> String {
    let groups = groups(&report.parameters);
    let tiers = groups.chunk_by(|a, b| a.rows[0].subject.tier == b.rows[0].subject.tier);
    let tier = |groups: &[Group]| {
        let rows: Vec<Vec<String>> = match all {
            true => groups.iter().flat_map(|group| group.rows).map(|row| line(row, None)).collect(),
            false => {
                groups.iter().map(|group| line(&group.rows[group.worst], Some(group))).collect()
            }
        };
        let name = groups[0].rows[0].subject.tier.as_deref().unwrap_or("collective operations");
        let header = header(report, name, |i, label| match i {
            0 => vec![format!("{label}>")],
            _ => vec![format!("{label}>"), "ratio>".to_owned(), String::new()],
        });
        titled("", &header, rows)
    };
    tiers.map(tier).collect::<Vec<_>>().join("\n")
}

/// A number on all machines; with a note if it represents other points of its curve.
fn line(row: &Row, group: Option<&Group>) -> Vec<String> {
    let (unit_size, unit) = row.unit();
    let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
    let name = row.subject.words_in_tier() + &unit;
    let cell = |(machine, cell): (usize, &Cell)| {
        let mut cells = vec![value(cell, unit_size)];
        if let Some(change) = &cell.change {
            let among = group.map(|group| group.among(machine)).unwrap_or_default();
            cells.extend([change.words(), change.judged.outcome() + &among]);
        }
        cells
    };
    std::iter::once(name).chain(row.machines.iter().enumerate().flat_map(cell)).collect()
}

/// A number with its bounds, in units of this size.
fn value(cell: &Cell, unit_size: f64) -> String {
    let scaled = cell.interval().map(|interval| interval.map(|value| value / unit_size));
    let number = scaled.map(|interval| bounded(interval, 4));
    number.or(cell.word.clone()).unwrap_or_else(|| "—".to_owned())
}

fn times(report: &Report) -> String {
    let over_sizes = report.p2p.iter().map(|row| (size(row.bytes), row.standings.as_slice()));
    let over_ops = report.collectives.iter().map(|row| (heading(row), row.standings.as_slice()));
    let rows: Vec<_> = over_sizes.chain(over_ops).map(|(name, all)| standings(name, all)).collect();
    let header = header(report, "", |i, label| match i {
        0 => vec![format!("{label}>")],
        _ => vec![format!("{label}>"), String::new()],
    });
    let overtakings = report.collectives.iter().flat_map(|row| {
        row.overtakings.iter().map(|overtaking| sentence(row.op, overtaking, &report.labels))
    });
    let overtakings: String = overtakings.collect();
    let break_before = if overtakings.is_empty() { "" } else { "\n" };
    titled(TIMES, &header, rows) + break_before + &overtakings
}

fn heading(row: &CollectiveTimes) -> String {
    let of =
        (row.bytes.0 > 0).then(|| format!(" of {} {}", size(row.bytes), row.bytes_are.words()));
    format!("{}{}, p = {}", row.op, of.unwrap_or_default(), row.procs.0)
}

/// Title of the times, with the meaning of their signs.
const TIMES: &str =
    "times; 1. is the fastest, × is relative to the first machine, ! is extrapolated";

/// A row of times, ranks, ratios and verdicts.
fn standings(name: String, standings: &[RankedTime]) -> Vec<String> {
    let cell = |standing: &RankedTime| {
        let verdict = standing.judged.as_ref().map(RatioVerdict::outcome);
        let (Some(taken), Some(rank)) = (standing.time, standing.rank) else {
            return std::iter::once("—".to_owned()).chain(verdict).collect::<Vec<_>>();
        };
        let ratio = standing.ratio.map(|ratio| format!(", ×{}", number(ratio, 3)));
        let beyond = if standing.extrapolated { "!" } else { "" };
        let time = format!("{}{beyond} ({rank}.{})", time(taken), ratio.unwrap_or_default());
        std::iter::once(time).chain(verdict).collect()
    };
    std::iter::once(name).chain(standings.iter().flat_map(cell)).collect()
}

fn sentence(op: &str, found: &Overtaking, names: &[String]) -> String {
    let Overtaking { at, ahead, behind } = found;
    format!("{op}: from p = {}, {} is faster than {}\n", at.0, names[*ahead], names[*behind])
}

/// The conditions, with the machine if there are more than two.
pub(super) fn checked(all: &[LimitResult], labels: &[String]) -> String {
    let row = |result: &LimitResult| {
        let outcome = match result.outcome {
            Outcome::Passed => "does not hold",
            Outcome::Unsure => "may hold: its interval contains the limit",
            Outcome::Failed => "holds: the check fails",
        };
        let mut subject = result.subject.words();
        if labels.len() > 2 {
            subject = format!("{subject}, {}", labels[result.machine]);
        }
        vec![result.condition.clone(), subject, result.change.words(), outcome.to_owned()]
    };
    let header = ["condition", "of", "ratio>", ""].map(str::to_owned);
    titled("", &header, all.iter().map(row).collect())
}

fn verdict(report: &Report) -> String {
    let of = |machine: usize| {
        let numbers =
            changed(&report.parameters, machine).into_iter().map(|row| row.words(machine));
        let times = report.times().filter(|(_, all)| all[machine].is(Verdict::Changed));
        let times = times.map(|(subject, _)| subject.words());
        let all: Vec<String> = numbers.chain(times).collect();
        let label = &report.labels[machine];
        match (all.as_slice(), unknown(report, machine).as_slice()) {
            ([], []) => format!("{label}: the same\n"),
            ([], unknown) if report.verdict == Verdict::Same => {
                format!("{label}: the same; unknown: {}\n", unknown.join("; "))
            }
            ([], unknown) => format!("{label}: unknown: {}\n", unknown.join("; ")),
            (all, _) => format!("{label}: changed: {}\n", all.join("; ")),
        }
    };
    let all: String = (1..report.labels.len()).map(of).collect();
    format!("{all}{}\n", report.strictness.words())
}

/// The unknown changes of a machine, each with its reason.
fn unknown(report: &Report, machine: usize) -> Vec<String> {
    let with = |of: String, judged: &RatioVerdict| format!("{of} ({})", judged.outcome());
    let numbers =
        compare::unknown_rows(&report.parameters, machine).into_iter().filter_map(|row| {
            let change = row.machines[machine].change.as_ref()?;
            Some(with(row.subject.words(), &change.judged))
        });
    let times = report.times().filter(|_| report.parameters.is_empty()).filter_map(|(of, all)| {
        let judged = all[machine].judged.as_ref()?;
        (judged.verdict == Verdict::Unknown).then(|| with(of.words(), judged))
    });
    numbers.chain(times).collect()
}
