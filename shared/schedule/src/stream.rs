//! Streamed schedules, for programs that exceed memory. A rank's next operations are fetched when
//! their dependencies have begun, and dropped when they have finished.

use crate::schedule::{Builder, OpId, Step};

/// Accepts operations, one rank at a time.
pub trait OperationSink {
    /// Adds an operation; numbers are consecutive.
    fn push(&mut self, step: Step) -> OpId;

    /// `op` begins after `earlier` has finished; both belong to the same rank.
    fn after(&mut self, op: OpId, earlier: OpId);

    /// `op` begins after `earlier` has begun; both belong to the same rank.
    fn after_start(&mut self, op: OpId, earlier: OpId);
}

impl OperationSink for Builder {
    fn push(&mut self, step: Step) -> OpId {
        Builder::push(self, step)
    }

    fn after(&mut self, op: OpId, earlier: OpId) {
        Builder::after(self, op, earlier);
    }

    fn after_start(&mut self, op: OpId, earlier: OpId) {
        Builder::after_start(self, op, earlier);
    }
}

/// The continuation of a rank after its fetched operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// More operations, all of which depend on the start of this one.
    AfterStartOf(OpId),
    /// More operations, some of which may begin at once.
    More,
    /// The end of the rank.
    End,
}

/// The source of a streamed schedule: computations in picoseconds; one processor and one network
/// interface per rank. Operations are numbered per rank, from 0.
pub trait OperationSource {
    /// Number of ranks.
    fn ranks(&self) -> u32;

    /// Writes a rank's next operations with their dependencies on earlier ones.
    fn next(&mut self, rank: u32, out: &mut dyn OperationSink) -> Next;
}
