//! The words of this view.

use loggia_model::units::words::number;

pub(crate) const TITLE: &str = "Side by side";
pub(crate) const WITH: &str = "Compared with";
pub(crate) const BESIDE: &str = "Other machines";
pub(crate) const SHOW_BESIDE: &str = "show them beside";
pub(crate) const FASTEST: &str = "fastest";
pub(crate) const REFUSED: &str = "No answer";
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

/// A machine that the reader has changed.
pub(crate) fn changed(title: &str) -> String {
    format!("{title}, changed")
}

/// A name where there is little room.
pub(crate) fn short(name: &str) -> String {
    no_longer(name, 15)
}

/// A name where something stands behind it.
pub(crate) fn shorter(name: &str) -> String {
    no_longer(name, 9)
}

fn no_longer(name: &str, most: usize) -> String {
    match name.chars().count() <= most {
        true => name.to_owned(),
        false => format!("{}…", name.chars().take(most - 1).collect::<String>()),
    }
}

/// Who is the fastest of how many.
pub(crate) fn fastest_of(count: usize) -> String {
    format!("the fastest of {count}")
}

/// Where the machine in question stands behind the fastest.
pub(crate) fn standing(title: &str, rank: usize, times: f64) -> String {
    format!("; {title} is number {rank}: {} times as long", number(times, 3))
}

/// A rank.
pub(crate) fn rank(rank: usize) -> String {
    format!("{rank}.")
}

/// A ratio.
pub(crate) fn ratio(ratio: f64) -> String {
    format!("×{}", number(ratio, 3))
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
