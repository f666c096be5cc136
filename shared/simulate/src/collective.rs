//! Algorithms of collective operations: what each rank does, beside what it costs in closed form.
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
//! An algorithm says its messages to a `Program` (`program.rs`), naming the data in them. One
//! listener writes the [`Schedule`] that the simulator runs; another, in the tests, moves real data
//! and checks that every rank ends with what the operation promises.
//!
//! # Symbols
//! Of a message of k bytes, by the rule of LogGP with one processor and one network interface a
//! rank:
//! - o_s(k), o_r(k): what it costs its sender's and its receiver's processor
//! - L: how long its head travels
//! - B(k) = G·max(k − 1, 0): how long the bytes after the first take to arrive
//! - H(k) = g + B(k): how long it occupies a network interface, at either end
//! - E(k) = o_s(k) + L + B(k) + o_r(k): from end to end
//! - M(k) = max(o_s(k), H(k)): between two messages sent one after the other
//! - c(k) = t_c·k: the reduction operator on k bytes
//!
//! A form gives the time when the last rank has finished, to the picosecond where it says
//! [`exact`](Form::exact). It is a sum of [`Term`]s: what lies on the longest way through the
//! algorithm.
//!
//! # How it is written
//!
//! | file | what it holds |
//! |---|---|
//! | one for each operation, with a folder of its algorithms | schedule beside closed form |
//! | `tree`, `blocks`, `rounds`, `fold`, `levels` | what several algorithms share |
//! | `shape` | ranks, bytes, root and nodes of a call |
//! | `program`, `writer` | the operations of a rank, and how they become a schedule |
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

pub use form::{Form, Term};
pub use shape::{SEGMENT, Shape};
pub use time::Costs;

use crate::error::SimulationError;
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::signature::Operation;
use loggia_schedule::schedule::Schedule;
use program::{Program, Renumbered};
use time::Time;

/// A way to do a collective operation.
#[derive(Debug)]
pub struct Algorithm {
    pub op: Operation,
    /// Name on the command line; parts of a composition are joined by `+`.
    pub name: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Whether it needs the placement of ranks on nodes.
    pub needs_nodes: bool,
    /// The time in symbols.
    formula: &'static str,
    /// Where the formula is exact, in words.
    range: &'static str,
    /// Whether the formula is exact for this shape.
    exact: fn(&Shape, &dyn Costs) -> bool,
    /// The time on two or more ranks.
    time: fn(&Shape, &dyn Costs) -> Time,
    /// Writes the operations of one rank, of two or more.
    program: fn(&Shape, u32, &mut dyn Program),
    /// Number of operations.
    count: fn(&Shape) -> Count,
}

/// Number of operations of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// A send and a receive each.
    pub messages: u128,
    /// Computations, if t_c is not 0.
    pub combined: u128,
    /// Computations that only wait.
    pub joins: u128,
}

impl Count {
    /// Messages alone.
    pub(crate) fn messages(messages: u128) -> Self {
        Count { messages, ..Count::default() }
    }

    /// Messages, each of which is combined.
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

/// The algorithm of that name.
pub fn named(op: Operation, name: &str) -> Result<&'static Algorithm, Error> {
    let spelled = name.trim().to_ascii_lowercase().replace('_', "-");
    algorithms(op).iter().find(|algorithm| algorithm.name == spelled).ok_or_else(|| {
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

    /// Number of operations of the schedule, or slightly more if parts of the vector are empty.
    pub fn operations(&self, shape: &Shape, compute: &dyn Fn(u64) -> u64) -> u128 {
        if shape.p() <= 1 {
            return 0;
        }
        let Count { messages, combined, joins } = (self.count)(shape);
        let combined = if compute(shape.m()) > 0 { combined } else { 0 };
        2 * messages + combined + joins
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

    /// Whether it begins or ends at a root.
    pub fn has_root(&self) -> bool {
        matches!(
            self.op,
            Operation::Bcast | Operation::Gather | Operation::Scatter | Operation::Reduce
        )
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
