//! Up a binomial tree to rank 0, and down again.
//!
//! # Formula
//! T = U(p) + D(p), both [of the tree](crate::collective::tree)
//!
//! Exact where g ≤ 2L + 2o_s + o_r: then no network interface is still busy with the way up when
//! the way down comes by.

use crate::collective::barrier::{TURNS_IN_TIME, turns_in_time};
use crate::collective::program::Data;
use crate::collective::tree::{Down, Tree, Up};
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allreduce,
    name: "reduce+bcast",
    summary: "up a binomial tree to rank 0, and down again",
    needs_nodes: false,
    formula: "U(p) + D(p) of a binomial tree",
    range: TURNS_IN_TIME,
    exact: |shape, costs| turns_in_time(costs, shape.m()),
    time: |shape, costs| {
        let up = Up::new(costs, Tree::Binomial, shape.m(), true).root(shape.p());
        up.cpu + Down::new(costs, Tree::Binomial, shape.m()).time(shape.p())
    },
    program: |shape, rank, program| {
        let place = (shape.p(), rank);
        let summed = Tree::Binomial.up_then(program, place, Data::Vector);
        program.next_part();
        Tree::Binomial.down(program, place, Data::Vector, summed);
    },
    count: |shape| {
        let others = u128::from(shape.p() - 1);
        Count::combined(others).and_messages(others).and_joins(1)
    },
};
