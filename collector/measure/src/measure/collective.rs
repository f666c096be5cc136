//! Collective operations of some ranks: T(m, p), the time until the last rank has finished.
//!
//! | procedure | repetition | result | paper |
//! |---|---|---|---|
//! | blocks | barrier, one execution, 20 timed together | the largest mean of any rank | Hwang et al. 1997, 2 |
//! | separated | barrier, one execution | the longest time of any rank | Touriño & Doallo 2001, 2.2 |
//! | window | all start at a common time | from the start until the last rank's end | |
//!
//! In blocks, executions overlap: a root may be several executions ahead. Ranks do not leave a
//! barrier at the same time. A common start needs a common clock
//! ([`clock_sync`](super::clock_sync)); a repetition in which a rank starts late is discarded.
//!
//! Every rank of the group calls the same function; rank 0 decides and gets the samples. Other
//! ranks keep one batch of times.

use super::clock_sync::CommonClock;
use super::{Effort, bytes, rounded};
use crate::transport::{Arithmetic, GroupId, Rank, Result, Transport};
use loggia_model::signature::{Clock, Operation, Quantity, Round, Samples, Statistic};
use loggia_model::stats::CONFIDENCE;
use loggia_model::stats::stop::{Goal, Need};
use loggia_model::units::{Micros, Procs};
use serde::{Deserialize, Serialize};

/// Hwang, Wang & Wang 1997: k, the executions per block.
const BLOCK: u32 = 20;
/// Hwang, Wang & Wang 1997: minimum repetitions of a block.
const BLOCKS: u32 = 5;
/// Hwang, Wang & Wang 1997: minimum of discarded executions.
const WARM_UP: u32 = 2;
/// Maximum repetitions of a batch.
const BATCH: u32 = 100;
/// Length of the first window beyond one execution, in µs.
const FIRST_WINDOW: f64 = 50.0;

/// Separation of the executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Procedure {
    /// Many executions after one barrier (Hwang, Wang & Wang 1997).
    Blocks,
    /// Each execution after a barrier (Touriño & Doallo 2001).
    Separated,
    /// Each execution starts at a common time.
    Window,
}

impl Procedure {
    const ALL: [Procedure; 3] = [Procedure::Blocks, Procedure::Separated, Procedure::Window];

    /// The procedure of this name in samples.
    pub fn named(name: &str) -> Option<Self> {
        Procedure::ALL.into_iter().find(|procedure| procedure.name() == name)
    }

    /// The name in samples.
    pub fn name(self) -> &'static str {
        match self {
            Procedure::Blocks => "blocks",
            Procedure::Separated => "separated",
            Procedure::Window => "window",
        }
    }
}

/// Ranks that measure together.
pub struct Group<'a> {
    transport: &'a mut dyn Transport,
    /// The ranks of the group, rank 0 first.
    members: &'a [Rank],
    id: GroupId,
    clock: Clock,
    round: u32,
    /// The common clock, kept between groups because it improves with time.
    common: &'a mut CommonClock,
}

#[derive(Clone, Copy)]
struct Execution {
    op: Operation,
    bytes: usize,
    arithmetic: Arithmetic,
}

/// A repetition on one rank; the maximum over all ranks is used.
#[derive(Clone, Copy, Default)]
struct Timed {
    time: f64,
    /// Delay of the start.
    late: f64,
}

/// The next repetitions, as decided by rank 0.
#[derive(Clone, Copy, Default)]
struct Batch {
    repetitions: u32,
    /// Synchronise the clocks first.
    synchronise: bool,
    /// Time between the starts of two repetitions.
    window: f64,
}

/// Rank 0's data of one condition.
struct Record {
    begin: f64,
    /// Time of an early execution.
    estimate: f64,
    kept: Vec<f64>,
    discarded: u32,
    /// Maximum error of the common clock.
    error: f64,
    next: Batch,
}

impl<'a> Group<'a> {
    /// Creates the group; each of these ranks must call this.
    pub fn of(
        transport: &'a mut dyn Transport,
        members: &'a [Rank],
        clock: Clock,
        round: u32,
        common: &'a mut CommonClock,
    ) -> Result<Self> {
        let id = transport.group(members)?;
        Ok(Group { transport, members, id, clock, round, common })
    }

    /// Measures an operation. The effort counts executions.
    pub fn run(
        &mut self,
        op: Operation,
        bytes: usize,
        effort: Effort,
        procedure: Procedure,
        arithmetic: Arithmetic,
    ) -> Result<Vec<Samples>> {
        let execution = Execution { op, bytes, arithmetic };
        let effort = procedure.effort(effort);
        let begin = self.transport.now();
        let estimate = self.warm_up(execution, effort)?;
        let window = FIRST_WINDOW + 2.0 * estimate;
        let next = Batch { window, ..Batch::default() };
        let mut record =
            Record { begin, estimate, kept: Vec::new(), discarded: 0, error: 0.0, next };
        loop {
            if self.leads() {
                let now = self.transport.now();
                record.next.repetitions = self.next_repetitions(effort, procedure, &record, now);
                record.next.synchronise = self.common.is_due(self.members, now);
            }
            let batch = self.agree(record.next)?;
            if batch.repetitions == 0 {
                let samples = self.samples(execution, procedure, &record);
                return Ok(samples.into_iter().filter(|_| self.leads()).collect());
            }
            let timed = self.batch(execution, procedure, batch)?;
            if self.leads() {
                record.add(&timed, self.tolerance(estimate));
                record.error =
                    record.error.max(self.common.error_at(self.members, self.transport.now()));
            }
        }
    }

    fn leads(&self) -> bool {
        self.transport.rank() == 0
    }

    fn execute(&mut self, execution: Execution) -> Result<()> {
        let Execution { op, bytes, arithmetic } = execution;
        self.transport.collective(op, self.id, bytes, arithmetic)
    }

    fn barrier(&mut self) -> Result<()> {
        self.transport.collective(Operation::Barrier, self.id, 0, Arithmetic::Empty)
    }

    /// Warm-up: two executions, or more if they are short. Returns the time of the last execution.
    fn warm_up(&mut self, execution: Execution, effort: Effort) -> Result<f64> {
        let begin = self.transport.now();
        for _ in 0..WARM_UP {
            self.separated(execution)?;
        }
        let each = (self.transport.now() - begin) / f64::from(WARM_UP);
        let affordable = (0.1 * effort.seconds * 1e6 / each) as u32;
        let more = effort.warm_up.saturating_sub(WARM_UP).min(affordable);
        let more = self.broadcast(f64::from(more))? as u32;
        for _ in 0..more {
            self.separated(execution)?;
        }
        let mut last = [self.separated(execution)?.time];
        self.transport.maximum(self.id, &mut last)?;
        Ok(last[0])
    }

    /// Touriño & Doallo 2001: one execution after a barrier.
    fn separated(&mut self, execution: Execution) -> Result<Timed> {
        self.barrier()?;
        let begin = self.transport.now();
        self.execute(execution)?;
        Ok(Timed { time: self.transport.now() - begin, late: 0.0 })
    }

    /// Hwang, Wang & Wang 1997: the mean of consecutive executions.
    fn block(&mut self, execution: Execution) -> Result<Timed> {
        self.barrier()?;
        self.execute(execution)?;
        let begin = self.transport.now();
        for _ in 0..BLOCK {
            self.execute(execution)?;
        }
        Ok(Timed { time: (self.transport.now() - begin) / f64::from(BLOCK), late: 0.0 })
    }

    /// Time from the common start until this rank completes.
    fn in_window(&mut self, start: f64, execution: Execution) -> Result<Timed> {
        let local = self.common.local(start);
        let ahead = local - self.transport.now();
        if ahead > 0.0 {
            self.transport.compute(ahead);
        }
        let late = self.transport.now() - local;
        self.execute(execution)?;
        let end = self.transport.now();
        Ok(Timed { time: self.common.common(end) - start, late })
    }

    /// Runs a batch: time and lateness of each repetition; at rank 0, the maxima over all ranks.
    fn batch(
        &mut self,
        execution: Execution,
        procedure: Procedure,
        batch: Batch,
    ) -> Result<Vec<f64>> {
        let mut start = 0.0;
        if procedure == Procedure::Window {
            if batch.synchronise {
                self.common.synchronise(self.transport, self.members)?;
            }
            // All ranks must know the start in advance.
            let ahead = batch.window * f64::from(self.id.procs.ilog2() + 1);
            let soon = self.transport.now() + ahead;
            start = self.broadcast(soon)?;
        }
        let mut numbers = Vec::with_capacity(2 * batch.repetitions as usize);
        for repetition in 0..batch.repetitions {
            let Timed { time, late } = match procedure {
                Procedure::Blocks => self.block(execution)?,
                Procedure::Separated => self.separated(execution)?,
                Procedure::Window => {
                    let start = start + f64::from(repetition) * batch.window;
                    self.in_window(start, execution)?
                }
            };
            numbers.extend([time, late]);
        }
        self.transport.maximum(self.id, &mut numbers)?;
        Ok(numbers)
    }

    /// Tolerated lateness of a start: the error of the clock, or 1% of the time.
    fn tolerance(&self, estimate: f64) -> f64 {
        (2.0 * (self.clock.overhead.0 + self.clock.resolution.0)).max(0.01 * estimate)
    }

    /// Size of the next batch.
    fn next_repetitions(
        &self,
        effort: Effort,
        procedure: Procedure,
        record: &Record,
        now: f64,
    ) -> u32 {
        let tried = record.kept.len() as u32 + record.discarded;
        let spent = now - record.begin;
        let each = match procedure {
            _ if tried > 0 => spent / f64::from(tried),
            Procedure::Blocks => record.estimate * f64::from(BLOCK + 1),
            Procedure::Separated => record.estimate,
            Procedure::Window => record.next.window,
        };
        let affordable = ((effort.seconds * 1e6 - spent) / each) as u32;
        let done = record.kept.len() as u32;
        let goal = Goal {
            relative: effort.precision,
            confidence: CONFIDENCE,
            least: effort.min as usize,
            tick: procedure.tick(&self.clock).0,
        };
        let needed = match goal.need(&record.kept) {
            Need::More(more) => more as u32,
            Need::Enough | Need::OutOfReach => 0,
        };
        // Make at least one repetition.
        let affordable = if tried == 0 { affordable.max(1) } else { affordable };
        needed.min(effort.max.saturating_sub(done)).min(affordable).min(BATCH)
    }

    /// Broadcasts a number from rank 0, along a binomial tree.
    fn broadcast(&mut self, number: f64) -> Result<f64> {
        let rank = self.transport.rank();
        let place = self.members.iter().position(|member| *member == rank).unwrap_or_default();
        let number = match place.checked_ilog2() {
            Some(log) => self.transport.await_signal(self.members[place - (1 << log)])?,
            None => number,
        };
        let mut step = (place + 1).next_power_of_two();
        while let Some(member) = self.members.get(place + step) {
            self.transport.signal(*member, number)?;
            step *= 2;
        }
        Ok(number)
    }

    /// Broadcasts the batch from rank 0.
    fn agree(&mut self, batch: Batch) -> Result<Batch> {
        let repetitions = self.broadcast(f64::from(batch.repetitions))? as u32;
        let synchronise = self.broadcast(f64::from(u8::from(batch.synchronise)))? > 0.0;
        Ok(Batch { repetitions, synchronise, window: self.broadcast(batch.window)? })
    }

    fn samples(
        &self,
        execution: Execution,
        procedure: Procedure,
        record: &Record,
    ) -> Option<Samples> {
        if record.kept.is_empty() {
            return None;
        }
        let is_single = procedure != Procedure::Blocks;
        let quantity = match (execution.arithmetic, execution.op, execution.bytes) {
            (_, Operation::Barrier, _) => Quantity::Collective,
            (Arithmetic::Empty, ..) => Quantity::CollectiveEmpty,
            (Arithmetic::Sum, _, 0) => Quantity::CollectiveStartup,
            (Arithmetic::Sum, ..) => Quantity::Collective,
        };
        Some(Samples {
            op: Some(execution.op.name().to_owned()),
            style: Some(procedure.name().to_owned()),
            procs: Some(Procs(self.id.procs)),
            bytes: bytes(execution.bytes).filter(|_| execution.op != Operation::Barrier),
            rounds: vec![Round { round: self.round, count: record.kept.len() as u32, pulse: None }],
            timer: is_single.then_some(self.clock.overhead),
            tick: is_single.then_some(self.clock.resolution),
            statistic: if is_single { Statistic::Raw } else { Statistic::MaximumOverRanks },
            times: record.kept.iter().map(|time| Micros(rounded(*time))).collect(),
            source: procedure.words(record),
            ..Samples::raw(quantity)
        })
    }
}

impl Procedure {
    /// The effort per repetition: a block has many executions.
    fn effort(self, effort: Effort) -> Effort {
        match self {
            Procedure::Blocks => Effort {
                min: (effort.min / BLOCK).max(BLOCKS),
                max: (effort.max / BLOCK).max(BLOCKS),
                ..effort
            },
            _ => effort,
        }
    }

    /// The resolution of the times.
    fn tick(self, clock: &Clock) -> Micros {
        match self {
            Procedure::Blocks => Micros(0.0),
            _ => clock.resolution,
        }
    }

    fn words(self, record: &Record) -> String {
        match self {
            Procedure::Blocks => format!(
                "the largest mean of any rank over {BLOCK} executions after a barrier \
                 (Hwang, Wang & Wang 1997, Section 2)"
            ),
            Procedure::Separated => {
                "the longest time of any rank after a barrier (Touriño & Doallo 2001, Section 2.2)"
                    .to_owned()
            }
            Procedure::Window => {
                let error = rounded(record.error);
                let discarded = match record.discarded {
                    0 => String::new(),
                    1 => ", 1 late start discarded".to_owned(),
                    many => format!(", {many} late starts discarded"),
                };
                format!(
                    "from a common start to the last rank's end, by clocks within {error} µs of \
                     each other{discarded}"
                )
            }
        }
    }
}

impl Record {
    /// Adds the repetitions of a batch without late starts.
    fn add(&mut self, timed: &[f64], tolerance: f64) {
        let (timed, _) = timed.as_chunks::<2>();
        let on_time = timed.iter().filter(|[_, late]| *late <= tolerance);
        let before = self.kept.len();
        self.kept.extend(on_time.map(|[time, _]| *time));
        let late = timed.len() - (self.kept.len() - before);
        self.discarded += late as u32;
        // Too many late starts: the window is too short.
        if 4 * late > timed.len() {
            self.next.window *= 2.0;
        }
    }
}

#[cfg(test)]
pub mod fake;

#[cfg(test)]
mod tests {
    use super::fake::{self, Fake, READING};
    use super::*;
    use loggia_model::stats::quantile::median;
    use std::sync::Arc;

    const EFFORT: Effort = Effort { warm_up: 4, min: 30, max: 500, precision: 0.01, seconds: 10.0 };

    fn clock() -> Clock {
        Clock { source: String::new(), resolution: Micros(0.0), overhead: Micros(READING) }
    }

    /// All ranks complete at once, after 3 µs per rank and 0.01 µs per byte; the
    /// first executions take longer, and every 17th takes 170 µs more.
    fn completion_time(
        op: Operation,
        procs: Rank,
        bytes: usize,
        _: Arithmetic,
        index: u64,
        at: f64,
    ) -> f64 {
        let outlier = if index % 17 == 3 { 170.0 } else { 0.0 };
        let cold = if index < 2 { 1000.0 } else { 0.0 };
        let time = match op {
            Operation::Barrier => 5.0,
            _ => 3.0 * f64::from(procs) + 0.01 * bytes as f64 + outlier,
        };
        at + time + cold
    }

    fn measure(ranks: Rank, procedure: Procedure, bytes: usize, effort: Effort) -> Vec<Samples> {
        let all = fake::run(ranks, Arc::new(completion_time), |transport| {
            let mut common = CommonClock::default();
            let all = Vec::from_iter(0..transport.ranks());
            let mut group = Group::of(transport, &all, clock(), 2, &mut common).unwrap();
            group.run(Operation::Bcast, bytes, effort, procedure, Arithmetic::Sum).unwrap()
        });
        assert!(all[1..].iter().all(Vec::is_empty), "only rank 0 has samples");
        all.into_iter().next().unwrap()
    }

    fn median_of(samples: &Samples) -> f64 {
        let times: Vec<f64> = samples.times.iter().map(|time| time.0).collect();
        median(&times).unwrap()
    }

    #[test]
    fn every_procedure_finds_the_time() {
        for procedure in Procedure::ALL {
            for ranks in [2, 3, 8] {
                let samples = measure(ranks, procedure, 1000, EFFORT);
                let [samples] = samples.as_slice() else { panic!("{samples:?}") };
                let truth = 3.0 * f64::from(ranks) + 10.0;
                let found = median_of(samples);
                let outliers =
                    if procedure == Procedure::Blocks { 170.0 / 17.0 + 0.1 } else { 0.1 };
                assert!(found > truth - 2.0 && found < truth + outliers + 2.0, "{samples:?}");
                assert_eq!(samples.procs, Some(Procs(ranks)));
                assert_eq!(samples.rounds[0].round, 2);
                let min = if procedure == Procedure::Blocks { BLOCKS } else { EFFORT.min };
                assert!(samples.times.len() >= min as usize, "{samples:?}");
            }
        }
    }

    #[test]
    fn samples_name_their_statistic_and_quantity() {
        let of = |procedure, bytes| measure(2, procedure, bytes, EFFORT).remove(0);
        let blocks = of(Procedure::Blocks, 8);
        assert_eq!(blocks.statistic, Statistic::MaximumOverRanks);
        assert_eq!((blocks.quantity, blocks.timer), (Quantity::Collective, None));
        let window = of(Procedure::Window, 0);
        assert_eq!(
            (window.statistic, window.quantity),
            (Statistic::Raw, Quantity::CollectiveStartup)
        );
        assert_eq!(window.timer, Some(Micros(READING)));
        assert_eq!(window.style.as_deref(), Some("window"));
    }

    /// Windows that are too short are detected and widened.
    #[test]
    fn late_starts_are_discarded() {
        let samples = measure(4, Procedure::Window, 0, EFFORT).remove(0);
        // An outlier lasts longer than the first window.
        assert!(samples.source.contains("late start"), "{}", samples.source);
        let slow = samples.times.iter().filter(|time| time.0 > 100.0).count();
        assert!(slow > 0, "outliers are kept: {samples:?}");
    }

    #[test]
    fn time_is_limited_and_something_is_always_measured() {
        for procedure in Procedure::ALL {
            let short = Effort { seconds: 1e-9, ..EFFORT };
            let samples = measure(2, procedure, 1 << 20, short);
            assert_eq!(samples[0].times.len(), 1, "{samples:?}");
            let more = Effort { seconds: 0.5, max: 10_000, min: 10_000, ..EFFORT };
            let samples = measure(2, procedure, 1 << 20, more);
            let count = samples[0].times.len();
            assert!((2..100).contains(&count), "{count}");
        }
    }

    #[test]
    fn a_broadcast_reaches_every_rank() {
        for ranks in [2, 3, 5, 8, 13] {
            let received = fake::run(ranks, Arc::new(completion_time), |transport: &mut Fake| {
                let mut common = CommonClock::default();
                let number = if transport.rank() == 0 { 7.0 } else { 0.0 };
                let all = Vec::from_iter(0..transport.ranks());
                let mut group = Group::of(transport, &all, clock(), 0, &mut common).unwrap();
                group.broadcast(number).unwrap()
            });
            assert_eq!(received, vec![7.0; ranks as usize]);
        }
    }
}
