//! In round i every rank r signals rank r + 2^i, after the signal of the round before (Hensgen,
//! Finkel & Manber, 1988).
//!
//! # Formula
//! T = E + (⌈log2 p⌉ − 1) max(E, H)
//!
//! All ranks act simultaneously for any p.

use crate::collective::rounds::disseminate;
use crate::collective::shape::doublings;
use crate::collective::time::Clock;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Barrier,
    name: "dissemination",
    summary: "in round i every rank r signals rank r + 2^i",
    needs_nodes: false,
    formula: "E(m) + (⌈log2 p⌉ − 1) max(E(m), H(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        clock.rounds(u64::from(doublings(shape.p())), shape.m(), false);
        clock.cpu
    },
    program: |shape, rank, program| {
        disseminate(program, (shape.p(), rank), None);
    },
    count: |shape| Count::messages(u128::from(shape.p()) * u128::from(doublings(shape.p()))),
};
