//! Writes what the ranks do as a schedule.

use super::program::{Data, Op, Program};
use super::{Algorithm, Shape};
use crate::Error;
use loggia_engine::schedule::{Builder, CalcUnit, MOST_OPS, OpId, Schedule, Step};

/// The listener that writes.
struct Writer<'a> {
    builder: Builder,
    shape: &'a Shape<'a>,
    compute: &'a dyn Fn(u64) -> u64,
    /// Which part of a composition this is.
    tag: u32,
}

/// The whole schedule, in exactly the memory it needs.
pub(super) fn write(
    algorithm: &Algorithm,
    shape: &Shape,
    compute: &dyn Fn(u64) -> u64,
) -> Result<Schedule, Error> {
    let operations = algorithm.operations(shape, compute);
    let too_many = || {
        Error::new(
            format!(
                "{} {} on {} ranks has {operations} operations, and {MOST_OPS} are the most",
                algorithm.op.name(),
                algorithm.name,
                shape.p()
            ),
            "--procs",
            "use fewer ranks, or another algorithm",
        )
    };
    let reserved = usize::try_from(operations).ok().filter(|ops| *ops <= MOST_OPS);
    let mut builder = Builder::counting(CalcUnit::Picoseconds);
    builder.reserve(shape.p() as usize, reserved.ok_or_else(too_many)?);
    let mut writer = Writer { builder, shape, compute, tag: 0 };
    for rank in 0..shape.p() {
        writer.builder.rank();
        writer.tag = 0;
        algorithm.tell(shape, rank, &mut writer);
    }
    writer.builder.finish().map_err(|flaw| Error::new(flaw.to_string(), "", ""))
}

impl Writer<'_> {
    fn push(&mut self, step: Step, after: Option<Op>) -> Op {
        let OpId(id) = self.builder.push(step.tag(self.tag));
        let op = Op { first: id, last: id };
        if let Some(earlier) = after {
            self.after(op, earlier);
        }
        op
    }

    /// Computation on so many bytes after a receive, if it takes any time.
    fn combine(&mut self, received: Op, bytes: u64) -> Op {
        match (self.compute)(bytes) {
            0 => received,
            time => {
                let combined = self.push(Step::calc(time), Some(received));
                Op { first: received.first, last: combined.last }
            }
        }
    }
}

impl Program for Writer<'_> {
    fn send(&mut self, to: u32, data: Data, after: Option<Op>) -> Op {
        self.push(Step::send(self.shape.size(data), to), after)
    }

    fn recv(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        self.push(Step::recv(self.shape.size(data), from), after)
    }

    fn reduce(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        let received = self.recv(from, data, after);
        match data {
            Data::Token => received,
            data => self.combine(received, self.shape.size(data)),
        }
    }

    fn add(&mut self, received: Op, after: Option<Op>) -> Op {
        let received = Op { last: received.first, ..received };
        let added = self.combine(received, self.shape.m());
        if let Some(earlier) = after.filter(|_| added != received) {
            self.after(Op { first: added.last, ..added }, earlier);
        }
        added
    }

    fn join(&mut self) -> Op {
        self.push(Step::calc(0), None)
    }

    fn after(&mut self, op: Op, earlier: Op) {
        self.builder.after(OpId(op.first), OpId(earlier.last));
    }

    fn next_part(&mut self) {
        self.tag += 1;
    }
}
