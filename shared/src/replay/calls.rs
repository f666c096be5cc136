//! How long calls take in a run: from the end of the computation before a call to the beginning of
//! the computation behind it.

use super::walk::{FIRST, INSIDE, START};
use loggia_engine::observe::{Activity, Observer, Work};
use loggia_engine::time::Time;
use loggia_engine::timeline::{Flight, Span, Taker};
use loggia_trace::call::KINDS;

/// What a rank is at, in four classes: computing, messages (as `Send`), waiting for requests (as
/// `Receive`), what all take part in (as `Control`).
pub(crate) fn class(kind: u8) -> Activity {
    match kind {
        0..=17 => Activity::Send,
        18..=30 => Activity::Receive,
        _ => Activity::Control,
    }
}

/// The span of a call, or of computation; its operation is the kind of the call.
pub(crate) fn span(activity: Activity, rank: u32, kind: u8, start: u64, end: u64) -> Span {
    Span { work: Work { activity, op: 0, rank, cpu: 0, label: kind }, start, end }
}

/// Watches a replay's calls.
pub(crate) struct Calls<F> {
    /// Since when each rank computes no more.
    free: Vec<u64>,
    /// Told of each call and each computation, and of messages.
    taker: F,
}

impl<F: Taker> Calls<F> {
    pub(crate) fn new(ranks: usize, taker: F) -> Self {
        Calls { free: vec![0; ranks], taker }
    }

    /// When each rank has ended: whoever was told.
    pub(crate) fn end(mut self, ends: &[u64]) -> F {
        let finalize = (KINDS.len() - 1) as u8;
        for (rank, (start, end)) in (0..).zip(self.free.iter().zip(ends)) {
            if end > start {
                self.taker.span(span(Activity::Control, rank, finalize, *start, *end));
            }
        }
        self.taker
    }
}

impl<T: Time, F: Taker> Observer<T> for Calls<F> {
    #[inline]
    fn begins(&mut self, work: Work, now: T, span_of: T) -> T {
        if work.activity == Activity::Compute {
            let kind = work.label;
            if kind & INSIDE == 0 || kind >= FIRST {
                let (rank, begin) = (work.rank, now.ticks());
                let end = now.plus(span_of).ticks();
                let start = std::mem::replace(&mut self.free[rank as usize], end);
                if kind < FIRST && begin > start {
                    self.taker.span(span(class(kind), rank, kind, start, begin));
                }
                if kind != START {
                    self.taker.span(span(Activity::Compute, rank, kind, begin, end));
                }
            }
        }
        now
    }

    fn flies(&mut self, send: u32, back: bool, leaves: T, arrives: T) {
        let (leaves, arrives) = (leaves.ticks(), arrives.ticks());
        self.taker.flight(Flight { send, back, leaves, arrives });
    }
}

/// Adds up how long calls of each kind take, and computation.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    /// By kind, in ticks.
    pub(crate) spent: Vec<u64>,
    /// Between calls.
    pub(crate) computing: u64,
}

impl Default for Sums {
    fn default() -> Self {
        Sums { spent: vec![0; KINDS.len()], computing: 0 }
    }
}

impl Taker for Sums {
    fn span(&mut self, span: Span) {
        let time = span.end - span.start;
        match span.work.activity {
            Activity::Compute => self.computing += time,
            _ => self.spent[usize::from(span.work.label)] += time,
        }
    }

    fn flight(&mut self, _: Flight) {}
}
