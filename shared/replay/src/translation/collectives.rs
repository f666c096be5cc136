//! One rank's operations in a traced collective operation.

use super::Translator;
use crate::choice::Chooser;
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::signature::Operation as Modelled;
use loggia_model::units::{Bytes, Procs};
use loggia_schedule::schedule::{OpId, Step};
use loggia_simulate::collective::action_sink::{ActionSink, message};
use loggia_simulate::collective::program::Op;
use loggia_simulate::collective::{Algorithm, Shape};
use loggia_simulate::order::Before;
use loggia_trace::call::{Collective, Operation};

/// The operation and its number of bytes, as algorithms count them; `None` if the parts differ and each
/// rank's trace holds only its own.
pub(super) fn modelled(call: &Collective, procs: u32) -> Option<(Modelled, u64)> {
    let p = u64::from(procs);
    Some(match call.op {
        Operation::Barrier => (Modelled::Barrier, 0),
        Operation::Bcast => (Modelled::Bcast, call.bytes),
        Operation::Gather => (Modelled::Gather, call.bytes),
        Operation::Scatter => (Modelled::Scatter, call.bytes),
        Operation::Allgather => (Modelled::Allgather, call.bytes),
        Operation::Alltoall => (Modelled::Alltoall, call.bytes),
        Operation::Reduce => (Modelled::Reduce, call.bytes),
        Operation::Allreduce => (Modelled::Allreduce, call.bytes),
        Operation::Scan | Operation::Exscan => (Modelled::Scan, call.bytes),
        Operation::ReduceScatter => (Modelled::ReduceScatter, call.receives.sum()),
        Operation::ReduceScatterBlock => (Modelled::ReduceScatter, call.bytes.saturating_mul(p)),
        Operation::Gatherv
        | Operation::Scatterv
        | Operation::Allgatherv
        | Operation::Alltoallv
        | Operation::Alltoallw
        | Operation::NeighborAllgather
        | Operation::NeighborAllgatherv
        | Operation::NeighborAlltoall
        | Operation::NeighborAlltoallv
        | Operation::NeighborAlltoallw => return None,
    })
}

/// The participants of an operation, and this rank among them.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// The run's communicator.
    pub(super) comm: u32,
    /// This rank's number in it.
    pub(super) rank: u32,
    pub(super) size: u32,
    /// The tag of all messages of this operation.
    pub(super) tag: u32,
    /// The label of all operations: the kind of the call.
    pub(super) label: u8,
}

/// Receives the operations of one rank.
struct Writer<'a, 'w, 'b> {
    walk: &'a mut Translator<'w, 'b>,
    group: Group,
    shape: Shape<'a>,
    /// The dependency of the first operations.
    entry: Before,
    /// All operations, and whether another operation here waits for each.
    ops: Vec<(OpId, bool)>,
}

impl Translator<'_, '_> {
    /// Emits a collective operation; returns its last operations, on which later calls depend.
    pub(super) fn collective(
        &mut self,
        call: &Collective,
        group: Group,
    ) -> Result<Vec<OpId>, Error> {
        match modelled(call, group.size) {
            Some((op, bytes)) => {
                let (algorithm, chooser) = self.chosen(op, group.size, bytes)?;
                let is_free = chooser != Chooser::Option && call.request.is_none();
                let measured = self.how.measured.as_ref().filter(|_| is_free).and_then(|times| {
                    let all = self.summary.ranks.len() as u32;
                    times.timed((op, group.size, bytes), all, algorithm, self.how.combine)
                });
                let basis = measured.map_or(Basis::Modelled, |timed| timed.basis);
                self.count_choice(op, algorithm, chooser, group.size, bytes, basis);
                let root = call.root.filter(|root| *root < group.size).unwrap_or(0);
                let message_bytes = measured.map_or(bytes, |timed| timed.bytes);
                let shape = Shape::new(Procs(group.size), Bytes(message_bytes)).root(root);
                shape.check(op)?;
                let last = self.run(algorithm, group, shape);
                let rest = measured.map_or(0, |timed| timed.rest);
                Ok(if rest > 0 { self.compute_after(last, rest, group.label) } else { last })
            }
            None => {
                let shape = Shape::new(Procs(group.size), Bytes(0));
                Ok(self.written(group, shape, |writer| writer.parts(call)))
            }
        }
    }

    /// Emits the computation after an operation's messages, in ps.
    fn compute_after(&mut self, ops: Vec<OpId>, rest: u64, label: u8) -> Vec<OpId> {
        let step = self.push_in_order(Step::calc(rest).label(label));
        for op in ops {
            self.out.after(step, op);
        }
        vec![step]
    }

    fn written(
        &mut self,
        group: Group,
        shape: Shape,
        write: impl FnOnce(&mut Writer),
    ) -> Vec<OpId> {
        let (entry, ops) = (self.before(), std::mem::take(&mut self.found.spare));
        let mut writer = Writer { walk: self, group, shape, entry, ops };
        write(&mut writer);
        let Writer { mut ops, .. } = writer;
        let last = ops.iter().filter(|(_, waited_for)| !waited_for).map(|(op, _)| *op).collect();
        ops.clear();
        self.found.spare = ops;
        last
    }

    /// A barrier for the creation of a communicator or window, or for a fence.
    pub(super) fn barrier(&mut self, group: Group) -> Result<Vec<OpId>, Error> {
        let (algorithm, _) = self.how.choices.by_default(Modelled::Barrier, group.size, 0)?;
        let shape = Shape::new(Procs(group.size), Bytes(0));
        Ok(self.run(algorithm, group, shape))
    }

    fn run(&mut self, algorithm: &Algorithm, group: Group, shape: Shape) -> Vec<OpId> {
        self.written(group, shape, |writer| algorithm.emit(&shape, group.rank, writer))
    }

    fn chosen(
        &mut self,
        op: Modelled,
        procs: u32,
        bytes: u64,
    ) -> Result<(&'static Algorithm, Chooser), Error> {
        // Most operations repeat the last one.
        if let Some((last, chosen)) = self.found.last_choice
            && last == (op, procs, bytes)
        {
            return Ok(chosen);
        }
        let chosen = self.how.choices.choose(op, procs, bytes)?;
        self.found.last_choice = Some(((op, procs, bytes), chosen));
        Ok(chosen)
    }
}

impl Writer<'_, '_, '_> {
    fn message(&mut self, sends: bool, peer: u32, bytes: u64, after: Option<Op>) -> Op {
        message(self, sends, peer, bytes, after)
    }

    /// Emits an operation with parts of different sizes; empty parts are not sent.
    fn parts(&mut self, call: &Collective) {
        let Group { rank, size, .. } = self.group;
        let root = call.root.unwrap_or(0);
        match call.op {
            Operation::Gatherv if rank == root => {
                for (from, bytes) in (0..).zip(call.receives.iter()) {
                    if from != rank && bytes > 0 && from < size {
                        self.message(false, from, bytes, None);
                    }
                }
            }
            Operation::Gatherv if call.bytes > 0 => {
                self.message(true, root, call.bytes, None);
            }
            Operation::Scatterv if rank == root => {
                for (to, bytes) in (0..).zip(call.sends.iter()) {
                    if to != rank && bytes > 0 && to < size {
                        self.message(true, to, bytes, None);
                    }
                }
            }
            Operation::Scatterv if call.bytes > 0 => {
                self.message(false, root, call.bytes, None);
            }
            Operation::Allgatherv => self.ring(call),
            Operation::Alltoallv | Operation::Alltoallw => self.pairs(call),
            op if op.is_among_neighbors() => self.neighbors(call),
            _ => {}
        }
    }

    /// All neighbours at once; empty messages are sent as well, as libraries do.
    fn neighbors(&mut self, call: &Collective) {
        let Group { size, .. } = self.group;
        let all =
            [(false, &call.receive_places, &call.receives), (true, &call.send_places, &call.sends)];
        for (sends, neighbors, parts) in all {
            for (neighbor, bytes) in neighbors.iter().zip(parts.iter()) {
                if let Some(neighbor) = u32::try_from(neighbor).ok().filter(|rank| *rank < size) {
                    self.message(sends, neighbor, bytes, None);
                }
            }
        }
    }

    /// Every rank's part passes around the ring.
    fn ring(&mut self, call: &Collective) {
        let Group { rank, size, .. } = self.group;
        let parts: Vec<u64> = call.receives.iter().collect();
        if parts.len() != size as usize {
            return;
        }
        let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
        let part = |back: u32| parts[((rank + size - back % size) % size) as usize];
        let mut received = None;
        for round in 0..size.saturating_sub(1) {
            self.message(true, next, part(round), received);
            received = Some(self.message(false, before, part(round + 1), received));
        }
    }

    /// Every rank sends to every other rank, the nearest first.
    fn pairs(&mut self, call: &Collective) {
        let Group { rank, size, .. } = self.group;
        let [sends, receives] =
            [&call.sends, &call.receives].map(|list| list.iter().collect::<Vec<u64>>());
        let at = |list: &[u64], rank: u32| list.get(rank as usize).copied().unwrap_or(0);
        for step in 1..size {
            let from = (rank + size - step) % size;
            if at(&receives, from) > 0 {
                self.message(false, from, at(&receives, from), None);
            }
            let to = (rank + step) % size;
            if at(&sends, to) > 0 {
                self.message(true, to, at(&sends, to), None);
            }
        }
    }
}

impl ActionSink for Writer<'_, '_, '_> {
    fn shape(&self) -> &Shape<'_> {
        &self.shape
    }

    fn put(&mut self, step: Step) -> OpId {
        let Group { tag, label, .. } = self.group;
        let id = self.walk.out.push(step.tag(tag).label(label));
        self.ops.push((id, false));
        id
    }

    fn first(&mut self, op: OpId) {
        self.entry.link(self.walk.out, op);
    }

    fn wait(&mut self, op: OpId, earlier: OpId) {
        self.walk.out.after(op, earlier);
        // `ops` is sorted by number.
        if let Ok(at) = self.ops.binary_search_by_key(&earlier, |(op, _)| *op) {
            self.ops[at].1 = true;
        }
    }

    fn peer(&mut self, rank: u32) -> u32 {
        let known = self.walk.summary.comms[self.group.comm as usize].world(rank);
        known.unwrap_or_else(|| {
            self.walk.found.lost.insert(self.walk.of.rank);
            self.walk.of.rank
        })
    }

    fn operator_time(&self, bytes: u64) -> u64 {
        self.walk.how.operator_time(bytes)
    }

    fn next_part(&mut self) {
        self.group.tag = self.group.tag.wrapping_add(1 << 16);
    }
}
