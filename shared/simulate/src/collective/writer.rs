//! Writes the actions of the ranks as a schedule.

use super::action_sink::ActionSink;
use super::{Algorithm, Shape};
use crate::error::SimulationError;
use loggia_schedule::schedule::{Builder, CalcUnit, OpId, Schedule, Step};

/// Receives actions and writes operations.
struct Writer<'a> {
    builder: Builder,
    shape: &'a Shape<'a>,
    compute: &'a dyn Fn(u64) -> u64,
    /// Index of this part of a composition.
    tag: u32,
}

/// The schedule of all ranks; reserves exactly the required memory.
pub(super) fn write(
    algorithm: &Algorithm,
    shape: &Shape,
    compute: &dyn Fn(u64) -> u64,
) -> Result<Schedule, SimulationError> {
    let operations = algorithm.check_size(shape, compute, None)?;
    let mut builder = Builder::counting(CalcUnit::Picoseconds);
    builder
        .reserve(shape.p() as usize, operations)
        .map_err(|_| algorithm.out_of_memory(shape, operations, None))?;
    let mut writer = Writer { builder, shape, compute, tag: 0 };
    for rank in 0..shape.p() {
        writer.builder.rank();
        writer.tag = 0;
        algorithm.emit(shape, rank, &mut writer);
    }
    writer.builder.finish().map_err(SimulationError::InvalidSchedule)
}

impl ActionSink for Writer<'_> {
    fn shape(&self) -> &Shape<'_> {
        self.shape
    }

    fn put(&mut self, step: Step) -> OpId {
        self.builder.push(step.tag(self.tag))
    }

    fn first(&mut self, _: OpId) {}

    fn wait(&mut self, op: OpId, earlier: OpId) {
        self.builder.after(op, earlier);
    }

    fn peer(&mut self, rank: u32) -> u32 {
        rank
    }

    fn operator_time(&self, bytes: u64) -> u64 {
        (self.compute)(bytes)
    }

    fn next_part(&mut self) {
        self.tag += 1;
    }
}
