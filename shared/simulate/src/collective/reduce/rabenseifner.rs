//! Recursive halving reduces parts of the vector; a binomial tree gathers the parts (Rabenseifner).
//!
//! # Formula
//! T = Σ over j = 1 … log2 p of (E + c at m/2^j bytes), then U(p) of the parts, m/p bytes each
//!
//! Exact if p is a power of two that divides m: then all ranks act simultaneously until the gather.
//! Otherwise some ranks represent two, at different times.

use crate::collective::blocks::{Gather, gather};
use crate::collective::fold::{Fold, Role};
use crate::collective::program::{Data, Program, Renumbered};
use crate::collective::rounds::halve;
use crate::collective::time::{Clock, Costs};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Reduce,
    name: "rabenseifner",
    summary: "recursive halving, then a binomial gather of the parts",
    needs_nodes: false,
    formula: "Σ over j = 1 … log2 p of (E + c)(m/2^j), then U(p) of m/p bytes per rank",
    range: "p a power of two that divides m, unless messages of different sizes reach a rank at the \
            same time",
    exact: |shape, costs| {
        let mut parts = halved(shape, costs);
        parts.root(shape.p());
        shape.p().is_power_of_two() && shape.has_equal_parts(shape.p()) && !parts.is_tied
    },
    time: |shape, costs| halved(shape, costs).root(Fold::new(shape.p()).power).cpu,
    program,
    count: |shape| {
        let fold = Fold::new(shape.p());
        Count::combined(fold.messages(1, 1)).and_messages(u128::from(fold.power - 1))
    },
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let fold = Fold::new(shape.p());
    let begun = fold.begin(program, rank, &|_| Data::Vector, true, None);
    let Role::Works(worker, _) = fold.role(rank) else { return };
    let naming = |first, count| Data::parts(first, count, fold.power);
    let halved = halve(program, (fold, worker), &naming, begun);
    program.next_part();
    let rank_of = |worker| fold.rank(worker);
    let mut workers = Renumbered { program, rank_of: &rank_of };
    gather(&mut workers, (fold.power, worker), &naming, halved, None);
}

/// The gather of the parts, which starts when all parts are reduced.
fn halved<'a>(shape: &Shape, costs: &'a dyn Costs) -> Gather<'a> {
    let fold = Fold::new(shape.p());
    let part = shape.part(fold.power);
    let mut clock = Clock::new(costs);
    clock.fold(fold, shape.m(), true);
    clock.halve(fold, part);
    Gather::new(clock, part)
}
