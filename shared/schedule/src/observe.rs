//! What a run tells whoever wants more than its end.

use crate::schedule::Op;
use crate::time::Time;

/// What a processor is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// A computation of the program.
    Compute,
    /// Sending: o_s, or O_i.
    Send,
    /// Receiving: o_r, or O_c.
    Receive,
    /// Control messages of a protocol: O'.
    Control,
}

impl Activity {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Activity::Compute => "compute",
            Activity::Send => "send",
            Activity::Receive => "receive",
            Activity::Control => "control",
        }
    }
}

/// Something that keeps a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// What.
    pub activity: Activity,
    /// For which operation: where it is about a message, for its send or its receive.
    pub op: u32,
    /// Of which rank.
    pub rank: u32,
    /// On which of its processors.
    pub cpu: u8,
    /// The operation's label.
    pub label: u8,
}

/// Watches a run. Whatever it does not care for costs nothing.
#[expect(unused_variables, reason = "the names say what is told")]
pub trait Observer<T: Time> {
    /// Whether those that wait for the same thing may be parked behind the first of them. One who
    /// wants to hear of every try says no.
    const PARKS: bool = true;

    /// Something that concerns a rank is taken from the queue. Its number, where it has one, decides
    /// between things of the same time.
    #[inline]
    fn taken(&mut self, rank: u32, time: T, number: Option<u32>) {}

    /// What is being handled concerns this rank too.
    #[inline]
    fn touched(&mut self, rank: u32) {}

    /// What is being handled gave something its number.
    #[inline]
    fn numbered(&mut self, number: u32) {}

    /// A processor turns to what its program does next. By the rules of LogGOPSim nobody says so.
    #[inline]
    fn turns(&mut self, to: &Op, now: T) {}

    /// A processor begins something that keeps it for so long. What follows from it rests on the
    /// time that is returned, which is `now`.
    #[inline]
    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        now
    }

    /// A send could have begun at `since` for all but its network interface, and begins now.
    #[inline]
    fn held(&mut self, op: u32, since: T, now: T) {}

    /// A rank sends a message.
    #[inline]
    fn sends(&mut self, rank: u32) {}

    /// A message, or a message of its protocol, is on its way; to its receiver, or back.
    #[inline]
    fn flies(&mut self, send: u32, back: bool, leaves: T, arrives: T) {}

    /// A receive and the message of a send have met.
    #[inline]
    fn met(&mut self, recv: u32, send: u32) {}

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
