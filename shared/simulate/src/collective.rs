//! Algorithms of collective operations: the actions of each rank, and their time in closed form.
//!
//! ```
//! use loggia_simulate::collective::{self, Shape};
//! use loggia_model::signature::Operation;
//! use loggia_model::units::{Bytes, Procs};
//!
//! let ring = collective::named(Operation::Allreduce, "ring").unwrap();
//! let shape = Shape::new(Procs(8), Bytes(1 << 20));
//! let schedule = ring.schedule(&shape, &|_bytes| 0).unwrap();
//! assert_eq!(schedule.len(), 2 * 8 * 14);
//! ```
//!
//! An algorithm emits its messages, with the data in them, to a `Program` (`program.rs`). One
//! implementation writes the [`Schedule`] for the simulator. Another one, in the tests, moves real
//! data and checks that every rank ends with the operation's result.
//!
//! # Symbols
//! For a message of k bytes, in LogGP with one processor and one network interface per rank:
//! - o_s(k), o_r(k): time of the sender's and of the receiver's processor
//! - L: latency of its first byte
//! - B(k) = G·max(k − 1, 0): time until the bytes after the first have arrived
//! - H(k) = g + B(k): time for which it occupies a network interface, at either end
//! - E(k) = o_s(k) + L + B(k) + o_r(k): end-to-end time
//! - M(k) = max(o_s(k), H(k)): interval between the starts of two consecutive sends
//! - c(k) = t_c·k: time of the reduction operator on k bytes
//!
//! A closed form gives the completion time of the last rank, accurate to the picosecond if it is
//! marked [`exact`](Form::exact). It is a sum of [`Term`]s along the algorithm's critical path.
//!
//! # Files
//!
//! | file | content |
//! |---|---|
//! | one per operation, with a folder of its algorithms | schedules and closed forms |
//! | `tree`, `blocks`, `rounds`, `fold`, `levels` | parts that several algorithms share |
//! | `shape` | ranks, bytes, root and nodes of a call |
//! | `program`, `writer` | the actions of a rank, and their conversion to a schedule |
//! | `time`, `form` | the closed form and its terms |

pub mod action_sink;
mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod bcast;
mod blocks;
#[cfg(test)]
mod check;
mod fold;
mod form;
mod gather;
mod levels;
pub mod program;
mod reduce;
mod reduce_scatter;
mod rounds;
mod scan;
mod scatter;
mod shape;
mod time;
mod tree;
mod writer;

pub use form::{Form, Term, definitions};
pub use shape::{SEGMENT, Shape};
pub use time::Costs;

use crate::error::SimulationError;
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::signature::Operation;
use loggia_model::units::Bytes;
use loggia_schedule::schedule::{MAX_OPS, Schedule};
use program::{Program, Renumbered};
use time::Time;

/// An algorithm of a collective operation.
#[derive(Debug)]
pub struct Algorithm {
    pub op: Operation,
    /// Name on the command line; parts of a composition are joined by `+`.
    pub name: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Whether it needs the placement of ranks on nodes.
    pub needs_nodes: bool,
    /// The closed form in symbols.
    formula: &'static str,
    /// Range in which the formula is exact, as text.
    range: &'static str,
    /// Whether the formula is exact for this shape.
    exact: fn(&Shape, &dyn Costs) -> bool,
    /// The closed form's time on two or more ranks.
    time: fn(&Shape, &dyn Costs) -> Time,
    /// Emits the actions of one of two or more ranks.
    program: fn(&Shape, u32, &mut dyn Program),
    /// Number of operations.
    count: fn(&Shape) -> Count,
}

/// Number of operations of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Number of pairs of a send and a receive.
    pub messages: u128,
    /// Number of reductions, which are operations if t_c is not 0.
    pub combined: u128,
    /// Number of zero-length computations that only wait.
    pub joins: u128,
}

impl Count {
    /// Only messages.
    pub(crate) fn messages(messages: u128) -> Self {
        Count { messages, ..Count::default() }
    }

    /// Messages with a reduction each.
    pub(crate) fn combined(messages: u128) -> Self {
        Count { messages, combined: messages, joins: 0 }
    }

    /// With additional joins.
    pub(crate) fn and_joins(self, joins: u128) -> Self {
        Count { joins: self.joins + joins, ..self }
    }

    /// With additional messages without reduction.
    pub(crate) fn and_messages(self, messages: u128) -> Self {
        Count { messages: self.messages + messages, ..self }
    }
}

/// The algorithms of an operation.
pub fn algorithms(op: Operation) -> &'static [Algorithm] {
    match op {
        Operation::Barrier => &barrier::ALGORITHMS,
        Operation::Bcast => &bcast::ALGORITHMS,
        Operation::Gather => &gather::ALGORITHMS,
        Operation::Scatter => &scatter::ALGORITHMS,
        Operation::Reduce => &reduce::ALGORITHMS,
        Operation::Allreduce => &allreduce::ALGORITHMS,
        Operation::Scan => &scan::ALGORITHMS,
        Operation::Allgather => &allgather::ALGORITHMS,
        Operation::ReduceScatter => &reduce_scatter::ALGORITHMS,
        Operation::Alltoall => &alltoall::ALGORITHMS,
    }
}

/// Bytes per operation and per rank. A simulation of 2 million operations took 65 bytes per operation
/// on 1,000 ranks, and 90 to 220 on 1 million ranks.
const LEAST_MEMORY: u64 = 64;

/// The least memory of a simulation.
fn least_memory(operations: usize, procs: u32) -> Bytes {
    Bytes((operations as u64).saturating_add(u64::from(procs)).saturating_mul(LEAST_MEMORY))
}

/// The algorithm with this name.
pub fn named(op: Operation, name: &str) -> Result<&'static Algorithm, Error> {
    let normalized = name.trim().to_ascii_lowercase().replace('_', "-");
    algorithms(op).iter().find(|algorithm| algorithm.name == normalized).ok_or_else(|| {
        let known = algorithms(op).iter().map(|algorithm| algorithm.name);
        Error::unknown(&format!("algorithm of {}", op.name()), name, Input::Algorithm, known)
    })
}

impl Algorithm {
    /// The schedule of all ranks. The reduction operator on k bytes takes `compute(k)` picoseconds.
    pub fn schedule(
        &self,
        shape: &Shape,
        compute: &dyn Fn(u64) -> u64,
    ) -> Result<Schedule, SimulationError> {
        self.check(shape)?;
        writer::write(self, shape, compute)
    }

    /// Number of operations of the schedule; slightly too high if parts of the vector are empty.
    pub fn operations(&self, shape: &Shape, compute: &dyn Fn(u64) -> u64) -> u128 {
        if shape.p() <= 1 {
            return 0;
        }
        let Count { messages, combined, joins } = (self.count)(shape);
        let combined = if compute(shape.m()) > 0 { combined } else { 0 };
        2 * messages + combined + joins
    }

    /// The number of operations, if a schedule and the free memory can hold them. An algorithm that
    /// needs nodes counts as one message per rank before they are given.
    ///
    /// # Errors
    /// If there are too many.
    pub fn check_size(
        &self,
        shape: &Shape,
        compute: &dyn Fn(u64) -> u64,
        free: Option<Bytes>,
    ) -> Result<usize, SimulationError> {
        shape.check(self.op)?;
        let Algorithm { op, name: algorithm, .. } = *self;
        let procs = shape.p();
        let operations = match self.needs_nodes && shape.nodes.is_none() {
            true => 2 * u128::from(procs),
            false => self.operations(shape, compute),
        };
        let size = usize::try_from(operations).ok().filter(|size| *size <= MAX_OPS);
        let too_many = SimulationError::TooManyOperations { op, algorithm, procs, operations };
        let size = size.ok_or(too_many)?;
        match free {
            Some(free) if free < least_memory(size, procs) => {
                Err(self.out_of_memory(shape, size, Some(free)))
            }
            _ => Ok(size),
        }
    }

    /// The error if a simulation of this many operations exceeds the free memory.
    fn out_of_memory(&self, shape: &Shape, size: usize, free: Option<Bytes>) -> SimulationError {
        let (procs, needed) = (shape.p(), least_memory(size, shape.p()));
        SimulationError::OutOfMemory { op: self.op, algorithm: self.name, procs, needed, free }
    }

    /// The closed form of the completion time.
    pub fn form(&self, shape: &Shape, costs: &dyn Costs) -> Result<Form, SimulationError> {
        self.check(shape)?;
        let alone = shape.p() == 1;
        let time = if alone { Time::default() } else { (self.time)(shape, costs) };
        if time.ps == u64::MAX {
            return Err(SimulationError::FormTooLong { algorithm: self.name });
        }
        Ok(Form {
            formula: self.formula,
            terms: form::terms(time),
            time: time.ps,
            range: self.range,
            exact: alone || (self.exact)(shape, costs),
        })
    }

    fn check(&self, shape: &Shape) -> Result<(), SimulationError> {
        shape.check(self.op)?;
        if self.needs_nodes && shape.nodes.is_none() {
            return Err(SimulationError::NeedsNodes { algorithm: self.name });
        }
        Ok(())
    }

    /// Whether the operation has a root.
    pub fn has_root(&self) -> bool {
        matches!(
            self.op,
            Operation::Bcast | Operation::Gather | Operation::Scatter | Operation::Reduce
        )
    }

    /// Whether the algorithm divides the vector into segments.
    pub(super) fn has_segments(&self, shape: &Shape) -> bool {
        let messages = |segment: Bytes| (self.count)(&(*shape).segment(segment)).messages;
        shape.m() > 1 && messages(Bytes(1)) != messages(Bytes(shape.m()))
    }

    /// Emits the actions of a rank.
    pub fn emit(&self, shape: &Shape, rank: u32, program: &mut dyn Program) {
        let p = shape.p();
        if p <= 1 {
            return;
        }
        // With nodes, the algorithm handles the root itself.
        if shape.root == 0 || !self.has_root() || self.needs_nodes {
            return (self.program)(shape, rank, program);
        }
        let rank_of = |v| rounds::ahead(v, shape.root, p);
        let mut from_root = Renumbered { program, rank_of: &rank_of };
        (self.program)(shape, rounds::back(rank, shape.root, p), &mut from_root);
    }
}

/// The range of a form that is always exact.
const ALWAYS: &str = "any p, m and parameters";

fn always(_: &Shape, _: &dyn Costs) -> bool {
    true
}
