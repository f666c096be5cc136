//! Where ranks leave packets for each other and wait, in real time.
//!
//! Nobody waits in vain: who waits for a rank that waits for it is told so. And who must know what
//! has come by its own time waits until no more can. Both are facts that stay true until that rank
//! goes on, so that they do not depend on which thread is faster.

use super::packet::Packet;
use crate::transport::Rank;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

/// Looks so often before it lets others have the processor, and so often before it sleeps.
static SPINS: LazyLock<[u32; 2]> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if processors > 1 { [300, 320] } else { [0, 5] }
});

pub(super) struct Mailboxes {
    ranks: Mutex<Vec<RankState>>,
    wakeups: Vec<Wakeup>,
}

/// Rings for a rank that waits.
#[derive(Default)]
struct Wakeup {
    count: AtomicU32,
    wakes: Condvar,
}

/// One rank, as others see it.
#[derive(Default)]
struct RankState {
    queue: VecDeque<(Rank, Packet)>,
    /// Its time: whatever it sends from now on arrives later.
    clock: f64,
    waits: Option<Wait>,
    is_asleep: bool,
}

#[derive(Clone, Copy)]
enum Wait {
    /// For a packet of that rank.
    For(Rank),
    /// The same, but it can go on without.
    Try(Rank),
    /// Until nothing more of that rank arrives before its own time.
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

    /// Waits until the wakeup of this rank rings.
    fn sleep<'a>(
        &'a self,
        ranks: MutexGuard<'a, Vec<RankState>>,
        me: Rank,
    ) -> MutexGuard<'a, Vec<RankState>> {
        let wakeup = &self.wakeups[me as usize];
        let before = wakeup.count.load(Ordering::Acquire);
        let is_woken = || wakeup.count.load(Ordering::Acquire) != before;
        drop(ranks);
        let [awake, looks] = *SPINS;
        for look in 0..looks {
            if is_woken() {
                return self.lock();
            }
            if look < awake { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        let mut ranks = self.lock();
        ranks[me as usize].is_asleep = true;
        while !is_woken() {
            ranks = wakeup.wakes.wait(ranks).unwrap_or_else(PoisonError::into_inner);
        }
        ranks[me as usize].is_asleep = false;
        ranks
    }

    /// Leaves a packet.
    pub(super) fn deliver(&self, me: Rank, clock: f64, to: Rank, packet: Packet) {
        let mut ranks = self.lock();
        ranks[me as usize].clock = clock;
        ranks[to as usize].queue.push_back((me, packet));
        if ranks[to as usize].waits.take().is_some() {
            wake_one(&ranks[to as usize], &self.wakeups[to as usize]);
        }
        self.wake(&ranks);
    }

    /// Lets those look again that may go on, now that somebody has come further, or waits.
    fn wake(&self, ranks: &[RankState]) {
        for (rank, wakeup) in ranks.iter().zip(&self.wakeups) {
            if matches!(rank.waits, Some(Wait::Until(_) | Wait::Try(_))) {
                wake_one(rank, wakeup);
            }
        }
    }

    /// The next packet, from whomever, while waiting for one of `peer`; none if `peer` waits for
    /// this rank. Of ranks that all could go on without, the one that is behind does.
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
            let in_vain = match first_to_go_on(&ranks, me) {
                None => false,
                Some(None) => must,
                Some(Some(first)) => first == me,
            };
            if in_vain {
                ranks[me as usize].waits = None;
                return None;
            }
            if is_new {
                self.wake(&ranks);
            }
            ranks = self.sleep(ranks, me);
        }
    }

    /// All packets that have come, and whether they are all that `peer` sends before this rank's
    /// time; waits until there are some or they are all.
    pub(super) fn by_now(
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

/// Where ranks wait for each other in a circle that `me` is in: the first that can go on
/// nevertheless. None where one of them goes on anyway, as it does not wait or not for long.
fn first_to_go_on(ranks: &[RankState], me: Rank) -> Option<Option<Rank>> {
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

/// Whether nothing more of a rank arrives at `me` before that time: it has come as far, or it must
/// wait, and so on, for somebody who has, or for `me`.
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
            // It is behind, and the first of those will go on.
            Some(Wait::Try(_) | Wait::Until(_)) | None => return false,
        }
    }
    false
}
