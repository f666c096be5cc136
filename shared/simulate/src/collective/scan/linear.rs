//! Every rank combines the prefix of the previous rank with its vector and forwards the result.
//!
//! # Formula
//! T = (p − 1)(E + c)

use crate::collective::program::Data;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Scan,
    name: "linear",
    summary: "every rank combines the prefix of the previous rank and forwards the result",
    needs_nodes: false,
    formula: "(p − 1)(E(m) + c(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        (costs.message(shape.m()) + costs.c(shape.m())).times(u64::from(shape.p() - 1))
    },
    program: |shape, rank, program| {
        let has = (rank > 0).then(|| program.reduce(rank - 1, Data::Vector, None));
        if rank + 1 < shape.p() {
            program.send(rank + 1, Data::Vector, has);
        }
    },
    count: |shape| Count::combined(u128::from(shape.p() - 1)),
};
