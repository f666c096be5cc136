//! The state of a rank, its processors and its network interfaces.

use super::id::{Id, Location, Ready};
use crate::matching::MatchQueue;
use crate::schedule::Op;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// State shared by a rank.
pub(super) struct Rank<T> {
    /// Receives that wait for their message.
    pub(super) posted: MatchQueue,
    /// Messages and requests without a receive yet.
    pub(super) unexpected: MatchQueue,
    /// When the interface that handles independent progress is free.
    pub(super) helper: T,
    /// When the rank has ended.
    pub(super) end: T,
}

impl<T: Default> Default for Rank<T> {
    fn default() -> Self {
        let [posted, unexpected] = [MatchQueue::EMPTY; 2];
        Rank { posted, unexpected, helper: T::default(), end: T::default() }
    }
}

/// A waiting operation or step, ordered by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Waiting<T> {
    pub(super) since: T,
    /// At the same time ordered by kind (upper bits), then operation.
    order: u64,
}

/// Bits of an operation's number.
const BITS: u32 = 60;

impl<T> Waiting<T> {
    #[inline]
    pub(super) fn new(since: T, kind: u8, op: Id) -> Self {
        Waiting { since, order: u64::from(kind) << BITS | op }
    }

    #[inline]
    pub(super) fn kind(&self) -> u8 {
        (self.order >> BITS) as u8
    }

    #[inline]
    pub(super) fn op(&self) -> Id {
        self.order & ((1 << BITS) - 1)
    }
}

/// A priority queue that usually holds at most one item.
pub(super) struct PriorityQueue<T> {
    first: Option<Waiting<T>>,
    others: BinaryHeap<Reverse<Waiting<T>>>,
}

impl<T: Ord> Default for PriorityQueue<T> {
    fn default() -> Self {
        PriorityQueue { first: None, others: BinaryHeap::new() }
    }
}

impl<T: Ord + Copy> PriorityQueue<T> {
    #[inline]
    pub(super) fn push(&mut self, waiting: Waiting<T>) {
        match &mut self.first {
            None => self.first = Some(waiting),
            Some(first) => {
                let later =
                    if waiting < *first { std::mem::replace(first, waiting) } else { waiting };
                self.others.push(Reverse(later));
            }
        }
    }

    #[inline]
    pub(super) fn first(&self) -> Option<Waiting<T>> {
        self.first
    }

    #[inline]
    pub(super) fn take(&mut self) -> Option<Waiting<T>> {
        let first = self.first.take();
        if !self.others.is_empty() {
            self.first = self.others.pop().map(|Reverse(next)| next);
        }
        first
    }
}

/// A remaining step of a message; its number is a [`Waiting::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    /// The receiver answers a request.
    Answer,
    /// The sender starts the transmission.
    Transmit,
    /// The receiver copies what has arrived.
    Copy,
    /// The receiver of a pull sends the closing message.
    CloseRecv,
    /// The sender receives the closing message.
    CloseSend,
}

pub(super) const STEPS: [Step; 5] =
    [Step::Answer, Step::Transmit, Step::Copy, Step::CloseRecv, Step::CloseSend];

pub(super) struct Cpu<T> {
    pub(super) busy: bool,
    /// Since when the processor is free, if it is not busy.
    pub(super) free: T,
    /// Whether the processor is in the list of processors that may choose.
    pub(super) marked: bool,
    /// Ready operations.
    pub(super) ready: PriorityQueue<T>,
    /// Pending steps of messages.
    pub(super) pending: PriorityQueue<T>,
}

impl<T: Ord + Default> Default for Cpu<T> {
    fn default() -> Self {
        let [ready, pending] = [PriorityQueue::default(), PriorityQueue::default()];
        Cpu { busy: false, free: T::default(), marked: false, ready, pending }
    }
}

/// The processors of all ranks.
pub(super) struct Cpus<T> {
    pub(super) all: Vec<Cpu<T>>,
    each: usize,
    /// Processors that may choose a task at this time.
    marked: Vec<u32>,
}

impl<T: Ord + Copy + Default> Cpus<T> {
    pub(super) fn of(ranks: usize, each: usize) -> Self {
        let all = (0..ranks * each).map(|_| Cpu::default()).collect();
        Cpus { all, each, marked: Vec::new() }
    }

    /// Whether ranks have one processor each.
    #[inline]
    pub(super) fn is_one_each(&self) -> bool {
        self.each == 1
    }

    #[inline]
    fn number(&self, place: Location) -> usize {
        place.rank as usize * self.each + usize::from(place.cpu)
    }

    #[inline]
    pub(super) fn of_place(&mut self, place: Location) -> &mut Cpu<T> {
        let number = self.number(place);
        &mut self.all[number]
    }

    /// Marks the processor: it chooses a task after all events of this time.
    #[inline]
    pub(super) fn mark(&mut self, place: Location) {
        let number = self.number(place);
        let cpu = &mut self.all[number];
        if !cpu.marked {
            cpu.marked = true;
            self.marked.push(number as u32);
        }
    }

    #[inline]
    pub(super) fn any_marked(&self) -> bool {
        !self.marked.is_empty()
    }

    /// The marked processors; they can be marked again.
    pub(super) fn take_marked(&mut self) -> Vec<u32> {
        for cpu in &self.marked {
            self.all[*cpu as usize].marked = false;
        }
        std::mem::take(&mut self.marked)
    }

    /// Reuses the memory of a list.
    pub(super) fn give_back(&mut self, list: Vec<u32>) {
        if self.marked.is_empty() {
            self.marked = list;
        }
    }

    /// Accepts operations that become ready now.
    #[inline]
    pub(super) fn at(&mut self, now: T) -> ReadyAt<'_, T> {
        ReadyAt { cpus: self, now }
    }
}

/// Queues ready operations at their processors.
pub(super) struct ReadyAt<'a, T> {
    cpus: &'a mut Cpus<T>,
    now: T,
}

impl<T: Ord + Copy + Default> Ready for ReadyAt<'_, T> {
    #[inline]
    fn ready(&mut self, id: Id, op: &Op) {
        let place = Location::of(op);
        self.cpus.of_place(place).ready.push(Waiting::new(self.now, op.kind as u8, id));
        self.cpus.mark(place);
    }
}

pub(super) struct Interface<T> {
    /// When bytes can enter the network.
    pub(super) sending: T,
    /// When bytes can leave the network.
    pub(super) receiving: T,
    /// Sends that wait for the interface.
    pub(super) waiting: PriorityQueue<T>,
    /// The send for which the interface is reserved, and since when.
    pub(super) granted: Option<(Id, T)>,
}

impl<T: Ord + Default> Default for Interface<T> {
    fn default() -> Self {
        let [sending, receiving] = [T::default(), T::default()];
        Interface { sending, receiving, waiting: PriorityQueue::default(), granted: None }
    }
}
