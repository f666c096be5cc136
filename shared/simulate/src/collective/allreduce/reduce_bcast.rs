//! A reduction to rank 0, then a broadcast, both on a binomial tree.
//!
//! # Formula
//! T = U(p) + D(p), both [of the tree](crate::collective::tree)
//!
//! Exact if g ≤ 2L + 2o_s + o_r: then every network interface is free when the broadcast reaches
//! it.

use crate::collective::barrier::{FREE_IN_TIME, is_free_in_time};
use crate::collective::program::Data;
use crate::collective::tree::{Down, Tree, Up};
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allreduce,
    name: "reduce+bcast",
    summary: "reduce to rank 0, then broadcast, both on a binomial tree",
    needs_nodes: false,
    formula: "U(p) + D(p) of a binomial tree",
    range: FREE_IN_TIME,
    exact: |shape, costs| is_free_in_time(costs, shape.m()),
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
