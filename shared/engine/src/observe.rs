//! What a run tells whoever wants more than its end.

use crate::time::Time;

/// What begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// An operation.
    Op(u32),
    /// The reception of the message of that send.
    Message(u32),
}

/// Watches a run. Whatever it does not care for costs nothing.
#[expect(unused_variables, reason = "the names say what is told")]
pub trait Observer<T: Time> {
    /// Whether those that wait for the same thing may be parked behind the first of them. One who
    /// wants to hear of every try says no.
    const PARKS: bool = true;

    /// Something that concerns a rank is taken from the queue.
    #[inline]
    fn taken(&mut self, rank: u32, time: T, number: u32) {}

    /// What is being handled concerns this rank too.
    #[inline]
    fn touched(&mut self, rank: u32) {}

    /// What is being handled gave something its number.
    #[inline]
    fn numbered(&mut self, number: u32) {}

    /// Something begins.
    #[inline]
    fn began(&mut self, item: Item, time: T) {}

    /// A receive and the message of a send have met.
    #[inline]
    fn met(&mut self, recv: u32, send: u32, time: T) {}

    /// What follows rests on `earlier` being no later than `later`.
    #[inline]
    fn order(&mut self, earlier: T, later: T) {}

    /// The later of both; what follows rests on which one it is.
    #[inline]
    fn later(&mut self, a: T, b: T) -> T {
        a.max(b)
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl<T: Time> Observer<T> for Nobody {}
