//! Cost of shared network cards in a simulation. Budget: at most 10% more time, if the cards are
//! fast enough to delay nothing. Without shared cards, their code is not entered.
//!
//! A slow card changes the run: each message that waits for it is an additional event.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use loggia_schedule::loggpo::{Costs, Machine, MessageProtocol, run};
use loggia_schedule::observe::NoObserver;
use loggia_schedule::schedule::{Builder, Schedule, Step};
use std::hint::black_box;
use std::time::Instant;

const RANKS: u32 = 256;
const RANKS_PER_NODE: u32 = 16;
const TIMES: usize = 25;
/// Messages above it use a handshake.
const EAGER_LIMIT: u64 = 64 << 10;

/// Costs in ticks of 1 ns; `card` is 1/R_N per byte, if ranks share a card.
struct Nodes {
    card: Option<f64>,
}

impl Machine<u64> for Nodes {
    fn tier(&self, from: u32, to: u32) -> u8 {
        u8::from(from != u32::MAX && from / RANKS_PER_NODE == to / RANKS_PER_NODE)
    }

    fn costs(&self, tier: u8, bytes: u64) -> Costs<u64> {
        let is_eager = bytes <= EAGER_LIMIT;
        let card = self.card.filter(|_| tier == 0).map(|card| (card * bytes as f64) as u64);
        Costs {
            protocol: if is_eager { MessageProtocol::Eager } else { MessageProtocol::Rat },
            request: 300,
            post: 300,
            answer: 600,
            answered: 0,
            initiation: 300,
            acknowledge: 300,
            acknowledged: 300,
            copy: is_eager.then_some(300),
            latency: if tier == 0 { 1000 } else { 200 },
            bytes: bytes.saturating_sub(1) / 4,
            gap: 100,
            card,
        }
    }

    fn nodes(&self) -> usize {
        self.card.map_or(0, |_| RANKS.div_ceil(RANKS_PER_NODE) as usize)
    }

    fn node(&self, rank: u32) -> u32 {
        rank / RANKS_PER_NODE
    }

    fn progress_depends_on_calls(&self) -> bool {
        true
    }
}

/// A hundred exchanges with both neighbours.
fn halo(bytes: u64) -> Schedule {
    let mut halo = Builder::default();
    for rank in 0..RANKS {
        halo.rank();
        let [next, last] = [(rank + 1) % RANKS, (rank + RANKS - 1) % RANKS];
        let mut before = None;
        for _ in 0..100 {
            let computed = halo.push(Step::calc(2000));
            if let Some(before) = before {
                halo.after(computed, before);
            }
            let sent = [(next, 1), (last, 2)].map(|(to, tag)| Step::send(bytes, to).tag(tag));
            let received = [(last, 1), (next, 2)].map(|(of, tag)| Step::recv(bytes, of).tag(tag));
            let messages = [sent, received].concat().into_iter().map(|step| halo.push(step));
            let messages: Vec<_> = messages.collect();
            let waited = halo.push(Step::calc(0));
            for message in messages {
                halo.after(message, computed);
                halo.after(waited, message);
            }
            before = Some(waited);
        }
    }
    halo.finish().unwrap()
}

fn alltoall(bytes: u64) -> Schedule {
    let mut alltoall = Builder::default();
    for rank in 0..RANKS {
        alltoall.rank();
        for other in 1..RANKS {
            alltoall.push(Step::send(bytes, (rank + other) % RANKS));
            alltoall.push(Step::recv(bytes, (rank + RANKS - other) % RANKS));
        }
    }
    alltoall.finish().unwrap()
}

fn main() {
    println!(
        "{RANKS} ranks, {RANKS_PER_NODE} per node; milliseconds, best of {TIMES} interleaved runs"
    );
    println!("{:<22} {:>9} {:>9} {:>9}", "", "own card", "free card", "slow card");
    for (name, schedule) in [
        ("halo of 4 KiB", halo(4 << 10)),
        ("halo of 96 KiB", halo(96 << 10)),
        ("alltoall of 512 B", alltoall(512)),
    ] {
        let cards = [None, Some(0.0), Some(0.125)];
        let mut best = [f64::INFINITY; 3];
        let mut events = [0; 3];
        for _ in 0..TIMES {
            for (which, card) in cards.into_iter().enumerate() {
                let begin = Instant::now();
                let outcome = run(black_box(&schedule), &Nodes { card }, 1, &mut NoObserver);
                best[which] = best[which].min(begin.elapsed().as_secs_f64() * 1e3);
                events[which] = outcome.events;
            }
        }
        let [own, free, slow] = best;
        let result = if free <= 1.1 * own { "ok" } else { "OVER" };
        println!(
            "{name:<22} {own:>9.2} {free:>9.2} {slow:>9.2}  {:+.1}% with a free card, budget 10%: {result}; \
             a slow card has {:+.0}% events",
            100.0 * (free / own - 1.0),
            100.0 * (events[2] as f64 / events[0] as f64 - 1.0),
        );
    }
}
