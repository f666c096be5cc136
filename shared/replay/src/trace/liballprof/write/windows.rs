//! A rank's windows: when one is made its variable is known, and when it is used its handle.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Those that are open.
#[derive(Debug, Default)]
pub(super) struct Windows {
    next: u32,
    /// Those that have not been used, and how many ranks they have; none if it cannot be replayed.
    unused: VecDeque<Option<(u32, u32)>>,
    by_handle: FxHashMap<u64, Option<(u32, u32)>>,
    /// By the address of the variable.
    by_address: FxHashMap<u64, u32>,
}

impl Windows {
    /// A new one, and its number.
    pub(super) fn add(&mut self, at: u64, ranks: u32) -> u32 {
        let number = self.next;
        self.next += 1;
        self.unused.push_back(Some((number, ranks)));
        self.by_address.insert(at, number);
        number
    }

    /// A new one that cannot be replayed.
    pub(super) fn add_unknown(&mut self) {
        self.unused.push_back(None);
    }

    /// The number of a window and of its ranks, by its handle.
    pub(super) fn find(&mut self, handle: u64) -> Option<(u32, u32)> {
        let unused = &mut self.unused;
        *self.by_handle.entry(handle).or_insert_with(|| unused.pop_front().flatten())
    }

    /// One is closed.
    pub(super) fn remove(&mut self, at: u64) -> Option<u32> {
        let number = self.by_address.remove(&at)?;
        let is_it = |window: &Option<(u32, u32)>| window.is_some_and(|(it, _)| it == number);
        self.by_handle.retain(|_, window| !is_it(window));
        self.unused.retain(|window| !is_it(window));
        Some(number)
    }
}
