//! A rank's windows. Their creation records the address of a variable, their use a handle.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The open windows of a rank.
#[derive(Debug, Default)]
pub(super) struct Windows {
    next: u32,
    /// Unused windows with their numbers of ranks; `None` if a window cannot be replayed.
    unused: VecDeque<Option<(u32, u32)>>,
    by_handle: FxHashMap<u64, Option<(u32, u32)>>,
    /// By the address of the variable.
    by_address: FxHashMap<u64, u32>,
}

impl Windows {
    /// Adds a window and returns its number.
    pub(super) fn add(&mut self, at: u64, ranks: u32) -> u32 {
        let number = self.next;
        self.next += 1;
        self.unused.push_back(Some((number, ranks)));
        self.by_address.insert(at, number);
        number
    }

    /// Adds a window that cannot be replayed.
    pub(super) fn add_unknown(&mut self) {
        self.unused.push_back(None);
    }

    /// The number of a window and its number of ranks, by handle.
    pub(super) fn find(&mut self, handle: u64) -> Option<(u32, u32)> {
        let unused = &mut self.unused;
        *self.by_handle.entry(handle).or_insert_with(|| unused.pop_front().flatten())
    }

    /// Removes a freed window.
    pub(super) fn remove(&mut self, at: u64) -> Option<u32> {
        let number = self.by_address.remove(&at)?;
        let is_freed =
            |window: &Option<(u32, u32)>| window.is_some_and(|(other, _)| other == number);
        self.by_handle.retain(|_, window| !is_freed(window));
        self.unused.retain(|window| !is_freed(window));
        Some(number)
    }
}
