//! The progress of a student.

use serde::{Deserialize, Serialize};

/// Maximum number of tries before the answer is shown.
pub const MAX_TRIES: u8 = 3;

/// The progress of a student in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Selects the values of varied inputs.
    pub seed: u8,
    /// The answer to each step, if any.
    pub steps: Vec<Option<Record>>,
}

/// The answers of a student to a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The first answer, which never changes.
    pub first: First,
    pub tries: u8,
    /// Whether a hint was shown.
    pub hint: bool,
    pub gave_up: bool,
    /// Whether the last answer was right.
    pub right: bool,
}

/// A first answer, as stored in a code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum First {
    Option(u8),
    Number(f64),
    Order(Vec<u8>),
    /// Free text, which codes do not contain.
    Text,
}

impl Record {
    /// Whether the answer is shown.
    pub fn is_over(&self) -> bool {
        self.right || self.gave_up || self.tries >= MAX_TRIES
    }

    pub fn is_right_at_first(&self) -> bool {
        self.right && self.tries == 1
    }
}

impl Progress {
    pub fn record(&self, step: usize) -> Option<&Record> {
        self.steps.get(step)?.as_ref()
    }

    /// Records a try. The first answer is kept; after the answer is shown, tries do not count.
    pub fn try_once(&mut self, step: usize, first: First, right: bool, has_hint: bool) {
        self.grow(step);
        let Some(slot) = self.steps.get_mut(step) else { return };
        let record = slot.get_or_insert(Record {
            first,
            tries: 0,
            hint: false,
            gave_up: false,
            right: false,
        });
        if !record.is_over() {
            record.tries += 1;
            record.right = right;
            record.hint |= has_hint && !right;
        }
    }

    /// Gives up; possible after a try.
    pub fn give_up(&mut self, step: usize) {
        if let Some(Some(record)) = self.steps.get_mut(step)
            && !record.is_over()
        {
            record.gave_up = true;
        }
    }

    fn grow(&mut self, step: usize) {
        if self.steps.len() <= step {
            self.steps.resize(step + 1, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_is_kept_and_tries_are_counted() {
        let mut progress = Progress::default();
        progress.try_once(2, First::Option(1), false, true);
        progress.try_once(2, First::Option(0), true, true);
        progress.try_once(2, First::Option(2), false, true);
        let record = progress.record(2).expect("a record").clone();
        let expected =
            Record { first: First::Option(1), tries: 2, hint: true, gave_up: false, right: true };
        assert_eq!(record, expected);
        assert!(record.is_over() && !record.is_right_at_first());
        assert!(progress.record(0).is_none() && progress.record(9).is_none());
    }

    #[test]
    fn after_three_tries_or_giving_up_the_answer_is_shown() {
        let mut progress = Progress::default();
        progress.give_up(0);
        assert!(progress.record(0).is_none(), "giving up needs a try");
        for at in 0..3 {
            assert!(!progress.record(0).is_some_and(Record::is_over), "{at}");
            progress.try_once(0, First::Number(1.0), false, false);
        }
        assert!(progress.record(0).is_some_and(Record::is_over));
        progress.try_once(1, First::Number(1.0), false, false);
        progress.give_up(1);
        assert!(progress.record(1).is_some_and(|record| record.gave_up && record.is_over()));
    }
}
