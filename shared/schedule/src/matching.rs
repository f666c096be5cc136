//! Matching of messages with receives: the first match in order of arrival.
//!
//! A short queue is a linked list, searched from its front. After one long search, it becomes a
//! table by source and tag: then ten thousand waiting receives cost no more than ten.

use crate::schedule::ANY;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Source and tag; either may be [`ANY`] in a receive.
pub(crate) type Key = (u32, u32);

/// A search longer than this turns a list into a table.
const DEEP: u32 = 24;

const NONE: u32 = u32::MAX;
/// Value of `tail` if `head` is the number of a table.
const TABLE: u32 = u32::MAX - 1;

/// A queue of receives or messages: a linked list in [`MatchQueues`].
#[derive(Clone, Copy)]
pub(crate) struct MatchQueue {
    head: u32,
    tail: u32,
}

impl MatchQueue {
    pub(crate) const EMPTY: MatchQueue = MatchQueue { head: NONE, tail: NONE };

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.head == NONE
    }

    /// The first element, or the number of the table.
    #[inline]
    pub(crate) fn front(&self) -> u32 {
        self.head
    }
}

/// An element of a list, possibly free.
struct Entry<I> {
    key: Key,
    item: I,
    /// The next element; undefined for the last one.
    next: u32,
}

/// The match queues of all ranks.
pub(crate) struct MatchQueues<I> {
    places: Vec<Entry<I>>,
    /// The last freed element; each links to the one before.
    unused: u32,
    tables: Vec<Table<I>>,
    unused_tables: Vec<u32>,
}

/// Whether a receive's key matches a message's key.
#[inline]
fn fits(first: Key, second: Key) -> bool {
    let same = |a: u32, b: u32| a == b || a == ANY || b == ANY;
    same(first.0, second.0) && same(first.1, second.1)
}

impl<I: Copy> MatchQueues<I> {
    /// With capacity for this many elements.
    pub(crate) fn with_room(places: usize) -> Self {
        MatchQueues {
            places: Vec::with_capacity(places),
            unused: NONE,
            tables: Vec::new(),
            unused_tables: Vec::new(),
        }
    }

    /// The first element, unless the queue has a table.
    #[inline]
    pub(crate) fn first(&self, queue: &MatchQueue) -> Option<I> {
        let place = self.places.get(queue.head as usize)?;
        (queue.tail != TABLE).then_some(place.item)
    }

    /// Removes the first matching element.
    #[inline]
    pub(crate) fn take(&mut self, queue: &mut MatchQueue, searched: Key) -> Option<I> {
        let MatchQueue { head, tail } = *queue;
        if head == NONE {
            return None;
        }
        if tail == TABLE {
            return self.take_from_table(queue, head, searched);
        }
        let (mut before, mut at, mut steps) = (NONE, head, 0);
        while at != NONE {
            let Entry { key, item, next } = self.places[at as usize];
            let after = if at == tail { NONE } else { next };
            if fits(key, searched) {
                match before {
                    NONE => queue.head = after,
                    before => self.places[before as usize].next = after,
                }
                if tail == at {
                    queue.tail = before;
                }
                self.free(at);
                if steps > DEEP {
                    self.tabulate(queue);
                }
                return Some(item);
            }
            (before, at) = (at, after);
            steps += 1;
        }
        if steps > DEEP {
            self.tabulate(queue);
        }
        None
    }

    /// Appends an element.
    #[inline]
    pub(crate) fn put(&mut self, queue: &mut MatchQueue, key: Key, item: I) {
        let MatchQueue { head, tail } = *queue;
        if tail == TABLE && head != NONE {
            self.tables[head as usize].put(key, item);
            return;
        }
        let place = Entry { key, item, next: NONE };
        let at = match self.unused {
            NONE => {
                self.places.push(place);
                (self.places.len() - 1) as u32
            }
            unused => {
                let next = std::mem::replace(&mut self.places[unused as usize], place).next;
                self.unused = next;
                unused
            }
        };
        match head {
            NONE => queue.head = at,
            _ => self.places[tail as usize].next = at,
        }
        queue.tail = at;
    }

    #[inline]
    fn free(&mut self, at: u32) {
        self.places[at as usize].next = self.unused;
        self.unused = at;
    }

    /// The elements of a list, in order.
    fn chain(&self, queue: &MatchQueue) -> impl Iterator<Item = u32> {
        let MatchQueue { head, tail } = *queue;
        let next = move |at: &u32| (*at != tail).then(|| self.places[*at as usize].next);
        std::iter::successors((head != NONE).then_some(head), next)
    }

    /// All elements, in order.
    pub(crate) fn waiting(&self, queue: &MatchQueue) -> Vec<I> {
        let MatchQueue { head, tail } = *queue;
        if head != NONE && tail == TABLE {
            return self.tables[head as usize].waiting();
        }
        self.chain(queue).map(|at| self.places[at as usize].item).collect()
    }

    #[cold]
    fn take_from_table(&mut self, queue: &mut MatchQueue, number: u32, searched: Key) -> Option<I> {
        let table = &mut self.tables[number as usize];
        let item = table.take(searched);
        if table.count == 0 {
            self.unused_tables.push(number);
            *queue = MatchQueue::EMPTY;
        }
        item
    }

    #[cold]
    fn tabulate(&mut self, queue: &mut MatchQueue) {
        let places: Vec<u32> = self.chain(queue).collect();
        if places.is_empty() {
            return;
        }
        let number = self.unused_tables.pop().unwrap_or_else(|| {
            self.tables.push(Table::default());
            (self.tables.len() - 1) as u32
        });
        let mut table = Table::default();
        for at in places {
            let Entry { key, item, .. } = self.places[at as usize];
            table.put(key, item);
            self.free(at);
        }
        self.tables[number as usize] = table;
        *queue = MatchQueue { head: number, tail: TABLE };
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
            let mut match_queues = MatchQueues::with_room(0);
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
            assert_eq!(match_queues.waiting(&queue), list);
        }
    }
}
