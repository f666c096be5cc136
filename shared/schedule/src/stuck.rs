//! Why a run is stuck.

use crate::outcome::Unfinished;
use crate::schedule::{ANY, Kind, Op, OpId, Schedule};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stuck {
    /// A deadlock: each operation waits for the next, the last for the first.
    pub cycle: Vec<OpId>,
    /// Receives without a matching send.
    pub without_send: Vec<OpId>,
    /// Sends without a matching receive.
    pub without_receive: Vec<OpId>,
    /// Sends that were received but never finished: in [`loggops`](crate::loggops), a receive of at
    /// most the eager limit does not notify the sender.
    pub unanswered: Vec<OpId>,
}

impl Stuck {
    /// Analyses the unfinished operations of a run.
    pub fn of(schedule: &Schedule, left: &Unfinished) -> Self {
        let waits = Waits::new(schedule, left);
        let unmatched = |ops: &[OpId]| {
            let unmatched = ops.iter().filter(|op| waits.partner(op.0).is_none());
            unmatched.copied().collect::<Vec<_>>()
        };
        Stuck {
            cycle: waits.cycle(left),
            without_send: unmatched(&left.receives),
            without_receive: unmatched(&left.messages),
            unanswered: waits.unanswered(left),
        }
    }
}

/// Dependencies between unfinished operations.
struct Waits<'a> {
    schedule: &'a Schedule,
    /// For each operation that never began, an operation for which it waits.
    before: HashMap<u32, u32>,
    /// Operations that never began, by direction, rank and peer.
    never: HashMap<(bool, u32, u32), Vec<u32>>,
}

impl<'a> Waits<'a> {
    fn new(schedule: &'a Schedule, left: &Unfinished) -> Self {
        let mut waits = Waits { schedule, before: HashMap::new(), never: HashMap::new() };
        let never: HashSet<u32> = left.waiting.iter().map(|op| op.0).collect();
        // Messages first: later insertions replace them.
        for id in [&left.messages, &left.receives, &left.waiting].into_iter().flatten() {
            for next in schedule.after_done(id.index()) {
                if never.contains(next) {
                    waits.before.insert(*next, id.0);
                }
            }
        }
        for id in &left.waiting {
            let op = schedule.op(*id);
            if op.kind != Kind::Calc {
                let direction = (op.kind.sends(), op.rank, op.peer);
                waits.never.entry(direction).or_default().push(id.0);
            }
            for next in schedule.after_start(id.index()) {
                waits.before.insert(*next, id.0);
            }
        }
        waits
    }

    /// The operation that never began and would match this one.
    fn partner(&self, id: u32) -> Option<u32> {
        let op = self.schedule.op(OpId(id));
        let fits = |other: &&u32| {
            let other = self.schedule.op(OpId(**other));
            other.tag == op.tag || other.tag == ANY || op.tag == ANY
        };
        let find = |sends, from, to| self.never.get(&(sends, from, to))?.iter().find(fits).copied();
        match op.kind {
            Kind::Calc => None,
            Kind::Send | Kind::Ssend => {
                find(false, op.peer, op.rank).or_else(|| find(false, op.peer, ANY))
            }
            Kind::Recv if op.peer == ANY => {
                (0..self.schedule.ranks()).find_map(|from| find(true, from, op.rank))
            }
            Kind::Recv => find(true, op.peer, op.rank),
        }
    }

    fn next(&self, id: u32) -> Option<u32> {
        self.before.get(&id).copied().or_else(|| self.partner(id))
    }

    /// Sends with dependent operations that have no other reason to wait.
    fn unanswered(&self, left: &Unfinished) -> Vec<OpId> {
        let mut sends: Vec<OpId> = Vec::new();
        let unexplained = left.waiting.iter().filter(|op| !self.before.contains_key(&op.0));
        for op in unexplained {
            let earlier = self.schedule.of_rank(self.schedule.op(*op).rank);
            sends.extend(earlier.filter_map(|index| {
                let send = self.schedule.ops()[index].kind.sends();
                let waits = send && self.schedule.after_done(index).contains(&op.0);
                waits.then_some(OpId(index as u32))
            }));
        }
        sends.sort_unstable();
        sends.dedup();
        sends
    }

    /// Follows dependencies until an operation repeats.
    fn cycle(&self, left: &Unfinished) -> Vec<OpId> {
        let mut seen: HashSet<u32> = HashSet::new();
        let all = [&left.receives, &left.messages, &left.waiting];
        for start in all.into_iter().flatten() {
            let mut path: Vec<u32> = Vec::new();
            let mut at = Some(start.0);
            while let Some(op) = at {
                if !seen.insert(op) {
                    // Visited on this path, or on an earlier one without a cycle.
                    if let Some(begin) = path.iter().position(|before| *before == op) {
                        return path[begin..].iter().map(|op| OpId(*op)).collect();
                    }
                    break;
                }
                path.push(op);
                at = self.next(op);
            }
        }
        Vec::new()
    }
}

/// An operation as text: `rank 3: recv 8b from 4 tag 0`.
pub fn describe(op: &Op) -> String {
    let any = |number: u32| if number == ANY { "-1".to_owned() } else { number.to_string() };
    let (rank, size) = (op.rank, op.size);
    match op.kind {
        Kind::Send | Kind::Ssend => {
            format!("rank {rank}: send {size}b to {} tag {}", any(op.peer), any(op.tag))
        }
        Kind::Recv => {
            format!("rank {rank}: recv {size}b from {} tag {}", any(op.peer), any(op.tag))
        }
        Kind::Calc => format!("rank {rank}: calc {size}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::loggops::{Costs, run};
    use crate::observe::NoObserver;
    use crate::schedule::{Builder, Step};

    fn stuck(schedule: &Schedule) -> (Stuck, Unfinished) {
        let costs = Costs { latency: 10u64, overhead: 1, eager_limit: 100, ..Costs::default() };
        let left = run(schedule, &costs, 1, &mut NoObserver).left;
        (Stuck::of(schedule, &left), left)
    }

    /// Both ranks receive before they send.
    #[test]
    fn two_ranks_that_wait_for_each_other() {
        let mut builder = Builder::default();
        for rank in 0..2 {
            builder.rank();
            let recv = builder.push(Step::recv(8, 1 - rank));
            let send = builder.push(Step::send(8, 1 - rank));
            builder.after(send, recv);
        }
        let schedule = builder.finish().unwrap();
        let (stuck, left) = stuck(&schedule);
        assert_eq!((left.receives.len(), left.waiting.len()), (2, 2));
        let cycle: Vec<String> = stuck.cycle.iter().map(|op| describe(schedule.op(*op))).collect();
        assert_eq!(
            cycle,
            [
                "rank 0: recv 8b from 1 tag 0",
                "rank 1: send 8b to 0 tag 0",
                "rank 1: recv 8b from 0 tag 0",
                "rank 0: send 8b to 1 tag 0"
            ]
        );
        assert!(stuck.without_send.is_empty());
    }

    /// Both ranks send above the eager limit before they receive.
    #[test]
    fn two_sends_that_wait_for_their_receives() {
        let mut builder = Builder::default();
        for rank in 0..2 {
            builder.rank();
            let send = builder.push(Step::send(101, 1 - rank));
            let recv = builder.push(Step::recv(101, 1 - rank));
            builder.after(recv, send);
        }
        let (stuck, _) = stuck(&builder.finish().unwrap());
        assert_eq!(stuck.cycle.len(), 4);
    }

    #[test]
    fn a_circle_of_dependencies_and_a_wrong_tag() {
        let mut builder = Builder::default();
        builder.rank();
        let [a, b] = [1, 2].map(|time| builder.push(Step::calc(time)));
        builder.after(a, b);
        builder.after(b, a);
        let unmatched_recv = builder.push(Step::recv(8, 1).tag(3));
        builder.rank();
        let unmatched_send = builder.push(Step::send(8, 0).tag(4));
        let (stuck, left) = stuck(&builder.finish().unwrap());
        assert_eq!(stuck.cycle, [a, b]);
        assert_eq!(
            (stuck.without_send, stuck.without_receive),
            (vec![unmatched_recv], vec![unmatched_send])
        );
        assert_eq!(left.waiting, [a, b]);
    }
}
