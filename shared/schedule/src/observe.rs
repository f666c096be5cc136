//! Observers of a run, for results beyond the completion time.

use crate::schedule::Op;
use crate::time::Time;

/// An activity of a processor.
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
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Activity::Compute => "compute",
            Activity::Send => "send",
            Activity::Receive => "receive",
            Activity::Control => "control",
        }
    }
}

/// An activity for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    pub activity: Activity,
    /// The operation; for a message, its send or receive.
    pub op: u32,
    pub rank: u32,
    /// Its processor.
    pub cpu: u8,
    /// The operation's label.
    pub label: u8,
}

/// Observes a run. Methods that are not overridden cost nothing, except behind `dyn`.
#[expect(unused_variables, reason = "the names document the parameters")]
pub trait Observer<T: Time> {
    /// Whether entries that wait for the same endpoint may be parked behind the first one. False to
    /// observe every attempt.
    fn parks(&self) -> bool {
        true
    }

    /// An event of a rank was taken from the queue. Its number, if any, orders events at the same
    /// time.
    #[inline]
    fn taken(&mut self, rank: u32, time: T, number: Option<u32>) {}

    /// The current event affects this rank as well.
    #[inline]
    fn affected(&mut self, rank: u32) {}

    /// The current event assigned this number.
    #[inline]
    fn numbered(&mut self, number: u32) {}

    /// A processor starts the next operation of its program. Not called in LogGOPSim's model.
    #[inline]
    fn next_operation(&mut self, op: &Op, now: T) {}

    /// An activity of this duration begins. Returns `now`, on which later events are based.
    #[inline]
    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        now
    }

    /// A send waited for its interface since `since`, and starts now.
    #[inline]
    fn delayed(&mut self, op: u32, since: T, now: T) {}

    #[inline]
    fn sends(&mut self, rank: u32) {}

    /// A message, or a control message of its protocol, is in flight to its receiver, or back.
    #[inline]
    fn in_flight(&mut self, send: u32, back: bool, leaves: T, arrives: T) {}

    /// A receive and a send were matched.
    #[inline]
    fn matched(&mut self, recv: u32, send: u32) {}

    /// Later events depend on `earlier` being no later than `later`.
    #[inline]
    fn order(&mut self, earlier: T, later: T) {}

    /// The later of two times; later events depend on which of both it is.
    #[inline]
    fn later(&mut self, a: T, b: T) -> T {
        a.max(b)
    }
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<T: Time> Observer<T> for NoObserver {}

/// One compiled run may have any observer: `&mut dyn Observer<T>`.
impl<T: Time> Observer<T> for &mut dyn Observer<T> {
    fn parks(&self) -> bool {
        (**self).parks()
    }

    fn taken(&mut self, rank: u32, time: T, number: Option<u32>) {
        (**self).taken(rank, time, number);
    }

    fn affected(&mut self, rank: u32) {
        (**self).affected(rank);
    }

    fn numbered(&mut self, number: u32) {
        (**self).numbered(number);
    }

    fn next_operation(&mut self, op: &Op, now: T) {
        (**self).next_operation(op, now);
    }

    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        (**self).begins(work, now, span)
    }

    fn delayed(&mut self, op: u32, since: T, now: T) {
        (**self).delayed(op, since, now);
    }

    fn sends(&mut self, rank: u32) {
        (**self).sends(rank);
    }

    fn in_flight(&mut self, send: u32, back: bool, leaves: T, arrives: T) {
        (**self).in_flight(send, back, leaves, arrives);
    }

    fn matched(&mut self, recv: u32, send: u32) {
        (**self).matched(recv, send);
    }

    fn order(&mut self, earlier: T, later: T) {
        (**self).order(earlier, later);
    }

    fn later(&mut self, a: T, b: T) -> T {
        (**self).later(a, b)
    }
}
