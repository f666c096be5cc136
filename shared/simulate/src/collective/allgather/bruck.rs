//! In round i every rank sends all its blocks, its own first, to rank −2^i; in the last round only
//! the missing blocks (Bruck et al., 1997).
//!
//! # Formula
//! T = Σ over i = 0 … ⌈log2 p⌉ − 1 of E(min(2^i, p − 2^i) m), if g ≤ o_s + L + o_r
//!
//! All ranks act simultaneously for any p; the code handles any g.

use crate::collective::program::{Data, Program, exchange};
use crate::collective::rounds::{ahead, back};
use crate::collective::shape::doublings;
use crate::collective::time::Clock;
use crate::collective::{ALWAYS, Algorithm, Count, Shape, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allgather,
    name: "bruck",
    summary: "in round i every rank r sends all its blocks to rank r − 2^i",
    needs_nodes: false,
    formula: "Σ over i = 0 … ⌈log2 p⌉ − 1 of E(min(2^i, p − 2^i) m), \
              or H of these bytes per round if longer",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        for (_, count) in rounds(shape.p()) {
            clock.exchange(shape.m() * u64::from(count));
        }
        clock.cpu
    },
    program,
    count: |shape| Count::messages(u128::from(shape.p()) * u128::from(doublings(shape.p()))),
};

/// Distance and number of blocks of each round's messages.
fn rounds(p: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..doublings(p)).map(move |round| (1 << round, (1 << round).min(p - (1 << round))))
}

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let p = shape.p();
    let mut has = None;
    for (distance, count) in rounds(p) {
        let from = ahead(rank, distance, p);
        let out = (back(rank, distance, p), Data::blocks(rank, count));
        has = Some(exchange(program, out, (from, Data::blocks(from, count)), false, has));
    }
}
