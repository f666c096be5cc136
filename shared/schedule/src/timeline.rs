//! What every processor is at, when; and where its time goes.

use crate::observe::{Activity, Observer, Work};
use crate::time::Time;

/// A processor is at something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What.
    pub work: Work,
    /// From when on.
    pub start: u64,
    /// Until when.
    pub end: u64,
}

/// A message, or a message of its protocol, is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Which send's.
    pub send: u32,
    /// Whether it goes from the receiver to the sender.
    pub back: bool,
    /// When it leaves.
    pub leaves: u64,
    /// When its head arrives.
    pub arrives: u64,
}

/// Takes a timeline as it is made: nothing is kept unless the taker keeps it.
pub trait Taker {
    /// In the order in which things begin.
    fn span(&mut self, span: Span);

    /// In the order in which messages leave, or nearly.
    fn flight(&mut self, flight: Flight);
}

/// Hands a run's timeline to a taker.
pub struct Streamed<'a, K>(pub &'a mut K);

impl<T: Time, K: Taker> Observer<T> for Streamed<'_, K> {
    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        self.0.span(Span { work, start: now.ticks(), end: now.plus(span).ticks() });
        now
    }

    fn flies(&mut self, send: u32, back: bool, leaves: T, arrives: T) {
        self.0.flight(Flight { send, back, leaves: leaves.ticks(), arrives: arrives.ticks() });
    }
}

/// A timeline that is kept whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// In the order in which they begin.
    pub spans: Vec<Span>,
    /// In the order in which they leave, or nearly.
    pub flights: Vec<Flight>,
}

impl Taker for Timeline {
    fn span(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn flight(&mut self, flight: Flight) {
        self.flights.push(flight);
    }
}

/// Where the time of a rank goes, in ticks of all its processors together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Computing.
    pub compute: u64,
    /// Sending: o_s, O_i
    pub send: u64,
    /// Receiving: o_r, O_c
    pub recv: u64,
    /// Control messages: O'
    pub control: u64,
    /// Sends that could have begun but for g and G.
    pub gap: u64,
    /// Messages sent.
    pub messages: u64,
}

/// Adds up where the time of each rank goes.
#[derive(Clone, Debug, Default)]
pub struct Splits {
    /// By rank.
    pub of: Vec<Split>,
    /// The rank of each operation that is held up.
    held: u64,
}

impl Splits {
    /// For so many ranks.
    pub fn new(ranks: u32) -> Self {
        Splits { of: vec![Split::default(); ranks as usize], held: 0 }
    }
}

impl<T: Time> Observer<T> for Splits {
    fn sends(&mut self, rank: u32) {
        self.of[rank as usize].messages += 1;
    }

    fn held(&mut self, _: u32, since: T, now: T) {
        self.held = now.ticks().saturating_sub(since.ticks());
    }

    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        let split = &mut self.of[work.rank as usize];
        let held = std::mem::take(&mut self.held);
        let part = match work.activity {
            Activity::Compute => &mut split.compute,
            Activity::Receive => &mut split.recv,
            Activity::Control => &mut split.control,
            Activity::Send => {
                split.gap += held;
                &mut split.send
            }
        };
        *part += span.ticks();
        now
    }
}
