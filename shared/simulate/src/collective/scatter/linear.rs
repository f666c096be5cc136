//! The root sends every rank its block.
//!
//! # Formula
//! T = E + (p − 2) M

use crate::collective::program::Data;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Scatter,
    name: "linear",
    summary: "the root sends every rank its block",
    needs_nodes: false,
    formula: "E(m) + (p − 2) M(m)",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        costs.message(shape.m()) + costs.turn(shape.m()).times(u64::from(shape.p() - 2))
    },
    program: |shape, rank, program| {
        if rank > 0 {
            program.recv(0, Data::blocks(rank, 1), None);
            return;
        }
        for other in 1..shape.p() {
            program.send(other, Data::blocks(other, 1), None);
        }
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
