//! A schedule: sends, receives and computations of every rank, with their dependencies.
//!
//! ```
//! use loggia_schedule::schedule::{Builder, Step};
//! let mut ring = Builder::default();
//! for rank in 0..4u32 {
//!     ring.rank();
//!     ring.push(Step::send(8, (rank + 1) % 4));
//!     let received = ring.push(Step::recv(8, (rank + 3) % 4));
//!     let computed = ring.push(Step::calc(500));
//!     ring.after(computed, received);
//! }
//! let ring = ring.finish().unwrap();
//! assert_eq!((ring.ranks(), ring.len()), (4, 12));
//! ```

mod counts;
mod needs;

pub use counts::Counts;
pub use needs::Needs;

use loggia_model::Error;
use loggia_model::error::Place;
use std::fmt;
use std::ops::Range;

/// Any source, as the peer of a receive; any tag, as its tag.
pub const ANY: u32 = u32::MAX;

/// Maximum number of operations: operations and messages share 32-bit numbers.
pub const MAX_OPS: usize = (1 << 31) - 1;

/// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Sends `size` bytes to `peer`.
    Send,
    /// Sends synchronously: finishes after the message is received (`MPI_Ssend`).
    Ssend,
    /// Receives `size` bytes from `peer`.
    Recv,
    /// Computes for `size` [units of time](CalcUnit).
    Calc,
}

impl Kind {
    /// Whether it sends a message.
    #[inline]
    pub fn sends(self) -> bool {
        matches!(self, Kind::Send | Kind::Ssend)
    }
}

/// The unit of computations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CalcUnit {
    /// Nanoseconds, as in GOAL files.
    #[default]
    Nanoseconds,
    /// Picoseconds, for schedules from models with finer costs.
    Picoseconds,
}

/// An operation's number over all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(pub u32);

impl OpId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operation. Aligned, so that none lies in two cache lines.
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// Bytes, or time of a computation.
    pub size: u64,
    /// The other rank, or [`ANY`].
    pub peer: u32,
    /// The tag, or [`ANY`].
    pub tag: u32,
    pub rank: u32,
    pub kind: Kind,
    /// Its processor.
    pub cpu: u8,
    /// Its network interface.
    pub nic: u8,
    /// A label set by the creator; it has no effect on the run.
    pub label: u8,
    /// Start of the operations that depend on its end, in [`Schedule::after_done`]'s list.
    after_done: u32,
}

/// An operation without a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    kind: Kind,
    size: u64,
    peer: u32,
    tag: u32,
    cpu: u8,
    nic: u8,
    label: u8,
}

impl Step {
    /// A send.
    pub fn send(bytes: u64, to: u32) -> Self {
        Step { kind: Kind::Send, size: bytes, peer: to, tag: 0, cpu: 0, nic: 0, label: 0 }
    }

    /// A synchronous send.
    pub fn ssend(bytes: u64, to: u32) -> Self {
        Step { kind: Kind::Ssend, ..Step::send(bytes, to) }
    }

    /// A receive from a rank, or from [`ANY`].
    pub fn recv(bytes: u64, from: u32) -> Self {
        Step { kind: Kind::Recv, ..Step::send(bytes, from) }
    }

    /// Computation.
    pub fn calc(time: u64) -> Self {
        Step { kind: Kind::Calc, ..Step::send(time, 0) }
    }

    /// Sets the tag; default 0.
    pub fn tag(self, tag: u32) -> Self {
        Step { tag, ..self }
    }

    /// Sets the processor; default 0.
    pub fn cpu(self, cpu: u8) -> Self {
        Step { cpu, ..self }
    }

    /// Sets the network interface; default 0.
    pub fn nic(self, nic: u8) -> Self {
        Step { nic, ..self }
    }

    /// Sets the label; default 0.
    pub fn label(self, label: u8) -> Self {
        Step { label, ..self }
    }

    /// The operation of a rank.
    #[inline]
    pub(crate) fn of(self, rank: u32) -> Op {
        let Step { kind, size, mut peer, mut tag, cpu, mut nic, label } = self;
        if kind == Kind::Calc {
            (peer, tag, nic) = (0, 0, 0);
        }
        Op { size, peer, tag, rank, kind, cpu, nic, label, after_done: 0 }
    }

    /// The step of an existing operation.
    pub(crate) fn from_op(op: &Op) -> Self {
        let Op { kind, size, peer, tag, cpu, nic, label, .. } = *op;
        Step { kind, size, peer, tag, cpu, nic, label }
    }
}

/// Why a schedule is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The peer does not exist.
    Peer {
        op: OpId,
        /// Its rank.
        rank: u32,
        peer: u32,
        /// Number of ranks.
        ranks: u32,
    },
    /// There are more operations than [`MAX_OPS`].
    TooManyOps,
    /// The memory is too small for this many operations.
    OutOfMemory { ops: usize },
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Peer { rank, peer, ranks, .. } => {
                write!(out, "rank {rank} names rank {peer}, but there are {ranks} ranks")
            }
            Flaw::TooManyOps => write!(out, "more than {MAX_OPS} operations"),
            Flaw::OutOfMemory { ops } => {
                write!(out, "the memory is too small for {ops} operations")
            }
        }
    }
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Self {
        let help = match flaw {
            Flaw::Peer { .. } => "ranks count from 0".to_owned(),
            Flaw::TooManyOps | Flaw::OutOfMemory { .. } => {
                "reduce the number of ranks or iterations".to_owned()
            }
        };
        Error::new(flaw.to_string(), Place::Nowhere, help)
    }
}

/// A list of operations for each operation, concatenated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Edges {
    /// Start of each operation's list in `to`; empty while there are no edges.
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Edges {
    #[inline]
    fn of(&self, op: usize) -> &[u32] {
        match self.first.get(op..op + 2) {
            Some(&[begin, end]) => self.to.get(begin as usize..end as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Appends the lists of `ops`, from pairs in order of addition.
    fn append(&mut self, ops: Range<usize>, pairs: &[(u32, u32)]) {
        if pairs.is_empty() && self.to.is_empty() {
            return;
        }
        self.first.resize(ops.start + 1, self.to.len() as u32);
        self.first.extend_from_slice(&append_lists(&mut self.to, &ops, pairs)[1..]);
    }
}

/// Appends to `to` the list of each of `ops`, from pairs in order of addition; returns the start of
/// each list and the end of the last.
fn append_lists(to: &mut Vec<u32>, ops: &Range<usize>, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut starts = vec![0u32; ops.len() + 2];
    for (from, _) in pairs {
        starts[*from as usize - ops.start + 2] += 1;
    }
    let mut sum = to.len() as u32;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    to.resize(to.len() + pairs.len(), 0);
    for (from, dependent) in pairs {
        let at = &mut starts[*from as usize - ops.start + 1];
        to[*at as usize] = *dependent;
        *at += 1;
    }
    starts.truncate(ops.len() + 1);
    starts
}

/// The operations of all ranks, with dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Start of each rank's operations, and the end of the last.
    first: Vec<u32>,
    ops: Vec<Op>,
    /// Operations that depend on the end of each operation, from [`Op::after_done`] on.
    after_done: Vec<u32>,
    after_start: Edges,
    needs: Needs,
    counts: Counts,
    cpus: u16,
    nics: u16,
    calc_unit: CalcUnit,
}

impl Schedule {
    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        (self.first.len() - 1) as u32
    }

    /// Number of operations.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// All operations, rank by rank.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// Range of a rank's operations in [`ops`](Self::ops).
    pub fn of_rank(&self, rank: u32) -> Range<usize> {
        self.first[rank as usize] as usize..self.first[rank as usize + 1] as usize
    }

    /// The number of operations of each size.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The dependencies of each operation.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// Operations that depend on its end, in order of addition.
    #[inline]
    pub fn after_done(&self, op: usize) -> &[u32] {
        let start = |op: &Op| op.after_done as usize;
        let end = self.ops.get(op + 1).map_or(self.after_done.len(), start);
        self.ops.get(op).and_then(|op| self.after_done.get(start(op)..end)).unwrap_or(&[])
    }

    /// Operations that depend on its start, in order of addition.
    #[inline]
    pub fn after_start(&self, op: usize) -> &[u32] {
        self.after_start.of(op)
    }

    /// Processors per rank.
    pub fn cpus(&self) -> usize {
        usize::from(self.cpus)
    }

    /// Network interfaces per rank.
    pub fn nics(&self) -> usize {
        usize::from(self.nics)
    }

    /// The unit of computations.
    pub fn calc_unit(&self) -> CalcUnit {
        self.calc_unit
    }
}

/// Builds a schedule, one rank after the other.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    first: Vec<u32>,
    ops: Vec<Op>,
    after_done: Vec<u32>,
    after_start: Edges,
    needs: Needs,
    /// Dependencies of the current rank: (earlier operation, dependent).
    done_pairs: Vec<(u32, u32)>,
    start_pairs: Vec<(u32, u32)>,
    calc_unit: CalcUnit,
    is_overfull: bool,
}

impl Builder {
    /// A builder with this unit of computations.
    pub fn counting(calc_unit: CalcUnit) -> Self {
        Builder { calc_unit, ..Builder::default() }
    }

    /// Reserves memory.
    ///
    /// # Errors
    /// If the memory is too small.
    pub fn reserve(&mut self, ranks: usize, ops: usize) -> Result<(), Flaw> {
        let mut all = || {
            self.first.try_reserve_exact(ranks + 1)?;
            self.ops.try_reserve_exact(ops)?;
            self.after_done.try_reserve_exact(ops)
        };
        all().map_err(|_| Flaw::OutOfMemory { ops })
    }

    /// Starts the next rank: 0, 1, 2 …
    pub fn rank(&mut self) -> u32 {
        self.close();
        self.first.push(self.ops.len() as u32);
        (self.first.len() - 1) as u32
    }

    /// Adds an operation to the current rank; starts rank 0 if necessary.
    pub fn push(&mut self, step: Step) -> OpId {
        if self.first.is_empty() {
            self.rank();
        }
        let id = OpId(self.ops.len() as u32);
        if self.ops.len() >= MAX_OPS {
            self.is_overfull = true;
            return OpId(id.0 - 1);
        }
        let rank = (self.first.len() - 1) as u32;
        self.ops.push(step.of(rank));
        id
    }

    /// `op` begins after `earlier` has finished; both belong to the current rank.
    pub fn after(&mut self, op: OpId, earlier: OpId) {
        self.done_pairs.push((earlier.0, op.0));
    }

    /// `op` begins after `earlier` has begun; both belong to the current rank.
    pub fn after_start(&mut self, op: OpId, earlier: OpId) {
        self.start_pairs.push((earlier.0, op.0));
    }

    fn close(&mut self) {
        let Some(&first) = self.first.last() else { return };
        let ops = first as usize..self.ops.len();
        self.needs.extend_to(ops.end);
        for (_, dependent) in self.done_pairs.iter().chain(&self.start_pairs) {
            self.needs.add(*dependent);
        }
        let starts = append_lists(&mut self.after_done, &ops, &self.done_pairs);
        for (op, start) in self.ops[ops.clone()].iter_mut().zip(starts) {
            op.after_done = start;
        }
        self.after_start.append(ops, &self.start_pairs);
        self.done_pairs.clear();
        self.start_pairs.clear();
    }

    /// The schedule, if every peer exists.
    pub fn finish(mut self) -> Result<Schedule, Flaw> {
        self.close();
        if self.is_overfull {
            return Err(Flaw::TooManyOps);
        }
        let ranks = self.first.len() as u32;
        let (mut cpus, mut nics) = (1, 1);
        for (index, op) in self.ops.iter().enumerate() {
            cpus = cpus.max(u16::from(op.cpu) + 1);
            nics = nics.max(u16::from(op.nic) + 1);
            let exists = match op.kind {
                Kind::Calc => true,
                Kind::Recv => op.peer < ranks || op.peer == ANY,
                Kind::Send | Kind::Ssend => op.peer < ranks,
            };
            if !exists {
                let (rank, peer) = (op.rank, op.peer);
                return Err(Flaw::Peer { op: OpId(index as u32), rank, peer, ranks });
            }
        }
        self.first.push(self.ops.len() as u32);
        Ok(Schedule {
            first: self.first,
            counts: Counts::of(&self.ops),
            ops: self.ops,
            after_done: self.after_done,
            after_start: self.after_start,
            needs: self.needs,
            cpus,
            nics,
            calc_unit: self.calc_unit,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn edges_keep_the_order_of_addition() {
        let mut builder = Builder::default();
        builder.rank();
        let independent = builder.push(Step::calc(1));
        builder.rank();
        let [a, b, c] = [1, 2, 3].map(|time| builder.push(Step::calc(time)));
        builder.after(c, a);
        builder.after(b, a);
        builder.after_start(c, b);
        builder.rank();
        let schedule = builder.finish().unwrap();
        assert_eq!(schedule.after_done(a.index()), [c.0, b.0]);
        assert_eq!(schedule.after_start(b.index()), [c.0]);
        assert_eq!(schedule.after_done(independent.index()), [0; 0]);
        assert_eq!([0, 1, 2, 3].map(|op| schedule.needs().of(op)), [0, 0, 1, 2]);
        assert_eq!(schedule.of_rank(2), 4..4);
        assert_eq!(schedule.ranks(), 3);
    }

    #[test]
    fn a_peer_must_exist() {
        let mut builder = Builder::default();
        builder.rank();
        builder.push(Step::recv(1, ANY));
        builder.push(Step::send(1, 1));
        let flaw = builder.finish().unwrap_err();
        assert_eq!(flaw.to_string(), "rank 0 names rank 1, but there are 1 ranks");
    }

    #[test]
    fn an_operation_is_small() {
        assert_eq!(size_of::<Op>(), 32);
    }
}
