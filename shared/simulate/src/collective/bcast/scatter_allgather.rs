//! A scatter down a binomial tree, then an allgather around a ring, for long vectors (van de
//! Geijn).
//!
//! # Formula
//! T = S(p) + E − o_s + (p − 2) E, all E at m/p bytes
//!
//! S is the time when the last rank of the scatter has forwarded its own part. The ring's critical
//! path begins there: if g ≤ o_s + L, waiting is never slower than a message. Two more conditions:
//! p divides m, so that all parts on the critical path are equal; and the root sends its part
//! before it receives one, since the last rank may be near the root.

use crate::collective::blocks::{Scatter, children, scatter};
use crate::collective::program::{Data, Program};
use crate::collective::rounds::ring;
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;
use std::collections::BTreeMap;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "scatter+allgather",
    summary: "scatter down a binomial tree, then allgather around a ring",
    needs_nodes: false,
    formula: "S(p) − o_s(m/p) + (p − 1) E(m/p), where S is the time when the last rank forwards its part",
    range: "any p that divides m, if g ≤ o_s + L and the root sends on the ring before it \
            receives",
    exact,
    time,
    program,
    count: |shape| Count::messages(u128::from(shape.p() - 1) * (u128::from(shape.p()) + 1)),
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let p = shape.p();
    let naming = |first, count| Data::parts(first, count, p);
    let has = scatter(program, (p, rank), &naming, None);
    program.next_part();
    ring(program, (p, rank), (0, &|part| Data::parts(part, 1, p)), false, has);
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let (p, part) = (shape.p(), shape.part(shape.p()));
    let forwards = |clock: &mut Clock| clock.send(part);
    let begins = |v| part.saturating_mul(u64::from(v));
    let mut scattered = Scatter { costs, begins: &begins, then: &forwards, known: BTreeMap::new() };
    let arrives = costs.l(part) + costs.b(part) + costs.o_r(part);
    scattered.time(0, p) + arrives + costs.message(part).times(u64::from(p - 2))
}

fn exact(shape: &Shape, costs: &dyn Costs) -> bool {
    let (p, part) = (shape.p(), shape.part(shape.p()));
    let mut root = Clock::new(costs);
    for (_, below) in children(p, 0) {
        root.send(part.saturating_mul(u64::from(below)));
    }
    // The first message of each rank leads to the last rank.
    let mut last = Time::default();
    let mut size = p;
    while let Some((_, below)) = children(size, 0).next() {
        last = last + costs.message(part.saturating_mul(u64::from(below)));
        size = below;
    }
    let returns = last + costs.o_s(part) + costs.l(part) + costs.b(part);
    shape.has_equal_parts(p)
        && costs.has_short_gap(part)
        && root.send(part).ps < (returns + costs.o_s(part)).ps
}
