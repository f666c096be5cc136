//! Network cards shared by the ranks of a node: the max-rate model for whole schedules.

use crate::handshakes::Handshakes;
use crate::random::{self, Random};
use loggia_schedule::explain::{Part, Traced};
use loggia_schedule::loggops;
use loggia_schedule::loggpo::{Costs, Machine, MessageProtocol, run};
use loggia_schedule::observe::NoObserver;
use loggia_schedule::outcome::Outcome;
use loggia_schedule::schedule::{Builder, OpId, Schedule, Step};
use loggia_schedule::time::{Time, TimeWithSlope};

/// Ranks on nodes; a card takes `card` ticks per byte.
struct Shared {
    of: Handshakes,
    ranks: u32,
    per_node: u32,
    card: u64,
    /// The parameter of the derivative.
    growing: Option<Part>,
}

const INSIDE: u8 = 1;

impl<T: Time + Made> Machine<T> for Shared {
    fn tier(&self, from: u32, to: u32) -> u8 {
        let is_inside = from != u32::MAX && from / self.per_node == to / self.per_node;
        if is_inside { INSIDE } else { 0 }
    }

    fn costs(&self, tier: u8, bytes: u64) -> Costs<T> {
        let costs = Machine::<T>::costs(&self.of, tier, bytes);
        let slope = if self.growing == Some(Part::Card) { bytes as i64 } else { 0 };
        let card = (tier != INSIDE).then(|| T::made(Part::Card, self.card * bytes, slope));
        Costs { card, ..costs }
    }

    fn nodes(&self) -> usize {
        self.ranks.div_ceil(self.per_node) as usize
    }

    fn node(&self, rank: u32) -> u32 {
        rank / self.per_node
    }

    fn progress_depends_on_calls(&self) -> bool {
        self.of.dependent
    }
}

/// Times that may have a derivative or shares of parameters.
trait Made: Time {
    fn made(part: Part, ticks: u64, slope: i64) -> Self;
}

impl Made for u64 {
    fn made(_: Part, ticks: u64, _: i64) -> Self {
        ticks
    }
}

impl Made for TimeWithSlope {
    fn made(_: Part, ticks: u64, slope: i64) -> Self {
        TimeWithSlope::new(ticks, slope)
    }
}

impl Made for Traced {
    fn made(part: Part, ticks: u64, slope: i64) -> Self {
        Traced::made_of(part, slope, ticks)
    }
}

const LATENCY: u64 = 1000;
const OVERHEAD: u64 = 50;
const GAP: u64 = 7;
/// Ticks per byte.
const PER_BYTE: u64 = 10;

fn machine(
    ranks: u32,
    per_node: u32,
    card: u64,
    eager_limit: u64,
    protocol: MessageProtocol,
) -> Shared {
    let costs = loggops::Costs {
        latency: LATENCY,
        overhead: OVERHEAD,
        gap: GAP,
        gap_per_byte: PER_BYTE,
        overhead_per_byte: 0,
        eager_limit,
    };
    let of = Handshakes { costs, protocol, dependent: true };
    Shared { of, ranks, per_node, card, growing: None }
}

/// `n` ranks of a node send at once to those of another node, `messages` messages each.
fn pairs(n: u32, bytes: u64, messages: u32) -> Schedule {
    let mut builder = Builder::default();
    for rank in 0..2 * n {
        builder.rank();
        let mut before: Option<OpId> = None;
        for _ in 0..messages {
            let step =
                if rank < n { Step::send(bytes, rank + n) } else { Step::recv(bytes, rank - n) };
            let op = builder.push(step);
            if let Some(before) = before {
                builder.after(op, before);
            }
            before = Some(op);
        }
    }
    builder.finish().unwrap()
}

fn ends(schedule: &Schedule, machine: &Shared) -> Vec<u64> {
    let outcome: Outcome<u64> = run(schedule, machine, 1, &mut NoObserver);
    assert!(outcome.left.is_empty(), "{outcome:?}");
    outcome.ends
}

/// o + L + max(B(k), n C(k)) + o: T = α + n s / min(R_N, n R_b).
#[test]
fn messages_sent_at_once_follow_the_max_rate_model() {
    for n in [1, 2, 3, 4, 5, 16, 64] {
        for (bytes, card) in [(1001, 3), (1001, 10), (100_001, 4), (1, 2)] {
            let machine = machine(2 * n, n, card, 1 << 40, MessageProtocol::Eager);
            let end = *ends(&pairs(n, bytes, 1), &machine).iter().max().unwrap();
            let alone = PER_BYTE * (bytes - 1);
            let expected = 2 * OVERHEAD + LATENCY + alone.max(u64::from(n) * card * bytes);
            assert_eq!(end, expected, "{n} pairs, {bytes} B, {card}");
        }
    }
}

/// Also with both handshakes: all requests and answers take the same time.
#[test]
fn messages_after_a_handshake_pass_the_card_too() {
    for protocol in [MessageProtocol::Rat, MessageProtocol::Rta] {
        let bytes = 10_001;
        let of = |n: u32| {
            let machine = machine(2 * n, n, 4, 0, protocol);
            *ends(&pairs(n, bytes, 1), &machine).iter().max().unwrap()
        };
        let (one, eight) = (of(1), of(8));
        assert_eq!(eight - one, 8 * 4 * bytes - PER_BYTE * (bytes - 1), "{protocol:?}");
    }
}

/// Lower ranks are served first; each ends when the card has served it.
#[test]
fn simultaneous_messages_are_served_by_rank() {
    let machine = machine(8, 4, 10, 1 << 40, MessageProtocol::Eager);
    let ends = ends(&pairs(4, 101, 1), &machine);
    let received: Vec<u64> = (1..=4).map(|at| 2 * OVERHEAD + LATENCY + at * 1010).collect();
    assert_eq!(ends[4..], received);
}

/// A message waits only for earlier messages: 5 ticks after the first one is served, it does not
/// wait.
#[test]
fn a_card_serves_in_the_order_of_time() {
    let late = |delay: u64| {
        let mut builder = Builder::default();
        builder.rank();
        let calc = builder.push(Step::calc(delay));
        let send = builder.push(Step::send(101, 2));
        builder.after(send, calc);
        builder.rank();
        builder.push(Step::send(101, 3));
        for from in [0, 1] {
            builder.rank();
            builder.push(Step::recv(101, from));
        }
        ends(&builder.finish().unwrap(), &machine(4, 2, 10, 1 << 40, MessageProtocol::Eager))
    };
    let whole = 2 * OVERHEAD + LATENCY + 1010;
    // Rank 1 is first, although its number is higher.
    assert_eq!(late(1)[2..], [whole + 1010, whole]);
    assert_eq!(late(1010)[2..], [whole + 1010, whole]);
    assert_eq!(late(1015)[2..], [whole + 1015, whole]);
}

/// Each direction has the full rate.
#[test]
fn sending_and_receiving_are_independent() {
    let both_ways = |ranks: u32| {
        let mut builder = Builder::default();
        for rank in 0..ranks {
            builder.rank();
            let peer = (rank + ranks / 2) % ranks;
            builder.push(Step::recv(1001, peer));
            builder.push(Step::send(1001, peer));
        }
        builder.finish().unwrap()
    };
    let machine = machine(8, 4, 10, 1 << 40, MessageProtocol::Eager);
    let one_way = *ends(&pairs(4, 1001, 1), &machine).iter().max().unwrap();
    let both = *ends(&both_ways(8), &machine).iter().max().unwrap();
    assert_eq!(both, one_way);
}

/// With m messages of n ranks each, messages of a rank stay in order and the card is never idle.
#[test]
fn streams_keep_the_card_busy() {
    let (n, m, bytes) = (4, 20, 1001);
    let machine = machine(2 * n, n, 10, 1 << 40, MessageProtocol::Eager);
    let end = *ends(&pairs(n, bytes, m), &machine).iter().max().unwrap();
    let busy = u64::from(n * m) * 10 * bytes;
    assert!(end >= busy && end <= busy + busy / 100 + 2 * OVERHEAD + LATENCY, "{end} {busy}");
}

/// The card buffers messages: a rank continues, and its message inside the node is not delayed.
#[test]
fn a_busy_card_does_not_block_its_ranks() {
    let mut builder = Builder::default();
    for rank in 0..2 {
        builder.rank();
        let out = builder.push(Step::send(1001, rank + 2));
        let inside = builder.push(Step::send(1, 1 - rank).tag(1));
        builder.after(inside, out);
        builder.push(Step::recv(1, 1 - rank).tag(1));
    }
    for rank in 2..4 {
        builder.rank();
        builder.push(Step::recv(1001, rank - 2));
    }
    let machine = machine(4, 2, 1000, 1 << 40, MessageProtocol::Eager);
    let ends = ends(&builder.finish().unwrap(), &machine);
    // The second send begins when the interface is free: B(k) + g after the first.
    let inside = OVERHEAD + PER_BYTE * 1000 + GAP + LATENCY + OVERHEAD;
    assert_eq!(ends[..2], [inside, inside]);
    let served = 2 * OVERHEAD + LATENCY + 1000 * 1001;
    assert_eq!(ends[2..], [served, served + 1000 * 1001]);
}

/// Messages inside a node pass no card.
#[test]
fn inside_a_node_nothing_changes() {
    let n = 4;
    let schedule = pairs(n, 1001, 3);
    let inside = machine(2 * n, 2 * n, 1000, 1 << 40, MessageProtocol::Eager);
    let without: Outcome<u64> = run(&schedule, &inside.of, 1, &mut NoObserver);
    assert_eq!(ends(&schedule, &inside), without.ends);
}

/// If each node has one rank and the card is as fast as its rank, every rank ends at the same time
/// as without cards, for any schedule.
#[test]
fn cards_of_one_rank_change_nothing() {
    let mut random = Random(23);
    for number in 0..10_000 {
        let schedule = random::schedule(&mut random);
        let ranks = schedule.ranks();
        let limit = [0, 50, 1 << 40][random.below(3) as usize];
        let protocol = if number % 2 == 0 { MessageProtocol::Rat } else { MessageProtocol::Rta };
        // At least as fast as the bytes of the smallest message.
        let one = Shared { card: 0, ..machine(ranks, 1, 0, limit, protocol) };
        let with: Outcome<u64> = run(&schedule, &one, 1, &mut NoObserver);
        let without: Outcome<u64> = run(&schedule, &one.of, 1, &mut NoObserver);
        assert_eq!(with.ends, without.ends, "{number} {schedule:?}");
        assert_eq!(with.left, without.left);
    }
}

/// The derivative and the share of the completion time by 1/R_N.
#[test]
fn completion_time_depends_on_the_card() {
    let (n, bytes) = (8, 1001);
    let mut machine = machine(2 * n, n, 4, 1 << 40, MessageProtocol::Eager);
    machine.growing = Some(Part::Card);
    let end: Outcome<TimeWithSlope> = run(&pairs(n, bytes, 1), &machine, 1, &mut NoObserver);
    assert_eq!(end.end().slope(), i64::from(n) * bytes as i64);
    let made: Outcome<Traced> = run(&pairs(n, bytes, 1), &machine, 1, &mut NoObserver);
    let share = made.end().share(Part::Card);
    assert_eq!((share.count, share.ticks), (8008, 4 * 8008));
    machine.per_node = 1;
    let end: Outcome<TimeWithSlope> = run(&pairs(n, bytes, 1), &machine, 1, &mut NoObserver);
    assert_eq!(end.end().slope(), 0);
}
