//! Every rank sends to all others and receives from all, without order.
//!
//! # Formula
//! If the processor limits the sends (H ≤ o_s), they come first, until S = (p − 1) o_s. Messages
//! arrive every o_s and are received every o_r, so the first or the last message determines the
//! time: T = max(S + (p − 1) o_r, E + (p − 2) o_r, S + L + B + o_r)
//!
//! If the network interface limits the sends, a rank receives between its sends, and a send may
//! wait for the processor. All ranks act simultaneously, so a message that leaves one rank arrives
//! there L + B later from another rank. T follows from p − 1 sends and receives of one rank, each
//! as early as possible, with receives first at equal times. This takes p steps; above 1,048,576
//! ranks the form above is used instead, with M in place of o_s between sends.

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
    formula: "max(S + (p − 1) o_r(m), E(m) + (p − 2) o_r(m), S + L + B(m) + o_r(m)), where \
              S = (p − 1) o_s(m), if H(m) ≤ o_s(m); else each send and receive as early as possible",
    range: "any p up to 1,048,576, any m and parameters",
    exact: |shape, costs| !is_paced_by_interface(shape, costs) || shape.p() <= MAX_STEPS,
    time,
    program,
    count: |shape| Count::messages(u128::from(shape.p()) * u128::from(shape.p() - 1)),
};

/// Maximum number of ranks for which one rank's messages are computed one by one.
const MAX_STEPS: u32 = 1 << 20;

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
    if is_paced_by_interface(shape, costs) && shape.p() <= MAX_STEPS {
        return paced_by_interface(m, others, costs);
    }
    let sent = costs.o_s(m) + costs.turn(m).times(others - 1);
    let receives = costs.o_r(m).times(others);
    let first = costs.o_s(m) + costs.l(m) + costs.b(m);
    let last = sent + costs.l(m) + costs.b(m) + costs.o_r(m);
    (sent + receives).max(first + receives).max(last)
}

/// One rank's sends and receives, each as early as possible.
fn paced_by_interface(m: u64, others: u64, costs: &dyn Costs) -> Time {
    let mut clock = Clock::new(costs);
    let mut in_flight = VecDeque::from([clock.send(m)]);
    let mut to_send = others - 1;
    while let Some(left) = in_flight.front().copied() {
        let sends_at = clock.cpu.ps.max(clock.out.ps.saturating_sub(costs.send(m)));
        let arrives = left + costs.l(m) + costs.b(m);
        if to_send > 0 && sends_at < arrives.ps {
            in_flight.push_back(clock.send(m));
            to_send -= 1;
        } else {
            clock.recv(left, m);
            in_flight.pop_front();
            if in_flight.is_empty() && to_send > 0 {
                in_flight.push_back(clock.send(m));
                to_send -= 1;
            }
        }
    }
    clock.cpu
}
