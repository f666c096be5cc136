//! Changes of a result over sizes, processes or times.

use serde::Serialize;

/// A change of a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change<T> {
    /// The smallest value with the new result.
    pub at: u64,
    /// The result below `at`.
    pub from: T,
    /// The result from `at` on.
    pub to: T,
}

/// The changes of a result over ascending values. Between two values with equal results, no change
/// is searched.
///
/// ```
/// use loggia_model::model::changes::changes;
/// let digits = |value: u64| value.to_string().len();
/// let at: Vec<u64> = changes([1, 50, 5000], digits).iter().map(|change| change.at).collect();
/// assert_eq!(at, [10, 100, 1000]);
/// ```
pub fn changes<T: Clone + PartialEq>(
    values: impl IntoIterator<Item = u64>,
    result: impl Fn(u64) -> T,
) -> Vec<Change<T>> {
    let mut found = Vec::new();
    let mut previous: Option<(u64, T)> = None;
    for value in values {
        let current = (value, result(value));
        if let Some(previous) = previous {
            bisect(previous, current.clone(), &result, &mut found);
        }
        previous = Some(current);
    }
    found
}

/// The changes between two values, by bisection.
fn bisect<T: Clone + PartialEq>(
    low: (u64, T),
    high: (u64, T),
    result: &impl Fn(u64) -> T,
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
    let middle = (middle, result(middle));
    bisect(low, middle.clone(), result, found);
    bisect(middle, high, result, found);
}
