//! Every rank sends to the next rank.
//!
//! # Formula
//! T = (p − 1) E

use crate::collective::program::Data;
use crate::collective::tree::Tree;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "chain",
    summary: "every rank sends to the next rank",
    needs_nodes: false,
    formula: "(p − 1) E(m)",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| costs.message(shape.m()).times(u64::from(shape.p() - 1)),
    program: |shape, rank, program| {
        Tree::Chain.down(program, (shape.p(), rank), Data::Vector, None);
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
