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

/// Symbols of the formulas that no machine has as a parameter, with their definitions.
const DEFINITIONS: [(char, &str); 7] = [
    ('E', "E(k) = o_s(k) + L + B(k) + o_r(k), one message"),
    ('M', "M(k) = max(o_s(k), H(k)), from one send to the next"),
    ('H', "H(k) = g + B(k), one message in a network interface"),
    ('B', "B(k) = (k − 1) G"),
    ('c', "c(k) = t_c k, the reduction operator"),
    ('D', "D(n), a broadcast to n ranks"),
    ('U', "U(n), a reduction of n ranks"),
];

/// The definitions of the symbols in a formula; of k bytes, where a definition has k.
#[must_use]
pub fn definitions(formula: &str) -> Vec<&'static str> {
    let is_symbol = |text: &str, symbol: char| {
        let letters: Vec<char> = text.chars().collect();
        let is_word = |at: Option<usize>| {
            at.and_then(|at| letters.get(at)).is_some_and(|c| c.is_alphanumeric() || *c == '_')
        };
        (0..letters.len()).any(|at| {
            // A factor such as 2E stands directly before its symbol.
            let before = at.checked_sub(1).filter(|at| !letters[*at].is_ascii_digit());
            letters[at] == symbol && !is_word(before) && !is_word(Some(at + 1))
        })
    };
    let mut found: Vec<&str> = Vec::new();
    for (symbol, definition) in DEFINITIONS {
        // A definition is explained by the later ones.
        if is_symbol(formula, symbol) || found.iter().any(|known| is_symbol(known, symbol)) {
            found.push(definition);
        }
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_symbol_of_a_formula_is_defined() {
        let symbols = |formula: &str| -> String {
            definitions(formula).iter().filter_map(|definition| definition.chars().next()).collect()
        };
        assert_eq!(symbols("E(m) + (p − 2) max(o_r(m), H(m))"), "EHB");
        assert_eq!(symbols("(p − 1)(2E + c)(⌈m/p⌉), or H(⌈m/p⌉) per round if longer"), "EHBc");
        assert_eq!(symbols("U(p) of a binomial tree: children's messages every c or later"), "cU");
        assert_eq!(symbols("2E(m) + (p − 2)(max(o_r(m), H(m)) + M(m))"), "EMHB");
        assert_eq!(symbols("D(p), where a subtree of n ranks gets n·m bytes"), "D");
    }
}
