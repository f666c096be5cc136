//! A closed form: time, terms, and the range in which it is exact.

use super::time::{SYMBOLS, Time};

/// The time of an algorithm in closed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// In symbols, explained in [the module](super).
    pub formula: &'static str,
    /// Amount of each parameter on the critical path.
    pub terms: Vec<Term>,
    /// Completion time in picoseconds: the sum of the terms.
    pub time: u64,
    /// Range in which the form is exact.
    pub range: &'static str,
    /// Whether this time is exact; otherwise it is an estimate.
    pub exact: bool,
}

/// An amount of one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub symbol: &'static str,
    /// Count; bytes for G and t_c.
    pub count: u64,
    /// Total time in picoseconds. Messages of several sizes may have different overheads.
    pub time: u64,
}

/// The non-zero terms of a time.
pub(crate) fn terms(time: Time) -> Vec<Term> {
    let term = |(symbol, part): (&'static str, super::time::Part)| Term {
        symbol,
        count: part.count,
        time: part.ps,
    };
    SYMBOLS.into_iter().zip(time.parts).map(term).filter(|term| term.count > 0).collect()
}
