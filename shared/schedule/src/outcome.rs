//! How a run ended.

use crate::matching::{MatchQueue, MatchQueues};
use crate::schedule::{OpId, Schedule};
use crate::time::Time;

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<T> {
    /// When each rank has ended.
    pub ends: Vec<T>,
    /// Operations that became ready, and a message for each send that began.
    pub events: u64,
    /// Messages sent.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Whether times were longer than can be counted, so that nothing of all this is true. Only
    /// [`loggpo`](crate::loggpo) looks.
    pub is_too_long: bool,
    /// What could not finish.
    pub left: Unfinished,
}

impl<T: Time> Outcome<T> {
    /// When the last rank has ended.
    pub fn end(&self) -> T {
        self.ends.iter().copied().max().unwrap_or_default()
    }
}

/// What is left over when nothing can happen any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// Receives that no message came for.
    pub receives: Vec<OpId>,
    /// Sends whose message nobody received.
    pub messages: Vec<OpId>,
    /// Operations that never began.
    pub waiting: Vec<OpId>,
    /// Where a schedule was told bit by bit: what is left of it, in which these have their numbers.
    pub of: Option<Schedule>,
}

impl Unfinished {
    /// Whether everything has finished.
    pub fn is_nothing(&self) -> bool {
        self.receives.is_empty() && self.messages.is_empty() && self.waiting.is_empty()
    }

    pub(crate) fn never_begun(needs: &[u32]) -> Self {
        let waiting = needs.iter().enumerate().filter(|(_, needs)| **needs > 0);
        Unfinished {
            waiting: waiting.map(|(op, _)| OpId(op as u32)).collect(),
            ..Unfinished::default()
        }
    }

    /// What still stands in a rank's lines.
    pub(crate) fn add(
        &mut self,
        match_queues: &MatchQueues<u32>,
        posted: &MatchQueue,
        unexpected: &MatchQueue,
    ) {
        self.receives.extend(match_queues.waiting(posted).into_iter().map(OpId));
        self.messages.extend(match_queues.waiting(unexpected).into_iter().map(OpId));
    }
}
