//! What can be run.

use loggia_schedule::schedule::{Op, Schedule};
use loggia_schedule::stream::Feed;
use loggia_schedule::stuck::describe;

/// How an operation is told to a person.
pub type Words = fn(&Op) -> String;

/// What ranks do.
pub enum Steps<'a> {
    /// All of it is known.
    Written(&'a Schedule),
    /// It is told bit by bit, in computations that count picoseconds.
    Streamed(&'a dyn Tells),
}

/// What can tell what ranks do bit by bit.
pub trait Tells {
    /// Tells it from the beginning.
    fn feed(&self) -> Box<dyn Feed + '_>;
}

/// What can be run.
pub trait Runs {
    /// How many ranks.
    fn ranks(&self) -> u32;

    /// What they do.
    fn steps(&self) -> Steps<'_>;

    /// How its operations are told to a person.
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
