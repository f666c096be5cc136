//! Number and location of an operation in a run.

use crate::schedule::Op;

/// An operation's number; numbers grow in the order of operations.
pub(super) type Id = u64;

/// Rank, processor and interface of an operation.
#[derive(Clone, Copy)]
pub(super) struct Location {
    pub(super) rank: u32,
    pub(super) cpu: u8,
    pub(super) nic: u8,
}

impl Location {
    pub(super) fn of(op: &Op) -> Self {
        Location { rank: op.rank, cpu: op.cpu, nic: op.nic }
    }
}

/// Accepts operations without remaining dependencies.
pub(super) trait Ready {
    fn ready(&mut self, id: Id, op: &Op);
}
