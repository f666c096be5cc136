//! A reduction to rank 0, then a scatter, both on a binomial tree.
//!
//! # Formula
//! T = U(p) [of a tree](crate::collective::tree) with m bytes, + D(p) [of
//! blocks](crate::collective::blocks) of m/p bytes
//!
//! Exact if g ≤ 2L + o_r: then every network interface is free when the scatter reaches it.

use crate::collective::blocks::{Scatter, scatter};
use crate::collective::program::{Data, Program};
use crate::collective::time::{Costs, Time};
use crate::collective::tree::{Tree, Up};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;
use std::collections::BTreeMap;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::ReduceScatter,
    name: "reduce+scatter",
    summary: "reduce to rank 0, then scatter, both on a binomial tree",
    needs_nodes: false,
    formula: "U(p) of m bytes + D(p) of blocks of m/p bytes",
    range: "any p and m, if g ≤ 2L + o_r",
    exact: |shape, costs| {
        let path = costs.latency(shape.m()).saturating_mul(2).saturating_add(costs.recv(shape.m()));
        costs.gap() <= path
    },
    time,
    program,
    count: |shape| {
        let others = u128::from(shape.p() - 1);
        Count::combined(others).and_messages(others).and_joins(1)
    },
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let p = shape.p();
    let summed = Tree::Binomial.up_then(program, (p, rank), Data::Vector);
    program.next_part();
    scatter(program, (p, rank), &|first, count| Data::parts(first, count, p), summed);
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let p = shape.p();
    let up = Up::new(costs, Tree::Binomial, shape.m(), true).root(p);
    let begins = |v| shape.part_begins(v, p);
    let mut down =
        Scatter { costs, begins: &begins, then: &|clock| clock.cpu, known: BTreeMap::new() };
    up.cpu + down.time(0, p)
}
