//! Down a chain in segments: a rank forwards each segment before it receives the next one.
//!
//! # Formula
//! With n full segments of s bytes and p ≥ 3:
//! T = (p − 1) E(s) + (n − 1) max(H(s), o_s(s) + o_r(s))
//!
//! Per segment, an inner rank's processor takes o_s + o_r and its network interface H, so segments
//! follow each other at the larger of both. A last, shorter segment of k bytes has its own costs.
//! It leaves rank r at x_r = max(x_(r−1) + E(k), y_r + max(H(s), o_r(k) + o_s(k))), where y_r is
//! the departure of the segment before it. This is linear in r on either side, so the result is a
//! maximum of three.
//!
//! If H is larger, T is minimal near s = √(g m / ((p − 2) G)): shorter segments pay g more often,
//! longer segments fill the chain later. The default is 8 KiB.

use crate::collective::program::{Data, Op, Program};
use crate::collective::time::{Costs, Time};
use crate::collective::{ALWAYS, Algorithm, Count, Shape, always};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Bcast,
    name: "pipelined-chain",
    summary: "every rank sends to the next rank, segment by segment",
    needs_nodes: false,
    formula: "(p − 1) E(s) + (⌈m/s⌉ − 1) max(H(s), o_s(s) + o_r(s)), \
              with the costs of the last segment",
    range: ALWAYS,
    exact: always,
    time,
    program,
    count: |shape| Count::messages(u128::from(shape.p() - 1) * u128::from(shape.segments())),
};

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let is_last = rank == shape.p() - 1;
    let mut passed: Option<Op> = None;
    for segment in (0..shape.segments()).map(Data::Segment) {
        let got = match rank {
            0 => None,
            _ => Some(program.recv(rank - 1, segment, passed)),
        };
        if !is_last {
            let sent = program.send(rank + 1, segment, got);
            passed = got.map(|_| sent);
        }
    }
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let (p, n) = (u64::from(shape.p()), shape.segments());
    let last = shape.size(Data::Segment(n - 1));
    if n == 1 {
        return costs.message(last).times(p - 1);
    }
    let s = shape.segment.0;
    // All but the last segment: departure from rank r, and arrival at the last rank.
    let period = costs.hold(s).max(costs.o_s(s) + costs.o_r(s));
    let first_leaves = |r: u64| costs.o_s(s) + costs.message(s).times(r);
    let arrives = costs.l(s) + costs.b(s) + costs.o_r(s);
    let (before_last, has) = if p == 2 {
        let left = costs.o_s(s) + costs.turn(s).times(n - 2);
        (left, (left + arrives).max(costs.message(s) + costs.o_r(s).times(n - 2)))
    } else {
        let left = first_leaves(p - 2) + period.times(n - 2);
        (left, left + arrives)
    };
    // The last segment.
    let root = costs.o_s(s) + costs.turn(s).times(n - 2);
    let mut leaves = (root + costs.o_s(last)).max(root + costs.hold(s));
    if p > 2 {
        let own = costs.hold(s).max(costs.o_r(last) + costs.o_s(last));
        let second = first_leaves(1) + period.times(n - 2) + own;
        let path = |ranks: u64| costs.message(last).times(ranks);
        leaves = (leaves + path(p - 2)).max(second + path(p - 3)).max(before_last + own);
    }
    has.max(leaves + costs.l(last) + costs.b(last)) + costs.o_r(last)
}
