//! A closed form: the time, what it is made of, and where it is exact.

use super::time::{SYMBOLS, Time};

/// The time of an algorithm in closed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// In symbols; see [the module](super) for what they mean.
    pub formula: &'static str,
    /// How much of each parameter is on the longest way through the algorithm.
    pub terms: Vec<Term>,
    /// When the last rank has finished, in picoseconds: the sum of the terms.
    pub time: u64,
    /// Where the form is exact.
    pub range: &'static str,
    /// Whether this time is; elsewhere it is an estimate.
    pub exact: bool,
}

/// So many times a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its symbol.
    pub symbol: &'static str,
    /// How many times; for G and t_c, how many bytes.
    pub count: u64,
    /// All of them together, in picoseconds. Overheads of messages of several sizes may differ.
    pub time: u64,
}

/// The terms of a time that takes any.
pub(crate) fn terms(time: Time) -> Vec<Term> {
    let term = |(symbol, part): (&'static str, super::time::Part)| Term {
        symbol,
        count: part.count,
        time: part.ps,
    };
    SYMBOLS.into_iter().zip(time.parts).map(term).filter(|term| term.count > 0).collect()
}
