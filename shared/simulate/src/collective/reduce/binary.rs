//! Up a binary tree: a rank combines the vectors of its children and forwards the result.
//!
//! # Formula
//! T = U(p), [of the tree](crate::collective::tree)

use crate::collective::program::Data;
use crate::collective::tree::{Tree, Up};
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Reduce,
    name: "binary",
    summary: "up a binary tree",
    needs_nodes: false,
    formula: "U(p) of a binary tree: children's messages every max(H(m), o_r(m) + c(m)) or later",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| Up::new(costs, Tree::Binary, shape.m(), true).root(shape.p()).cpu,
    program: |shape, rank, program| {
        Tree::Binary.up(program, (shape.p(), rank), Data::Vector);
    },
    count: |shape| Count::combined(u128::from(shape.p() - 1)),
};
