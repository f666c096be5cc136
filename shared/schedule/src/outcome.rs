//! The outcome of a run.

use crate::schedule::{Needs, OpId, Schedule};
use crate::time::Time;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<T> {
    pub ends: Vec<T>,
    /// Number of events: operations that became ready, and messages of sends that began.
    pub events: u64,
    pub messages: u64,
    pub bytes: u64,
    /// Whether a time overflowed, which makes the outcome invalid. Only [`loggpo`](crate::loggpo)
    /// checks.
    pub is_too_long: bool,
    /// Unfinished operations.
    pub left: Unfinished,
}

impl<T: Time> Outcome<T> {
    /// Completion time.
    pub fn end(&self) -> T {
        self.ends.iter().copied().max().unwrap_or_default()
    }
}

/// The operations left when no event remains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// Receives without a message.
    pub receives: Vec<OpId>,
    /// Sends without a receive.
    pub messages: Vec<OpId>,
    /// Operations that never began.
    pub waiting: Vec<OpId>,
    /// For a streamed schedule, the remaining operations, to which the numbers refer.
    pub of: Option<Schedule>,
}

impl Unfinished {
    /// Whether all operations have finished.
    pub fn is_empty(&self) -> bool {
        self.receives.is_empty() && self.messages.is_empty() && self.waiting.is_empty()
    }

    pub(crate) fn never_begun(needs: &Needs) -> Self {
        Unfinished { waiting: needs.waiting().map(OpId).collect(), ..Unfinished::default() }
    }
}
