//! p parts of the vector pass around a ring twice: first they are reduced, then the results are
//! distributed (Patarasuk & Yuan, 2009).
//!
//! # Formula
//! T = (p − 1)(2E + c) at ⌈m/p⌉ bytes; a round takes H if that is longer
//!
//! Exact if p divides m: then all ranks act simultaneously. Also exact if g ≤ o_s + L and smaller
//! parts do not cost more: then a larger part passes around the ring without waiting, and this is
//! the critical path.

use crate::collective::program::{Data, Program};
use crate::collective::rounds::ring;
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allreduce,
    name: "ring",
    summary: "p parts of the vector pass around a ring twice: reduced, then distributed",
    needs_nodes: false,
    formula: "(p − 1)(2E + c)(⌈m/p⌉), or H(⌈m/p⌉) per round if longer",
    range: "any p and m, if p divides m or g ≤ o_s + L",
    exact,
    time,
    program,
    count: |shape| {
        let once = u128::from(shape.p()) * u128::from(shape.p() - 1);
        Count::combined(once).and_messages(once)
    },
};

fn exact(shape: &Shape, costs: &dyn Costs) -> bool {
    let larger = shape.part(shape.p());
    let Some(smaller) = larger.checked_sub(1) else { return true };
    let costs_of = |k| [costs.send(k), costs.recv(k), costs.bytes(k), costs.compute(k)].into_iter();
    shape.has_equal_parts(shape.p())
        || costs.has_short_gap(larger)
            && costs_of(smaller).zip(costs_of(larger)).all(|(s, l)| s <= l)
}

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let p = shape.p();
    let part = |index| Data::parts(index, 1, p);
    let summed = ring(program, (p, rank), (0, &part), true, None);
    program.next_part();
    ring(program, (p, rank), (1, &part), false, summed);
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let (rounds, part) = (u64::from(shape.p() - 1), shape.part(shape.p()));
    let mut clock = Clock::new(costs);
    clock.rounds(rounds, part, true);
    clock.rounds(rounds, part, false);
    clock.cpu
}
