//! Wait queues: entries that wait for the same processor and interface, parked behind the first
//! one.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

const NONE: u32 = u32::MAX;

/// The entries of one rank that wait for the same endpoint.
#[derive(Clone, Copy)]
pub(crate) struct WaitQueue {
    /// Number of the entry that is in the event queue.
    first: u32,
    /// Index in [`WaitQueues::places`].
    place: u32,
}

impl WaitQueue {
    pub(crate) const EMPTY: WaitQueue = WaitQueue { first: NONE, place: NONE };

    /// Whether the entry belongs in the event queue: no entry with a lower number waits for the
    /// endpoint.
    #[inline]
    pub(crate) fn enter(&mut self, number: u32) -> bool {
        let first = self.first >= number;
        if first {
            self.first = number;
        }
        first
    }
}

/// Number and item.
type Waiting = (u32, u32);

/// The parked entries of one queue.
#[derive(Default)]
struct Waiters {
    /// Entries in order of their numbers: nearly all.
    in_order: VecDeque<Waiting>,
    /// Entries out of order.
    others: BinaryHeap<Reverse<Waiting>>,
}

impl Waiters {
    fn push(&mut self, waiting: Waiting) {
        match self.in_order.back() {
            Some(last) if *last > waiting => self.others.push(Reverse(waiting)),
            _ => self.in_order.push_back(waiting),
        }
    }

    fn pop(&mut self) -> Option<Waiting> {
        let other = self.others.peek().map(|Reverse(other)| *other);
        match (self.in_order.front(), other) {
            (Some(first), Some(other)) if other < *first => self.others.pop().map(|r| r.0),
            (Some(_), _) => self.in_order.pop_front(),
            (None, _) => self.others.pop().map(|r| r.0),
        }
    }

    fn is_empty(&self) -> bool {
        self.in_order.is_empty() && self.others.is_empty()
    }
}

/// The parked entries of all queues.
#[derive(Default)]
pub(crate) struct WaitQueues {
    places: Vec<Waiters>,
    unused: Vec<u32>,
}

impl WaitQueues {
    pub(crate) fn park(&mut self, queue: &mut WaitQueue, number: u32, item: u32) {
        if queue.place == NONE {
            queue.place = self.unused.pop().unwrap_or_else(|| {
                self.places.push(Waiters::default());
                (self.places.len() - 1) as u32
            });
        }
        self.places[queue.place as usize].push((number, item));
    }

    /// Removes an entry that has begun; returns the next entry if it was the first.
    #[inline]
    pub(crate) fn leave(&mut self, queue: &mut WaitQueue, number: u32) -> Option<Waiting> {
        if queue.first != number {
            return None;
        }
        queue.first = NONE;
        if queue.place == NONE {
            return None;
        }
        let waiting = &mut self.places[queue.place as usize];
        let next = waiting.pop();
        if let Some((number, _)) = next {
            queue.first = number;
        }
        if waiting.is_empty() {
            self.unused.push(queue.place);
            queue.place = NONE;
        }
        next
    }
}
