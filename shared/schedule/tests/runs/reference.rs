//! A literal implementation of LogGOPSim's model: one heap and two lists per rank.
#![allow(unreachable_pub, reason = "part of a test")]

use loggia_schedule::loggops::Costs;
use loggia_schedule::schedule::{ANY, Kind, Schedule};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct Ended {
    pub ends: Vec<u64>,
    pub events: u64,
    pub left: usize,
}

/// An operation, or with `true` its message.
type Item = (usize, bool);

struct State<'a> {
    schedule: &'a Schedule,
    heap: BinaryHeap<Reverse<(u64, u64, Item)>>,
    number: u64,
    cpu: Vec<Vec<u64>>,
    sending: Vec<Vec<u64>>,
    receiving: Vec<Vec<u64>>,
    posted: Vec<Vec<usize>>,
    unexpected: Vec<Vec<usize>>,
    needs: Vec<u32>,
    finished: Vec<bool>,
    freed: Vec<Vec<usize>>,
}

impl State<'_> {
    fn push(&mut self, time: u64, item: Item) {
        self.heap.push(Reverse((time, self.number, item)));
        self.number += 1;
    }

    fn free(&mut self, list: &[u32]) {
        for op in list {
            let op = *op as usize;
            self.needs[op] -= 1;
            if self.needs[op] == 0 {
                self.freed[self.schedule.ops()[op].rank as usize].push(op);
            }
        }
    }

    fn done(&mut self, op: usize) {
        assert!(!std::mem::replace(&mut self.finished[op], true));
        self.free(self.schedule.after_done(op));
    }

    fn enqueue_freed(&mut self) {
        for rank in 0..self.freed.len() {
            let mut ops = std::mem::take(&mut self.freed[rank]);
            ops.sort_by_key(|op| self.schedule.ops()[*op].kind);
            for op in ops {
                let of = &self.schedule.ops()[op];
                let mut time = self.cpu[rank][usize::from(of.cpu)];
                if of.kind.sends() {
                    time = time.max(self.sending[rank][usize::from(of.nic)]);
                }
                self.push(time, (op, false));
            }
        }
    }
}

pub fn run(schedule: &Schedule, costs: &Costs<u64>) -> Ended {
    let ranks = schedule.ranks() as usize;
    let ops = schedule.ops();
    let mut state = State {
        schedule,
        heap: BinaryHeap::new(),
        number: 0,
        cpu: vec![vec![0; schedule.cpus()]; ranks],
        sending: vec![vec![0; schedule.nics()]; ranks],
        receiving: vec![vec![0; schedule.nics()]; ranks],
        posted: vec![Vec::new(); ranks],
        unexpected: vec![Vec::new(); ranks],
        needs: (0..ops.len()).map(|op| schedule.needs().of(op)).collect(),
        finished: vec![false; ops.len()],
        freed: vec![Vec::new(); ranks],
    };
    for (index, op) in ops.iter().enumerate() {
        if state.needs[index] == 0 {
            state.freed[op.rank as usize].push(index);
        }
    }
    state.enqueue_freed();
    let fits = |a: u32, b: u32| a == b || a == ANY || b == ANY;
    let minus_one = |bytes: u64| bytes.wrapping_sub(1);
    let Costs { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit } = *costs;
    while let Some(Reverse((time, number, item))) = state.heap.pop() {
        let (index, message) = item;
        let op = ops[index];
        let (cpu, nic) = (usize::from(op.cpu), usize::from(op.nic));
        let rank = if message { op.peer } else { op.rank } as usize;
        let free = match (message, op.kind) {
            (true, _) => state.cpu[rank][cpu].max(state.receiving[rank][nic]),
            (_, Kind::Send | Kind::Ssend) => state.cpu[rank][cpu].max(state.sending[rank][nic]),
            (_, Kind::Calc) => state.cpu[rank][cpu],
            (_, Kind::Recv) => time,
        };
        if free > time {
            state.heap.push(Reverse((free, number, item)));
            continue;
        }
        let own = minus_one(op.size).wrapping_mul(overhead_per_byte);
        let bytes = minus_one(op.size).wrapping_mul(gap_per_byte);
        let mut release = None;
        if message {
            state.cpu[rank][cpu] = time.wrapping_add(overhead).wrapping_add(own.max(bytes));
            state.receiving[rank][nic] = time.wrapping_add(gap).wrapping_add(bytes);
            let met = state.posted[rank]
                .iter()
                .position(|recv| fits(ops[*recv].peer, op.rank) && fits(ops[*recv].tag, op.tag));
            match met {
                None => state.unexpected[rank].push(index),
                Some(at) => {
                    let recv = state.posted[rank].remove(at);
                    state.done(recv);
                    if op.size > eager_limit || op.kind == Kind::Ssend {
                        release = Some((index, cpu, nic));
                    }
                }
            }
        } else {
            state.free(schedule.after_start(index));
            match op.kind {
                Kind::Calc => {
                    state.cpu[rank][cpu] = time.wrapping_add(op.size);
                    state.done(index);
                }
                Kind::Send | Kind::Ssend => {
                    state.cpu[rank][cpu] = time.wrapping_add(overhead).wrapping_add(own);
                    state.sending[rank][nic] = time.wrapping_add(gap).wrapping_add(bytes);
                    state.push(time.wrapping_add(overhead).wrapping_add(latency), (index, true));
                    if op.size <= eager_limit && op.kind == Kind::Send {
                        state.done(index);
                    }
                }
                Kind::Recv => {
                    let met = state.unexpected[rank].iter().position(|send| {
                        fits(op.peer, ops[*send].rank) && fits(op.tag, ops[*send].tag)
                    });
                    match met {
                        None => state.posted[rank].push(index),
                        Some(at) => {
                            let send = state.unexpected[rank].remove(at);
                            state.done(index);
                            if op.size > eager_limit || ops[send].kind == Kind::Ssend {
                                release = Some((send, cpu, nic));
                            }
                        }
                    }
                }
            }
        }
        if let Some((send, cpu, nic)) = release {
            let from = ops[send].rank as usize;
            state.cpu[from][cpu] = state.cpu[from][cpu].max(time);
            state.sending[from][nic] = state.sending[from][nic].max(time);
            if !state.finished[send] {
                state.done(send);
            }
        }
        state.enqueue_freed();
    }
    Ended {
        ends: state.cpu.iter().map(|cpus| cpus.iter().copied().max().unwrap_or(0)).collect(),
        events: state.number,
        left: state.posted.iter().chain(&state.unexpected).map(Vec::len).sum(),
    }
}
