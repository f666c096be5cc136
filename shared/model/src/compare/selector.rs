//! Selection of numbers by text: `L`, `network.isend.o_s@8`, `p2p@64KiB`, `allreduce`, `any`.

use super::error::SelectorError;
use super::subject::{BY_DEPTH, MESSAGE, Subject};
use crate::Error;
use crate::error::Place;
use crate::signature::{Operation, symbol_of};
use crate::units::Bytes;
use std::collections::BTreeSet;
use std::str::FromStr;

/// A selection of numbers: `[tier.][style.]symbol[@size]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Required tiers and send modes.
    scopes: Vec<String>,
    pub what: SubjectKind,
    /// The size; `None` for all compared sizes.
    pub bytes: Option<Bytes>,
    /// Messages in flight; `None` for all.
    depth: Option<u32>,
}

/// The kind of number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// All times.
    Any,
    /// The one-way time of a message.
    Message,
    /// A collective operation.
    Operation(Operation),
    /// A parameter, by its symbol.
    Parameter(String),
}

/// Name of all times.
const ANY: &str = "any";

impl FromStr for Selector {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, bytes) = match text.split_once('@') {
            Some((name, size)) => (name, Some(size.parse()?)),
            None => (text, None),
        };
        let mut scopes: Vec<String> = name.split('.').map(|part| part.trim().to_owned()).collect();
        let mut word = scopes.pop().unwrap_or_default();
        let depth = word.strip_prefix("g(").and_then(|rest| rest.strip_suffix(')')?.parse().ok());
        if depth.is_some() {
            BY_DEPTH.clone_into(&mut word);
        }
        let what = match word.as_str() {
            ANY => SubjectKind::Any,
            MESSAGE => SubjectKind::Message,
            _ => match (symbol_of(&word), Operation::named(&word)) {
                (Some(symbol), _) => SubjectKind::Parameter(symbol.to_owned()),
                (None, Ok(op)) => SubjectKind::Operation(op),
                (None, Err(_)) => SubjectKind::Parameter(word),
            },
        };
        Ok(Selector { scopes, what, bytes, depth })
    }
}

impl Selector {
    /// A parameter, at a size or at all sizes.
    pub fn parameter(symbol: &str, bytes: Option<u64>) -> Self {
        let what = SubjectKind::Parameter(symbol.to_owned());
        Selector { scopes: Vec::new(), what, bytes: bytes.map(Bytes), depth: None }
    }

    /// Whether it selects a number.
    pub fn holds(&self, subject: &Subject) -> bool {
        let is_scope = |scope: &String| {
            subject.tier.as_ref() == Some(scope) || subject.style.as_ref() == Some(scope)
        };
        let is_of = match &self.what {
            SubjectKind::Any => subject.unit.starts_with("µs"),
            SubjectKind::Message => subject.tier.is_none() && subject.symbol == MESSAGE,
            SubjectKind::Operation(op) => subject.tier.is_none() && subject.symbol == op.name(),
            SubjectKind::Parameter(symbol) => subject.tier.is_some() && *symbol == subject.symbol,
        };
        let is_at = (self.bytes.is_none() || self.bytes == subject.bytes)
            && (self.depth.is_none() || self.depth == subject.depth);
        is_of && is_at && self.scopes.iter().all(is_scope)
    }

    /// The error if nothing matches: an unknown word, scope or size.
    pub fn unknown(&self, subjects: &[&Subject], place: impl Into<Place>) -> Error {
        let without = |selector: &Selector| subjects.iter().any(|subject| selector.holds(subject));
        let all = Selector { scopes: Vec::new(), bytes: None, depth: None, ..self.clone() };
        if !without(&all) {
            return self.unknown_word(subjects, place);
        }
        if let Some(scope) = self.scopes.iter().find(|scope| {
            let one = Selector { scopes: vec![(*scope).clone()], ..all.clone() };
            !without(&one)
        }) {
            let of = subjects.iter().filter(|subject| all.holds(subject));
            let names = of.flat_map(|subject| subject.tier.iter().chain(&subject.style));
            return Error::unknown("tier or send mode", scope, place, distinct(names));
        }
        let of_scope = Selector { bytes: None, depth: None, ..self.clone() };
        let of = || subjects.iter().filter(|subject| of_scope.holds(subject));
        if self.depth.is_some() {
            let known = of().filter_map(|subject| subject.depth).collect();
            return Error::from(SelectorError::NotAtDepth { known }).at(place);
        }
        let known: BTreeSet<u64> = of().filter_map(|subject| Some(subject.bytes?.0)).collect();
        let is_operation = matches!(self.what, SubjectKind::Operation(_));
        let error = match known.is_empty() {
            true => SelectorError::WithoutSize,
            false => SelectorError::NotAtSize { known, is_operation },
        };
        Error::from(error).at(place)
    }

    fn unknown_word(&self, subjects: &[&Subject], place: impl Into<Place>) -> Error {
        let word = match &self.what {
            SubjectKind::Any => ANY,
            SubjectKind::Message => MESSAGE,
            SubjectKind::Operation(op) => op.name(),
            SubjectKind::Parameter(symbol) => symbol,
        };
        let symbols = distinct(subjects.iter().map(|subject| &subject.symbol));
        let known: Vec<&str> = [MESSAGE, ANY].into_iter().chain(symbols).collect();
        match self.what {
            SubjectKind::Parameter(_) if symbol_of(word).is_none() => {
                Error::unknown("parameter or operation", word, place, known)
            }
            _ => {
                let known = known.into_iter().map(str::to_owned).collect();
                Error::from(SelectorError::NotReported { word: word.to_owned(), known }).at(place)
            }
        }
    }
}

fn distinct<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(&name.as_str()) {
            all.push(name);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Comparison;
    use crate::library;

    /// Number of matches in two machines with g by depth (Bell et al. 2003, Figure 5).
    fn count(text: &str) -> Result<usize, Error> {
        let mut gm = library::load("cray-t3d").unwrap();
        let gap = crate::signature::Parameter::assumed(crate::units::Micros(4.0));
        gm.tiers[0].gap = Some(gap.clone());
        gm.tiers[0].gap_by_depth =
            [1, 16].map(|depth| crate::signature::DepthPoint { depth, gap: gap.clone() }).to_vec();
        let all = Comparison::of(&[&gm, &gm], 0.0);
        let subjects: Vec<&Subject> = all.parameters.iter().map(|row| &row.subject).collect();
        let selector: Selector = text.parse()?;
        match subjects.iter().filter(|subject| selector.holds(subject)).count() {
            0 => Err(selector.unknown(&subjects, "")),
            count => Ok(count),
        }
    }

    #[test]
    fn numbers_are_selected_by_tier_mode_symbol_size_and_depth() {
        for (text, numbers) in [
            ("L", 1),
            ("g", 1),
            ("g(q)", 2),
            ("g(16)", 1),
            ("network.g(1)", 1),
            ("o_s", 4),
            ("isend.o_s", 2),
            ("network.isend.o_s@16", 1),
            (" issend . o_r @ 10000", 1),
            ("scatter", 4),
            ("MPI_Scatter@4", 2),
        ] {
            assert_eq!(count(text), Ok(numbers), "{text}");
        }
        assert!(count("any").unwrap() > 20);
    }

    #[test]
    fn errors_name_the_wrong_part() {
        for (text, message, help) in [
            ("g(5)", "with this many messages in flight", "known with 1, 16 in flight"),
            ("isend.L", "tier or send mode `isend`", "network"),
            ("o_s@17", "at this size", "16, 10000 bytes"),
            ("L@8", "at this size", "leave out the size"),
            ("scatter@5", "at this size", "without procs"),
            ("scater", "unknown parameter or operation `scater`", "scatter"),
        ] {
            let error = count(text).unwrap_err();
            assert!(
                error.message.contains(message) && error.help.to_string().contains(help),
                "{text}: {error}"
            );
        }
    }
}
