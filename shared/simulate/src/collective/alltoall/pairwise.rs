//! In round i every rank r sends to rank r + i and receives from rank r − i.
//!
//! # Formula
//! T = E + (p − 2) max(E, H)

use crate::collective::program::{Data, exchange};
use crate::collective::rounds::{ahead, back};
use crate::collective::time::Clock;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Alltoall,
    name: "pairwise",
    summary: "in round i every rank r sends to rank r + i and receives from rank r − i",
    needs_nodes: false,
    formula: "E(m) + (p − 2) max(E(m), H(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        clock.rounds(u64::from(shape.p() - 1), shape.m(), false);
        clock.cpu
    },
    program: |shape, rank, program| {
        let p = shape.p();
        (1..p).fold(None, |last, distance| {
            let (to, from) = (ahead(rank, distance, p), back(rank, distance, p));
            let out = (to, Data::Pair { from: rank, to });
            Some(exchange(program, out, (from, Data::Pair { from, to: rank }), false, last))
        });
    },
    count: |shape| Count::messages(u128::from(shape.p()) * u128::from(shape.p() - 1)),
};
