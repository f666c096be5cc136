//! A rank's open requests, identified by the source, destination and tag of their messages.

use super::action::{Key, WaitTarget};
use loggia_trace::slots::Slots;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, Debug)]
struct Request {
    key: Key,
    begun: u64,
}

/// The open requests of a rank. The result of a test is not recorded: the last test before the next
/// request of the same message is taken to complete it, so a trace with tests is read twice.
#[derive(Debug, Default)]
pub(super) struct Requests {
    slots: Slots<Request>,
    by_key: FxHashMap<Key, VecDeque<u32>>,
    /// The open requests, the oldest first.
    by_age: BTreeMap<u64, u32>,
    begun: u64,
    tests: u64,
    /// Number of open wildcard receives.
    wild: u64,
    /// The last test of each request.
    last: FxHashMap<u64, u64>,
    is_second: bool,
}

fn is_wild(key: &Key) -> bool {
    key.0 < 0 || key.2 < 0
}

impl Requests {
    /// For the second reading.
    pub(super) fn begin_again(&mut self) {
        let last = std::mem::take(&mut self.last);
        *self = Requests { last, is_second: true, ..Requests::default() };
    }

    /// Adds a request and returns its number.
    pub(super) fn add(&mut self, key: Key) -> u32 {
        let oldest = self.by_key.get(&key).and_then(|same| same.front().copied());
        if let Some(oldest) = oldest.filter(|_| !self.is_second)
            && self.last.contains_key(&self.slots[oldest].begun)
        {
            self.end(oldest);
        }
        let request = Request { key, begun: self.begun };
        let number = self.slots.add(request);
        self.wild += u64::from(is_wild(&key));
        self.by_key.entry(key).or_default().push_back(number);
        self.by_age.insert(self.begun, number);
        self.begun += 1;
        number
    }

    fn end(&mut self, number: u32) {
        let Request { key, begun } = self.slots[number];
        self.by_age.remove(&begun);
        self.wild -= u64::from(is_wild(&key));
        if let Some(same) = self.by_key.get_mut(&key) {
            // It is the oldest, unless a wildcard matched it.
            match same.iter().position(|other| *other == number) {
                Some(0) => _ = same.pop_front(),
                Some(place) => _ = same.remove(place),
                None => {}
            }
            if same.is_empty() {
                self.by_key.remove(&key);
            }
        }
        self.slots.free(number);
    }

    fn find(&self, target: WaitTarget) -> Option<u32> {
        let WaitTarget::From { source, to, tag } = target else {
            return self.by_age.values().next_back().copied();
        };
        let exact = tag.and_then(|tag| self.by_key.get(&(source, to, tag))?.front().copied());
        if exact.is_some() || (tag.is_some() && self.wild == 0) {
            return exact;
        }
        let fits = |number: &&u32| {
            let key = self.slots[**number].key;
            (key.0 == source || key.0 < 0)
                && key.1 == to
                && tag.is_none_or(|tag| key.2 == tag || key.2 < 0)
        };
        self.by_age.values().find(fits).copied()
    }

    /// Completes the request of a wait; `None` if it is not open.
    pub(super) fn wait(&mut self, target: WaitTarget) -> Option<u32> {
        let found = self.find(target)?;
        self.last.remove(&self.slots[found].begun);
        self.end(found);
        Some(found)
    }

    /// Completes all requests and returns them in the order of their begin.
    pub(super) fn wait_all(&mut self) -> Vec<u32> {
        let all: Vec<u32> = self.by_age.values().copied().collect();
        for number in &all {
            self.last.remove(&self.slots[*number].begun);
        }
        self.by_age.clear();
        self.by_key.clear();
        self.wild = 0;
        for number in all.iter().rev() {
            self.slots.free(*number);
        }
        all
    }

    /// Counts a test, in the first reading.
    pub(super) fn survey(&mut self, target: WaitTarget) {
        self.tests += 1;
        if let Some(found) = self.find(target) {
            self.last.insert(self.slots[found].begun, self.tests);
        }
    }

    /// A test, in the second reading: the request if it has completed; an error if none is open.
    pub(super) fn test(&mut self, target: WaitTarget) -> Result<Option<u32>, ()> {
        self.tests += 1;
        let found = self.find(target).ok_or(())?;
        let is_last = self.last.get(&self.slots[found].begun) == Some(&self.tests);
        if is_last {
            self.end(found);
        }
        Ok(is_last.then_some(found))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_age.is_empty()
    }
}
