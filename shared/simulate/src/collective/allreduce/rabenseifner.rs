//! Recursive halving reduces parts of the vector; recursive doubling distributes the parts
//! (Rabenseifner).
//!
//! # Formula
//! T = Σ over j = 1 … log2 p of (2E + c at m/2^j bytes), if g ≤ o_s + L + o_r
//!
//! Exact if p is a power of two that divides m: then all ranks act simultaneously. The code handles
//! any g. Otherwise some ranks represent two, at different times.

use crate::collective::fold::{Fold, Role};
use crate::collective::program::{Data, Program};
use crate::collective::rounds::{double, halve};
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allreduce,
    name: "rabenseifner",
    summary: "recursive halving reduces parts, recursive doubling distributes them",
    needs_nodes: false,
    formula: "Σ over j = 1 … log2 p of (2E + c)(m/2^j), or H(m/2^j) per round if longer",
    range: "p a power of two that divides m",
    exact: |shape, _| shape.p().is_power_of_two() && shape.has_equal_parts(shape.p()),
    time,
    program,
    count: |shape| {
        let fold = Fold::new(shape.p());
        Count::combined(fold.messages(1, 1)).and_messages(fold.messages(1, 1))
    },
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let fold = Fold::new(shape.p());
    let naming = |first, count| Data::parts(first, count, fold.power);
    let mut done = fold.begin(program, rank, &|_| Data::Vector, true, None);
    if let Role::Works(worker, _) = fold.role(rank) {
        let halved = halve(program, (fold, worker), &naming, done);
        program.next_part();
        done = double(program, (fold, worker), &naming, halved);
    } else {
        program.next_part();
    }
    fold.end(program, rank, &|_| Data::Vector, done);
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let fold = Fold::new(shape.p());
    let part = shape.part(fold.power);
    let mut clock = Clock::new(costs);
    clock.fold(fold, shape.m(), true);
    clock.halve(fold, part);
    clock.double(fold, part);
    clock.fold(fold, shape.m(), false);
    clock.cpu
}
