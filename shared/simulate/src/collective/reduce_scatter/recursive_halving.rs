//! Ranks at distance p/2, p/4 … 1 exchange halves of their data, and combine the received half with
//! the kept half.
//!
//! # Formula
//! T = Σ over j = 1 … log2 p of (E + c at m/2^j bytes), if g ≤ o_s + L + o_r
//!
//! Exact if p is a power of two that divides m: then all ranks act simultaneously. The code handles
//! any g. Otherwise some ranks represent two, at different times.

use crate::collective::fold::{Fold, Role};
use crate::collective::program::{Data, Program};
use crate::collective::rounds::halve;
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::ReduceScatter,
    name: "recursive-halving",
    summary: "ranks at distance p/2, p/4 … 1 exchange halves of their data",
    needs_nodes: false,
    formula: "Σ over j = 1 … log2 p of (E + c)(m/2^j), or H(m/2^j) per round if longer",
    range: "p a power of two that divides m",
    exact: |shape, _| shape.p().is_power_of_two() && shape.has_equal_parts(shape.p()),
    time,
    program,
    count: |shape| {
        let fold = Fold::new(shape.p());
        Count::combined(fold.messages(1, 1)).and_messages(u128::from(fold.extra))
    },
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let (p, fold) = (shape.p(), Fold::new(shape.p()));
    let mut done = fold.begin(program, rank, &|_| Data::Vector, true, None);
    if let Role::Works(worker, _) = fold.role(rank) {
        let naming = |first, count| {
            let begins = fold.rank(first);
            Data::parts(begins, fold.rank(first + count) - begins, p)
        };
        done = halve(program, (fold, worker), &naming, done);
    }
    fold.end(program, rank, &|other| Data::parts(other, 1, p), done);
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let fold = Fold::new(shape.p());
    let mut clock = Clock::new(costs);
    clock.fold(fold, shape.m(), true);
    clock.halve(fold, shape.part(fold.power));
    clock.fold(fold, shape.part(shape.p()), false);
    clock.cpu
}
