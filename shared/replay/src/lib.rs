//! Replay of traced programs: what would the same program take on that machine?
//!
//! | file | question |
//! |---|---|
//! | [`survey`] | what does a look through the whole trace tell |
//! | [`what_if`] | what if the machine were another |
//! | `calls` | how long do calls take in a run |
//! | [`answer`] | what does a replay say |
//! | [`choice`] | by which algorithm is a collective operation done |
//! | `traced` | how is a trace told to the simulator, bit by bit |
//! | `walk` | what are a rank's calls to the simulator |
//! | `collectives` | what does a rank do in a collective operation |
//!
//! This is what SIM-MPI does (`002`, Section 3): the computation between calls is taken from the
//! trace, and what the calls take from a model.

pub mod answer;
mod calls;
pub mod choice;
mod collectives;
pub mod survey;
pub mod trace;
mod traced;
mod walk;

use crate::trace::{Timed, Trace};
use calls::{Calls, class, span};
use choice::Choices;
use loggia_model::Error;
use loggia_model::rules::Rules;
use loggia_model::signature::Operation;
use loggia_model::units::{Micros, MicrosPerByte, Procs};
use loggia_schedule::observe::Activity;
use loggia_schedule::outcome::Outcome;
use loggia_schedule::schedule::Schedule;
use loggia_schedule::stuck;
use loggia_schedule::timeline::{Flight, Span, Taker};
use loggia_simulate::program::Program;
use loggia_simulate::{Runs, Setting, Simulation, Steps, Words};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use survey::Survey;
use traced::Traced;

/// How a program is replayed.
#[derive(Clone, Debug)]
pub struct How {
    /// By which algorithms collective operations are done.
    pub choices: Choices,
    /// By what all computation is multiplied …
    pub scale_compute: f64,
    /// … and that of some ranks once more.
    pub scale_ranks: Vec<(u32, f64)>,
    /// t_c: combining a byte in a reduction.
    pub combine: MicrosPerByte,
}

impl Default for How {
    fn default() -> Self {
        How {
            choices: Choices::default(),
            scale_compute: 1.0,
            scale_ranks: Vec::new(),
            combine: MicrosPerByte(0.0),
        }
    }
}

impl How {
    fn compute_rate(&self, rank: u32) -> f64 {
        let own = self.scale_ranks.iter().filter(|(of, _)| *of == rank).map(|(_, scale)| *scale);
        self.scale_compute * own.product::<f64>()
    }

    /// How many picoseconds so many bytes take to combine.
    fn combining(&self, bytes: u64) -> u64 {
        loggia_simulate::loggp::combining(self.combine, bytes)
    }
}

/// By which algorithm an operation was replayed, so many times, with so many bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The operation.
    pub op: Operation,
    /// The algorithm's name.
    pub algorithm: std::borrow::Cow<'static, str>,
    /// Who has chosen it: `asked`, `signature` or `default`.
    pub chooser: std::borrow::Cow<'static, str>,
    /// Among so many ranks.
    pub procs: u32,
    /// So often, counted once a rank.
    pub calls: u64,
    /// The fewest bytes, as the operation counts them.
    pub smallest: u64,
    /// The most.
    pub largest: u64,
}

impl Chosen {
    /// With how many bytes, in words: `8–1024`, or the one size that there was.
    pub fn sizes(&self) -> String {
        match (self.smallest, self.largest) {
            (low, high) if low == high => low.to_string(),
            (low, high) => format!("{low}–{high}"),
        }
    }
}

/// A program, ready to be run.
#[derive(Debug)]
pub struct Replay {
    body: Body,
    /// What the real run did.
    pub survey: Rc<Survey>,
    /// What to know before trusting it, from reading it.
    doubts: Vec<String>,
}

#[derive(Debug)]
enum Body {
    /// Already what ranks do.
    Schedule(Schedule),
    /// What ranks called.
    Calls(Box<Traced>),
}

impl Replay {
    /// A traced program.
    pub fn new(trace: Rc<Trace>, how: How) -> Result<Self, Error> {
        let ranks = trace.ranks.len();
        if let Some((rank, _)) = how.scale_ranks.iter().find(|(rank, _)| *rank as usize >= ranks) {
            return Err(Error::new(
                format!("there is no rank {rank}: the trace has {}", Procs(ranks as u32).ranks()),
                "--scale-compute",
                "count ranks from 0",
            ));
        }
        let survey = Rc::new(Survey::of(&trace)?);
        let doubts = trace.warnings.iter().cloned().chain(survey.not_replayed()).collect();
        Ok(Replay {
            body: Body::Calls(Box::new(Traced::new(trace, Rc::clone(&survey), how))),
            survey,
            doubts,
        })
    }

    /// A program that is a schedule already.
    pub fn of_schedule(program: Program) -> Self {
        let Program { schedule, warnings: doubts, .. } = program;
        let survey = Rc::new(Survey::of_nothing(schedule.ranks()));
        Replay { body: Body::Schedule(schedule), survey, doubts }
    }

    /// All of its operations, in memory; each one's label is the kind of its call.
    pub fn schedule(&self) -> Result<&Schedule, Error> {
        match &self.body {
            Body::Schedule(schedule) => Ok(schedule),
            Body::Calls(calls) => calls.schedule(),
        }
    }

    /// How many operations it has.
    pub fn operations(&self) -> u64 {
        match &self.body {
            Body::Schedule(schedule) => schedule.len() as u64,
            Body::Calls(calls) => calls.operations(),
        }
    }

    /// Ready to run on a machine, by rules. Where it can, it walks through the calls as it runs.
    pub fn simulation<'a>(
        &'a self,
        rules: Rules,
        setting: &Setting<'a>,
    ) -> Result<Simulation<'a, Self>, Error> {
        self.prepare(rules)?;
        Simulation::new(self, rules, setting)
    }

    /// LogGOPSim's rules go back in time, so they want all of it.
    pub fn prepare(&self, rules: Rules) -> Result<(), Error> {
        if rules == Rules::LogGops {
            self.schedule()?;
        }
        Ok(())
    }

    /// The same, for what asks about operations by their numbers: all of it is in memory.
    pub fn in_memory<'a>(
        &'a self,
        rules: Rules,
        setting: &Setting<'a>,
    ) -> Result<Simulation<'a>, Error> {
        Ok(Simulation::new(self.schedule()?, rules, setting)?.told(self.words()))
    }

    /// The same traced program, replayed in another way.
    pub fn again(&self, how: impl FnOnce(Choices) -> How) -> Option<Self> {
        let Body::Calls(calls) = &self.body else { return None };
        let (survey, doubts) = (Rc::clone(&self.survey), self.doubts.clone());
        Some(Replay { body: Body::Calls(Box::new(calls.again(how))), survey, doubts })
    }

    /// How its collective operations are done, as far as it was walked through.
    pub fn chosen(&self) -> Vec<Chosen> {
        match &self.body {
            Body::Schedule(_) => Vec::new(),
            Body::Calls(calls) => calls.chosen(),
        }
    }

    /// What to know before trusting it, as far as it was walked through.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.doubts.clone();
        if let Body::Calls(calls) = &self.body {
            warnings.extend(calls.lost());
        }
        warnings
    }

    /// Why the last walk did not come to its end, or what it found cannot be believed.
    fn check(&self, run: &Outcome<u64>) -> Result<(), Error> {
        let Body::Calls(calls) = &self.body else { return Ok(()) };
        calls.check()?;
        if run.is_too_long {
            return Err(Error::new(
                "the times of this trace add up to more than the simulator counts, 213 days",
                calls.name(),
                "scale its computation down (--scale-compute)",
            ));
        }
        Ok(())
    }

    /// Whether the trace says when it did it.
    fn is_timed(&self) -> bool {
        matches!(&self.body, Body::Calls(calls) if calls.is_timed())
    }

    /// How long the real run took, if the trace says so.
    pub fn measured(&self) -> Option<Micros> {
        self.is_timed().then(|| Micros(self.survey.measured() as f64 / 1e3))
    }

    /// Tells of calls as it runs.
    fn calls<K: Taker>(&self, taker: K) -> Calls<K> {
        Calls::new(self.survey.ranks.len(), matches!(self.body, Body::Calls(_)), taker)
    }

    /// Runs it, and tells of every call, every computation and every message.
    pub fn predicted(&self, simulation: &Simulation, taker: &mut impl Taker) {
        let mut calls = self.calls(Borrowed(taker));
        let outcome = simulation.watched(&mut calls);
        calls.end(&outcome.ends);
    }
}

impl Runs for Replay {
    fn ranks(&self) -> u32 {
        self.survey.ranks.len() as u32
    }

    fn steps(&self) -> Steps<'_> {
        match &self.body {
            Body::Schedule(schedule) => Steps::Written(schedule),
            Body::Calls(calls) => calls.steps(),
        }
    }

    fn words(&self) -> Words {
        match self.body {
            Body::Schedule(_) => stuck::describe,
            Body::Calls(_) => walk::describe,
        }
    }
}

/// A taker that somebody else keeps.
struct Borrowed<'a, K>(&'a mut K);

impl<K: Taker> Taker for Borrowed<'_, K> {
    fn span(&mut self, span: Span) {
        self.0.span(span);
    }

    fn flight(&mut self, flight: Flight) {
        self.0.flight(flight);
    }
}

/// Tells of every call and every computation of the real run, in picoseconds.
pub fn measured(trace: &Trace, taker: &mut impl Taker) {
    let first = trace.start();
    for (rank, of) in (0..).zip(&trace.ranks) {
        for Timed { computes, called, done, record } in of.timed(first) {
            let kind = record.call.kind();
            let [computes, called, done] =
                [computes, called, done].map(|nanos| nanos.saturating_mul(1000));
            taker.span(span(Activity::Compute, rank, kind, computes, called));
            if record.duration > 0 {
                taker.span(span(class(kind), rank, kind, called, done));
            }
        }
    }
}
