//! Matching of messages with receives: the first match in order of arrival.
//!
//! A short queue is a linked list, searched from its front. After one long search, it becomes a
//! table by source and tag: then ten thousand waiting receives cost no more than ten.

use crate::schedule::{ANY, Op};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Source and tag; either may be [`ANY`] in a receive.
pub(crate) type Key = (u32, u32);

/// A search longer than this turns a list into a table.
const DEEP: u32 = 24;

const NONE: u32 = u32::MAX;
/// Flag of a queue that has become a table.
const TABLE: u32 = 1 << 31;

/// A queue of receives or messages: the last element of a linked list in [`MatchQueues`], or the
/// number of a table.
#[derive(Clone, Copy)]
pub(crate) struct MatchQueue(u32);

impl MatchQueue {
    pub(crate) const EMPTY: MatchQueue = MatchQueue(NONE);

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == NONE
    }

    /// The number of its table.
    #[inline]
    fn table(self) -> Option<usize> {
        (self.0 != NONE && self.0 & TABLE != 0).then_some((self.0 & !TABLE) as usize)
    }
}

/// An element of a list, possibly free.
struct Entry<I> {
    key: Key,
    item: I,
    /// The next element; the last one is followed by the first.
    next: u32,
}

/// The match queues of all ranks.
pub(crate) struct MatchQueues<I> {
    places: Vec<Entry<I>>,
    /// The last freed element; each links to the one before.
    unused: u32,
    tables: Vec<Table<I>>,
    unused_tables: Vec<usize>,
}

/// The key of a receive.
#[inline]
pub(crate) fn wanted(recv: &Op) -> Key {
    (recv.peer, recv.tag)
}

/// Whether a receive's key matches a message's key.
#[inline]
pub(crate) fn fits(first: Key, second: Key) -> bool {
    let same = |a: u32, b: u32| a == b || a == ANY || b == ANY;
    same(first.0, second.0) && same(first.1, second.1)
}

impl<I: Copy> MatchQueues<I> {
    pub(crate) fn new() -> Self {
        MatchQueues {
            places: Vec::new(),
            unused: NONE,
            tables: Vec::new(),
            unused_tables: Vec::new(),
        }
    }

    /// Removes the first matching element.
    #[inline]
    pub(crate) fn take(&mut self, queue: &mut MatchQueue, searched: Key) -> Option<I> {
        if queue.is_empty() {
            return None;
        }
        if let Some(table) = queue.table() {
            return self.take_from_table(queue, table, searched);
        }
        let last = queue.0;
        let (mut before, mut steps) = (last, 0);
        let found = loop {
            let at = self.places[before as usize].next;
            let Entry { key, item, next } = self.places[at as usize];
            if fits(key, searched) {
                self.places[before as usize].next = next;
                if at == last {
                    queue.0 = if before == last { NONE } else { before };
                }
                self.free(at);
                break Some(item);
            }
            if at == last {
                break None;
            }
            before = at;
            steps += 1;
        };
        if steps > DEEP {
            self.tabulate(queue);
        }
        found
    }

    /// Appends an element.
    #[inline]
    pub(crate) fn put(&mut self, queue: &mut MatchQueue, key: Key, item: I) {
        if let Some(table) = queue.table() {
            return self.tables[table].put(key, item);
        }
        let at = match self.unused {
            NONE => self.places.len() as u32,
            unused => unused,
        };
        let next = match queue.is_empty() {
            true => at,
            false => std::mem::replace(&mut self.places[queue.0 as usize].next, at),
        };
        let place = Entry { key, item, next };
        match self.unused {
            NONE => self.places.push(place),
            unused => {
                self.unused = std::mem::replace(&mut self.places[unused as usize], place).next;
            }
        }
        queue.0 = at;
    }

    #[inline]
    fn free(&mut self, at: u32) {
        self.places[at as usize].next = self.unused;
        self.unused = at;
    }

    /// The elements of a list, in order.
    fn chain(&self, queue: MatchQueue) -> impl Iterator<Item = u32> {
        let next = move |at: u32| self.places[at as usize].next;
        let first = (!queue.is_empty()).then(|| next(queue.0));
        std::iter::successors(first, move |at| (*at != queue.0).then(|| next(*at)))
    }

    /// All elements, in order.
    pub(crate) fn waiting(&self, queue: MatchQueue) -> Vec<I> {
        match queue.table() {
            Some(table) => self.tables[table].waiting(),
            None => self.chain(queue).map(|at| self.places[at as usize].item).collect(),
        }
    }

    #[cold]
    fn take_from_table(
        &mut self,
        queue: &mut MatchQueue,
        number: usize,
        searched: Key,
    ) -> Option<I> {
        let table = &mut self.tables[number];
        let item = table.take(searched);
        if table.count == 0 {
            self.unused_tables.push(number);
            *queue = MatchQueue::EMPTY;
        }
        item
    }

    #[cold]
    fn tabulate(&mut self, queue: &mut MatchQueue) {
        if queue.is_empty() {
            return;
        }
        let places: Vec<u32> = self.chain(*queue).collect();
        let mut table = Table::default();
        for at in places {
            let Entry { key, item, .. } = self.places[at as usize];
            table.put(key, item);
            self.free(at);
        }
        let number = self.unused_tables.pop().unwrap_or_else(|| {
            self.tables.push(Table::default());
            self.tables.len() - 1
        });
        self.tables[number] = table;
        *queue = MatchQueue(TABLE | number as u32);
    }
}

/// A queue indexed by key.
struct Table<I> {
    places: VecDeque<Numbered<I>>,
    /// The number of the first of `places`.
    base: u32,
    /// First and last element of each key.
    by_key: FxHashMap<Key, (u32, u32)>,
    /// Elements with wildcards, ascending.
    open: Vec<u32>,
    count: usize,
}

impl<I> Default for Table<I> {
    fn default() -> Self {
        let (places, by_key) = (VecDeque::new(), FxHashMap::default());
        Table { places, base: 0, by_key, open: Vec::new(), count: 0 }
    }
}

struct Numbered<I> {
    key: Key,
    item: I,
    /// The next element with the same key.
    next: u32,
    is_removed: bool,
}

impl<I: Copy> Table<I> {
    fn put(&mut self, key: Key, item: I) {
        let number = self.base.wrapping_add(self.places.len() as u32);
        self.places.push_back(Numbered { key, item, next: number, is_removed: false });
        self.count += 1;
        if key.0 == ANY || key.1 == ANY {
            self.open.push(number);
        }
        match self.by_key.get_mut(&key) {
            None => {
                self.by_key.insert(key, (number, number));
            }
            Some((_, last)) => {
                let before = std::mem::replace(last, number);
                self.places[before.wrapping_sub(self.base) as usize].next = number;
            }
        }
    }

    fn place(&self, number: u32) -> &Numbered<I> {
        &self.places[number.wrapping_sub(self.base) as usize]
    }

    fn first(&self, searched: Key) -> Option<u32> {
        if searched.0 == ANY || searched.1 == ANY {
            let found = self.places.iter().position(|p| !p.is_removed && fits(p.key, searched));
            return found.map(|at| self.base.wrapping_add(at as u32));
        }
        let named = self.by_key.get(&searched).map(|(first, _)| *first);
        let open = self.open.iter().copied().find(|n| fits(self.place(*n).key, searched));
        let age = |number: &u32| number.wrapping_sub(self.base);
        named.into_iter().chain(open).min_by_key(age)
    }

    fn take(&mut self, searched: Key) -> Option<I> {
        let number = self.first(searched)?;
        let at = number.wrapping_sub(self.base) as usize;
        self.places[at].is_removed = true;
        let Numbered { key, item, next, .. } = self.places[at];
        self.count -= 1;
        if next == number {
            self.by_key.remove(&key);
        } else if let Some((first, _)) = self.by_key.get_mut(&key) {
            *first = next;
        }
        if key.0 == ANY || key.1 == ANY {
            self.open.retain(|open| *open != number);
        }
        while self.places.front().is_some_and(|place| place.is_removed) {
            self.places.pop_front();
            self.base = self.base.wrapping_add(1);
        }
        Some(item)
    }

    fn waiting(&self) -> Vec<I> {
        self.places.iter().filter(|place| !place.is_removed).map(|place| place.item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with a plain list, with wildcards on either side.
    #[test]
    fn a_table_matches_like_a_list() {
        let mut state = 3u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (state >> 33) as u32 % below
        };
        for wildcards in [0, 9] {
            let keys: Vec<Key> = (0..20_000)
                .map(|_| match random(20) {
                    n if n < wildcards => [(ANY, 3), (5, ANY), (ANY, ANY)][n as usize % 3],
                    _ => (random(12), random(9)),
                })
                .collect();
            let mut match_queues = MatchQueues::new();
            let mut queue = MatchQueue::EMPTY;
            let mut list: Vec<u32> = Vec::new();
            let mut next = 0;
            for _ in 0..2 * keys.len() {
                let filling = if list.len() < 300 { 7 } else { 4 };
                if random(10) < filling && next < keys.len() {
                    match_queues.put(&mut queue, keys[next], next as u32);
                    list.push(next as u32);
                    next += 1;
                } else {
                    let searched = match random(30) {
                        n if n < wildcards => (random(12), ANY),
                        _ => (random(12), random(9)),
                    };
                    let at = list.iter().position(|item| fits(keys[*item as usize], searched));
                    let expected = at.map(|at| list.remove(at));
                    assert_eq!(match_queues.take(&mut queue, searched), expected);
                }
                assert_eq!(queue.is_empty(), list.is_empty());
            }
            assert_eq!(match_queues.waiting(queue), list);
        }
    }
}
