//! Which receive a message meets: first come, first served, among those that fit.
//!
//! A short line is a chain of operations that is searched from its front. A line that has once been
//! searched deep gets a table by source and tag, so that ten thousand waiting receives cost no more
//! than ten.

use crate::schedule::ANY;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A source and a tag; either may be [`ANY`] in a receive.
pub(crate) type Key = (u32, u32);

/// More steps than this in one search, and the line gets a table.
const DEEP: u32 = 24;

const NOBODY: u32 = u32::MAX;
/// As a line's `tail`: its `head` is the number of a table.
const TABLE: u32 = u32::MAX - 1;

/// A waiting line; the operations in it are chained through [`Lines::next`].
#[derive(Clone, Copy)]
pub(crate) struct Line {
    head: u32,
    tail: u32,
}

impl Line {
    pub(crate) const EMPTY: Line = Line { head: NOBODY, tail: NOBODY };

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.head == NOBODY
    }

    /// What stands first, or the number of the line's table.
    #[inline]
    pub(crate) fn front(&self) -> u32 {
        self.head
    }
}

/// What the waiting lines of all ranks share. An operation is in one line at most.
pub(crate) struct Lines {
    /// Who stands behind each; not set for the last of a line.
    next: Vec<u32>,
    tables: Vec<Table>,
    unused: Vec<u32>,
}

/// Whether a receive takes a message.
#[inline]
fn fits(one: Key, other: Key) -> bool {
    let same = |a: u32, b: u32| a == b || a == ANY || b == ANY;
    same(one.0, other.0) && same(one.1, other.1)
}

impl Lines {
    pub(crate) fn new(ops: usize) -> Self {
        Lines { next: vec![0; ops], tables: Vec::new(), unused: Vec::new() }
    }

    /// Takes the first that fits out of a line. `key_of` tells the key of what is in it.
    #[inline]
    pub(crate) fn take(
        &mut self,
        line: &mut Line,
        wanted: Key,
        key_of: impl Fn(u32) -> Key,
    ) -> Option<u32> {
        let Line { head, tail } = *line;
        if head == NOBODY {
            return None;
        }
        if tail == TABLE {
            return self.take_from_table(line, head, wanted);
        }
        let (mut before, mut item, mut steps) = (NOBODY, head, 0);
        while item != NOBODY {
            if fits(key_of(item), wanted) {
                let after = if item == tail { NOBODY } else { self.next[item as usize] };
                match before {
                    NOBODY => line.head = after,
                    before if after != NOBODY => self.next[before as usize] = after,
                    _ => {}
                }
                if tail == item {
                    line.tail = before;
                }
                if steps > DEEP {
                    self.tabulate(line, key_of);
                }
                return Some(item);
            }
            before = item;
            item = if item == tail { NOBODY } else { self.next[item as usize] };
            steps += 1;
        }
        if steps > DEEP {
            self.tabulate(line, key_of);
        }
        None
    }

    /// Puts something at the end of a line.
    #[inline]
    pub(crate) fn put(&mut self, line: &mut Line, key: Key, item: u32) {
        let Line { head, tail } = *line;
        if tail == TABLE && head != NOBODY {
            self.tables[head as usize].put(key, item);
            return;
        }
        match head {
            NOBODY => line.head = item,
            _ => self.next[tail as usize] = item,
        }
        line.tail = item;
    }

    /// Who stands in a line, from its front.
    pub(crate) fn waiting(&self, line: &Line) -> Vec<u32> {
        let Line { head, tail } = *line;
        if head != NOBODY && tail == TABLE {
            return self.tables[head as usize].waiting();
        }
        let link = |item: u32| (item != NOBODY).then_some(item);
        let next = |item: &u32| (*item != tail).then(|| self.next[*item as usize]);
        std::iter::successors(link(head), next).collect()
    }

    #[cold]
    fn take_from_table(&mut self, line: &mut Line, number: u32, wanted: Key) -> Option<u32> {
        let table = &mut self.tables[number as usize];
        let item = table.take(wanted);
        if table.living == 0 {
            self.unused.push(number);
            *line = Line::EMPTY;
        }
        item
    }

    #[cold]
    fn tabulate(&mut self, line: &mut Line, key_of: impl Fn(u32) -> Key) {
        let items = self.waiting(line);
        if items.is_empty() {
            return;
        }
        let number = self.unused.pop().unwrap_or_else(|| {
            self.tables.push(Table::default());
            (self.tables.len() - 1) as u32
        });
        let table = &mut self.tables[number as usize];
        *table = Table::default();
        for item in items {
            table.put(key_of(item), item);
        }
        *line = Line { head: number, tail: TABLE };
    }
}

/// A line with a table of contents.
#[derive(Default)]
struct Table {
    places: VecDeque<Place>,
    /// The number of the first of `places`.
    base: u32,
    /// The first and the last place of each key.
    by_key: FxHashMap<Key, (u32, u32)>,
    /// Places whose key is not one source and one tag, ascending.
    open: Vec<u32>,
    living: usize,
}

struct Place {
    key: Key,
    item: u32,
    /// The next place with that key.
    next: u32,
    gone: bool,
}

impl Table {
    fn put(&mut self, key: Key, item: u32) {
        let number = self.base.wrapping_add(self.places.len() as u32);
        self.places.push_back(Place { key, item, next: number, gone: false });
        self.living += 1;
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

    fn place(&self, number: u32) -> &Place {
        &self.places[number.wrapping_sub(self.base) as usize]
    }

    fn first(&self, wanted: Key) -> Option<u32> {
        if wanted.0 == ANY || wanted.1 == ANY {
            let found = self.places.iter().position(|p| !p.gone && fits(p.key, wanted));
            return found.map(|at| self.base.wrapping_add(at as u32));
        }
        let named = self.by_key.get(&wanted).map(|(first, _)| *first);
        let open = self.open.iter().copied().find(|n| fits(self.place(*n).key, wanted));
        let age = |number: &u32| number.wrapping_sub(self.base);
        named.into_iter().chain(open).min_by_key(age)
    }

    fn take(&mut self, wanted: Key) -> Option<u32> {
        let number = self.first(wanted)?;
        let at = number.wrapping_sub(self.base) as usize;
        self.places[at].gone = true;
        let Place { key, item, next, .. } = self.places[at];
        self.living -= 1;
        if next == number {
            self.by_key.remove(&key);
        } else if let Some((first, _)) = self.by_key.get_mut(&key) {
            *first = next;
        }
        if key.0 == ANY || key.1 == ANY {
            self.open.retain(|open| *open != number);
        }
        while self.places.front().is_some_and(|place| place.gone) {
            self.places.pop_front();
            self.base = self.base.wrapping_add(1);
        }
        Some(item)
    }

    fn waiting(&self) -> Vec<u32> {
        self.places.iter().filter(|place| !place.gone).map(|place| place.item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a plain list, with wildcards on either side.
    #[test]
    fn a_table_serves_as_a_list_does() {
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
            let mut lines = Lines::new(keys.len());
            let mut line = Line::EMPTY;
            let mut list: Vec<u32> = Vec::new();
            let mut next = 0;
            for _ in 0..2 * keys.len() {
                let filling = if list.len() < 300 { 7 } else { 4 };
                if random(10) < filling && next < keys.len() {
                    lines.put(&mut line, keys[next], next as u32);
                    list.push(next as u32);
                    next += 1;
                } else {
                    let wanted = match random(30) {
                        n if n < wildcards => (random(12), ANY),
                        _ => (random(12), random(9)),
                    };
                    let at = list.iter().position(|item| fits(keys[*item as usize], wanted));
                    let expected = at.map(|at| list.remove(at));
                    assert_eq!(lines.take(&mut line, wanted, |item| keys[item as usize]), expected);
                }
                assert_eq!(line.is_empty(), list.is_empty());
            }
            assert_eq!(lines.waiting(&line), list);
        }
    }
}
