//! Costs of messages, looked up once for each tier and size.

use super::{Costs, Machine};
use rustc_hash::FxHashMap;

/// Index of the costs of messages of one tier and size.
pub(super) type CostIndex = u32;

/// Known costs.
pub(super) struct CostTable<'a, T, M> {
    machine: &'a M,
    of: Vec<Costs<T>>,
    /// By tier and bytes.
    known: FxHashMap<(u8, u64), CostIndex>,
    /// The last lookup.
    last: ((u8, u64), CostIndex),
}

impl<'a, T: Copy, M: Machine<T>> CostTable<'a, T, M> {
    pub(super) fn of(machine: &'a M) -> Self {
        CostTable {
            machine,
            of: Vec::new(),
            known: FxHashMap::default(),
            last: ((0, 0), CostIndex::MAX),
        }
    }

    /// The index for a message.
    #[inline]
    pub(super) fn cost_index(&mut self, from: u32, to: u32, bytes: u64) -> CostIndex {
        let key = (self.machine.tier(from, to), bytes);
        if self.last.0 != key || self.last.1 == CostIndex::MAX {
            let (machine, of) = (self.machine, &mut self.of);
            let cost_index = self.known.entry(key).or_insert_with(|| {
                of.push(machine.costs(key.0, key.1));
                (of.len() - 1) as CostIndex
            });
            self.last = (key, *cost_index);
        }
        self.last.1
    }

    /// The node of a rank.
    #[inline]
    pub(super) fn node(&self, rank: u32) -> usize {
        self.machine.node(rank) as usize
    }

    #[inline]
    pub(super) fn costs(&self, cost_index: CostIndex) -> &Costs<T> {
        &self.of[cost_index as usize]
    }
}
