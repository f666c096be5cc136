//! In round i ranks at distance 2^i exchange the sums of their groups of 2^i ranks. A rank that
//! receives the sum of lower ranks also adds it to its prefix. In the last round only the upper
//! ranks need a sum.
//!
//! # Formula
//! T = E + c + (log2 p − 1) max(E + c, H)
//!
//! Exact if p is a power of two and c ≤ L + B: then a rank adds to its prefix while the next
//! message is in flight, and all ranks act simultaneously. Otherwise some ranks run ahead.

use crate::collective::program::{Data, Program};
use crate::collective::shape::doublings;
use crate::collective::time::{Clock, Costs};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Scan,
    name: "recursive-doubling",
    summary: "in round i ranks at distance 2^i exchange sums; the upper rank adds to its prefix",
    needs_nodes: false,
    formula: "E(m) + c(m) + (log2 p − 1) max(E(m) + c(m), H(m))",
    range: "p a power of two, any m, if c(m) ≤ L + B(m)",
    exact,
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        clock.rounds(u64::from(doublings(shape.p())), shape.m(), true);
        clock.cpu
    },
    program,
    count: |shape| {
        let p = u128::from(shape.p());
        let last = p - p.next_power_of_two() / 2;
        let swapped: u128 = distances(shape.p()).map(|distance| swaps(p, distance.into())).sum();
        let messages = 2 * swapped + last;
        Count { messages, combined: messages + swapped, joins: 0 }
    },
};

fn exact(shape: &Shape, costs: &dyn Costs) -> bool {
    let flight = costs.latency(shape.m()).saturating_add(costs.bytes(shape.m()));
    shape.p().is_power_of_two() && costs.compute(shape.m()) <= flight
}

/// Distances 1, 2, 4 … of all rounds except the last.
fn distances(p: u32) -> impl Iterator<Item = u32> {
    (1..doublings(p)).map(|round| 1 << (round - 1))
}

/// Number of pairs of p ranks that differ only in this bit.
fn swaps(p: u128, bit: u128) -> u128 {
    p / (2 * bit) * bit + (p % (2 * bit)).saturating_sub(bit)
}

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let p = shape.p();
    let (mut sum, mut lower) = (None, None);
    for partner in distances(p).map(|distance| rank ^ distance).filter(|other| *other < p) {
        let sent = program.send(partner, Data::Sum, sum);
        if let Some(received) = lower.take() {
            program.add(received, Some(sent));
        }
        let received = program.reduce(partner, Data::Sum, sum);
        sum = Some(received);
        lower = (partner < rank).then_some(received);
    }
    let half = p.next_power_of_two() / 2;
    if rank + half < p {
        let sent = program.send(rank + half, Data::Sum, sum);
        if let Some(received) = lower.take() {
            program.add(received, Some(sent));
        }
    }
    if let Some(received) = lower {
        program.add(received, sum);
    }
    if rank >= half {
        let received = program.recv(rank - half, Data::Sum, sum);
        program.add(received, None);
    }
}
