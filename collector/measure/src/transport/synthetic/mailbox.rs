//! Packets between ranks, and waiting for them in real time.
//!
//! If two ranks wait for each other, the call returns without a packet. A rank that needs all
//! packets up to its own virtual time waits until no more can arrive. Both conditions remain true
//! until that rank continues, so that results do not depend on the scheduling of threads.

use super::packet::Packet;
use crate::transport::Rank;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

/// Iterations before yielding the processor, and before sleeping.
static SPINS: LazyLock<[u32; 2]> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if processors > 1 { [30, 50] } else { [0, 5] }
});

pub(super) struct Mailboxes {
    ranks: Mutex<Vec<RankState>>,
    wakeups: Vec<Wakeup>,
}

/// Wakes a waiting rank.
#[derive(Default)]
struct Wakeup {
    count: AtomicU32,
    wakes: Condvar,
}

#[derive(Default)]
struct RankState {
    queue: VecDeque<(Rank, Packet)>,
    /// Virtual time: later packets arrive after this time.
    clock: f64,
    waits: Option<Wait>,
    is_asleep: bool,
}

#[derive(Clone, Copy)]
enum Wait {
    /// For a packet of this rank; required.
    For(Rank),
    /// For a packet of this rank; the waiting rank can continue without it.
    Try(Rank),
    /// Until no packet of this rank can arrive before its time.
    Until(Rank),
}

impl Mailboxes {
    pub(super) fn new(ranks: Rank) -> Self {
        Mailboxes {
            ranks: Mutex::new((0..ranks).map(|_| RankState::default()).collect()),
            wakeups: (0..ranks).map(|_| Wakeup::default()).collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RankState>> {
        self.ranks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until this rank is woken.
    fn sleep<'a>(
        &'a self,
        ranks: MutexGuard<'a, Vec<RankState>>,
        me: Rank,
    ) -> MutexGuard<'a, Vec<RankState>> {
        let wakeup = &self.wakeups[me as usize];
        let before = wakeup.count.load(Ordering::Acquire);
        let is_woken = || wakeup.count.load(Ordering::Acquire) != before;
        drop(ranks);
        let [awake, spins] = *SPINS;
        for spin in 0..spins {
            if is_woken() {
                return self.lock();
            }
            if spin < awake { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        let mut ranks = self.lock();
        ranks[me as usize].is_asleep = true;
        while !is_woken() {
            ranks = wakeup.wakes.wait(ranks).unwrap_or_else(PoisonError::into_inner);
        }
        ranks[me as usize].is_asleep = false;
        ranks
    }

    pub(super) fn deliver(&self, me: Rank, clock: f64, to: Rank, packet: Packet) {
        let mut ranks = self.lock();
        ranks[me as usize].clock = clock;
        ranks[to as usize].queue.push_back((me, packet));
        if ranks[to as usize].waits.take().is_some() {
            wake_one(&ranks[to as usize], &self.wakeups[to as usize]);
        }
        self.wake(&ranks);
    }

    /// Wakes ranks that may continue, after another rank advanced or started to wait.
    fn wake(&self, ranks: &[RankState]) {
        for (rank, wakeup) in ranks.iter().zip(&self.wakeups) {
            if matches!(rank.waits, Some(Wait::Until(_) | Wait::Try(_))) {
                wake_one(rank, wakeup);
            }
        }
    }

    /// The next packet of any rank, while waiting for a packet of `peer`. `None` if `peer` waits
    /// for this rank; if several ranks can continue without a packet, the rank with the earliest
    /// time does.
    pub(super) fn next(
        &self,
        me: Rank,
        clock: f64,
        peer: Rank,
        must: bool,
    ) -> Option<(Rank, Packet)> {
        let mut ranks = self.lock();
        loop {
            let state = &mut ranks[me as usize];
            state.clock = clock;
            if let Some(next) = state.queue.pop_front() {
                state.waits = None;
                return Some(next);
            }
            let wait = if must { Wait::For(peer) } else { Wait::Try(peer) };
            let is_new = state.waits.replace(wait).is_none();
            let without_packet = match first_to_continue(&ranks, me) {
                None => false,
                Some(None) => must,
                Some(Some(first)) => first == me,
            };
            if without_packet {
                ranks[me as usize].waits = None;
                return None;
            }
            if is_new {
                self.wake(&ranks);
            }
            ranks = self.sleep(ranks, me);
        }
    }

    /// All packets so far, and whether `peer` can send no more packets before this rank's time.
    /// Waits until there is a packet, or none can arrive.
    pub(super) fn until_now(
        &self,
        me: Rank,
        clock: f64,
        peer: Rank,
    ) -> (VecDeque<(Rank, Packet)>, bool) {
        let mut ranks = self.lock();
        loop {
            ranks[me as usize].clock = clock;
            let are_all = is_past(&ranks, peer, me, clock);
            if are_all || !ranks[me as usize].queue.is_empty() {
                let state = &mut ranks[me as usize];
                state.waits = None;
                return (std::mem::take(&mut state.queue), are_all);
            }
            if ranks[me as usize].waits.replace(Wait::Until(peer)).is_none() {
                self.wake(&ranks);
            }
            ranks = self.sleep(ranks, me);
        }
    }
}

fn wake_one(rank: &RankState, wakeup: &Wakeup) {
    wakeup.count.fetch_add(1, Ordering::Release);
    if rank.is_asleep {
        wakeup.wakes.notify_one();
    }
}

/// If `me` is in a cycle of waiting ranks: the rank of the cycle that continues without a packet,
/// if any. `None` if a rank of the cycle is not blocked.
fn first_to_continue(ranks: &[RankState], me: Rank) -> Option<Option<Rank>> {
    let mut first: Option<(f64, Rank)> = None;
    let mut at = me;
    for _ in ranks {
        let RankState { clock, waits, .. } = ranks[at as usize];
        at = match waits? {
            Wait::For(next) => next,
            Wait::Try(next) => {
                if first.is_none_or(|first| (clock, at) < first) {
                    first = Some((clock, at));
                }
                next
            }
            Wait::Until(next) if is_past(ranks, next, at, clock) => return None,
            Wait::Until(next) => next,
        };
        if at == me {
            return Some(first.map(|(_, rank)| rank));
        }
    }
    None
}

/// Whether no packet of a rank can arrive at `me` before `clock`: its time is later, or it waits,
/// directly or not, for such a rank or for `me`.
fn is_past(ranks: &[RankState], rank: Rank, me: Rank, clock: f64) -> bool {
    let mut at = rank;
    for _ in ranks {
        let state = &ranks[at as usize];
        if state.clock >= clock {
            return true;
        }
        match state.waits {
            Some(Wait::For(next)) if next == me => return true,
            Some(Wait::For(next)) => at = next,
            // The other rank has an earlier time and will continue.
            Some(Wait::Try(_) | Wait::Until(_)) | None => return false,
        }
    }
    false
}
