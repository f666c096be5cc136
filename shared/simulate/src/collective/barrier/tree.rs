//! Signals travel up a binomial tree, then down.
//!
//! # Formula
//! T = U(p) + D(p), both [of the tree](crate::collective::tree), without reduction
//!
//! Exact if g ≤ 2L + 2o_s + o_r: then every network interface is free when the signals come down.

use crate::collective::program::Data;
use crate::collective::time::Costs;
use crate::collective::tree::{Down, Tree, Up};
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Barrier,
    name: "tree",
    summary: "up a binomial tree, then down",
    needs_nodes: false,
    formula: "U(p) + D(p) of a binomial tree",
    range: FREE_IN_TIME,
    exact: |shape, costs| is_free_in_time(costs, shape.m()),
    time: |shape, costs| {
        let up = Up::new(costs, Tree::Binomial, shape.m(), false).root(shape.p());
        up.cpu + Down::new(costs, Tree::Binomial, shape.m()).time(shape.p())
    },
    program: |shape, rank, program| {
        let place = (shape.p(), rank);
        let signalled = Tree::Binomial.up_then(program, place, Data::Token);
        program.next_part();
        Tree::Binomial.down(program, place, Data::Token, signalled);
    },
    count: |shape| Count::messages(2 * u128::from(shape.p() - 1)).and_joins(1),
};

/// Range of algorithms that go up a tree, then down.
pub(in crate::collective) const FREE_IN_TIME: &str = "any p and m, if g ≤ 2L + 2o_s + o_r";

/// Whether the interface of a rank that has sent up is free when k bytes come down.
pub(in crate::collective) fn is_free_in_time(costs: &dyn Costs, k: u64) -> bool {
    let path = [costs.latency(k), costs.latency(k), costs.send(k), costs.send(k), costs.recv(k)];
    costs.gap() <= path.into_iter().fold(0, u64::saturating_add)
}
