//! All ranks signal rank 0, which then signals all.
//!
//! # Formula
//! T = E + (p − 2) max(o_r, H) + E + (p − 2) M
//!
//! All signals leave simultaneously, so rank 0 receives one per max(o_r, H).

use crate::collective::program::Data;
use crate::collective::{ALWAYS, Algorithm, Count, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Barrier,
    name: "linear",
    summary: "all ranks signal rank 0, which then signals all",
    needs_nodes: false,
    formula: "2E(m) + (p − 2)(max(o_r(m), H(m)) + M(m))",
    range: ALWAYS,
    exact: always,
    time: |shape, costs| {
        let (m, others) = (shape.m(), u64::from(shape.p() - 2));
        let received = costs.o_r(m).max(costs.hold(m));
        costs.message(m).times(2) + (received + costs.turn(m)).times(others)
    },
    program: |shape, rank, program| {
        if rank > 0 {
            let sent = program.send(0, Data::Token, None);
            program.recv(0, Data::Token, Some(sent));
            return;
        }
        let all = program.join();
        for other in 1..shape.p() {
            let arrived = program.recv(other, Data::Token, None);
            program.after(all, arrived);
        }
        for other in 1..shape.p() {
            program.send(other, Data::Token, Some(all));
        }
    },
    count: |shape| Count::messages(2 * u128::from(shape.p() - 1)).and_joins(1),
};
