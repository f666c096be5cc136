//! The root sends to every other rank.
//!
//! # Formula
//! T = E + (p − 2) M

use crate::collective::program::Data;
use crate::collective::tree::Tree;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "flat",
    summary: "the root sends to every other rank",
    needs_nodes: false,
    formula: "E(m) + (p − 2) M(m)",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        costs.message(shape.m()) + costs.turn(shape.m()).times(u64::from(shape.p() - 2))
    },
    program: |shape, rank, program| {
        Tree::Flat.down(program, (shape.p(), rank), Data::Vector, None);
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
