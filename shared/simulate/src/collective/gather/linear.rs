//! Every rank sends its block to the root.
//!
//! # Formula
//! T = E + (p − 2) max(o_r, H)
//!
//! All blocks leave simultaneously, so the root receives one per max(o_r, H).

use crate::collective::program::Data;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Gather,
    name: "linear",
    summary: "every rank sends its block to the root",
    needs_nodes: false,
    formula: "E(m) + (p − 2) max(o_r(m), H(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let period = costs.o_r(shape.m()).max(costs.hold(shape.m()));
        costs.message(shape.m()) + period.times(u64::from(shape.p() - 2))
    },
    program: |shape, rank, program| {
        if rank > 0 {
            program.send(0, Data::blocks(rank, 1), None);
            return;
        }
        for other in 1..shape.p() {
            program.recv(other, Data::blocks(other, 1), None);
        }
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
