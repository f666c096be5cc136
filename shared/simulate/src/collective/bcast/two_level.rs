//! Down a binomial tree among the nodes' leaders, then down a tree inside each node.
//!
//! # Formula
//! T = max over nodes of the time when the leader has the vector, plus D of the leader, which sends
//! to leaders first, then to its own ranks; both [of the tree](crate::collective::tree)

use crate::collective::levels::TwoLevelRank;
use crate::collective::program::Data;
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::tree::{Down, Tree};
use crate::collective::{ALWAYS, Algorithm, Count, Shape, always};
use loggia_model::signature::Operation;
use std::collections::BTreeMap;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "two-level",
    summary: "down a binomial tree among the nodes' leaders, then inside each node",
    needs_nodes: true,
    formula: "max over nodes of the leader's time + D(its nodes, its ranks)",
    range: ALWAYS,
    exact: always,
    time,
    program: |shape, rank, program| {
        let Some(place) = TwoLevelRank::of(shape, rank) else { return };
        let mut has = None;
        if place.leads() {
            has = place.among(program, |p, at| Tree::Binomial.down(p, at, Data::Vector, None));
        }
        place.inside(program, |p, at| Tree::Binomial.down(p, at, Data::Vector, has));
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let Some(nodes) = shape.nodes.map(|nodes| nodes.seen_from(shape.root)) else {
        return Time::default();
    };
    let (count, m) = (nodes.count(), shape.m());
    let mut inside = Down::new(costs, Tree::Binomial, m);
    let mut below = BTreeMap::new();
    let mut all = Time::default();
    for node in 0..count {
        let leaders = Tree::Binomial.children(count, node).count() as u64;
        let own = below.entry((leaders, nodes.size(node))).or_insert_with(|| {
            let mut leader = Clock::new(costs);
            for _ in 0..leaders {
                leader.send(m);
            }
            inside.after(nodes.size(node), leader)
        });
        all = all.max(reaches(costs, m, node) + *own);
    }
    all
}

/// When a binomial tree reaches a rank: each 1-bit of its number is a message; each 0-bit below the
/// highest 1 is an earlier message of its sender.
fn reaches(costs: &dyn Costs, m: u64, v: u32) -> Time {
    let ones = u64::from(v.count_ones());
    let zeros = u64::from(u32::BITS - v.leading_zeros()) - ones;
    costs.message(m).times(ones) + costs.turn(m).times(zeros)
}
