//! Replay of traced programs: what would the same program take on that machine?
//!
//! | file | question |
//! |---|---|
//! | [`survey`] | what does a look through the whole trace tell |
//! | [`what_if`] | what if the machine were another |
//! | `calls` | how long do calls take in a run |
//! | [`answer`] | what does a replay say |
//! | [`choice`] | by which algorithm is a collective operation done |
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
mod walk;
pub mod what_if;

use crate::Error;
use crate::signature::Operation;
use crate::simulate::program::Program;
use crate::simulate::{Rules, Setting, Simulation};
use crate::trace::{Timed, Trace};
use crate::units::{Micros, MicrosPerByte};
use calls::{Calls, class, span};
use choice::Choices;
use loggia_engine::observe::Activity;
use loggia_engine::schedule::{Builder, CalcUnit, Schedule};
use loggia_engine::timeline::{Flight, Span, Taker};
use serde::{Deserialize, Serialize};
use survey::Survey;
use walk::{Tags, Walk};

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
        crate::simulate::loggp::combining(self.combine, bytes)
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
    /// What every rank does; each operation's label is the kind of its call.
    pub schedule: Schedule,
    /// What the real run did.
    pub survey: Survey,
    /// Whether the trace says when it did it.
    is_timed: bool,
    /// How its collective operations are done.
    pub chosen: Vec<Chosen>,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
}

impl Replay {
    /// A traced program as a schedule.
    pub fn new(trace: &Trace, how: &How) -> Result<Self, Error> {
        let survey = Survey::of(trace)?;
        let mut warnings = trace.warnings.clone();
        warnings.extend(survey.not_replayed());
        let mut out = Builder::counting(CalcUnit::Picoseconds);
        let (mut tags, mut chosen) = (Tags::default(), Vec::new());
        for (number, rank) in trace.ranks.iter().enumerate() {
            out.rank();
            let number = number as u32;
            let mut walk = Walk::new(number, &survey, how, &mut out, &mut tags, &mut chosen);
            walk.all(rank)?;
            if walk.lost {
                warnings.push(format!(
                    "{}: messages to ranks that are not in their communicator are left out",
                    rank.name
                ));
            }
        }
        let flaw = |flaw: loggia_engine::schedule::Flaw| {
            Error::new(flaw.to_string(), &trace.name, "Loggia cannot hold this trace")
        };
        let is_timed = trace.source.is_timed();
        Ok(Replay { schedule: out.finish().map_err(flaw)?, survey, is_timed, chosen, warnings })
    }

    /// A program that is a schedule already.
    pub fn of_schedule(program: Program) -> Self {
        let survey = Survey::of_nothing(program.schedule.ranks());
        let warnings = program.warnings;
        let schedule = program.schedule;
        Replay { schedule, survey, is_timed: false, chosen: Vec::new(), warnings }
    }

    /// Ready to run on a machine, by rules.
    pub fn simulation<'a>(
        &'a self,
        rules: Rules,
        setting: &Setting<'a>,
    ) -> Result<Simulation<'a>, Error> {
        let simulation = Simulation::new(&self.schedule, rules, setting)?;
        Ok(if self.survey.records > 0 { simulation.told(walk::describe) } else { simulation })
    }

    /// How long the real run took, if the trace says so.
    pub fn measured(&self) -> Option<Micros> {
        self.is_timed.then(|| Micros(self.survey.measured() as f64 / 1e3))
    }

    /// Runs it, and tells of every call, every computation and every message.
    pub(crate) fn predicted(&self, simulation: &Simulation, taker: &mut impl Taker) {
        let ops = self.schedule.ops();
        let mut calls = Calls::new(ops, self.schedule.ranks(), Borrowed(taker));
        let outcome = simulation.watched(&mut calls);
        calls.end(&outcome.ends);
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
pub(crate) fn measured(trace: &Trace, taker: &mut impl Taker) {
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
