//! Down a binomial tree: whoever has the vector sends it on, to ranks 1, 2, 4 … away.
//!
//! # Formula
//! T = D(p), [of the tree](crate::collective::tree): D(n) = max over i of (i − 1) M + E + D(n_i).
//! Where M ≤ E and p = 2^d, it is d E.

use crate::collective::program::Data;
use crate::collective::tree::{Down, Tree};
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "binomial",
    summary: "down a binomial tree: whoever has the vector sends it on",
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
