//! Texts of the view Compare.

use loggia_model::units::words::{counted, number};

pub(crate) const MACHINE: &str = "Machine";
pub(crate) const MESSAGES: &str = "Message";
pub(crate) const OPERATIONS: &str = "Collective operations";
pub(crate) const FASTEST_MACHINE: &str = "Fastest machine by size and ranks";
pub(crate) const OVERTAKING: &str = "Crossovers over p";
pub(crate) const UNKNOWN: &str = "—";
pub(crate) const NONE: &str = "No other machine has a parameter in common with the selected one.";
pub(crate) const NO_OVERTAKING: &str = "No crossovers.";
pub(crate) const KEY: &str = "Time, rank, and ratio to the first machine. Italics: extrapolated \
    beyond what was measured or fitted.";
pub(crate) const WITHOUT: &str = "Not comparable";

pub(crate) const CHANGES: &str = "Changes";
pub(crate) const DIFFERENCES: &str = "Parameters";
pub(crate) const DIFFERENT: &str = "Different machines: their numbers are compared, not judged as \
    changes.";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const NOTHING_SHARED: &str = "No parameter in common";
pub(crate) const UNKNOWN_CHANGE: &str = "Whether anything changed is unknown";
pub(crate) const NO_NUMBER_CHANGED: &str = "no number has changed";
pub(crate) const EVERY_NUMBER: &str = "All numbers and the environment";
pub(crate) const ENVIRONMENT: &str = "Environment";
pub(crate) const NUMBERS: &str = "All numbers";
pub(crate) const EVERY_POINT: &str = "all points of curves";
pub(crate) const NUMBERS_KEY: &str = "Value, interval, and ratio to the first machine with its interval. \
    Changed: the ratio's interval excludes 1, at 95% simultaneous confidence. Published and assumed \
    values count as exact.";

pub(crate) const HISTORY: &str = "Over time";
pub(crate) const RUN: &str = "Run";
pub(crate) const WHICH: &str = "Number";
pub(crate) const HISTORY_KEY: &str = "↑ ↓ changed since the run before, (↑) (↓) since the first.";
pub(crate) const WITHIN: &str = "Band: the first run's interval. Filled marks: changed since the run \
    before.";
pub(crate) const CHANGED_SINCE: [&str; 2] =
    ["changed since the run before", "changed since the first run"];

pub(crate) const ALL_OPERATIONS: &str = "All operations";

/// Summary of the folded table of operations.
pub(crate) fn operations(operations: usize, machines: usize) -> String {
    format!("{} on {}", counted(operations, "operation"), counted(machines, "machine"))
}

/// The machine that ratios refer to.
pub(crate) fn against(title: &str) -> String {
    format!("compared with {title}")
}

/// The first run, in a sentence: its date, or its name.
pub(crate) fn since(run: &str) -> String {
    let is_day = run.starts_with(|first: char| first.is_ascii_digit());
    if is_day { format!("on {run}") } else { format!("in {run}") }
}

pub(crate) fn same_as(run: &str) -> String {
    format!("Nothing has changed since {run}")
}

/// Number of runs without a date.
pub(crate) fn undated(count: usize) -> String {
    format!("{count} without a date, shown last")
}

/// Number of machines in the comparison.
pub(crate) fn fastest_of(count: usize) -> String {
    format!("the fastest of {count}")
}

/// Rank of the selected machine.
pub(crate) fn standing(title: &str, rank: usize, times: f64) -> String {
    match number(times, 3).as_str() {
        "1" => format!("; {title} is as fast"),
        times => format!("; {title} is number {rank} and takes {times} times as long"),
    }
}

pub(crate) fn on(procs: u32) -> String {
    format!("on {procs} ranks")
}

/// A row of the table of fastest machines.
pub(crate) fn procs(procs: u32) -> String {
    format!("p = {procs}")
}

/// Range in which overtaking was searched.
pub(crate) fn over_procs(op: &str, of: &str) -> String {
    format!("{op} of {of}, for each pair where both closed forms were fitted:")
}

/// A change of the order of two machines.
pub(crate) fn overtakes(procs: u32, ahead: &str, behind: &str) -> String {
    format!("from p = {procs} on, {ahead} is faster than {behind}")
}

/// Tooltip of a cell.
pub(crate) fn cell_title(name: &str, time: &str) -> String {
    format!("{name}: {time}")
}

/// Parameters of the first machine that another one lacks, or that are uncertain there.
pub(crate) fn unknown_parameters(all: &[String]) -> String {
    format!("unknown: {}", all.join("; "))
}
