//! A rank's open requests, identified by the addresses of their variables.
//!
//! A trace records neither the result of a test nor the request that a wait for one of many
//! completed. Both are inferred from later calls: the first reading finds the last call that waits
//! for or tests a request, and this call is taken to complete it.

use loggia_trace::call::Completion;
use loggia_trace::slots::Slots;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The last call that waits for or tests each request; requests by their order of creation.
pub(super) type Last = FxHashMap<u64, u64>;

#[derive(Clone, Copy, Debug)]
struct Request {
    address: u64,
    /// Number of requests that began before it.
    begun: u64,
    /// Whether the request is persistent.
    is_persistent: bool,
    active: bool,
}

/// The open requests of a rank.
#[derive(Debug, Default)]
pub(super) struct Requests {
    slots: Slots<Request>,
    open: BTreeMap<u64, u32>,
    /// Every address that ever held a request.
    known: BTreeSet<u64>,
    /// The active requests, the oldest first.
    by_age: BTreeMap<u64, u32>,
    begun: u64,
    calls: u64,
    /// Whether a request has four bytes, as in MPICH and in Fortran, instead of eight.
    is_short: bool,
    last: Last,
    /// Whether this is the second reading.
    is_second: bool,
    found: Vec<u32>,
    /// Calls with addresses that never held a request.
    pub(super) guessed: u64,
    /// Calls whose results are inferred from later calls.
    pub(super) inferred: u64,
}

/// Requests that a call has completed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Completed {
    /// The requests, in the order of the array.
    pub(super) done: Vec<u32>,
    /// Whether all tested requests were still open.
    pub(super) is_failed: bool,
}

impl Requests {
    /// For the second reading of a trace.
    pub(super) fn second(first: Requests) -> Self {
        Requests { last: first.last, is_second: true, ..Requests::default() }
    }

    /// Adds a request and returns its number.
    pub(super) fn add(&mut self, address: u64, is_persistent: bool) -> u32 {
        self.is_short |= address % 8 == 4;
        self.overwrite(address);
        let request = Request { address, begun: 0, is_persistent, active: false };
        let number = self.slots.add(request);
        self.known.insert(address);
        self.open.insert(address, number);
        if !is_persistent {
            self.begin(number);
        }
        number
    }

    fn begin(&mut self, number: u32) {
        let request = &mut self.slots[number];
        if !request.active {
            (request.active, request.begun) = (true, self.begun);
            self.by_age.insert(self.begun, number);
            self.begun += 1;
        }
    }

    /// A new request overwrites the request at an address: a test has completed it, or the program
    /// has copied it elsewhere.
    fn overwrite(&mut self, address: u64) {
        if let Some(before) = self.open.remove(&address) {
            let request = self.slots[before];
            let is_tested = !self.is_second && self.last.contains_key(&request.begun);
            if is_tested && request.active {
                self.end(before);
            }
        }
    }

    /// Starts the inactive persistent requests of an array.
    pub(super) fn start(&mut self, count: u64, at: u64) -> &[u32] {
        self.find(count, at, |request| request.is_persistent && !request.active);
        for index in 0..self.found.len() {
            self.begin(self.found[index]);
        }
        &self.found
    }

    /// The request at an address.
    pub(super) fn at(&self, address: u64) -> Option<u32> {
        self.open.get(&address).copied()
    }

    /// Frees the request at an address.
    pub(super) fn release(&mut self, address: u64) -> Option<u32> {
        let number = self.open.remove(&address)?;
        self.slots[number].is_persistent = false;
        self.end(number);
        Some(number)
    }

    /// Number of active requests.
    pub(super) fn active(&self) -> usize {
        self.by_age.len()
    }

    fn end(&mut self, number: u32) {
        let request = self.slots[number];
        if request.active {
            self.by_age.remove(&request.begun);
        }
        self.slots[number].active = false;
        if !request.is_persistent {
            if self.open.get(&request.address) == Some(&number) {
                self.open.remove(&request.address);
            }
            self.slots.free(number);
        }
    }

    /// Finds the requests of an array that match `filter`, in its order.
    fn find(&mut self, count: u64, at: u64, filter: impl Fn(Request) -> bool) {
        let among = |step: u64| {
            let end = at.saturating_add(count.saturating_mul(step));
            let range = if at < end { Some(self.open.range(at..end)) } else { None };
            range
                .into_iter()
                .flatten()
                .filter(move |(address, _)| (*address - at).is_multiple_of(step))
        };
        let is_short = self.is_short || among(4).count() > among(8).count();
        let found = among(if is_short { 4 } else { 8 }).map(|(_, number)| *number);
        let found: Vec<u32> = found.filter(|number| filter(self.slots[*number])).collect();
        self.found = found;
    }

    /// Finds the active requests of an array. If its addresses never held a request, the program
    /// has copied the requests there: they are assumed to be the oldest ones.
    fn find_active(&mut self, count: u64, at: u64) {
        self.calls += 1;
        self.find(count, at, |request| request.active);
        let end = at.saturating_add(count.saturating_mul(8)).max(at.saturating_add(1));
        if self.found.is_empty() && count > 0 && self.known.range(at..end).next().is_none() {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            self.found.extend(self.by_age.values().take(count));
            self.guessed += u64::from(!self.found.is_empty());
        }
    }

    /// Requests that a call may have completed, in the first reading.
    pub(super) fn first_reading(&mut self, how: Completion, count: u64, at: u64) {
        self.find_active(count, at);
        let found = std::mem::take(&mut self.found);
        for number in &found {
            let begun = self.slots[*number].begun;
            match how {
                Completion::Wait | Completion::Waitall => {
                    self.last.remove(&begun);
                    self.end(*number);
                }
                _ => {
                    self.last.insert(begun, self.calls);
                }
            }
        }
    }

    /// Requests that a call has completed, in the second reading.
    pub(super) fn complete(&mut self, how: Completion, count: u64, at: u64) -> Completed {
        self.find_active(count, at);
        let found = std::mem::take(&mut self.found);
        let is_last = |number: &u32| self.last.get(&self.slots[*number].begun) == Some(&self.calls);
        let mut done: Vec<u32> = found.iter().copied().filter(is_last).collect();
        let first = |of: &[u32]| of.first().copied().into_iter().collect();
        done = match how {
            Completion::Wait | Completion::Waitall => found.clone(),
            Completion::Test | Completion::Testall if done.len() < found.len() => Vec::new(),
            Completion::Test | Completion::Testall | Completion::Testsome => done,
            Completion::Testany => first(&done),
            Completion::Waitany | Completion::Waitsome if done.is_empty() => first(&found),
            Completion::Waitany => first(&done),
            Completion::Waitsome => done,
        };
        if !matches!(how, Completion::Wait | Completion::Waitall) {
            self.inferred += 1;
        }
        for number in &done {
            self.end(*number);
        }
        Completed { is_failed: done.is_empty() && !found.is_empty(), done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Completion::{Test, Wait, Waitall, Waitany};

    /// The requests that each call completes; a step with `None` adds a request at the address.
    fn run(steps: &[(Option<Completion>, u64, u64)]) -> Vec<Vec<u32>> {
        let mut first = Requests::default();
        for (how, count, at) in steps {
            match how {
                Some(how) => first.first_reading(*how, *count, *at),
                None => _ = first.add(*at, false),
            }
        }
        let mut second = Requests::second(first);
        let mut done = Vec::new();
        for (how, count, at) in steps {
            match how {
                Some(how) => done.push(second.complete(*how, *count, *at).done),
                None => _ = second.add(*at, false),
            }
        }
        done
    }

    #[test]
    fn the_last_test_before_the_next_request_completes_it() {
        let steps = [
            (None, 1, 800),
            (Some(Test), 1, 800),
            (Some(Test), 1, 800),
            (None, 1, 800),
            (Some(Test), 1, 800),
            (Some(Wait), 1, 800),
        ];
        assert_eq!(run(&steps), [vec![], vec![0], vec![], vec![0]]);
    }

    #[test]
    fn a_wait_for_any_completes_the_request_that_is_replaced_next() {
        let steps = [
            (None, 1, 800),
            (None, 1, 808),
            (Some(Waitany), 2, 800),
            (None, 1, 808),
            (Some(Waitany), 2, 800),
            (Some(Waitany), 2, 800),
        ];
        assert_eq!(run(&steps), [vec![1], vec![0], vec![1]]);
    }

    #[test]
    fn requests_have_four_or_eight_bytes() {
        let eight = [(None, 1, 800), (None, 1, 808), (None, 1, 816), (Some(Waitall), 2, 800)];
        assert_eq!(run(&eight), [vec![0, 1]]);
        let four = [(None, 1, 800), (None, 1, 804), (None, 1, 808), (Some(Waitall), 2, 800)];
        assert_eq!(run(&four), [vec![0, 1]]);
    }

    #[test]
    fn copied_requests_complete_in_order_of_age() {
        let steps = [
            (None, 1, 800),
            (None, 1, 800),
            (None, 1, 800),
            (Some(Waitall), 2, 4_000),
            (Some(Waitall), u64::MAX, 4_000),
        ];
        assert_eq!(run(&steps), [vec![0, 1], vec![2]]);
    }
}
