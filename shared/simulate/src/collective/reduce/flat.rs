//! Every rank sends its vector to the root, which combines them one by one.
//!
//! # Formula
//! T = E + c + (p − 2) max(o_r + c, H)

use crate::collective::program::Data;
use crate::collective::tree::Tree;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Reduce,
    name: "flat",
    summary: "every rank sends to the root, which combines",
    needs_nodes: false,
    formula: "E(m) + c(m) + (p − 2) max(o_r(m) + c(m), H(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let m = shape.m();
        let period = (costs.o_r(m) + costs.c(m)).max(costs.hold(m));
        costs.message(m) + costs.c(m) + period.times(u64::from(shape.p() - 2))
    },
    program: |shape, rank, program| {
        Tree::Flat.up(program, (shape.p(), rank), Data::Vector);
    },
    count: |shape| Count::combined(u128::from(shape.p() - 1)),
};
