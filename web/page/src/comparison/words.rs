//! Words of comparisons of machines.

use loggia_model::units::words::number;

pub(crate) const WITH: &str = "Compared with";

pub(crate) const OTHER_MACHINES: &str = "Other machines";

pub(crate) const COMPARE: &str = "Compare";

pub(crate) const FASTEST: &str = "fastest";

pub(crate) const REFUSED: &str = "No result";

/// The title of a changed machine.
pub(crate) fn changed(title: &str) -> String {
    format!("{title}, changed")
}

/// A name, cut to a short length.
pub(crate) fn short(name: &str) -> String {
    no_longer(name, 15)
}

/// A name, cut shorter to leave room for a suffix.
pub(crate) fn shorter(name: &str) -> String {
    no_longer(name, 9)
}

fn no_longer(name: &str, most: usize) -> String {
    match name.chars().count() <= most {
        true => name.to_owned(),
        false => format!("{}…", name.chars().take(most - 1).collect::<String>()),
    }
}

pub(crate) fn ratio(ratio: f64) -> String {
    format!("×{}", number(ratio, 3))
}

pub(crate) fn rank(rank: usize) -> String {
    format!("{rank}.")
}

pub(crate) const UNKNOWN: &str = "no result";

/// More changes of the best are only counted.
const MOST_CHANGES: usize = 4;

/// The best at the low end of an axis, and the values at which another one becomes the best.
pub(crate) fn leads(what: &str, first: &str, changes: &[(String, String)]) -> String {
    let Some((last, earlier)) = changes.split_last() else {
        return format!("The {what} at every value: {first}");
    };
    let mut parts = vec![format!("▲ The {what} at the left edge: {first}")];
    if changes.len() > MOST_CHANGES {
        parts.push(format!("{} changes", changes.len()));
    } else {
        parts.extend(earlier.iter().map(|(value, name)| from_on(value, name)));
    }
    parts.push(from_on(&last.0, &last.1));
    parts.join("; ")
}

/// The best from a value on.
fn from_on(value: &str, name: &str) -> String {
    format!("from {value} on: {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_changes_are_listed_and_more_are_counted() {
        let changes: Vec<(String, String)> =
            (1..=5).map(|at| (format!("{at} KiB"), format!("M{at}"))).collect();
        assert_eq!(leads("fastest", "M0", &[]), "The fastest at every value: M0");
        assert_eq!(
            leads("fastest", "M0", &changes[..4]),
            "▲ The fastest at the left edge: M0; from 1 KiB on: M1; from 2 KiB on: M2; \
             from 3 KiB on: M3; from 4 KiB on: M4"
        );
        assert_eq!(
            leads("fastest", "M0", &changes),
            "▲ The fastest at the left edge: M0; 5 changes; from 5 KiB on: M5"
        );
    }
}
