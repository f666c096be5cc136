//! Changes of an answer along sizes, processes or times.

use serde::Serialize;

/// A change of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change<T> {
    /// The smallest value that has the new answer.
    pub at: u64,
    /// The answer before.
    pub from: T,
    /// The answer from there on.
    pub to: T,
}

/// Every change of an answer between values that grow. Between two of them that have the same
/// answer no other is looked for.
///
/// ```
/// use loggia_model::model::changes::changes;
/// let digits = |value: u64| value.to_string().len();
/// let at: Vec<u64> = changes([1, 50, 5000], digits).iter().map(|change| change.at).collect();
/// assert_eq!(at, [10, 100, 1000]);
/// ```
pub fn changes<T: Clone + PartialEq>(
    values: impl IntoIterator<Item = u64>,
    answer: impl Fn(u64) -> T,
) -> Vec<Change<T>> {
    let mut found = Vec::new();
    let mut before: Option<(u64, T)> = None;
    for value in values {
        let here = (value, answer(value));
        if let Some(before) = before {
            between(before, here.clone(), &answer, &mut found);
        }
        before = Some(here);
    }
    found
}

/// The changes between two values, by halving.
fn between<T: Clone + PartialEq>(
    low: (u64, T),
    high: (u64, T),
    answer: &impl Fn(u64) -> T,
    found: &mut Vec<Change<T>>,
) {
    if low.1 == high.1 {
        return;
    }
    if high.0.saturating_sub(low.0) <= 1 {
        found.push(Change { at: high.0, from: low.1, to: high.1 });
        return;
    }
    let middle = low.0 + (high.0 - low.0) / 2;
    let middle = (middle, answer(middle));
    between(low, middle.clone(), answer, found);
    between(middle, high, answer, found);
}
