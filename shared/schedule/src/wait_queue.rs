//! Waiting rooms: those that wait for the same processor and interface, behind the first of them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

const NONE: u32 = u32::MAX;

/// Where some of one rank wait for the same thing.
#[derive(Clone, Copy)]
pub(crate) struct WaitQueue {
    /// The number of the one who stands in the queue.
    first: u32,
    /// Which of [`WaitQueues::places`] is this room's.
    place: u32,
}

impl WaitQueue {
    pub(crate) const EMPTY: WaitQueue = WaitQueue { first: NONE, place: NONE };

    /// Whether that one waits in the queue: nobody with a lower number does so for the same thing.
    #[inline]
    pub(crate) fn enter(&mut self, number: u32) -> bool {
        let first = self.first >= number;
        if first {
            self.first = number;
        }
        first
    }
}

/// A number and an item.
type Waiting = (u32, u32);

/// Those who wait behind the first of one room.
#[derive(Default)]
struct Waiters {
    /// Those who came in order of their numbers, as nearly all do.
    in_order: VecDeque<Waiting>,
    /// Those who did not.
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

/// Those who wait behind the first of their room.
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

    /// The one with that number has begun: the number and item of the next, if it was the first.
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
