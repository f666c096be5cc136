//! A rank's requests, which a trace identifies by the addresses of the variables that hold them.
//!
//! A trace records neither the result of a test nor which request a wait for one of many completed.
//! Both follow from later calls, so a trace is read twice: the first reading finds the last call that
//! waits for or tests a request, and that call has completed it.

use loggia_trace::call::Completion;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The last call that waits for or tests each request; requests by their order of creation.
pub(super) type Last = FxHashMap<u64, u64>;

#[derive(Clone, Copy, Debug)]
struct Request {
    address: u64,
    /// How many requests were begun before it.
    begun: u64,
    /// It can be started again and again.
    stays: bool,
    active: bool,
}

/// All that are open.
#[derive(Debug, Default)]
pub(super) struct Requests {
    slots: Vec<Request>,
    unused: Vec<u32>,
    open: BTreeMap<u64, u32>,
    /// Every address that ever held one.
    known: BTreeSet<u64>,
    /// Those that are active, the oldest first.
    by_age: BTreeMap<u64, u32>,
    begun: u64,
    calls: u64,
    /// A request takes four bytes, as in MPICH and in Fortran, and not eight.
    is_short: bool,
    last: Last,
    /// This is the second reading.
    is_second: bool,
    found: Vec<u32>,
    /// Calls with addresses that never held a request.
    pub(super) guessed: u64,
    /// Calls whose outcome follows from later ones.
    pub(super) inferred: u64,
}

/// What a call has completed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Completed {
    /// The requests, in the order of the array.
    pub(super) done: Vec<u32>,
    /// A test of requests that were still open.
    pub(super) in_vain: bool,
}

impl Requests {
    /// For the second reading of a trace.
    pub(super) fn again(first: Requests) -> Self {
        Requests { last: first.last, is_second: true, ..Requests::default() }
    }

    /// A new one, and its number.
    pub(super) fn add(&mut self, address: u64, stays: bool) -> u32 {
        self.is_short |= address % 8 == 4;
        self.overwrite(address);
        let request = Request { address, begun: 0, stays, active: false };
        let number = match self.unused.pop() {
            Some(number) => {
                self.slots[number as usize] = request;
                number
            }
            None => {
                self.slots.push(request);
                u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
            }
        };
        self.known.insert(address);
        self.open.insert(address, number);
        if !stays {
            self.begin(number);
        }
        number
    }

    fn begin(&mut self, number: u32) {
        let request = &mut self.slots[number as usize];
        if !request.active {
            (request.active, request.begun) = (true, self.begun);
            self.by_age.insert(self.begun, number);
            self.begun += 1;
        }
    }

    /// Another request is stored where one is: a test has completed that, or the program has copied
    /// it to somewhere else.
    fn overwrite(&mut self, address: u64) {
        if let Some(before) = self.open.remove(&address) {
            let request = self.slots[before as usize];
            let is_tested = !self.is_second && self.last.contains_key(&request.begun);
            if is_tested && request.active {
                self.end(before);
            }
        }
    }

    /// Starts those in an array that can be started.
    pub(super) fn start(&mut self, count: u64, at: u64) -> &[u32] {
        self.find(count, at, |request| request.stays && !request.active);
        for index in 0..self.found.len() {
            self.begin(self.found[index]);
        }
        &self.found
    }

    /// The one that is stored there.
    pub(super) fn at(&self, address: u64) -> Option<u32> {
        self.open.get(&address).copied()
    }

    /// Gives the one up that is stored there.
    pub(super) fn release(&mut self, address: u64) -> Option<u32> {
        let number = self.open.remove(&address)?;
        self.slots[number as usize].stays = false;
        self.end(number);
        Some(number)
    }

    /// How many are active.
    pub(super) fn active(&self) -> usize {
        self.by_age.len()
    }

    fn end(&mut self, number: u32) {
        let request = self.slots[number as usize];
        if request.active {
            self.by_age.remove(&request.begun);
        }
        self.slots[number as usize].active = false;
        if !request.stays {
            if self.open.get(&request.address) == Some(&number) {
                self.open.remove(&request.address);
            }
            self.unused.push(number);
        }
    }

    /// The requests of an array that are such, in its order.
    fn find(&mut self, count: u64, at: u64, such: impl Fn(Request) -> bool) {
        let among = |step: u64| {
            let end = at.saturating_add(count.saturating_mul(step));
            let here = if at < end { Some(self.open.range(at..end)) } else { None };
            here.into_iter()
                .flatten()
                .filter(move |(address, _)| (*address - at).is_multiple_of(step))
        };
        let is_short = self.is_short || among(4).count() > among(8).count();
        let found = among(if is_short { 4 } else { 8 }).map(|(_, number)| *number);
        let found: Vec<u32> = found.filter(|number| such(self.slots[*number as usize])).collect();
        self.found = found;
    }

    /// The active requests of an array. Where the array's addresses have never held a request, the
    /// program has copied them there: they are taken to be the oldest ones.
    fn ask(&mut self, count: u64, at: u64) {
        self.calls += 1;
        self.find(count, at, |request| request.active);
        let end = at.saturating_add(count.saturating_mul(8)).max(at.saturating_add(1));
        if self.found.is_empty() && count > 0 && self.known.range(at..end).next().is_none() {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            self.found.extend(self.by_age.values().take(count));
            self.guessed += u64::from(!self.found.is_empty());
        }
    }

    /// What a call may have completed, at the first reading.
    pub(super) fn first_reading(&mut self, how: Completion, count: u64, at: u64) {
        self.ask(count, at);
        let found = std::mem::take(&mut self.found);
        for number in &found {
            let begun = self.slots[*number as usize].begun;
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

    /// What a call has completed, at the second reading.
    pub(super) fn complete(&mut self, how: Completion, count: u64, at: u64) -> Completed {
        self.ask(count, at);
        let found = std::mem::take(&mut self.found);
        let is_last =
            |number: &u32| self.last.get(&self.slots[*number as usize].begun) == Some(&self.calls);
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
        Completed { in_vain: done.is_empty() && !found.is_empty(), done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Completion::{Test, Wait, Waitall, Waitany};

    /// What calls complete, by their order; `None` is a new request at the address.
    fn run(steps: &[(Option<Completion>, u64, u64)]) -> Vec<Vec<u32>> {
        let mut first = Requests::default();
        for (how, count, at) in steps {
            match how {
                Some(how) => first.first_reading(*how, *count, *at),
                None => _ = first.add(*at, false),
            }
        }
        let mut second = Requests::again(first);
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
    fn the_last_test_before_the_next_request_has_found_it() {
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
    fn the_request_that_is_made_anew_was_the_one() {
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
    fn requests_are_as_long_as_the_library_makes_them() {
        let eight = [(None, 1, 800), (None, 1, 808), (None, 1, 816), (Some(Waitall), 2, 800)];
        assert_eq!(run(&eight), [vec![0, 1]]);
        let four = [(None, 1, 800), (None, 1, 804), (None, 1, 808), (Some(Waitall), 2, 800)];
        assert_eq!(run(&four), [vec![0, 1]]);
    }

    #[test]
    fn requests_that_were_copied_end_in_their_order() {
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
