//! Each node's ranks signal its leader up a binomial tree, the leaders disseminate, and each tells
//! its node down the tree.
//!
//! # Formula
//! T = U(n) + ⌈log2 N⌉ rounds + D(n), of N nodes with n ranks each
//!
//! Exact where all nodes have n ranks, for then all leaders do the same at the same time, and where
//! g ≤ 2L + 2o_s + o_r, as [in the tree](super::tree).

use super::tree::turns_in_time;
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
    summary: "up a tree inside each node, dissemination among their leaders, down again",
    needs_nodes: true,
    formula: "U(n) + E(m) + (⌈log2 N⌉ − 1) max(E(m), H(m)) + D(n), of N nodes of n ranks",
    range: "any m on nodes of one size, where g ≤ 2L + 2o_s + o_r",
    exact: |shape, costs| equal_nodes(shape).is_some() && turns_in_time(costs, shape.m()),
    time: |shape, costs| {
        let ((count, each), m) = (largest_nodes(shape), shape.m());
        let mut leader = Up::new(costs, Tree::Binomial, m, false).root(each);
        leader.rounds(u64::from(doublings(count)), m, false);
        Down::new(costs, Tree::Binomial, m).after(each, leader)
    },
    program: |shape, rank, program| {
        let Some(place) = TwoLevelRank::of(shape, rank) else { return };
        let mut told = place.inside(program, |p, at| Tree::Binomial.up_then(p, at, Data::Token));
        program.next_part();
        if place.leads() {
            told = place.among(program, |p, at| disseminate(p, at, told));
        }
        program.next_part();
        place.inside(program, |p, at| Tree::Binomial.down(p, at, Data::Token, told));
    },
    count: |shape| {
        let nodes = shape.nodes.map_or(1, |nodes| nodes.count());
        let among = u128::from(nodes) * u128::from(doublings(nodes));
        Count::messages(2 * levels::messages_inside(shape) + among).and_joins(levels::joins(shape))
    },
};
