//! The page's simulator in a web worker: requests and responses. Fits, imports and plans run there,
//! too.
//!
//! A [`Request`] is complete in itself, so the page may end one worker and continue with another.
//! What two requests share, such as the schedule, is cached.

mod bars;
mod importing;
mod lessons;
mod planning;
mod prepared;
mod section;
mod workload;

pub use bars::Bar;
pub use importing::{Additions, ImportRequest, Imported, NewMachine};
pub use lessons::{Checked, LessonRequest, LessonResponse, StepQuery};
pub use loggia_lesson::{check, class, grading, presentation, progress};
pub use loggia_replay::report::Comparison;
pub use planning::{Extent, Planned, Planning};
pub use section::{BusyInterval, MessageFlight, TimelineSection, Viewport};

use importing::FileKind;
use loggia_exchange::import::Read;
use loggia_files::{Bytes as TraceBytes, File};
use loggia_fit::refit;
use loggia_lesson::evaluation::Evaluator;
use loggia_model::Error;
use loggia_model::json::{from_json, to_json};
use loggia_model::rules::Rules;
use loggia_model::signature::{Operation, Signature};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_replay::choice::Choices;
use loggia_replay::trace::{self, Trace};
use loggia_replay::{Replay, ReplayOptions};
use loggia_simulate::Parameter;
use loggia_simulate::program::ClosedForm;
use loggia_simulate::result::{CriticalPath, Curve, Sensitivity, SimulationResult, Word, known};
use planning::PlanCache;
use prepared::PreparedRun;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use workload::Workload;

/// A message to the simulator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Something of a run.
    Run {
        /// A run: program, machine, model, what-if.
        question: Box<RunRequest>,
        /// What is wanted of it.
        want: Query,
    },
    /// A signature, as its file has it, fitted again to its samples.
    Fit(String),
    /// What other benchmarks have printed, as a signature.
    Import(Box<ImportRequest>),
    /// A sketch on a machine.
    Plan(Box<Planning>, Extent),
    /// A lesson.
    Lesson(Box<LessonRequest>),
}

/// A run: program, machine, model, what-if.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// What runs.
    pub runs: Runs,
    /// The signature, as its file has it.
    pub signature: String,
    /// The tier; by default the first.
    pub tier: Option<String>,
    /// The send mode; by default the first.
    pub style: Option<String>,
    /// The simulation model; by default the richest possible.
    pub rules: Option<Rules>,
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
    /// Which ranks share a node, as the command's `--nodes`.
    pub nodes: Option<String>,
}

impl Default for Scenario {
    fn default() -> Self {
        Scenario { machine: WhatIf::default(), compute: 1.0, nodes: None }
    }
}

/// What runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Runs {
    /// An algorithm's schedule.
    Algorithm {
        /// Of this operation.
        op: Operation,
        /// Its name.
        algorithm: String,
        /// Number of ranks.
        procs: Procs,
        /// As the operation counts them.
        bytes: Bytes,
    },
    /// What was handed over last: a GOAL file, or a trace.
    File,
}

/// Queries about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Query {
    /// Completion time and result.
    End,
    /// The same on other machines: their signatures, as in files.
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
    /// A part of the timeline of a traced program's calls: as they were, and as they would be.
    Calls(Viewport),
}

/// A message from the simulator.
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
    /// A part of the timeline of calls: as they were, if that is known, and as they would be.
    Calls(Option<Box<TimelineSection>>, Box<TimelineSection>),
    /// A signature that was fitted again, as its file would have it, without its samples.
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
    /// What ran.
    pub schedule: String,
    /// Its sends, receives and computations.
    pub operations: u64,
    /// The answer; of many ranks without their times.
    pub answer: SimulationResult,
    /// When the first rank had ended.
    pub first_us: Micros,
    /// When the last rank had ended or could not go on.
    pub last_us: Micros,
    /// What the closed form says.
    pub closed_form: Option<ClosedForm>,
    /// Of a traced program, what is known beside.
    pub replayed: Option<Comparison>,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
}

/// The result of a run on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OtherMachine {
    /// It runs there.
    Ran {
        /// By these rules.
        #[serde(deserialize_with = "known")]
        rules: Word,
        /// Until then; nothing where it got stuck.
        time_us: Option<Micros>,
    },
    /// It does not.
    Refused(Error),
}

/// The critical path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathExcerpt {
    /// Its parts and, of its steps, the first and the last.
    pub path: CriticalPath,
    /// Before which of these steps others are left out, and how many.
    pub left_out: Option<(usize, usize)>,
}

/// The simulator, with what it caches between requests.
#[derive(Debug, Default)]
pub struct Simulator {
    /// Files that the next request is about.
    files: Vec<File>,
    opened: Option<OpenFiles>,
    /// The trace that was opened last as a program, and for which signature and computation.
    replay: Option<(String, f64, Rc<Workload>)>,
    ready: Option<PreparedRun>,
    /// What was read last of other benchmarks.
    read: Option<Read>,
    plans: PlanCache,
    lessons: Evaluator,
}

/// What was opened.
#[derive(Debug)]
enum OpenFiles {
    Schedule(Rc<Workload>),
    Trace(Rc<Trace>),
}

impl Simulator {
    /// Hands over a file that the next request is about.
    pub fn add(&mut self, name: &str, file: Vec<u8>) {
        self.files.push(File { name: name.to_owned(), bytes: TraceBytes::new(file) });
    }

    /// Opens the files that were handed over, for [`Runs::File`]: a GOAL file, or a trace.
    fn open(&mut self) -> Result<(), Error> {
        if self.files.is_empty() {
            return Ok(());
        }
        (self.opened, self.ready, self.replay) = (None, None, None);
        let files = std::mem::take(&mut self.files);
        let name = match &files[..] {
            [one] => one.name.clone(),
            all => format!("{} files", all.len()),
        };
        self.opened = Some(match trace::open(&name, files, trace::SPEED)? {
            trace::Opened::Schedule(program) => {
                OpenFiles::Schedule(Rc::new(Workload::Program(*program)))
            }
            trace::Opened::Calls(trace) => OpenFiles::Trace(Rc::new(trace)),
        });
        Ok(())
    }

    /// Answers, of the files that were handed over, or else of those before; tells now and then how
    /// many steps of all have begun.
    pub fn answer(&mut self, request: &Request, tell: &mut dyn FnMut(u64, u64)) -> Response {
        let response = match request {
            Request::Run { question, want } => self
                .open()
                .and_then(|()| self.prepare(question))
                .and_then(|ready| ready.answer(want, tell)),
            Request::Fit(signature) => fitted(signature),
            Request::Import(request) => self.import(request, tell),
            Request::Plan(planning, extent) => {
                Ok(Response::Planned(self.plans.answer(planning, *extent).map(Box::new)))
            }
            Request::Lesson(request) => {
                lessons::answer(request, &mut self.lessons).map(Response::Lesson)
            }
        };
        response.unwrap_or_else(Response::Refused)
    }

    fn import(
        &mut self,
        request: &ImportRequest,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Response, Error> {
        let files = std::mem::take(&mut self.files);
        if !files.is_empty() {
            match importing::sort(files, tell)? {
                FileKind::Program => return Ok(Response::Program),
                FileKind::Outputs(read) => self.read = Some(read),
            }
        }
        let read = self.read.as_ref();
        let nothing = || Error::new("nothing is open", "FILE", "open what a benchmark has printed");
        importing::made(read.ok_or_else(nothing)?, request)
            .map(|made| Response::Imported(Box::new(made)))
    }

    fn prepare(&mut self, question: &RunRequest) -> Result<&mut PreparedRun, Error> {
        let last = self.ready.take().filter(|ready| ready.question == *question);
        let ready = match last {
            Some(ready) => ready,
            None => {
                let published = from_json(&question.signature)?;
                let running = self.running(question, &published)?;
                PreparedRun::new(question, &published, running)?
            }
        };
        Ok(self.ready.insert(ready))
    }

    fn running(
        &mut self,
        question: &RunRequest,
        signature: &Signature,
    ) -> Result<Rc<Workload>, Error> {
        let RunRequest { runs, changed, signature: text, .. } = question;
        let opened = match (runs, &self.opened) {
            (Runs::Algorithm { .. }, _) => return Workload::made(runs, signature).map(Rc::new),
            (Runs::File, opened) => opened.as_ref().ok_or_else(|| {
                Error::new("nothing is open", "SCHEDULE", "open a GOAL file, or a trace")
            })?,
        };
        let trace = match opened {
            OpenFiles::Schedule(running) => return Ok(Rc::clone(running)),
            OpenFiles::Trace(trace) => trace,
        };
        let how = |choices| ReplayOptions {
            choices,
            scale_compute: changed.compute,
            ..ReplayOptions::default()
        };
        let replay = match &self.replay {
            Some((known, compute, running)) if known == text && *compute == changed.compute => {
                return Ok(Rc::clone(running));
            }
            // How the machine's library does collective operations is known already.
            Some((known, _, running)) if known == text => running.again(how),
            Some((_, _, running)) => running.again(|_| how(Choices::of(signature))),
            None => None,
        };
        let replay = match replay {
            Some(replay) => replay,
            None => Replay::new(Rc::clone(trace), how(Choices::of(signature)))?,
        };
        let running = Rc::new(Workload::Replay(Rc::clone(trace), replay));
        self.replay = Some((text.clone(), changed.compute, Rc::clone(&running)));
        Ok(running)
    }
}

fn fitted(signature: &str) -> Result<Response, Error> {
    let mut fitted = refit(&from_json(signature)?)?;
    fitted.samples.clear();
    Ok(Response::Fitted(to_json(&fitted)))
}

#[cfg(test)]
mod tests;
