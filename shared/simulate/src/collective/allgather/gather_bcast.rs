//! A gather to rank 0, then a broadcast, both on a binomial tree.
//!
//! # Formula
//! T = U(p) [of blocks](crate::collective::blocks) of m bytes, + D(p) [of a
//! tree](crate::collective::tree) with p·m bytes
//!
//! Exact if g ≤ 2L + 2o_s + o_r: then every network interface is free when the broadcast reaches
//! it. As for [a gather](crate::collective::gather), messages of different sizes must not reach a
//! rank at the same time.

use crate::collective::barrier::is_free_in_time;
use crate::collective::blocks::{Gather, gather};
use crate::collective::program::{Data, Program};
use crate::collective::time::Clock;
use crate::collective::tree::{Down, Tree};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allgather,
    name: "gather+bcast",
    summary: "gather to rank 0, then broadcast, both on a binomial tree",
    needs_nodes: false,
    formula: "U(p) of blocks of m bytes + D(p) of p·m bytes",
    range: "any p and m, if g ≤ 2L + 2o_s + o_r, unless messages of different sizes reach a rank \
            at the same time",
    exact: |shape, costs| {
        let mut up = Gather::new(Clock::new(costs), shape.m());
        up.root(shape.p());
        !up.is_tied && is_free_in_time(costs, all(shape))
    },
    time: |shape, costs| {
        let up = Gather::new(Clock::new(costs), shape.m()).root(shape.p());
        up.cpu + Down::new(costs, Tree::Binomial, all(shape)).time(shape.p())
    },
    program,
    count: |shape| Count::messages(2 * u128::from(shape.p() - 1)).and_joins(1),
};

fn all(shape: &Shape) -> u64 {
    shape.m() * u64::from(shape.p())
}

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let place = (shape.p(), rank);
    let join = (rank == 0).then(|| program.join());
    let gathered = gather(program, place, &Data::blocks, None, join);
    program.next_part();
    Tree::Binomial.down(program, place, Data::blocks(0, shape.p()), gathered);
}
