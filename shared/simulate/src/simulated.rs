//! Programs that can be simulated.

use loggia_schedule::schedule::{Op, Schedule};
use loggia_schedule::stream::OperationSource;
use loggia_schedule::stuck::describe;

/// Returns the description of an operation.
pub type Words = fn(&Op) -> String;

/// The operations of a program.
pub enum Steps<'a> {
    /// A schedule in memory.
    InMemory(&'a Schedule),
    /// A streamed schedule, with computations in picoseconds.
    Streamed(&'a dyn Streams),
}

/// The source of a streamed schedule.
pub trait Streams {
    /// The schedule from its beginning.
    fn source(&self) -> Box<dyn OperationSource + '_>;
}

/// A program that can be simulated.
pub trait Simulated {
    /// Number of ranks.
    fn ranks(&self) -> u32;

    fn steps(&self) -> Steps<'_>;

    /// The description of operations.
    fn words(&self) -> Words {
        describe
    }
}

impl Simulated for Schedule {
    fn ranks(&self) -> u32 {
        Schedule::ranks(self)
    }

    fn steps(&self) -> Steps<'_> {
        Steps::InMemory(self)
    }
}
