//! The words of this view.

use loggia_model::units::words::number;

pub(crate) const TITLE: &str = "Side by side";
pub(crate) const MACHINE: &str = "Machine";
pub(crate) const MESSAGES: &str = "One message";
pub(crate) const OPERATIONS: &str = "Collective operations";
pub(crate) const WHO_WINS: &str = "Who is the fastest where";
pub(crate) const OVERTAKING: &str = "Where ranks change over p";
pub(crate) const NOBODY: &str = "—";
pub(crate) const NONE: &str = "Nothing that it reports is reported of another machine here.";
pub(crate) const NO_OVERTAKING: &str = "Nobody overtakes anybody.";
pub(crate) const KEY: &str = "Time, rank, and how many times as long as on the machine in question; \
    in italics where that is outside what was measured or fitted.";
pub(crate) const WITHOUT: &str = "Not in this comparison";

pub(crate) const CHANGES: &str = "What has changed";
pub(crate) const SAME: &str = "The same";
pub(crate) const CHANGED: &str = "Changed";
pub(crate) const NOTHING_SHARED: &str = "Nothing that both report";
pub(crate) const CANNOT_BE_TOLD: &str = "It cannot be told whether anything has changed";
pub(crate) const NO_NUMBER_CHANGED: &str = "no number has changed";
pub(crate) const EVERY_NUMBER: &str = "Every number, and what else differs";
pub(crate) const CIRCUMSTANCES: &str = "What else differs";
pub(crate) const NUMBERS: &str = "Every number";
pub(crate) const EVERY_POINT: &str = "every point of curves";
pub(crate) const NUMBERS_KEY: &str = "Value, bounds, ratio to the first with its interval. Changed is \
    what differs by more than these intervals allow, all of them together in 95 of 100 comparisons; \
    what is published or assumed counts as exact.";

pub(crate) const HISTORY: &str = "Over time";
pub(crate) const RUN: &str = "Run";
pub(crate) const WHICH: &str = "Which number";
pub(crate) const HISTORY_KEY: &str = "↑ ↓ changed since the run before, (↑) (↓) since the first.";
pub(crate) const WITHIN: &str = "The band is what the first run's interval holds; filled marks have \
    changed since the run before.";
pub(crate) const CHANGED_SINCE: [&str; 2] =
    ["changed since the run before", "changed since the first run"];

/// What the ratios are to.
pub(crate) fn against(title: &str) -> String {
    format!("against {title}")
}

/// How many runs have no date.
pub(crate) fn undated(count: usize) -> String {
    format!("{count} without a date: after all others, as they came")
}

/// Who is the fastest of how many.
pub(crate) fn fastest_of(count: usize) -> String {
    format!("the fastest of {count}")
}

/// Where the machine in question stands behind the fastest.
pub(crate) fn standing(title: &str, rank: usize, times: f64) -> String {
    format!("; {title} is number {rank}: {} times as long", number(times, 3))
}

/// On so many processes.
pub(crate) fn on(procs: u32) -> String {
    format!("on {procs} processes")
}

/// A row of the picture of who is fastest.
pub(crate) fn procs(procs: u32) -> String {
    format!("p = {procs}")
}

/// Where overtaking was sought.
pub(crate) fn over_procs(op: &str, of: &str) -> String {
    format!("{op} of {of}, each two where both forms were fitted:")
}

/// One machine becomes faster than another.
pub(crate) fn overtakes(procs: u32, ahead: &str, behind: &str) -> String {
    format!("from p = {procs} on, {ahead} overtakes {behind}")
}

/// A cell, for those who want its time.
pub(crate) fn wins(name: &str, time: &str) -> String {
    format!("{name}: {time}")
}

/// What the first machine reports and another does not, or not surely.
pub(crate) fn untold(all: &[String]) -> String {
    format!("cannot be told: {}", all.join("; "))
}
