//! Signals go up a binomial tree and down again.
//!
//! # Formula
//! T = U(p) + D(p), both [of the tree](crate::collective::tree), with nothing to combine
//!
//! Exact where g ≤ 2L + 2o_s + o_r: then no network interface is still busy with the way up when
//! the way down comes by.

use crate::collective::program::Data;
use crate::collective::time::Costs;
use crate::collective::tree::{Down, Tree, Up};
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Barrier,
    name: "tree",
    summary: "up a binomial tree and down again",
    needs_nodes: false,
    formula: "U(p) + D(p) of a binomial tree",
    range: TURNS_IN_TIME,
    exact: |shape, costs| turns_in_time(costs, shape.m()),
    time: |shape, costs| {
        let up = Up::new(costs, Tree::Binomial, shape.m(), false).root(shape.p());
        up.cpu + Down::new(costs, Tree::Binomial, shape.m()).time(shape.p())
    },
    program: |shape, rank, program| {
        let place = (shape.p(), rank);
        let told = Tree::Binomial.up_then(program, place, Data::Token);
        program.next_part();
        Tree::Binomial.down(program, place, Data::Token, told);
    },
    count: |shape| Count::messages(2 * u128::from(shape.p() - 1)).and_joins(1),
};

/// The range of what goes up and then down.
pub(in crate::collective) const TURNS_IN_TIME: &str = "any p and m, where g ≤ 2L + 2o_s + o_r";

/// Whether a rank that has sent something up can pass k bytes on when they come down.
pub(in crate::collective) fn turns_in_time(costs: &dyn Costs, k: u64) -> bool {
    let way = [costs.latency(k), costs.latency(k), costs.send(k), costs.send(k), costs.recv(k)];
    costs.gap() <= way.into_iter().fold(0, u64::saturating_add)
}
