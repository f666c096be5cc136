//! Activities of every processor over time, and their sums.

use crate::observe::{Activity, Observer, Work};
use crate::time::Time;

/// An activity of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub work: Work,
    pub start: u64,
    pub end: u64,
}

/// A message, or a message of its protocol, in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    pub send: u32,
    /// Whether it travels from the receiver to the sender.
    pub back: bool,
    /// Start of the flight.
    pub leaves: u64,
    /// Arrival of its first byte.
    pub arrives: u64,
}

/// Receives the timeline during a run.
pub trait Recorder {
    /// Called in the order of the activities' starts.
    fn span(&mut self, span: Span);

    /// Called roughly in the order of the messages' departures.
    fn flight(&mut self, flight: Flight);
}

/// Passes a run's timeline to a recorder.
pub struct Streamed<'a, K>(pub &'a mut K);

impl<T: Time, K: Recorder> Observer<T> for Streamed<'_, K> {
    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        self.0.span(Span { work, start: now.ticks(), end: now.plus(span).ticks() });
        now
    }

    fn in_flight(&mut self, send: u32, back: bool, leaves: T, arrives: T) {
        self.0.flight(Flight { send, back, leaves: leaves.ticks(), arrives: arrives.ticks() });
    }
}

/// A timeline in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// In the order of their starts.
    pub spans: Vec<Span>,
    /// Roughly in the order of their departures.
    pub flights: Vec<Flight>,
}

impl Recorder for Timeline {
    fn span(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn flight(&mut self, flight: Flight) {
        self.flights.push(flight);
    }
}

/// The time of a rank by activity, in ticks summed over its processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    pub compute: u64,
    /// Sending: o_s, O_i
    pub send: u64,
    /// Receiving: o_r, O_c
    pub recv: u64,
    /// Control messages: O'
    pub control: u64,
    /// Delay of sends by g and G.
    pub gap: u64,
    pub messages: u64,
}

/// Sums the time of each rank by activity.
#[derive(Clone, Debug, Default)]
pub struct Splits {
    /// By rank.
    pub of: Vec<Split>,
    /// Delay of the current send, in ticks.
    delay: u64,
}

impl Splits {
    pub fn new(ranks: u32) -> Self {
        Splits { of: vec![Split::default(); ranks as usize], delay: 0 }
    }
}

impl<T: Time> Observer<T> for Splits {
    fn sends(&mut self, rank: u32) {
        self.of[rank as usize].messages += 1;
    }

    fn delayed(&mut self, _: u32, since: T, now: T) {
        self.delay = now.ticks().saturating_sub(since.ticks());
    }

    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        let split = &mut self.of[work.rank as usize];
        let delay = std::mem::take(&mut self.delay);
        let part = match work.activity {
            Activity::Compute => &mut split.compute,
            Activity::Receive => &mut split.recv,
            Activity::Control => &mut split.control,
            Activity::Send => {
                split.gap += delay;
                &mut split.send
            }
        };
        *part += span.ticks();
        now
    }
}
