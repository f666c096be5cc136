//! In round i ranks at distance 2^i exchange and combine their partial results.
//!
//! # Formula
//! T = E + c + (log2 p − 1) max(E + c, H)
//!
//! Exact if p is a power of two. Otherwise some ranks represent two and begin later; then messages
//! of different rounds compete for a network interface, in no simple order.

use crate::collective::fold::{Fold, Role};
use crate::collective::program::{Data, Op, Program, exchange};
use crate::collective::time::Clock;
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allreduce,
    name: "recursive-doubling",
    summary: "in round i ranks at distance 2^i exchange and combine their partial results",
    needs_nodes: false,
    formula: "E(m) + c(m) + (log2 p − 1) max(E(m) + c(m), H(m))",
    range: "p a power of two, any m and parameters",
    exact: |shape, _| shape.p().is_power_of_two(),
    time: |shape, costs| {
        let mut clock = Clock::new(costs);
        swap_time(&mut clock, shape.p(), shape.m());
        clock.cpu
    },
    program: |shape, rank, program| {
        swap(program, (shape.p(), rank), None);
    },
    count: |shape| count(shape.p()),
};

/// Emits the actions of one of n ranks.
pub(super) fn swap(program: &mut dyn Program, (n, v): (u32, u32), start: Option<Op>) -> Option<Op> {
    let fold = Fold::new(n);
    let begun = fold.begin(program, v, &|_| Data::Vector, true, start);
    let done = match fold.role(v) {
        Role::Rests(_) => begun,
        Role::Works(worker, _) => fold.masks().fold(begun, |last, mask| {
            let with = (fold.rank(worker ^ mask), Data::Vector);
            Some(exchange(program, with, with, true, last))
        }),
    };
    fold.end(program, v, &|_| Data::Vector, done)
}

/// The time of n ranks that begin simultaneously.
pub(super) fn swap_time(clock: &mut Clock, n: u32, m: u64) {
    let fold = Fold::new(n);
    clock.fold(fold, m, true);
    clock.rounds(u64::from(fold.power.ilog2()), m, true);
    clock.fold(fold, m, false);
}

/// Number of messages, with and without a reduction.
pub(super) fn count(n: u32) -> Count {
    let fold = Fold::new(n);
    Count::combined(fold.messages(1, 1)).and_messages(u128::from(fold.extra))
}
