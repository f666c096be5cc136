//! Requests of the page to the worker, and its responses.

use super::bars::Bar;
use super::importing::{ImportRequest, Imported};
use super::lessons::{LessonRequest, LessonResponse};
use super::planning::{Extent, Planned, Planning};
use super::section::{TimelineSection, Viewport};
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::signature::Operation;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_replay::report::Comparison;
use loggia_simulate::Parameter;
use loggia_simulate::program::ClosedForm;
use loggia_simulate::result::{CriticalPath, Curve, Sensitivity, SimulationResult, Word, known};
use serde::{Deserialize, Serialize};

/// A request to the worker: simulation, fit, import, plan or lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// A query about a simulated run.
    Run {
        /// A run: program, machine, model, what-if.
        question: Box<RunRequest>,
        /// The query.
        want: Query,
    },
    /// A signature, as its file has it, fitted again to its samples.
    Fit(String),
    /// Outputs of other benchmarks, to make a signature.
    Import(Box<ImportRequest>),
    /// A sketch on a machine.
    Plan(Box<Planning>, Extent),
    /// A lesson.
    Lesson(Box<LessonRequest>),
}

/// A run: program, machine, model, what-if.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// The program of the run.
    pub runs: RunSource,
    /// The signature, as its file has it.
    pub signature: String,
    /// The tier; by default the first.
    pub tier: Option<String>,
    /// The send mode; by default the first.
    pub style: Option<String>,
    /// The simulation model; by default the richest possible.
    pub rules: Option<SimulationModel>,
    /// The what-if.
    #[serde(default)]
    pub changed: Scenario,
}

/// The what-if.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// The machine.
    pub machine: WhatIf,
    /// Factor on all computation of a traced program.
    pub compute: f64,
    /// The placement of ranks on nodes, as the command's `--nodes`.
    pub nodes: Option<String>,
}

impl RunRequest {
    /// Whether a trace becomes the same program for both requests: a what-if of the machine changes
    /// only its run.
    pub(super) fn replays_alike(&self, other: &Self) -> bool {
        let Scenario { machine: _, compute, nodes } = &self.changed;
        (&self.signature, &self.tier, &self.style, self.rules)
            == (&other.signature, &other.tier, &other.style, other.rules)
            && (*compute, nodes) == (other.changed.compute, &other.changed.nodes)
    }
}

impl Default for Scenario {
    fn default() -> Self {
        Scenario { machine: WhatIf::default(), compute: 1.0, nodes: None }
    }
}

/// The program of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunSource {
    /// An algorithm's schedule.
    Algorithm {
        /// The operation.
        op: Operation,
        /// The algorithm's name.
        algorithm: String,
        /// Number of ranks.
        procs: Procs,
        /// The size, as the operation defines it.
        bytes: Bytes,
    },
    /// The files sent last: a GOAL file, or a trace.
    File,
}

/// Queries about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Query {
    /// Completion time and result.
    End,
    /// The result on other machines, given as JSON signatures.
    OtherMachine(Vec<String>),
    /// The time of each rank, in at most this many bars.
    Split(u32),
    /// Sensitivity of the completion time to each parameter.
    Sensitivity,
    /// The critical path.
    Path,
    /// Completion time over a parameter, from 0 to this value; per byte for G.
    Curve(Parameter, Micros),
    /// A part of the timeline.
    TimelineSection(Viewport),
    /// A part of the timeline of a traced program's calls, measured and predicted.
    Calls(Viewport),
}

/// A response of the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The result of the run.
    End(Box<RunResult>),
    /// The result on each of the other machines.
    OtherMachine(Vec<OtherMachine>),
    /// The time of ranks.
    Split(Vec<Bar>),
    /// Sensitivity.
    Sensitivity(Sensitivity),
    /// The critical path.
    Path(PathExcerpt),
    /// Completion time over a parameter.
    Curve(Curve),
    /// A part of the timeline.
    TimelineSection(TimelineSection),
    /// A part of the timeline of calls: measured, if known, and predicted.
    Calls(Option<Box<TimelineSection>>, Box<TimelineSection>),
    /// A refitted signature as JSON, without its samples.
    Fitted(String),
    /// The result of an import.
    Imported(Box<Imported>),
    /// A plan; none if the request only filled the cache.
    Planned(Option<Box<Planned>>),
    /// The answer to a request about lessons.
    Lesson(LessonResponse),
    /// The files to import are a trace or a schedule.
    Program,
    /// Why the request failed.
    Refused(Error),
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Name of the schedule.
    pub schedule: String,
    /// Number of sends, receives and computations.
    pub operations: u64,
    /// The result; if there are many ranks, without the time of each rank.
    pub answer: SimulationResult,
    /// End of the first rank.
    pub first_us: Micros,
    /// Completion time, or the time of the deadlock.
    pub last_us: Micros,
    pub closed_form: Option<ClosedForm>,
    /// Comparison with the traced run.
    pub replayed: Option<Comparison>,
    pub basis: Basis,
    pub warnings: Vec<String>,
}

/// The result of a run on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OtherMachine {
    Ran {
        /// Simulation model.
        #[serde(deserialize_with = "known")]
        rules: Word,
        /// Completion time; `None` if stuck.
        time_us: Option<Micros>,
    },
    /// Why it cannot run.
    Refused(Error),
}

/// The critical path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathExcerpt {
    /// Its parts, and the first and the last of its steps.
    pub path: CriticalPath,
    /// The position of the omitted steps in `path`, and their number.
    pub left_out: Option<(usize, usize)>,
}
