//! How many operations of each size a schedule has.

use super::{Kind, Op};
use rustc_hash::FxHashMap;

/// The numbers of a schedule's operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bytes, and the number of sends of this size, ascending.
    pub sends: Vec<(u64, u64)>,
    /// Bytes, and the number of receives of this size, ascending.
    pub receives: Vec<(u64, u64)>,
    pub computations: u64,
    /// The sum of all computations, at most `u64::MAX`.
    pub computation: u64,
}

impl Counts {
    pub(crate) fn of(ops: &[Op]) -> Self {
        let mut counts = Counts::default();
        let [mut sends, mut receives] = [FxHashMap::default(), FxHashMap::default()];
        // Neighbours have the same kind and size in most schedules.
        for same in ops.chunk_by(|a, b| (a.kind, a.size) == (b.kind, b.size)) {
            let (op, number) = (&same[0], same.len() as u64);
            match op.kind {
                Kind::Send | Kind::Ssend => *sends.entry(op.size).or_default() += number,
                Kind::Recv => *receives.entry(op.size).or_default() += number,
                Kind::Calc => {
                    counts.computations += number;
                    let time = op.size.saturating_mul(number);
                    counts.computation = counts.computation.saturating_add(time);
                }
            }
        }
        [counts.sends, counts.receives] = [sends, receives].map(ascending);
        counts
    }

    /// Bytes, and the number of sends and receives of this size.
    pub fn messages(&self) -> impl Iterator<Item = (u64, u64)> {
        self.sends.iter().chain(&self.receives).copied()
    }
}

fn ascending(counts: FxHashMap<u64, u64>) -> Vec<(u64, u64)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable();
    counts
}
