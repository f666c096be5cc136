//! Every block passes once around a ring.
//!
//! # Formula
//! T = E + (p − 2) max(E, H)

use crate::collective::program::Data;
use crate::collective::rounds::ring;
use crate::collective::time::Clock;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allgather,
    name: "ring",
    summary: "every block passes once around a ring",
    needs_nodes: false,
    formula: "E(m) + (p − 2) max(E(m), H(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        clock.rounds(u64::from(shape.p() - 1), shape.m(), false);
        clock.cpu
    },
    program: |shape, rank, program| {
        ring(program, (shape.p(), rank), (0, &|rank| Data::blocks(rank, 1)), false, None);
    },
    count: |shape| Count::messages(u128::from(shape.p()) * u128::from(shape.p() - 1)),
};
