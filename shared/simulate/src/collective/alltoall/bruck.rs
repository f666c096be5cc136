//! A block that must go d ranks further goes 2^i of them in round i, for each 1 in d, together with
//! all others that do (Bruck et al., 1997).
//!
//! # Formula
//! T = Σ over i = 0 … ⌈log2 p⌉ − 1 of E(n_i m), where g ≤ o_s + L + o_r, and n_i is how many numbers
//! below p have bit i set
//!
//! All ranks do the same at the same time, whatever p is; any g is accounted for.

use crate::collective::program::{Data, exchange};
use crate::collective::rounds::{ahead, back};
use crate::collective::shape::{doublings, passed_on};
use crate::collective::time::Clock;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Alltoall,
    name: "bruck",
    summary: "blocks travel together, 2^i ranks further in round i",
    needs_nodes: false,
    formula: "Σ over i = 0 … ⌈log2 p⌉ − 1 of E(n_i m), n_i numbers below p having bit i, \
              a round being H(n_i m) where that is longer",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        for round in 0..doublings(shape.p()) {
            clock.exchange(shape.m() * u64::from(passed_on(shape.p(), round)));
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
