//! In round i ranks at distance 2^i exchange all their blocks.
//!
//! # Formula
//! T = Σ over i = 0 … log2 p − 1 of E(2^i m), if g ≤ o_s + L + o_r
//!
//! Exact if p is a power of two; the code handles any g. Otherwise some ranks represent two and
//! begin later; then messages of different rounds compete for a network interface, in no simple
//! order.

use crate::collective::fold::{Fold, Role};
use crate::collective::program::{Data, Program};
use crate::collective::rounds::double;
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allgather,
    name: "recursive-doubling",
    summary: "in round i ranks at distance 2^i exchange all their blocks",
    needs_nodes: false,
    formula: "Σ over i = 0 … log2 p − 1 of E(2^i m), or H(2^i m) per round if longer",
    range: "p a power of two, any m and parameters",
    exact: |shape, _| shape.p().is_power_of_two(),
    time,
    program,
    count: |shape| Count::messages(Fold::new(shape.p()).messages(1, 2)),
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let (p, fold) = (shape.p(), Fold::new(shape.p()));
    let mut done = fold.begin(program, rank, &|other| Data::blocks(other, 1), false, None);
    if let Role::Works(worker, _) = fold.role(rank) {
        let naming = |first, count| {
            let begins = fold.rank(first);
            Data::blocks(begins, fold.rank(first + count) - begins)
        };
        done = double(program, (fold, worker), &naming, done);
    }
    fold.end(program, rank, &|_| Data::blocks(0, p), done);
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let fold = Fold::new(shape.p());
    let mut clock = Clock::new(costs);
    clock.fold(fold, shape.m(), false);
    clock.double(fold, shape.m());
    clock.fold(fold, shape.m() * u64::from(shape.p()), false);
    clock.cpu
}
