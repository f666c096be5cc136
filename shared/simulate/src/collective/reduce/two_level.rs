//! Up a binomial tree inside each node, then up a tree among the leaders.
//!
//! # Formula
//! T = U of the leader of the root's node, [as in a tree](crate::collective::tree). Its children
//! are the ranks inside the node and the leaders below it. Messages are received in order of
//! arrival, so the two levels overlap if that is faster.

use crate::collective::levels::TwoLevelRank;
use crate::collective::program::{Data, Program};
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::tree::{Tree, Up};
use crate::collective::{ALWAYS, Algorithm, Count, Shape, always};
use loggia_model::placement::Seen;
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Reduce,
    name: "two-level",
    summary: "up a binomial tree inside each node, then among the leaders",
    needs_nodes: true,
    formula: "U of the root's leader, whose children are its ranks and other leaders",
    range: ALWAYS,
    exact: always,
    time,
    program,
    count: |shape| Count::combined(u128::from(shape.p() - 1)),
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let Some(place) = TwoLevelRank::of(shape, rank) else { return };
    if !place.leads() {
        return place.inside(program, |p, at| Tree::Binomial.up(p, at, Data::Vector));
    }
    let sent = place.among(program, |p, (_, v)| Tree::Binomial.send_up(p, v, Data::Vector));
    place.inside(program, |p, at| Tree::Binomial.collect(p, at, Data::Vector, sent));
    place.among(program, |p, at| Tree::Binomial.collect(p, at, Data::Vector, sent));
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let Some(nodes) = shape.nodes.map(|nodes| nodes.seen_from(shape.root)) else {
        return Time::default();
    };
    let mut up = Up::new(costs, Tree::Binomial, shape.m(), true);
    leader(&mut up, &nodes, shape.m(), 0).cpu
}

/// When a node's leader has the sum of its subtree.
fn leader<'a>(up: &mut Up<'a>, nodes: &Seen, m: u64, node: u32) -> Clock<'a> {
    let mut arrivals = up.arrivals(nodes.size(node));
    for below in Tree::Binomial.children(nodes.count(), node) {
        arrivals.push(leader(up, nodes, m, below).send(m));
    }
    up.take(arrivals)
}
