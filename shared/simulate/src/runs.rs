//! Programs that can be simulated.

use loggia_schedule::schedule::{Op, Schedule};
use loggia_schedule::stream::Feed;
use loggia_schedule::stuck::describe;

/// Describes an operation.
pub type Words = fn(&Op) -> String;

/// The operations of a program.
pub enum Steps<'a> {
    /// A schedule in memory.
    Written(&'a Schedule),
    /// A streamed schedule, with computations in picoseconds.
    Streamed(&'a dyn Tells),
}

/// The source of a streamed schedule.
pub trait Tells {
    /// Tells it from the beginning.
    fn feed(&self) -> Box<dyn Feed + '_>;
}

/// A program that can be simulated.
pub trait Runs {
    /// Number of ranks.
    fn ranks(&self) -> u32;

    fn steps(&self) -> Steps<'_>;

    /// How operations are described.
    fn words(&self) -> Words {
        describe
    }
}

impl Runs for Schedule {
    fn ranks(&self) -> u32 {
        Schedule::ranks(self)
    }

    fn steps(&self) -> Steps<'_> {
        Steps::Written(self)
    }
}
