//! A literal simulation in the model of the closed forms, LogGP: event by event, without regard to
//! speed.

use super::Machine;
use crate::collective::Costs;
use loggia_schedule::schedule::{Kind, Needs, Op, Schedule};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

/// An interpretation of an ambiguity of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interpretation {
    /// Whether the message sent last comes first among messages that arrive simultaneously.
    last_first: bool,
}

pub(super) const INTERPRETATIONS: [Interpretation; 2] =
    [Interpretation { last_first: false }, Interpretation { last_first: true }];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A message's first byte reaches its destination; the first number orders simultaneous
    /// messages.
    Head(u32, u32),
    /// All bytes of a message have arrived.
    Arrived(u32),
    /// An operation has finished.
    Done(u32),
    /// A rank's network interface is ready for the first waiting send.
    Free(u32),
}

#[derive(Clone, Default)]
struct Rank {
    is_busy: bool,
    out: u64,
    into: u64,
    /// Ready operations: time, kind, number.
    ready: Vec<(u64, Kind, u32)>,
    /// Sends that wait for the network interface: time, number.
    held: VecDeque<(u64, u32)>,
    /// The send for which the interface is reserved.
    granted: Option<u32>,
    posted: HashMap<(u32, u32), VecDeque<u32>>,
    arrived: HashMap<(u32, u32), VecDeque<(u64, u32)>>,
    /// Receives with an arrived message: time, order, number.
    pending: Vec<(u64, u32, u32)>,
    end: u64,
}

struct Run<'a> {
    schedule: &'a Schedule,
    machine: &'a Machine,
    interpretation: Interpretation,
    ranks: Vec<Rank>,
    needs: Needs,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    arrivals: u32,
    finished: usize,
}

/// Completion time; panics if a rank never finishes.
pub(super) fn run(schedule: &Schedule, machine: &Machine, interpretation: Interpretation) -> u64 {
    let needs = schedule.needs().clone();
    let ranks = vec![Rank::default(); schedule.ranks() as usize];
    let events = BinaryHeap::new();
    let mut run =
        Run { schedule, machine, interpretation, ranks, needs, events, arrivals: 0, finished: 0 };
    for op in 0..schedule.len() {
        if !run.needs.waits(op) {
            run.ready(0, op as u32);
        }
    }
    for rank in 0..schedule.ranks() {
        run.choose(0, rank);
    }
    while let Some(Reverse((now, _))) = run.events.peek().copied() {
        let mut affected = Vec::new();
        while let Some(Reverse((time, event))) = run.events.peek().copied() {
            if time > now {
                break;
            }
            run.events.pop();
            affected.push(run.handle(now, event));
        }
        for rank in affected {
            run.choose(now, rank);
        }
    }
    assert_eq!(run.finished, schedule.len(), "stuck");
    run.ranks.iter().map(|rank| rank.end).max().unwrap()
}

impl Run<'_> {
    fn op(&self, op: u32) -> Op {
        self.schedule.ops()[op as usize]
    }

    fn ready(&mut self, now: u64, op: u32) {
        let (rank, kind) = (self.op(op).rank as usize, self.op(op).kind);
        self.ranks[rank].ready.push((now, kind, op));
        self.ranks[rank].ready.sort();
    }

    /// Handles an event.
    fn handle(&mut self, now: u64, event: Event) -> u32 {
        match event {
            Event::Head(_, send) => {
                let Op { size, peer, .. } = self.op(send);
                let rank = &mut self.ranks[peer as usize];
                let arrives = now.max(rank.into) + self.machine.bytes(size);
                rank.into = arrives + self.machine.gap;
                self.events.push(Reverse((arrives, Event::Arrived(send))));
                peer
            }
            Event::Arrived(send) => {
                let Op { peer, rank: from, tag, size, .. } = self.op(send);
                self.arrivals += 1;
                let order = self.arrivals;
                let rank = &mut self.ranks[peer as usize];
                match rank.posted.entry((from, tag)).or_default().pop_front() {
                    Some(recv) => {
                        rank.pending.push((now, order, recv));
                        assert_eq!(self.op(recv).size, size);
                    }
                    None => rank.arrived.entry((from, tag)).or_default().push_back((now, order)),
                }
                peer
            }
            Event::Done(op) => {
                self.finished += 1;
                let rank = self.op(op).rank;
                self.ranks[rank as usize].end = now;
                self.ranks[rank as usize].is_busy = false;
                let mut ready = Vec::new();
                self.needs.meet(self.schedule.after_done(op as usize), |op| ready.push(op));
                ready.into_iter().for_each(|op| self.ready(now, op));
                rank
            }
            Event::Free(rank) => {
                let at = &mut self.ranks[rank as usize];
                let (since, send) = at.held.pop_front().unwrap();
                at.granted = Some(send);
                at.ready.push((since, Kind::Send, send));
                at.ready.sort();
                rank
            }
        }
    }

    fn occupy(&mut self, rank: u32, until: u64, op: u32) {
        self.ranks[rank as usize].is_busy = true;
        self.events.push(Reverse((until, Event::Done(op))));
    }

    /// Starts the next activity of a processor, if it is free.
    fn choose(&mut self, now: u64, rank: u32) {
        let machine = self.machine;
        loop {
            let at = &mut self.ranks[rank as usize];
            if at.is_busy {
                return;
            }
            let first = at.ready.first().copied();
            if let Some((_, Kind::Calc, op)) = first {
                at.ready.remove(0);
                return self.occupy(rank, now + self.op(op).size, op);
            }
            if !at.pending.is_empty() {
                at.pending.sort();
                let (_, _, recv) = at.pending.remove(0);
                let until = now + machine.recv(self.op(recv).size);
                return self.occupy(rank, until, recv);
            }
            let Some((since, kind, op)) = first else { return };
            let Op { size, peer, tag, .. } = self.op(op);
            let at = &mut self.ranks[rank as usize];
            if kind == Kind::Recv {
                at.ready.remove(0);
                match at.arrived.entry((peer, tag)).or_default().pop_front() {
                    Some((since, order)) => at.pending.push((since, order, op)),
                    None => at.posted.entry((peer, tag)).or_default().push_back(op),
                }
                continue;
            }
            let leaves = now + machine.send(size);
            at.ready.remove(0);
            if at.granted != Some(op)
                && (leaves < at.out || at.granted.is_some() || !at.held.is_empty())
            {
                if at.held.is_empty() && at.granted.is_none() {
                    self.events.push(Reverse((at.out - machine.send(size), Event::Free(rank))));
                }
                at.held.push_back((since, op));
                continue;
            }
            at.granted = None;
            at.out = leaves + machine.gap + machine.bytes(size);
            if let Some((_, next)) = at.held.front().copied() {
                let free = (at.out - machine.send(self.op(next).size)).max(now);
                self.events.push(Reverse((free, Event::Free(rank))));
            }
            let order = if self.interpretation.last_first { u32::MAX - op } else { op };
            self.events.push(Reverse((leaves + machine.latency, Event::Head(order, op))));
            return self.occupy(rank, leaves, op);
        }
    }
}
