//! Reduction inside each node, recursive doubling among the leaders, broadcast inside each node.
//!
//! # Formula
//! T = U(n) + log2 N rounds of max(E + c, H) + D(n), for N nodes with n ranks each
//!
//! Exact if all nodes have n ranks and N is a power of two, since then all leaders act
//! simultaneously, and g ≤ 2L + 2o_s + o_r, as [in a tree](super::reduce_bcast).

use super::recursive_doubling::{count, swap, swap_time};
use crate::collective::barrier::is_free_in_time;
use crate::collective::levels::{self, TwoLevelRank, equal_nodes, largest_nodes};
use crate::collective::program::{Data, Program};
use crate::collective::time::{Costs, Time};
use crate::collective::tree::{Down, Tree, Up};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Allreduce,
    name: "two-level",
    summary: "reduce inside each node, recursive doubling among the leaders, broadcast inside each node",
    needs_nodes: true,
    formula: "U(n) + E(m) + c(m) + (log2 N − 1) max(E(m) + c(m), H(m)) + D(n), \
              for N nodes of n ranks",
    range: "any m on 2^k nodes of equal size, if g ≤ 2L + 2o_s + o_r",
    exact: |shape, costs| {
        equal_nodes(shape).is_some_and(|(count, _)| count.is_power_of_two())
            && is_free_in_time(costs, shape.m())
    },
    time,
    program,
    count: |shape| {
        let inside = levels::messages_inside(shape);
        let among = count(shape.nodes.map_or(1, |nodes| nodes.count()));
        let all = Count { combined: among.combined + inside, ..among };
        all.and_messages(2 * inside).and_joins(levels::joins(shape))
    },
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let Some(place) = TwoLevelRank::of(shape, rank) else { return };
    let mut done = place.inside(program, |p, at| Tree::Binomial.up_then(p, at, Data::Vector));
    program.next_part();
    if place.leads() {
        done = place.among(program, |p, at| swap(p, at, done));
    }
    program.next_part();
    place.inside(program, |p, at| Tree::Binomial.down(p, at, Data::Vector, done));
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let ((count, each), m) = (largest_nodes(shape), shape.m());
    let mut leader = Up::new(costs, Tree::Binomial, m, true).root(each);
    swap_time(&mut leader, count, m);
    Down::new(costs, Tree::Binomial, m).after(each, leader)
}
