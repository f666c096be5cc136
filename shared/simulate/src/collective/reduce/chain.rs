//! Every rank combines the vector of the next rank with its own and sends the result to the
//! previous rank.
//!
//! # Formula
//! T = (p − 1)(E + c)

use crate::collective::program::Data;
use crate::collective::tree::Tree;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Reduce,
    name: "chain",
    summary: "every rank combines the vector of the next rank and forwards the result",
    needs_nodes: false,
    formula: "(p − 1)(E(m) + c(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        (costs.message(shape.m()) + costs.c(shape.m())).times(u64::from(shape.p() - 1))
    },
    program: |shape, rank, program| {
        Tree::Chain.up(program, (shape.p(), rank), Data::Vector);
    },
    count: |shape| Count::combined(u128::from(shape.p() - 1)),
};
