//! Times of calls in a run. A call lasts from the end of the computation or call before it to the
//! start of the next one.

use super::translation::{FIRST, INSIDE, START};
use loggia_schedule::observe::{Activity, Observer, Work};
use loggia_schedule::schedule::{Kind, Op};
use loggia_schedule::time::Time;
use loggia_schedule::timeline::{Flight, Recorder, Span};
use loggia_trace::call::{KINDS, is_nonblocking_collective};

/// The class of a call: messages (as `Send`), completion of requests (as `Receive`), collective
/// operations and all others (as `Control`).
pub(crate) fn class(kind: u8) -> Activity {
    match kind {
        0..=17 => Activity::Send,
        18..=30 => Activity::Receive,
        _ => Activity::Control,
    }
}

/// The span of a call, or of computation; its label is the kind of the call.
pub(crate) fn span(activity: Activity, rank: u32, kind: u8, start: u64, end: u64) -> Span {
    Span { work: Work { activity, op: 0, rank, cpu: 0, label: kind }, start, end }
}

/// The kind of a program's last call.
const FINALIZE: u8 = (KINDS.len() - 1) as u8;

/// The current call of a rank.
#[derive(Clone, Copy, Debug, Default)]
struct RankState {
    since: u64,
    /// `None` until the rank has begun a call.
    call: Option<u8>,
}

/// Observes the calls of a replay.
pub(crate) struct CallObserver<F> {
    ranks: Vec<RankState>,
    /// Whether the operations' labels are kinds of calls.
    labelled: bool,
    /// Receives every call, computation and message.
    recorder: F,
}

impl<F: Recorder> CallObserver<F> {
    pub(crate) fn new(ranks: usize, labelled: bool, recorder: F) -> Self {
        CallObserver { ranks: vec![RankState::default(); ranks], labelled, recorder }
    }

    /// Ends all ranks at these times.
    pub(crate) fn end(mut self, ends: &[u64]) -> F {
        for (rank, end) in (0..).zip(ends) {
            self.leaves(rank, *end, FINALIZE);
        }
        self.recorder
    }

    /// Ends the current call of a rank; `usual` is its kind if the rank has begun no call.
    fn leaves(&mut self, rank: u32, now: u64, usual: u8) {
        let RankState { since, call } = self.ranks[rank as usize];
        if now > since && usual < FIRST {
            let kind = call.unwrap_or(usual);
            self.recorder.span(span(class(kind), rank, kind, since, now));
        }
    }

    /// The call that an operation belongs to, if the rank is in that call.
    #[inline]
    fn call(&self, op: &Op) -> Option<u8> {
        if !self.labelled {
            return match op.kind {
                Kind::Send | Kind::Ssend => Some(0),
                Kind::Recv => Some(12),
                Kind::Calc => None,
            };
        }
        let kind = op.label & !INSIDE;
        let is_inside = op.label & INSIDE != 0 && op.label < FIRST;
        (is_inside && !is_nonblocking_collective(kind)).then_some(kind)
    }
}

impl<T: Time, F: Recorder> Observer<T> for CallObserver<F> {
    #[inline]
    fn next_operation(&mut self, to: &Op, now: T) {
        let Some(call) = self.call(to) else { return };
        let rank = to.rank;
        match self.ranks[rank as usize].call {
            Some(before) if before == call => return,
            Some(before) => {
                let since = now.ticks();
                self.leaves(rank, since, before);
                self.ranks[rank as usize].since = since;
            }
            None => {}
        }
        self.ranks[rank as usize].call = Some(call);
    }

    #[inline]
    fn begins(&mut self, work: Work, now: T, span_of: T) -> T {
        let Work { activity, label, rank, .. } = work;
        if activity == Activity::Compute && (label & INSIDE == 0 || label >= FIRST) {
            let (begin, end) = (now.ticks(), now.plus(span_of).ticks());
            self.leaves(rank, begin, label);
            self.ranks[rank as usize] = RankState { since: end, call: None };
            if label != START {
                self.recorder.span(span(Activity::Compute, rank, label, begin, end));
            }
        }
        now
    }

    fn in_flight(&mut self, send: u32, back: bool, leaves: T, arrives: T) {
        let (leaves, arrives) = (leaves.ticks(), arrives.ticks());
        self.recorder.flight(Flight { send, back, leaves, arrives });
    }
}

/// Sum of the times of computation and of the calls of each kind.
#[derive(Clone, Debug)]
pub(crate) struct TimePerCall {
    /// By kind, in ticks.
    pub(crate) spent: Vec<u64>,
    /// Between calls.
    pub(crate) computing: u64,
}

impl Default for TimePerCall {
    fn default() -> Self {
        TimePerCall { spent: vec![0; KINDS.len()], computing: 0 }
    }
}

impl Recorder for TimePerCall {
    fn span(&mut self, span: Span) {
        // After an overflow of times, the run is rejected at its end.
        let time = span.end.saturating_sub(span.start);
        match span.work.activity {
            Activity::Compute => self.computing = self.computing.saturating_add(time),
            _ => {
                let spent = &mut self.spent[usize::from(span.work.label)];
                *spent = spent.saturating_add(time);
            }
        }
    }

    fn flight(&mut self, _: Flight) {}
}
