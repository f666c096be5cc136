//! The built-in machines: measurements of current machines, and tables of papers.
//!
//! Each machine is a file of `shared/model/library`, in the usual format; every number names its
//! source. Measured curves have as many points as in a link.
//!
//! The page starts with [`first()`] and [`ENTRIES`], and loads the other machines and the JSON reader
//! later. So only [`load`] and [`all`] may refer to the texts.

mod entry;
mod files;
mod first;

pub use entry::{ENTRIES, Entry, Found, Group, entry};
pub use first::first;

use crate::error::Input;
use crate::{Error, Signature, json};

/// The name of the default machine of the page.
pub const FIRST: &str = "alps";

/// The names: current machines by group, then machines of the papers, in their order.
pub fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

/// The signature with this name.
pub fn load(name: &str) -> Result<Signature, Error> {
    let (_, text) = files::ALL
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| Error::unknown("signature", name, Input::Signature, names()))?;
    json::from_json(text)
}

/// All signatures, in the order of the names.
pub fn all() -> impl Iterator<Item = Signature> {
    files::ALL.iter().filter_map(|(_, text)| json::from_json(text).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Origin;

    #[test]
    fn every_machine_loads_and_is_written_back_unchanged() {
        for (name, text) in files::ALL {
            let signature = load(name).unwrap();
            assert_eq!(signature.name, name);
            assert_eq!(json::to_json(&signature), text, "{name}.json is not as `show` prints it");
        }
    }

    /// `LIBRARY=write cargo test -p loggia-model` generates `first.rs` again.
    #[test]
    fn the_first_machine_equals_its_file() {
        let file = load(FIRST).unwrap();
        if std::env::var_os("LIBRARY").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/library/first.rs");
            let (begin, _) = include_str!("library/first.rs").split_once("Signature {\n").unwrap();
            let text = format!("{begin}Signature {{\n{}\n}}\n", as_rust(&file));
            std::fs::write(path, text).unwrap();
            return;
        }
        assert_eq!(first(), file, "see this test's comment");
    }

    /// A signature as a Rust expression: its `Debug` output with allocations.
    fn as_rust(signature: &Signature) -> String {
        let (mut made, mut is_text) = (String::new(), false);
        for c in format!("{signature:?}").chars() {
            match c {
                '"' if is_text => made.push_str("\".to_owned()"),
                '[' if !is_text => made.push_str("vec!["),
                ' ' if !is_text && made.ends_with(',') => made.push('\n'),
                c => made.push(c),
            }
            is_text ^= c == '"';
        }
        made.replace("Point { bytes: Bytes(", "point(")
            .replace("),\nvalue: Micros(", ", ")
            .replace("),\nlow: None,\nhigh: None }", ")")
    }

    #[test]
    fn every_machine_is_listed_under_its_title_and_year() {
        let texts: Vec<&str> = files::ALL.iter().map(|(name, _)| *name).collect();
        assert_eq!(names().collect::<Vec<_>>(), texts);
        for entry in &ENTRIES {
            let signature = load(entry.name).unwrap();
            assert_eq!(entry.title, signature.title);
            let date = match &signature.origin {
                Origin::Citation { date, .. } => date.clone(),
                Origin::Measurement { date, .. } => Some(date.clone()),
                Origin::Assumption { .. } => None,
            };
            let is_paper = entry.group == Group::Papers;
            assert_eq!(entry.found == Found::Published, is_paper, "{}", entry.name);
            assert_eq!(is_paper, entry.year < 2012, "{}", entry.name);
            // Files of the papers have the year in their citation.
            let is_dated = date.is_some_and(|date| date.starts_with(&entry.year.to_string()));
            assert!(is_dated || is_paper, "{}", entry.name);
        }
        assert!(ENTRIES.iter().filter(|entry| entry.group != Group::Papers).count() >= 14);
        assert!(ENTRIES.is_sorted_by_key(|entry| entry.group), "entries are sorted by group");
    }

    /// A list calibrated for a simulator says so for each number. It has no 0 for a parameter that
    /// the fit did not need.
    #[test]
    fn calibrated_numbers_say_so_and_are_not_zero() {
        for entry in ENTRIES.iter().filter(|entry| entry.found == Found::Calibrated) {
            for tier in &load(entry.name).unwrap().tiers {
                for listed in crate::signature::listing::entries(tier) {
                    use crate::signature::listing::Value;
                    assert!(listed.source.contains("calibrated"), "{}: {listed:?}", entry.name);
                    let is_zero = match listed.value {
                        Value::Number(number) => number.value == 0.0,
                        Value::Line(fixed, _) => fixed.0 == 0.0,
                        _ => false,
                    };
                    assert!(!is_zero, "{}: {listed:?}", entry.name);
                }
            }
        }
    }

    #[test]
    fn every_number_names_its_source() {
        for entry in &ENTRIES {
            let signature = load(entry.name).unwrap();
            let names_it = |source: &str| match entry.group {
                Group::Papers => source.contains("Table") || source.contains("Section"),
                _ => !source.is_empty(),
            };
            for tier in &signature.tiers {
                let parameters = [
                    tier.latency.as_ref().map(|p| &p.source),
                    tier.gap_per_byte.as_ref().map(|p| &p.source),
                    tier.end_to_end_latency.as_ref().map(|p| &p.source),
                ];
                let styles = tier.styles.iter().flat_map(|s| {
                    [
                        s.send_overhead.as_ref().map(|c| &c.source),
                        s.recv_overhead.as_ref().map(|c| &c.source),
                        s.startup.as_ref().map(|p| &p.source),
                        s.per_byte.as_ref().map(|p| &p.source),
                    ]
                });
                for source in parameters.into_iter().chain(styles).flatten() {
                    assert!(names_it(source), "{}", entry.name);
                }
            }
            assert!(signature.collectives.iter().all(|c| names_it(&c.source)), "{}", entry.name);
            assert!(signature.samples.iter().all(|s| !s.source.is_empty()), "{}", entry.name);
        }
    }
}
