//! Down a binary tree.
//!
//! # Formula
//! T = D(p), [of the tree](crate::collective::tree): D(n) = max(E + D(left), M + E + D(right)). If
//! all levels are full, with log2(p + 1) − 1 of them below the root, T is that number times E + M.

use crate::collective::program::Data;
use crate::collective::tree::{Down, Tree};
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "binary",
    summary: "down a binary tree",
    needs_nodes: false,
    formula: "D(p), where D(n) = max(E(m) + D(left), M(m) + E(m) + D(right)) and D(1) = 0",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| Down::new(costs, Tree::Binary, shape.m()).time(shape.p()),
    program: |shape, rank, program| {
        Tree::Binary.down(program, (shape.p(), rank), Data::Vector, None);
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
