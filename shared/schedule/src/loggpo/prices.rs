//! Costs of messages, looked up once for each kind.

use super::{Costs, Machine};
use rustc_hash::FxHashMap;

/// Index of the costs of messages of one tier and size.
pub(super) type Sort = u32;

/// Costs so far.
pub(super) struct Prices<'a, T, M> {
    machine: &'a M,
    of: Vec<Costs<T>>,
    /// By tier and bytes.
    known: FxHashMap<(u8, u64), Sort>,
    /// The last lookup.
    last: ((u8, u64), Sort),
}

impl<'a, T: Copy, M: Machine<T>> Prices<'a, T, M> {
    pub(super) fn of(machine: &'a M) -> Self {
        Prices { machine, of: Vec::new(), known: FxHashMap::default(), last: ((0, 0), Sort::MAX) }
    }

    /// The index for a message.
    #[inline]
    pub(super) fn sort(&mut self, from: u32, to: u32, bytes: u64) -> Sort {
        let asked = (self.machine.tier(from, to), bytes);
        if self.last.0 != asked || self.last.1 == Sort::MAX {
            let (machine, of) = (self.machine, &mut self.of);
            let sort = self.known.entry(asked).or_insert_with(|| {
                of.push(machine.costs(asked.0, asked.1));
                (of.len() - 1) as Sort
            });
            self.last = (asked, *sort);
        }
        self.last.1
    }

    /// The node of a rank.
    #[inline]
    pub(super) fn node(&self, rank: u32) -> usize {
        self.machine.node(rank) as usize
    }

    #[inline]
    pub(super) fn costs(&self, sort: Sort) -> &Costs<T> {
        &self.of[sort as usize]
    }
}
