//! A trace as a program for the simulator: streamed, or in memory.

use super::choice::Choices;
use super::options::{AlgorithmUse, ReplayOptions};
use super::summary::TraceSummary;
use super::translation::{RankCursor, Translation, Translator};
use crate::error::ReplayError;
use crate::trace::Trace;
use loggia_model::Error;
use loggia_schedule::schedule::{Builder, CalcUnit, OpId, Schedule, Step};
use loggia_schedule::stream::{Next, OperationSink, OperationSource};
use loggia_simulate::{Steps, Streams};
use std::cell::{OnceCell, RefCell, RefMut};
use std::rc::Rc;

/// The calls of a trace, with the settings of their replay.
#[derive(Debug)]
pub(super) struct TracedProgram {
    trace: Rc<Trace>,
    summary: Rc<TraceSummary>,
    how: ReplayOptions,
    /// Results of the last walk.
    found: RefCell<Translation>,
    /// The schedule in memory, built at its first use.
    schedule: OnceCell<Schedule>,
    operations: OnceCell<u64>,
}

impl TracedProgram {
    pub(super) fn new(trace: Rc<Trace>, summary: Rc<TraceSummary>, mut how: ReplayOptions) -> Self {
        if let Some(library) = &trace.library {
            how.choices.traced_with(library);
        }
        TracedProgram {
            trace,
            summary,
            how,
            found: RefCell::default(),
            schedule: OnceCell::new(),
            operations: OnceCell::new(),
        }
    }

    /// The same trace with other settings.
    pub(super) fn with_options(&self, how: impl FnOnce(Choices) -> ReplayOptions) -> Self {
        let how = how(self.how.choices.clone());
        TracedProgram::new(Rc::clone(&self.trace), Rc::clone(&self.summary), how)
    }

    pub(super) fn options(&self) -> &ReplayOptions {
        &self.how
    }

    pub(super) fn name(&self) -> &str {
        &self.trace.name
    }

    pub(super) fn is_timed(&self) -> bool {
        self.trace.source.is_timed()
    }

    /// Begins a walk through all calls.
    fn walk(&self) -> Feeder<'_> {
        let mut found = self.found.borrow_mut();
        *found = Translation::default();
        let ranks = (0..).zip(&self.trace.ranks);
        let walkers =
            ranks.map(|(number, rank)| RankCursor::new(number, rank, &self.how)).collect();
        Feeder { summary: &self.summary, how: &self.how, walkers, found }
    }

    pub(super) fn steps(&self) -> Steps<'_> {
        self.schedule.get().map_or(Steps::Streamed(self), Steps::InMemory)
    }

    pub(super) fn schedule(&self) -> Result<&Schedule, Error> {
        if let Some(known) = self.schedule.get() {
            return Ok(known);
        }
        let mut out = Builder::counting(CalcUnit::Picoseconds);
        self.walk().all(&mut out, |out| {
            out.rank();
        });
        self.check()?;
        let flaw = |flaw| ReplayError::InvalidSchedule { trace: self.name().to_owned(), flaw };
        let schedule = out.finish().map_err(flaw)?;
        Ok(self.schedule.get_or_init(|| schedule))
    }

    pub(super) fn operations(&self) -> u64 {
        *self.operations.get_or_init(|| match self.schedule.get() {
            Some(known) => known.len() as u64,
            None => {
                let mut count = Count(0);
                self.walk().all(&mut count, |_| ());
                count.0
            }
        })
    }

    /// An error if the last walk stopped early.
    pub(super) fn check(&self) -> Result<(), Error> {
        let found = self.found.borrow();
        if found.is_too_long {
            return Err(ReplayError::TooLong { trace: self.name().to_owned() }.into());
        }
        found.failure.clone().map_or(Ok(()), Err)
    }

    /// Algorithms used in the last walk.
    pub(super) fn chosen(&self) -> Vec<AlgorithmUse> {
        let mut chosen = self.found.borrow().chosen.clone();
        chosen.sort_by_key(|chosen| (chosen.op, chosen.procs, chosen.smallest));
        chosen
    }

    /// Calls left out of the last walk, as text.
    pub(super) fn lost(&self) -> Vec<String> {
        let found = self.found.borrow();
        let lost = found.lost.iter().filter_map(|rank| self.trace.ranks.get(*rank as usize));
        let words = "messages to ranks that are not in their communicator are left out";
        lost.map(|rank| format!("{}: {words}", rank.name)).collect()
    }
}

impl Streams for TracedProgram {
    fn source(&self) -> Box<dyn OperationSource + '_> {
        Box::new(self.walk())
    }
}

/// Emits the operations of all ranks, translated from their calls.
struct Feeder<'a> {
    summary: &'a TraceSummary,
    how: &'a ReplayOptions,
    walkers: Vec<RankCursor<'a>>,
    found: RefMut<'a, Translation>,
}

impl Feeder<'_> {
    /// Emits everything, rank by rank.
    fn all<W: OperationSink>(mut self, out: &mut W, begin: impl Fn(&mut W)) {
        for rank in 0..self.ranks() {
            begin(out);
            while self.next(rank, out) != Next::End {}
        }
    }
}

impl OperationSource for Feeder<'_> {
    fn ranks(&self) -> u32 {
        self.walkers.len() as u32
    }

    fn next(&mut self, rank: u32, out: &mut dyn OperationSink) -> Next {
        let Feeder { summary, how, walkers, found } = self;
        Translator { summary, how, found, of: &mut walkers[rank as usize], out }.next()
    }
}

/// Counts operations.
struct Count(u64);

impl OperationSink for Count {
    fn push(&mut self, _: Step) -> OpId {
        self.0 += 1;
        OpId(self.0 as u32)
    }

    fn after(&mut self, _: OpId, _: OpId) {}

    fn after_start(&mut self, _: OpId, _: OpId) {}
}
