//! In round i every rank r sends rank r + i its part, and combines the received part with its own.
//!
//! # Formula
//! T = E + c + (p − 2) max(E + c, H), at m/p bytes
//!
//! Exact if p divides m: then all ranks act simultaneously.

use crate::collective::program::{Data, exchange};
use crate::collective::rounds::{ahead, back};
use crate::collective::time::Clock;
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::ReduceScatter,
    name: "pairwise",
    summary: "in round i every rank r sends rank r + i its part",
    needs_nodes: false,
    formula: "E(m/p) + c(m/p) + (p − 2) max(E(m/p) + c(m/p), H(m/p))",
    range: "any p that divides m, any parameters",
    exact: |shape, _| shape.has_equal_parts(shape.p()),
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        clock.rounds(u64::from(shape.p() - 1), shape.part(shape.p()), true);
        clock.cpu
    },
    program: |shape, rank, program| {
        let p = shape.p();
        let own = Data::parts(rank, 1, p);
        (1..p).fold(None, |last, distance| {
            let to = ahead(rank, distance, p);
            let out = (to, Data::parts(to, 1, p));
            Some(exchange(program, out, (back(rank, distance, p), own), true, last))
        });
    },
    count: |shape| Count::combined(u128::from(shape.p()) * u128::from(shape.p() - 1)),
};
