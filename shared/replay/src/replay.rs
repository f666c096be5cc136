//! A program that can be replayed: a trace, or a schedule.

use crate::call_times::{CallObserver, class, span};
use crate::choice::Choices;
use crate::error::ReplayError;
use crate::options::{AlgorithmUse, ReplayOptions};
use crate::program::TracedProgram;
use crate::summary::TraceSummary;
use crate::trace::{Timed, Trace};
use crate::translation;
use loggia_model::Error;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Micros;
use loggia_schedule::observe::Activity;
use loggia_schedule::outcome::Outcome;
use loggia_schedule::schedule::Schedule;
use loggia_schedule::stuck;
use loggia_schedule::timeline::{Flight, Recorder, Span};
use loggia_simulate::program::Program;
use loggia_simulate::{RunSetting, Simulated, Simulation, Steps, Words};
use std::rc::Rc;

/// A program, ready to be run.
#[derive(Debug)]
pub struct Replay {
    body: Workload,
    /// Summary of the real run.
    pub summary: Rc<TraceSummary>,
    /// Warnings from reading the trace.
    warnings: Vec<String>,
}

#[derive(Debug)]
enum Workload {
    /// Operations of the ranks.
    Schedule(Box<Schedule>),
    /// MPI calls of the ranks.
    Calls(Box<TracedProgram>),
}

impl Replay {
    /// A traced program.
    pub fn new(trace: Rc<Trace>, how: ReplayOptions) -> Result<Self, Error> {
        let ranks = trace.ranks.len();
        if let Some((rank, _)) = how.scale_ranks.iter().find(|(rank, _)| *rank as usize >= ranks) {
            return Err(ReplayError::RankOutside { rank: *rank, ranks: ranks as u32 }.into());
        }
        let summary = Rc::new(TraceSummary::of(&trace)?);
        let warnings = trace.warnings.iter().cloned().chain(summary.not_replayed()).collect();
        Ok(Replay {
            body: Workload::Calls(Box::new(TracedProgram::new(trace, Rc::clone(&summary), how))),
            summary,
            warnings,
        })
    }

    /// A program given as a schedule.
    pub fn of_schedule(program: Program) -> Self {
        let Program { schedule, warnings, .. } = program;
        let summary = Rc::new(TraceSummary::without_calls(schedule.ranks()));
        Replay { body: Workload::Schedule(Box::new(schedule)), summary, warnings }
    }

    /// The schedule in memory; labels are the kinds of calls.
    pub fn schedule(&self) -> Result<&Schedule, Error> {
        match &self.body {
            Workload::Schedule(schedule) => Ok(schedule),
            Workload::Calls(calls) => calls.schedule(),
        }
    }

    /// Number of operations.
    pub fn operations(&self) -> u64 {
        match &self.body {
            Workload::Schedule(schedule) => schedule.len() as u64,
            Workload::Calls(calls) => calls.operations(),
        }
    }

    /// A simulation on a machine. The calls are streamed if the simulation model allows it.
    pub fn simulation<'a>(
        &'a self,
        rules: SimulationModel,
        setting: &RunSetting<'a>,
    ) -> Result<Simulation<'a, Self>, Error> {
        self.prepare(rules)?;
        Simulation::new(self, rules, setting)
    }

    /// LogGOPSim's model goes back in time, so it needs the whole schedule in memory.
    pub fn prepare(&self, rules: SimulationModel) -> Result<(), Error> {
        if rules == SimulationModel::LogGops {
            self.schedule()?;
        }
        Ok(())
    }

    /// The program in memory, for results that refer to operations by number.
    pub fn in_memory<'a>(
        &'a self,
        rules: SimulationModel,
        setting: &RunSetting<'a>,
    ) -> Result<Simulation<'a>, Error> {
        Ok(Simulation::new(self.schedule()?, rules, setting)?.described_by(self.words()))
    }

    /// The same traced program with other settings.
    pub fn with_options(&self, how: impl FnOnce(Choices) -> ReplayOptions) -> Option<Self> {
        let Workload::Calls(calls) = &self.body else { return None };
        let (summary, warnings) = (Rc::clone(&self.summary), self.warnings.clone());
        Some(Replay { body: Workload::Calls(Box::new(calls.with_options(how))), summary, warnings })
    }

    /// Algorithms of its collective operations, up to where the last walk ended.
    pub fn chosen(&self) -> Vec<AlgorithmUse> {
        match &self.body {
            Workload::Schedule(_) => Vec::new(),
            Workload::Calls(calls) => calls.chosen(),
        }
    }

    /// Warnings, up to where the last walk ended.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        if let Workload::Calls(calls) = &self.body {
            warnings.extend(calls.lost());
        }
        warnings
    }

    /// An error if the last walk stopped early, or if its times overflowed.
    pub(crate) fn check(&self, run: &Outcome<u64>) -> Result<(), Error> {
        let Workload::Calls(calls) = &self.body else { return Ok(()) };
        calls.check()?;
        if run.is_too_long {
            return Err(ReplayError::TooLong { trace: calls.name().to_owned() }.into());
        }
        Ok(())
    }

    /// The factors of computation as text.
    pub(crate) fn scaled_computation(&self) -> Vec<String> {
        match &self.body {
            Workload::Schedule(_) => Vec::new(),
            Workload::Calls(calls) => calls.options().scaled(),
        }
    }

    /// Whether the trace holds times.
    pub(crate) fn is_timed(&self) -> bool {
        matches!(&self.body, Workload::Calls(calls) if calls.is_timed())
    }

    /// Duration of the real run, if known.
    pub fn measured(&self) -> Option<Micros> {
        self.is_timed().then(|| Micros(self.summary.measured() as f64 / 1e3))
    }

    /// An observer that passes calls to `recorder`.
    pub(crate) fn calls<K: Recorder>(&self, recorder: K) -> CallObserver<K> {
        CallObserver::new(
            self.summary.ranks.len(),
            matches!(self.body, Workload::Calls(_)),
            recorder,
        )
    }

    /// Runs it; `recorder` gets every call, computation and message.
    pub fn predicted(&self, simulation: &Simulation, recorder: &mut impl Recorder) {
        let mut calls = self.calls(Borrowed(recorder));
        let outcome = simulation.watched(&mut calls);
        calls.end(&outcome.ends);
    }
}

impl Simulated for Replay {
    fn ranks(&self) -> u32 {
        self.summary.ranks.len() as u32
    }

    fn steps(&self) -> Steps<'_> {
        match &self.body {
            Workload::Schedule(schedule) => Steps::InMemory(schedule),
            Workload::Calls(calls) => calls.steps(),
        }
    }

    fn words(&self) -> Words {
        match self.body {
            Workload::Schedule(_) => stuck::describe,
            Workload::Calls(_) => translation::describe,
        }
    }
}

/// Passes a timeline to a borrowed recorder.
struct Borrowed<'a, K>(&'a mut K);

impl<K: Recorder> Recorder for Borrowed<'_, K> {
    fn span(&mut self, span: Span) {
        self.0.span(span);
    }

    fn flight(&mut self, flight: Flight) {
        self.0.flight(flight);
    }
}

/// Passes every call and computation of the traced run to `recorder`, in picoseconds.
pub fn measured(trace: &Trace, recorder: &mut impl Recorder) {
    let first = trace.start();
    for (rank, of) in (0..).zip(&trace.ranks) {
        for Timed { computes, called, done, record } in of.timed(first) {
            let kind = record.call.kind();
            let [computes, called, done] =
                [computes, called, done].map(|nanos| nanos.saturating_mul(1000));
            recorder.span(span(Activity::Compute, rank, kind, computes, called));
            if record.duration > 0 {
                recorder.span(span(class(kind), rank, kind, called, done));
            }
        }
    }
}
