//! The posted receives of a rank. Nearly every rank has one at a time, so the first one is kept with
//! the rank, and its source and tag are looked up in its operation.

use crate::matching::{Key, MatchQueue, MatchQueues, fits, wanted};
use crate::schedule::Op;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
pub(super) struct Posted {
    /// The first receive, if it was posted while no other was waiting.
    first: u32,
    /// All receives posted after it.
    rest: MatchQueue,
}

impl Posted {
    pub(super) const NONE: Posted = Posted { first: NONE, rest: MatchQueue::EMPTY };

    /// The first receive, if it is at hand.
    #[inline]
    pub(super) fn first(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }

    #[inline]
    pub(super) fn put(&mut self, queues: &mut MatchQueues<u32>, recv: u32, op: &Op) {
        match self.first == NONE && self.rest.is_empty() {
            true => self.first = recv,
            false => queues.put(&mut self.rest, wanted(op), recv),
        }
    }

    /// Removes the first receive that matches a message.
    #[inline]
    pub(super) fn take(
        &mut self,
        queues: &mut MatchQueues<u32>,
        ops: &[Op],
        message: Key,
    ) -> Option<u32> {
        match self.first() {
            Some(recv) if fits(wanted(&ops[recv as usize]), message) => {
                self.first = NONE;
                Some(recv)
            }
            _ => queues.take(&mut self.rest, message),
        }
    }

    /// All receives, in order.
    pub(super) fn all(&self, queues: &MatchQueues<u32>) -> impl Iterator<Item = u32> {
        self.first().into_iter().chain(queues.waiting(self.rest))
    }
}
