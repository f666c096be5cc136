//! Every rank sends to all others and receives from all, in no order.
//!
//! # Formula
//! Where the processor paces the sends, H ≤ o_s, they come first, until S = (p − 1) o_s. Messages
//! arrive one every o_s and are taken one every o_r, so the first or the last one decides:
//! T = max(S + (p − 1) o_r, E + (p − 2) o_r, S + L + B + o_r)
//!
//! Where the network interface does, a rank receives while it waits to send, and a send that could
//! go waits for the processor in turn. All ranks do the same at the same time, so what leaves one
//! rank at some time arrives there L + B later, from another: T is p − 1 sends and receives of one
//! rank, each as early as it can, and at the same time the receive first. That takes p steps; above
//! 1,048,576 ranks the form above stands in, with M for o_s between sends.

use crate::collective::program::{Data, Program};
use crate::collective::rounds::{ahead, back};
use crate::collective::time::{Clock, Costs, Time};
use crate::collective::{Algorithm, Count, Shape};
use loggia_model::signature::Operation;
use std::collections::VecDeque;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Alltoall,
    name: "linear",
    summary: "every rank sends to all others and receives from all",
    needs_nodes: false,
    formula: "max(S + (p − 1) o_r(m), E(m) + (p − 2) o_r(m), S + L + B(m) + o_r(m)) where \
              S = (p − 1) o_s(m), if H(m) ≤ o_s(m); else sends and receives as they can",
    range: "any p up to 1,048,576, any m and parameters",
    exact: |shape, costs| !is_paced_by_interface(shape, costs) || shape.p() <= MOST_STEPS,
    time,
    program,
    count: |shape| Count::messages(u128::from(shape.p()) * u128::from(shape.p() - 1)),
};

/// The most ranks for which one rank's sends are followed one by one.
const MOST_STEPS: u32 = 1 << 20;

fn is_paced_by_interface(shape: &Shape, costs: &dyn Costs) -> bool {
    costs.hold(shape.m()).ps > costs.send(shape.m())
}

fn program(shape: &Shape, rank: u32, program: &mut dyn Program) {
    let p = shape.p();
    for distance in 1..p {
        let (to, from) = (ahead(rank, distance, p), back(rank, distance, p));
        program.send(to, Data::Pair { from: rank, to }, None);
        program.recv(from, Data::Pair { from, to: rank }, None);
    }
}

fn time(shape: &Shape, costs: &dyn Costs) -> Time {
    let (m, others) = (shape.m(), u64::from(shape.p() - 1));
    if is_paced_by_interface(shape, costs) && shape.p() <= MOST_STEPS {
        return paced_by_interface(m, others, costs);
    }
    let sent = costs.o_s(m) + costs.turn(m).times(others - 1);
    let receives = costs.o_r(m).times(others);
    let first = costs.o_s(m) + costs.l(m) + costs.b(m);
    let last = sent + costs.l(m) + costs.b(m) + costs.o_r(m);
    (sent + receives).max(first + receives).max(last)
}

/// One rank's sends and receives, each as early as it can.
fn paced_by_interface(m: u64, others: u64, costs: &dyn Costs) -> Time {
    let mut clock = Clock::new(costs);
    let mut on_the_way = VecDeque::from([clock.send(m)]);
    let mut to_send = others - 1;
    while let Some(left) = on_the_way.front().copied() {
        let sends_at = clock.cpu.ps.max(clock.out.ps.saturating_sub(costs.send(m)));
        let arrives = left + costs.l(m) + costs.b(m);
        if to_send > 0 && sends_at < arrives.ps {
            on_the_way.push_back(clock.send(m));
            to_send -= 1;
        } else {
            clock.recv(left, m);
            on_the_way.pop_front();
            if on_the_way.is_empty() && to_send > 0 {
                on_the_way.push_back(clock.send(m));
                to_send -= 1;
            }
        }
    }
    clock.cpu
}
