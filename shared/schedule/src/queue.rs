//! The event queue, ordered by time, and by a given order at the same time. It is a radix heap:
//! buckets hold entries by the highest bit in which their time differs from the last time taken;
//! only the lowest used bucket is opened. Schedules have many events at few times, which it moves
//! in bulk. Entries before the current time (see [`loggops`](crate::loggops)), or between current
//! entries, are in a separate heap.

use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry<T> {
    pub(crate) time: T,
    /// Order at the same time; the lower half may identify the event.
    pub(crate) order: u64,
}

impl<T> Entry<T> {
    /// An entry whose order consists of number and item.
    #[inline]
    pub(crate) fn numbered(time: T, number: u32, item: u32) -> Self {
        Entry { time, order: u64::from(number) << 32 | u64::from(item) }
    }

    #[inline]
    pub(crate) fn number(&self) -> u32 {
        (self.order >> 32) as u32
    }

    #[inline]
    pub(crate) fn item(&self) -> u32 {
        self.order as u32
    }
}

/// One bucket per bit of a time.
const BUCKETS: usize = 128;

/// Entries per chunk. Buckets are lists of chunks that move between buckets: nothing is copied to
/// grow, and no bucket keeps unused memory.
const CHUNK: usize = 512;

type Chunk<T> = Vec<Entry<T>>;

pub(crate) struct Queue<T> {
    /// Entries at time `last`, in order, from `taken` on.
    now: Vec<Entry<T>>,
    taken: usize,
    last: T,
    /// By distance of the time from `last`.
    later: Vec<Vec<Chunk<T>>>,
    /// Bits of the non-empty buckets; two words, since wasm has no instructions for 128 bits.
    used: [u64; BUCKETS / 64],
    unused: Vec<Chunk<T>>,
    /// Entries before `last`, and those at `last` before the end of `now`.
    between: BinaryHeap<Reverse<Entry<T>>>,
    went_back: bool,
    overflowed: bool,
}

impl<T: Time> Queue<T> {
    pub(crate) fn new() -> Self {
        Queue {
            now: Vec::new(),
            taken: 0,
            last: T::default(),
            later: (0..BUCKETS).map(|_| Vec::new()).collect(),
            used: [0; BUCKETS / 64],
            unused: Vec::new(),
            between: BinaryHeap::new(),
            went_back: false,
            overflowed: false,
        }
    }

    /// Reserves memory for entries at the first time.
    pub(crate) fn reserve(&mut self, entries: usize) {
        self.now.reserve_exact(entries);
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: Entry<T>) {
        match entry.time.distance(self.last) {
            0 => self.push_now(entry),
            _ if entry.time < self.last => {
                self.went_back = true;
                let back = self.last.ticks().wrapping_sub(entry.time.ticks());
                self.overflowed |= back > u64::MAX / 2;
                self.between.push(Reverse(entry));
            }
            distance => self.put(distance - 1, entry),
        }
    }

    #[inline]
    fn put(&mut self, bucket: usize, entry: Entry<T>) {
        let chunks = &mut self.later[bucket];
        match chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(entry),
            _ => {
                let mut chunk = self.unused.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK));
                chunk.push(entry);
                chunks.push(chunk);
                self.used[bucket / 64] |= 1 << (bucket % 64);
            }
        }
    }

    #[inline]
    fn push_now(&mut self, entry: Entry<T>) {
        match self.now.last() {
            Some(end) if self.taken < self.now.len() && end.order > entry.order => {
                self.between.push(Reverse(entry));
            }
            _ => self.now.push(entry),
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry<T>> {
        if let Some(Reverse(first)) = self.between.peek()
            && (first.time < self.last
                || self.now.get(self.taken).is_none_or(|next| first.order < next.order))
        {
            return self.between.pop().map(|Reverse(entry)| entry);
        }
        if self.taken == self.now.len() && !self.open() {
            return None;
        }
        let entry = self.now.get(self.taken).copied();
        self.taken += 1;
        entry
    }

    /// Whether an entry was added before an entry that was already taken.
    pub(crate) fn has_gone_back(&self) -> bool {
        self.went_back
    }

    /// Whether an entry was so far back that its time must have overflowed.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    /// Whether another entry has the time of the entry taken last.
    #[inline]
    pub(crate) fn has_more_now(&self) -> bool {
        self.taken < self.now.len() || !self.between.is_empty()
    }

    /// The next entries, if no entry is added before them.
    #[inline]
    pub(crate) fn ahead(&self) -> &[Entry<T>] {
        &self.now[self.taken..]
    }

    /// Fills `now` from the lowest bucket in use.
    fn open(&mut self) -> bool {
        self.taken = 0;
        // A very large buffer is rarely needed twice.
        match self.now.capacity() > 64 * CHUNK {
            true => self.now = Vec::new(),
            false => self.now.clear(),
        }
        let Some(word) = self.used.iter().position(|word| *word != 0) else { return false };
        let lowest = 64 * word + self.used[word].trailing_zeros() as usize;
        self.used[word] &= self.used[word] - 1;
        let chunks = std::mem::take(&mut self.later[lowest]);
        let times = || chunks.iter().flatten().map(|entry| entry.time);
        self.last = times().min().unwrap_or(self.last);
        self.now.reserve_exact(times().filter(|time| *time == self.last).count());
        let (mut order, mut sorted) = (0, true);
        for mut chunk in chunks {
            for entry in &chunk {
                match entry.time.distance(self.last) {
                    0 => {
                        sorted &= order <= entry.order;
                        order = entry.order;
                        self.now.push(*entry);
                    }
                    distance => self.put(distance - 1, *entry),
                }
            }
            chunk.clear();
            self.unused.push(chunk);
        }
        if !sorted {
            self.now.sort_by_key(|entry| entry.order);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a sorted set, with entries added before, at and after the last time taken.
    #[test]
    fn takes_the_first_by_time_and_order() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (state >> 33) % below
        };
        for width in [1, 3, 1000, u64::MAX] {
            let mut queue = Queue::new();
            let mut expected = std::collections::BTreeSet::new();
            for number in 0..5000u32 {
                if random(3) > 0 {
                    let entry = Entry::numbered(random(width), number / 2, number);
                    queue.push(entry);
                    expected.insert(entry);
                } else {
                    assert_eq!(queue.pop(), expected.pop_first());
                }
            }
            while let Some(entry) = expected.pop_first() {
                assert_eq!(queue.pop(), Some(entry));
            }
            assert_eq!(queue.pop(), None);
        }
    }
}
