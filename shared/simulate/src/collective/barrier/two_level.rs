//! Signals travel up a binomial tree inside each node, dissemination runs among the leaders, then
//! signals travel down inside each node.
//!
//! # Formula
//! T = U(n) + ⌈log2 N⌉ rounds + D(n), for N nodes with n ranks each
//!
//! Exact if all nodes have n ranks, since then all leaders act simultaneously, and g ≤ 2L + 2o_s +
//! o_r, as [in the tree](super::tree).

use super::tree::is_free_in_time;
use crate::collective::levels::{self, TwoLevelRank, equal_nodes, largest_nodes};
use crate::collective::program::Data;
use crate::collective::rounds::disseminate;
use crate::collective::shape::doublings;
use crate::collective::tree::{Down, Tree, Up};
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Barrier,
    name: "two-level",
    summary: "up a tree inside each node, dissemination among the leaders, down inside each node",
    needs_nodes: true,
    formula: "U(n) + E(m) + (⌈log2 N⌉ − 1) max(E(m), H(m)) + D(n), for N nodes of n ranks",
    range: "any m on nodes of equal size, if g ≤ 2L + 2o_s + o_r",
    exact: |shape, costs| equal_nodes(shape).is_some() && is_free_in_time(costs, shape.m()),
    time: |shape, costs| {
        let ((count, each), m) = (largest_nodes(shape), shape.m());
        let mut leader = Up::new(costs, Tree::Binomial, m, false).root(each);
        leader.rounds(u64::from(doublings(count)), m, false);
        Down::new(costs, Tree::Binomial, m).after(each, leader)
    },
    program: |shape, rank, program| {
        let Some(place) = TwoLevelRank::of(shape, rank) else { return };
        let mut signalled =
            place.inside(program, |p, at| Tree::Binomial.up_then(p, at, Data::Token));
        program.next_part();
        if place.leads() {
            signalled = place.among(program, |p, at| disseminate(p, at, signalled));
        }
        program.next_part();
        place.inside(program, |p, at| Tree::Binomial.down(p, at, Data::Token, signalled));
    },
    count: |shape| {
        let nodes = shape.nodes.map_or(1, |nodes| nodes.count());
        let among = u128::from(nodes) * u128::from(doublings(nodes));
        Count::messages(2 * levels::messages_inside(shape) + among).and_joins(levels::joins(shape))
    },
};
