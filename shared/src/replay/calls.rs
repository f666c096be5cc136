//! How long calls take in a run: from the end of the computation before a call to the beginning of
//! the computation behind it.

use super::walk::{FIRST, INSIDE, START};
use loggia_engine::observe::{Activity, Observer, Work};
use loggia_engine::schedule::Op;
use loggia_engine::time::Time;
use loggia_trace::call::KINDS;

/// From when to when a rank was in a call, or in several directly one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Whose.
    pub rank: u32,
    /// Which of [`KINDS`] the last of them was.
    pub kind: u8,
    /// From when on, in ticks.
    pub start: u64,
    /// Until when.
    pub end: u64,
}

/// Watches a replay's calls.
pub(crate) struct Calls<'a, F> {
    ops: &'a [Op],
    /// Since when each rank computes no more.
    free: Vec<u64>,
    /// How long all of them have computed between calls.
    pub(crate) computing: u64,
    /// Told of each.
    each: F,
}

impl<'a, F: FnMut(Interval)> Calls<'a, F> {
    pub(crate) fn new(ops: &'a [Op], ranks: u32, each: F) -> Self {
        Calls { ops, free: vec![0; ranks as usize], computing: 0, each }
    }

    /// When each rank has ended.
    pub(crate) fn end(&mut self, ends: &[u64]) {
        let finalize = (KINDS.len() - 1) as u8;
        for (rank, (start, end)) in (0..).zip(self.free.iter().zip(ends)) {
            if end > start {
                (self.each)(Interval { rank, kind: finalize, start: *start, end: *end });
            }
        }
    }
}

impl<T: Time, F: FnMut(Interval)> Observer<T> for Calls<'_, F> {
    #[inline]
    fn begins(&mut self, work: Work, now: T, span: T) -> T {
        if work.activity == Activity::Compute {
            let kind = self.ops[work.op as usize].label;
            if kind & INSIDE == 0 || kind >= FIRST {
                let (rank, end) = (work.rank, now.ticks());
                let free = &mut self.free[rank as usize];
                let start = std::mem::replace(free, now.plus(span).ticks());
                if kind != START {
                    self.computing += span.ticks();
                }
                if kind < FIRST && end > start {
                    (self.each)(Interval { rank, kind, start, end });
                }
            }
        }
        now
    }
}
