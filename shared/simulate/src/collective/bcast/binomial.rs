//! Down a binomial tree: every rank with the vector forwards it, to ranks at distance 1, 2, 4 …
//!
//! # Formula
//! T = D(p), [of the tree](crate::collective::tree): D(n) = max over i of (i − 1) M + E + D(n_i).
//! If M ≤ E and p = 2^d, T is d E.

use crate::collective::program::Data;
use crate::collective::tree::{Down, Tree};
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "binomial",
    summary: "down a binomial tree: every rank with the vector forwards it",
    needs_nodes: false,
    formula: "D(p), where D(n) = max over i of (i − 1) M(m) + E(m) + D(n_i) and D(1) = 0",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| Down::new(costs, Tree::Binomial, shape.m()).time(shape.p()),
    program: |shape, rank, program| {
        Tree::Binomial.down(program, (shape.p(), rank), Data::Vector, None);
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
