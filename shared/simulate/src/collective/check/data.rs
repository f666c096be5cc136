//! Runs an algorithm with real data: every byte tracks the contributing ranks, and every action
//! tracks the ranks on which it depends.

use super::machine::Draw;
use crate::collective::program::{Data, Op, Program};
use crate::collective::rounds::{ahead, back};
use crate::collective::{Algorithm, Shape};
use loggia_model::signature::{BytesAre, Operation};
use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Copy, Debug, PartialEq)]
enum ActionKind {
    Send,
    Keep,
    Combine,
    /// Combines the vector with the data of this receive.
    Add(usize),
    Wait,
}

#[derive(Clone, Debug)]
struct Action {
    kind: ActionKind,
    peer: u32,
    data: Data,
    tag: u32,
    after: Vec<usize>,
}

/// Records the actions of a rank.
#[derive(Default)]
struct Script {
    actions: Vec<Action>,
    tag: u32,
}

impl Script {
    fn push(&mut self, kind: ActionKind, peer: u32, data: Data, after: Option<Op>) -> Op {
        let after = after.iter().map(|op| op.last as usize).collect();
        self.actions.push(Action { kind, peer, data, tag: self.tag, after });
        let id = self.actions.len() as u32 - 1;
        Op { first: id, last: id }
    }
}

impl Program for Script {
    fn send(&mut self, to: u32, data: Data, after: Option<Op>) -> Op {
        self.push(ActionKind::Send, to, data, after)
    }
    fn recv(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        self.push(ActionKind::Keep, from, data, after)
    }
    fn reduce(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        self.push(ActionKind::Combine, from, data, after)
    }
    fn add(&mut self, received: Op, after: Option<Op>) -> Op {
        let added = self.push(ActionKind::Add(received.first as usize), 0, Data::Vector, after);
        self.after(added, received);
        added
    }
    fn join(&mut self) -> Op {
        self.push(ActionKind::Wait, 0, Data::Token, None)
    }
    fn after(&mut self, op: Op, earlier: Op) {
        self.actions[op.first as usize].after.push(earlier.last as usize);
    }
    fn next_part(&mut self) {
        self.tag += 1;
    }
}

/// The byte positions of a message's data.
fn bytes_of(shape: &Shape, data: Data) -> Vec<usize> {
    let (p, m) = (shape.p(), shape.m());
    let pair = |from: u32, to: u32| {
        let begins = (u64::from(from) * u64::from(p) + u64::from(to)) * m;
        begins..begins + m
    };
    let part = |part, of| shape.part_begins(part, of)..shape.part_begins(part + 1, of);
    let bytes: Vec<u64> = match data {
        Data::Token => Vec::new(),
        Data::Vector => (0..m).collect(),
        Data::Sum => (m..2 * m).collect(),
        Data::Parts { first, count, of } => {
            (first..first + count).flat_map(|index| part(index % of, of)).collect()
        }
        Data::Segment(index) => {
            let begins = index * shape.segment.0;
            (begins..m.min(begins + shape.segment.0)).collect()
        }
        Data::Blocks { first, count } => (first..first + count)
            .map(|block| u64::from(block % p))
            .flat_map(|block| block * m..(block + 1) * m)
            .collect(),
        Data::Pair { from, to } => pair(from, to).collect(),
        Data::Round { round, at } => (1..p)
            .filter(|distance| distance >> round & 1 == 1)
            .flat_map(|distance| {
                let from = back(at, distance & ((1 << round) - 1), p);
                pair(from, ahead(from, distance, p))
            })
            .collect(),
    };
    if data != Data::Token {
        assert_eq!(bytes.len() as u64, shape.size(data), "{data:?}");
    }
    bytes.into_iter().map(|byte| byte as usize).collect()
}

/// The contributions of each byte before the operation, and required after it. `rank` is counted
/// from the root.
fn contributions(algorithm: &Algorithm, shape: &Shape, rank: u32) -> [Vec<(usize, u64)>; 2] {
    let p = shape.p();
    let all_ranks = u64::MAX >> (64 - p);
    let own = 1u64 << rank;
    let each = |data: Data, contributors: u64| {
        bytes_of(shape, data).into_iter().map(|byte| (byte, contributors)).collect::<Vec<_>>()
    };
    let at_root = |data: Vec<(usize, u64)>| if rank == 0 { data } else { Vec::new() };
    let from_each = |data: &dyn Fn(u32) -> Data| {
        (0..p).flat_map(|other| each(data(other), 1 << other)).collect::<Vec<_>>()
    };
    let blocks = || from_each(&|other| Data::blocks(other, 1));
    let pairs = |pair: &dyn Fn(u32) -> Data, contributors: &dyn Fn(u32) -> u64| {
        (0..p)
            .filter(|other| *other != rank)
            .flat_map(|other| each(pair(other), contributors(other)))
            .collect::<Vec<_>>()
    };
    match algorithm.op {
        Operation::Barrier => [Vec::new(), Vec::new()],
        Operation::Bcast => [at_root(each(Data::Vector, 1)), each(Data::Vector, 1)],
        Operation::Gather => [each(Data::blocks(rank, 1), own), at_root(blocks())],
        Operation::Scatter => {
            [at_root(each(Data::blocks(0, p), 1)), each(Data::blocks(rank, 1), 1)]
        }
        Operation::Reduce => [each(Data::Vector, own), at_root(each(Data::Vector, all_ranks))],
        Operation::Allreduce => [each(Data::Vector, own), each(Data::Vector, all_ranks)],
        Operation::Scan => {
            let both = [each(Data::Vector, own), each(Data::Sum, own)].concat();
            [both, each(Data::Vector, 2 * own - 1)]
        }
        Operation::Allgather => [each(Data::blocks(rank, 1), own), blocks()],
        Operation::ReduceScatter => {
            [each(Data::Vector, own), each(Data::parts(rank, 1, p), all_ranks)]
        }
        Operation::Alltoall => [
            pairs(&|to| Data::Pair { from: rank, to }, &|_| own),
            pairs(&|from| Data::Pair { from, to: rank }, &|from| 1 << from),
        ],
    }
}

struct Message {
    data: Data,
    values: Vec<u64>,
    after: u64,
}

#[derive(Default)]
struct Rank {
    actions: Vec<Action>,
    holds: Vec<u64>,
    /// For each finished action, the ranks on which it depends.
    depends_on: Vec<Option<u64>>,
    ready: VecDeque<usize>,
    waiting: Vec<usize>,
    posted: Vec<usize>,
    inbox: BTreeMap<(u32, u32), VecDeque<Message>>,
    /// The data of each finished receive.
    received: BTreeMap<usize, Vec<u64>>,
}

impl Rank {
    /// Queues the actions that have become ready.
    fn queue_ready(&mut self) {
        for index in std::mem::take(&mut self.waiting) {
            if self.actions[index].after.iter().all(|a| self.depends_on[*a].is_some()) {
                self.ready.push_back(index);
            } else {
                self.waiting.push(index);
            }
        }
    }

    fn finish(&mut self, index: usize, own: u64, received_dependencies: u64) {
        let before = self.actions[index].after.iter().filter_map(|a| self.depends_on[*a]);
        self.depends_on[index] =
            Some(before.fold(own | received_dependencies, |all, depends_on| all | depends_on));
        self.queue_ready();
    }

    fn combine(&mut self, bytes: &[usize], values: &[u64]) {
        for (byte, value) in bytes.iter().zip(values) {
            assert_eq!(self.holds[*byte] & value, 0, "byte {byte} is combined twice");
            self.holds[*byte] |= value;
        }
    }

    /// The first posted receive with a message.
    fn receivable(&self) -> Option<usize> {
        let key = |index: usize| (self.actions[index].peer, self.actions[index].tag);
        self.posted.iter().position(|recv| {
            self.inbox.get(&key(*recv)).is_some_and(|messages| !messages.is_empty())
        })
    }
}

/// Runs the algorithm in a random order; panics if the result is wrong.
pub(super) fn check(algorithm: &Algorithm, shape: &Shape, draw: &mut Draw) {
    let p = shape.p();
    let from_root = |rank| back(rank, shape.root, p);
    let name = || format!("{} {} on {p}: {shape:?}", algorithm.op.name(), algorithm.name);
    let whole = match algorithm.op.bytes_are() {
        BytesAre::PerPair => shape.m() * u64::from(p * p),
        BytesAre::PerRank => shape.m() * u64::from(p),
        BytesAre::Total | BytesAre::Vector => 2 * shape.m(),
    };
    let mut ranks: Vec<Rank> = (0..p)
        .map(|rank| {
            let mut script = Script::default();
            algorithm.emit(shape, rank, &mut script);
            let count = script.actions.len();
            let mut holds = vec![0; whole as usize];
            let [before, _] = contributions(algorithm, shape, from_root(rank));
            before.into_iter().for_each(|(byte, contributors)| holds[byte] = contributors);
            let mut rank = Rank {
                actions: script.actions,
                holds,
                depends_on: vec![None; count],
                waiting: (0..count).collect(),
                ..Rank::default()
            };
            rank.queue_ready();
            rank
        })
        .collect();
    loop {
        // A random rank, or the next rank that can proceed.
        let first = draw.below(p);
        if !(0..p).any(|further| step(&mut ranks, ahead(first, further, p), shape, draw)) {
            break;
        }
    }
    for rank in 0..p {
        let [_, after] = contributions(algorithm, shape, from_root(rank));
        let at = &ranks[rank as usize];
        assert!(at.depends_on.iter().all(Option::is_some), "stuck: {}", name());
        assert!(at.inbox.values().all(VecDeque::is_empty), "unmatched: {}", name());
        for (byte, contributors) in after {
            assert_eq!(at.holds[byte], contributors, "byte {byte} of rank {rank}: {}", name());
        }
        if algorithm.op == Operation::Barrier && p > 1 {
            let known = at.depends_on.iter().flatten().fold(0, |all, depends_on| all | depends_on);
            assert_eq!(known, u64::MAX >> (64 - p), "rank {rank}: {}", name());
        }
    }
}

/// Performs the next action of a rank; returns whether there was one.
fn step(ranks: &mut [Rank], rank: u32, shape: &Shape, draw: &mut Draw) -> bool {
    let at = &mut ranks[rank as usize];
    let receivable = at.receivable();
    let own = 1u64 << rank;
    match (at.ready.front().copied(), receivable) {
        (None, None) => false,
        (Some(index), received) if received.is_none() || draw.below(2) == 0 => {
            at.ready.pop_front();
            let Action { kind, peer, data, tag, .. } = at.actions[index].clone();
            match kind {
                ActionKind::Wait => at.finish(index, own, 0),
                ActionKind::Add(received) => {
                    let values = at.received[&received].clone();
                    at.combine(&bytes_of(shape, data), &values);
                    at.finish(index, own, 0);
                }
                ActionKind::Keep | ActionKind::Combine => at.posted.push(index),
                ActionKind::Send => {
                    let value = |byte: usize| at.holds[byte];
                    let values = bytes_of(shape, data).into_iter().map(value).collect();
                    at.finish(index, own, 0);
                    let after = at.depends_on[index].unwrap();
                    let to = &mut ranks[peer as usize];
                    let message = Message { data, values, after };
                    to.inbox.entry((rank, tag)).or_default().push_back(message);
                }
            }
            true
        }
        (_, Some(position)) => {
            let index = at.posted.remove(position);
            let Action { kind, peer, data, tag, .. } = at.actions[index].clone();
            let message = at.inbox.get_mut(&(peer, tag)).unwrap().pop_front().unwrap();
            assert_eq!(message.data, data, "a message for another receive");
            let bytes = bytes_of(shape, data);
            if kind == ActionKind::Combine {
                at.combine(&bytes, &message.values);
            } else {
                bytes
                    .iter()
                    .zip(&message.values)
                    .for_each(|(byte, value)| at.holds[*byte] = *value);
            }
            at.received.insert(index, message.values);
            at.finish(index, own, message.after);
            true
        }
        _ => unreachable!(),
    }
}
