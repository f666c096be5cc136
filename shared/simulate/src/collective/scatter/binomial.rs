//! Down a binomial tree; a rank receives the blocks of its whole subtree in one message.
//!
//! # Formula
//! T = D(p), [of the tree](crate::collective::blocks)

use crate::collective::blocks::{Scatter, scatter};
use crate::collective::program::Data;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;
use std::collections::BTreeMap;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Scatter,
    name: "binomial",
    summary: "down a binomial tree, one message per subtree",
    needs_nodes: false,
    formula: "D(p), where a subtree of n ranks gets n·m bytes",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let begins = |v| shape.m() * u64::from(v);
        Scatter { costs, begins: &begins, then: &|clock| clock.cpu, known: BTreeMap::new() }
            .time(0, shape.p())
    },
    program: |shape, rank, program| {
        scatter(program, (shape.p(), rank), &Data::blocks, None);
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
