//! Writes the steps of a sketch as a schedule for the simulator.

use super::concrete::{ConcreteAction, ConcreteStep, rounds_of_exchange};
use super::decomposition::Decomposition;
use super::error::PlanError;
use loggia_model::Error;
use loggia_model::placement::Nodes;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_schedule::schedule::{Builder, CalcUnit, OpId, Schedule, Step};
use loggia_simulate::collective::action_sink::ActionSink;
use loggia_simulate::collective::{Algorithm, Shape};
use loggia_simulate::order::Before;

/// Chooses the algorithm of a collective operation.
pub(super) type Chooser<'a> = dyn Fn(&ConcreteAction) -> Result<&'static Algorithm, Error> + 'a;

/// Writes the schedule of all ranks.
pub(super) struct ScheduleWriter<'a> {
    pub(super) procs: Procs,
    pub(super) decomposition: Option<&'a Decomposition>,
    /// Placement of ranks, if it matters.
    pub(super) nodes: Option<&'a Nodes>,
    /// Time of the reduction operator on this many bytes, in ps.
    pub(super) operator_time: &'a dyn Fn(Operation, u64) -> u64,
    /// Computation left after a collective operation that overlaps with it; `None` without overlap.
    pub(super) left: &'a dyn Fn(&ConcreteStep) -> Result<Option<Micros>, Error>,
    pub(super) chooser: &'a Chooser<'a>,
}

/// Maximum number of operations of a simulated schedule.
const MAX_OPS: usize = 400_000;

/// Maximum number of consecutive parts of a collective operation.
const MAX_PARTS: u32 = 64;

/// Writes the schedule of one rank.
struct RankWriter<'a, 'b> {
    all: &'b ScheduleWriter<'a>,
    builder: &'b mut Builder,
    rank: u32,
    before: Before,
    /// Tag of the current step, so that messages of different steps do not match.
    tag: u32,
    is_too_long: bool,
}

/// A time in the simulator's unit of computation.
fn picoseconds(time: Micros) -> u64 {
    (time.0 * 1e6).round().max(0.0) as u64
}

impl ScheduleWriter<'_> {
    /// Writes repeated steps; `None` if the schedule is too long.
    pub(super) fn write(
        &self,
        steps: &[ConcreteStep],
        iterations: u32,
    ) -> Result<Option<Schedule>, Error> {
        let mut builder = Builder::counting(CalcUnit::Picoseconds);
        for rank in 0..self.procs.0 {
            builder.rank();
            let mut writer = RankWriter {
                all: self,
                builder: &mut builder,
                rank,
                before: Before::Nothing,
                tag: 0,
                is_too_long: false,
            };
            for _ in 0..iterations {
                writer.steps(steps)?;
            }
            if writer.is_too_long {
                return Ok(None);
            }
        }
        builder.finish().map(Some).map_err(|flaw| PlanError::InvalidSchedule(flaw).into())
    }
}

impl RankWriter<'_, '_> {
    fn steps(&mut self, steps: &[ConcreteStep]) -> Result<(), Error> {
        for step in steps {
            let rounds = step.times.round() as u64;
            self.is_too_long |= rounds > MAX_OPS as u64;
            for round in 0..rounds.min(MAX_OPS as u64) {
                self.once(step, round)?;
                if self.is_too_long {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, step: Step) -> OpId {
        let id = self.builder.push(step);
        self.is_too_long |= id.index() >= MAX_OPS;
        self.before.link(self.builder, id);
        id
    }

    fn compute(&mut self, time: Micros) {
        if picoseconds(time) > 0 {
            let id = self.push(Step::calc(picoseconds(time)));
            self.before = Before::Done(id);
        }
    }

    /// Posts receives, starts sends, computes, and waits for all of them.
    fn messages(&mut self, from: &[(u32, Bytes)], to: &[(u32, Bytes)], during: Micros) {
        let mut ops = Vec::with_capacity(from.len() + to.len());
        for (peer, bytes) in from {
            ops.push(self.start(Step::recv(bytes.0, *peer)));
        }
        for (peer, bytes) in to {
            ops.push(self.start(Step::send(bytes.0, *peer)));
        }
        self.compute(during);
        self.join(&ops);
    }

    fn start(&mut self, step: Step) -> OpId {
        let id = self.push(step.tag(self.tag));
        self.before = Before::Begun(id);
        id
    }

    fn join(&mut self, ops: &[OpId]) {
        if ops.is_empty() {
            return;
        }
        let join = self.push(Step::calc(0));
        for op in ops {
            self.builder.after(join, *op);
        }
        self.before = Before::Done(join);
    }

    fn once(&mut self, step: &ConcreteStep, round: u64) -> Result<(), Error> {
        match &step.action {
            ConcreteAction::Steps(steps) => self.steps(steps)?,
            ConcreteAction::Compute(time) => self.compute(*time),
            ConcreteAction::Halo { towards } => {
                let neighbours = self.neighbours(towards);
                self.messages(&neighbours, &neighbours, step.during);
            }
            ConcreteAction::Exchange { bytes, apart } => match self.partner(*apart, round) {
                Some(partner) => {
                    self.messages(&[(partner, *bytes)], &[(partner, *bytes)], step.during);
                }
                None => self.compute(step.during),
            },
            ConcreteAction::Shift(bytes) => {
                let p = self.all.procs.0;
                let (next, last) = ((self.rank + 1) % p, (self.rank + p - 1) % p);
                self.messages(&[(last, *bytes)], &[(next, *bytes)], step.during);
            }
            ConcreteAction::Collective { op, bytes, .. } => {
                let algorithm = (self.all.chooser)(&step.action)?;
                let left = (self.all.left)(step)?;
                self.collective(algorithm, (*op, *bytes), step.during, left);
            }
            ConcreteAction::Wavefront { faces, work, blocks } => {
                for _ in 0..*blocks {
                    self.wavefront_block(*faces, *work, round);
                }
            }
        }
        // Increased on all ranks, also on those that take no part in the step.
        self.tag = self.tag.wrapping_add(1);
        Ok(())
    }

    /// The partner of a round; the distance is 2^k times that of the first round, and k is cyclic.
    fn partner(&self, apart: u32, round: u64) -> Option<u32> {
        let bits = rounds_of_exchange(self.all.procs, apart);
        let partner = self.rank ^ (apart << (round % bits));
        (partner < self.all.procs.0 && partner != self.rank).then_some(partner)
    }

    /// Coordinates of the rank in the grid.
    fn coordinates(&self) -> Vec<u32> {
        let Some(decomposition) = self.all.decomposition else { return Vec::new() };
        let mut rest = self.rank;
        let mut coordinates: Vec<u32> = Vec::new();
        for n in decomposition.ranks.iter().rev() {
            coordinates.push(rest % n);
            rest /= n;
        }
        coordinates.reverse();
        coordinates
    }

    /// The rank this many steps away along each dimension; a dimension with `wraps` is periodic.
    fn neighbour(&self, coordinates: &[u32], steps: &[i64], wraps: &[bool]) -> Option<u32> {
        let decomposition = self.all.decomposition?;
        let mut rank = 0u64;
        for (along, (n, at)) in decomposition.ranks.iter().zip(coordinates).enumerate() {
            let step = steps.get(along).copied().unwrap_or_default();
            let wraps = wraps.get(along).is_some_and(|wraps| *wraps);
            let (n, to) = (i64::from(*n), i64::from(*at) + step);
            let is_inside = (0..n).contains(&to);
            if !is_inside && !wraps {
                return None;
            }
            rank = rank * n as u64 + to.rem_euclid(n) as u64;
        }
        u32::try_from(rank).ok().filter(|rank| *rank != self.rank)
    }

    /// The neighbours, with the bytes to and from each.
    fn neighbours(&self, towards: &[Option<Bytes>]) -> Vec<(u32, Bytes)> {
        let coordinates = self.coordinates();
        let wraps = self.all.decomposition.map_or(&[][..], |decomposition| &decomposition.wraps);
        let mut found = Vec::new();
        let count = 3usize.pow(coordinates.len() as u32);
        for index in 0..count {
            let (mut rest, mut along) = (index, 0);
            let mut steps = Vec::with_capacity(coordinates.len());
            for at in 0..coordinates.len() {
                let step = rest as i64 % 3 - 1;
                along |= usize::from(step != 0) << at;
                steps.push(step);
                rest /= 3;
            }
            let bytes = towards.get(along).copied().flatten();
            if let (Some(bytes), Some(rank)) = (bytes, self.neighbour(&coordinates, &steps, wraps))
            {
                found.push((rank, bytes));
            }
        }
        found
    }

    /// A block of a wavefront; each round starts at the next of the four corners.
    fn wavefront_block(&mut self, faces: [Bytes; 2], work: Micros, round: u64) {
        let coordinates = self.coordinates();
        let sign = |bit: u32| if round >> bit & 1 == 0 { 1i64 } else { -1 };
        let mut along = vec![0i64; coordinates.len()];
        let mut peers = |dimension: usize, towards: i64| {
            along.fill(0);
            along[dimension] = towards * sign(dimension as u32);
            // A wavefront is not periodic, not even in a periodic grid.
            self.neighbour(&coordinates, &along, &[])
        };
        let upstream = [peers(0, -1), peers(1, -1)];
        let downstream = [peers(0, 1), peers(1, 1)];
        for (peer, bytes) in upstream.into_iter().zip(faces) {
            if let Some(peer) = peer {
                let id = self.push(Step::recv(bytes.0, peer).tag(self.tag));
                self.before = Before::Done(id);
            }
        }
        self.compute(work);
        for (peer, bytes) in downstream.into_iter().zip(faces) {
            if let Some(peer) = peer {
                let id = self.push(Step::send(bytes.0, peer).tag(self.tag));
                self.before = Before::Done(id);
            }
        }
    }

    fn collective(
        &mut self,
        algorithm: &'static Algorithm,
        (op, bytes): (Operation, Bytes),
        during: Micros,
        left: Option<Micros>,
    ) {
        let shape = Shape { nodes: self.all.nodes, ..Shape::new(self.all.procs, bytes) };
        let entry = self.before;
        let mut writer =
            CollectiveWriter { rank: self, shape, op, entry, ops: Vec::new(), part: 0 };
        algorithm.emit(&shape, writer.rank.rank, &mut writer);
        let ops = writer.ops;
        if left.is_none() {
            self.compute(during);
        }
        self.join(&ops);
        self.compute(left.unwrap_or_default());
        // Increased by the same number on all ranks, for any number of parts.
        self.tag = self.tag.wrapping_add(MAX_PARTS);
    }
}

/// Writes a collective operation of one rank.
struct CollectiveWriter<'r, 'a, 'b> {
    rank: &'r mut RankWriter<'a, 'b>,
    shape: Shape<'a>,
    op: Operation,
    /// Dependency of its first operations.
    entry: Before,
    ops: Vec<OpId>,
    part: u32,
}

impl ActionSink for CollectiveWriter<'_, '_, '_> {
    fn shape(&self) -> &Shape<'_> {
        &self.shape
    }

    fn put(&mut self, step: Step) -> OpId {
        let tag = self.rank.tag.wrapping_add(self.part);
        let id = self.rank.builder.push(step.tag(tag));
        self.rank.is_too_long |= id.index() >= MAX_OPS;
        self.ops.push(id);
        id
    }

    fn first(&mut self, op: OpId) {
        self.entry.link(self.rank.builder, op);
    }

    fn wait(&mut self, op: OpId, earlier: OpId) {
        self.rank.builder.after(op, earlier);
    }

    fn peer(&mut self, rank: u32) -> u32 {
        rank
    }

    fn operator_time(&self, bytes: u64) -> u64 {
        (self.rank.all.operator_time)(self.op, bytes)
    }

    fn next_part(&mut self) {
        self.part += 1;
    }
}
