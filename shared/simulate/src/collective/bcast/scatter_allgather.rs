//! The vector is scattered down a binomial tree and gathered again round a ring, for long vectors
//! (van de Geijn).
//!
//! # Formula
//! T = S(p) + E − o_s + (p − 2) E, all E at m/p bytes
//!
//! S is when the last rank of the scatter has sent its own part on. The ring's longest way begins
//! there: waiting is never slower than a message, where g ≤ o_s + L. Exact where also p divides m,
//! so that the longest way carries parts as large as any, and where the root has sent its part
//! before it gets one: the last rank, from which it comes, may be near the root.

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
    summary: "scattered down a binomial tree, then gathered by all round a ring",
    needs_nodes: false,
    formula: "S(p) − o_s(m/p) + (p − 1) E(m/p), where S is when the last rank passes its part on",
    range: "any p that divides m, where g ≤ o_s + L and the root sends round the ring before it \
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
    let passes_on = |clock: &mut Clock| clock.send(part);
    let begins = |v| part.saturating_mul(u64::from(v));
    let mut scattered =
        Scatter { costs, begins: &begins, then: &passes_on, known: BTreeMap::new() };
    let arrives = costs.l(part) + costs.b(part) + costs.o_r(part);
    scattered.time(0, p) + arrives + costs.message(part).times(u64::from(p - 2))
}

fn exact(shape: &Shape, costs: &dyn Costs) -> bool {
    let (p, part) = (shape.p(), shape.part(shape.p()));
    let mut root = Clock::new(costs);
    for (_, below) in children(p, 0) {
        root.send(part.saturating_mul(u64::from(below)));
    }
    // The last rank is reached by each rank's first message.
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
