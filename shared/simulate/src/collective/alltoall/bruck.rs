//! A block with destination at distance d moves by 2^i ranks in round i for each 1-bit i of d, in
//! one message with all other such blocks (Bruck et al., 1997).
//!
//! # Formula
//! T = Σ over i = 0 … ⌈log2 p⌉ − 1 of E(n_i m), if g ≤ o_s + L + o_r; n_i is the number of integers
//! below p with bit i set
//!
//! All ranks act simultaneously for any p; the code handles any g.

use crate::collective::program::{Data, exchange};
use crate::collective::rounds::{ahead, back};
use crate::collective::shape::{doublings, forwarded_blocks};
use crate::collective::time::Clock;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Alltoall,
    name: "bruck",
    summary: "blocks are forwarded together, by 2^i ranks in round i",
    needs_nodes: false,
    formula: "Σ over i = 0 … ⌈log2 p⌉ − 1 of E(n_i m), where n_i numbers below p have bit i, \
              or H(n_i m) per round if longer",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        for round in 0..doublings(shape.p()) {
            clock.exchange(shape.m() * u64::from(forwarded_blocks(shape.p(), round)));
        }
        clock.cpu
    },
    program: |shape, rank, program| {
        let p = shape.p();
        (0..doublings(p)).fold(None, |last, round| {
            let (to, from) = (ahead(rank, 1 << round, p), back(rank, 1 << round, p));
            let out = (to, Data::Round { round, at: rank });
            Some(exchange(program, out, (from, Data::Round { round, at: from }), false, last))
        });
    },
    count: |shape| Count::messages(u128::from(shape.p()) * u128::from(doublings(shape.p()))),
};
