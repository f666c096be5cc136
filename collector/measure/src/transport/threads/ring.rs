//! A bounded queue from one thread to another without waiting: each slot has its own counter,
//! so that its lock is never contended.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A slot. Counter and content are on different cache lines, so that a waiting consumer does not
/// slow down the producer.
#[repr(align(64))]
struct Slot<T> {
    /// The number of the last item in this slot, plus 1.
    filled: AtomicUsize,
    content: CacheLine<Mutex<T>>,
}

/// Aligns its content to a cache line.
#[repr(align(64))]
struct CacheLine<T>(T);

struct Ring<T> {
    slots: Box<[Slot<T>]>,
    /// Number of items taken.
    taken: CacheLine<AtomicUsize>,
}

impl<T> Ring<T> {
    fn slot(&self, number: usize) -> &Slot<T> {
        &self.slots[number % self.slots.len()]
    }
}

/// The end that puts items into the ring.
pub(super) struct Producer<T> {
    ring: Arc<Ring<T>>,
    put: usize,
    /// A lower bound of the number of items taken, updated only if needed.
    taken: usize,
}

/// The end that takes items out of the ring.
pub(super) struct Consumer<T> {
    ring: Arc<Ring<T>>,
    taken: usize,
}

/// A ring with this many slots.
pub(super) fn ring<T: Default>(slots: usize) -> (Producer<T>, Consumer<T>) {
    let empty =
        || Slot { filled: AtomicUsize::new(0), content: CacheLine(Mutex::new(T::default())) };
    let ring = Arc::new(Ring {
        slots: std::iter::repeat_with(empty).take(slots).collect(),
        taken: CacheLine(AtomicUsize::new(0)),
    });
    (Producer { ring: ring.clone(), put: 0, taken: 0 }, Consumer { ring, taken: 0 })
}

impl<T> Producer<T> {
    /// Number of items put in.
    pub(super) fn put(&self) -> usize {
        self.put
    }

    /// Number of items taken.
    pub(super) fn taken(&mut self) -> usize {
        self.taken = self.ring.taken.0.load(Ordering::Acquire);
        self.taken
    }

    /// Puts an item into the ring, unless all slots are full.
    pub(super) fn try_put(&mut self, fill: impl FnOnce(&mut T)) -> bool {
        let slots = self.ring.slots.len();
        if self.put - self.taken == slots && self.put - self.taken() == slots {
            return false;
        }
        let slot = self.ring.slot(self.put);
        fill(&mut slot.content.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.put += 1;
        slot.filled.store(self.put, Ordering::Release);
        true
    }
}

impl<T> Consumer<T> {
    /// Number of items taken.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// Takes the next item, if there is one. Its slot is free once `take` returns.
    pub(super) fn try_take<R>(&mut self, take: impl FnOnce(&mut T) -> R) -> Option<R> {
        let slot = self.ring.slot(self.taken);
        if slot.filled.load(Ordering::Acquire) != self.taken + 1 {
            return None;
        }
        let taken = take(&mut slot.content.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.taken += 1;
        self.ring.taken.0.store(self.taken, Ordering::Release);
        Some(taken)
    }
}
