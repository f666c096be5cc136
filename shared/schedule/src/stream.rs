//! Schedules that are told bit by bit, for programs longer than memory: a rank's next operations are
//! asked for when what they wait for has begun, and forgotten when they are over.

use crate::schedule::{Builder, OpId, Step};

/// Takes operations down, one rank at a time.
pub trait Write {
    /// Adds an operation; its number counts on.
    fn push(&mut self, step: Step) -> OpId;

    /// `op` begins after `earlier` has finished; both belong to the same rank.
    fn after(&mut self, op: OpId, earlier: OpId);

    /// `op` begins after `earlier` has begun; both belong to the same rank.
    fn after_start(&mut self, op: OpId, earlier: OpId);
}

impl Write for Builder {
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

/// What follows what a rank was told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// More, none of which can begin before this operation has begun.
    Behind(OpId),
    /// More, some of which may begin at once.
    More,
    /// Nothing.
    Nothing,
}

/// Tells what every rank does, in computations that count picoseconds, on one processor and through
/// one network interface each. Operations are counted rank by rank, from 0.
pub trait Feed {
    /// How many ranks.
    fn ranks(&self) -> u32;

    /// Tells a rank's next operations, each with what it waits for: all of that was told before it.
    fn next(&mut self, rank: u32, out: &mut dyn Write) -> Next;
}
