//! The page's simulator, which runs in a web worker. It also runs fits, imports and plans.
//!
//! A [`Request`] is complete in itself, so the page may end a worker and continue with a new one.
//! Results that several requests share, such as the schedule, are cached.

mod bars;
mod importing;
mod lessons;
mod messages;
mod planning;
mod prepared;
mod section;
mod workload;

pub use bars::Bar;
pub use importing::{Additions, ImportRequest, Imported, NewMachine};
pub use lessons::{Checked, LessonRequest, LessonResponse, StepQuery};
pub use loggia_lesson::{check, class, grading, presentation, progress};
pub use loggia_replay::report::Comparison;
pub use messages::{
    OtherMachine, PathExcerpt, Query, Request, Response, RunRequest, RunResult, RunSource, Scenario,
};
pub use planning::{Extent, Planned, Planning};
pub use section::{BusyInterval, MessageFlight, TimelineSection, Viewport};

use importing::FileKind;
use loggia_exchange::import::Read;
use loggia_files::{Bytes as TraceBytes, File};
use loggia_fit::refit;
use loggia_lesson::evaluation::Evaluator;
use loggia_model::Error;
use loggia_model::json::{from_json, to_json};
use loggia_model::placement::Nodes;
use loggia_model::signature::Signature;
use loggia_replay::choice::Choices;
use loggia_replay::trace::{self, Trace};
use loggia_replay::{MeasuredMachine, MeasuredTimes, Replay, ReplayOptions};
use planning::PlanCache;
use prepared::PreparedRun;
use std::rc::Rc;
use workload::Workload;

/// The simulator, with its caches.
#[derive(Debug, Default)]
pub struct Simulator {
    /// Files of the next request.
    files: Vec<File>,
    opened: Option<OpenFiles>,
    /// The last replayed trace, and its request.
    replay: Option<(RunRequest, Rc<Workload>)>,
    ready: Option<PreparedRun>,
    /// Results of the last import.
    read: Option<Read>,
    plans: PlanCache,
    lessons: Evaluator,
}

/// The open files.
#[derive(Debug)]
enum OpenFiles {
    Schedule(Rc<Workload>),
    Trace(Rc<Trace>),
}

impl Simulator {
    /// Adds a file to those of the next request.
    pub fn add(&mut self, name: &str, file: Vec<u8>) {
        self.files.push(File { name: name.to_owned(), bytes: TraceBytes::new(file) });
    }

    /// Opens the added files for [`RunSource::File`]: a GOAL file, or a trace.
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
            trace::OpenedTrace::Schedule(program) => {
                OpenFiles::Schedule(Rc::new(Workload::Program(program)))
            }
            trace::OpenedTrace::Calls(trace) => OpenFiles::Trace(Rc::new(trace)),
        });
        Ok(())
    }

    /// Handles a request; `on_progress` receives the number of steps begun and of all steps, from
    /// time to time.
    pub fn answer(&mut self, request: &Request, on_progress: &mut dyn FnMut(u64, u64)) -> Response {
        let response = match request {
            Request::Run { question, want } => self
                .open()
                .and_then(|()| self.prepare(question))
                .and_then(|ready| ready.answer(want, on_progress)),
            Request::Fit(signature) => fitted(signature),
            Request::Import(request) => self.import(request, on_progress),
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
        on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Response, Error> {
        let files = std::mem::take(&mut self.files);
        if !files.is_empty() {
            match importing::recognise(files, on_progress)? {
                FileKind::Program => return Ok(Response::Program),
                FileKind::Outputs(read) => self.read = Some(read),
            }
        }
        let read = self.read.as_ref();
        let nothing = || Error::new("no file is open", "FILE", "open the output of a benchmark");
        importing::import(read.ok_or_else(nothing)?, request)
            .map(|imported| Response::Imported(Box::new(imported)))
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
        let RunRequest { runs, changed, .. } = question;
        let opened = match (runs, &self.opened) {
            (RunSource::Algorithm { .. }, _) => {
                return Workload::of_algorithm(runs, changed.nodes.as_deref(), signature)
                    .map(Rc::new);
            }
            (RunSource::File, opened) => opened.as_ref().ok_or_else(|| {
                Error::new("no file is open", "SCHEDULE", "open a GOAL file, or a trace")
            })?,
        };
        let trace = match opened {
            OpenFiles::Schedule(running) => return Ok(Rc::clone(running)),
            OpenFiles::Trace(trace) => trace,
        };
        if let Some((known, running)) = &self.replay
            && known.replays_alike(question)
        {
            return Ok(Rc::clone(running));
        }
        let ranks = trace.ranks.len() as u32;
        let nodes = changed.nodes.as_deref().map(|text| Nodes::parse(text, ranks).map(Rc::new));
        let measured = MeasuredTimes::of(MeasuredMachine {
            signature: Rc::new(signature.clone()),
            tier: question.tier.clone(),
            style: question.style.clone(),
            nodes: nodes.transpose()?,
            rules: question.rules,
        });
        let how = |choices| ReplayOptions {
            choices,
            measured: measured.clone(),
            scale_compute: changed.compute,
            ..ReplayOptions::default()
        };
        let replay = match &self.replay {
            // The algorithms of the machine's library are already known.
            Some((known, running)) if known.signature == question.signature => {
                running.with_options(how)
            }
            Some((_, running)) => running.with_options(|_| how(Choices::of(signature))),
            None => None,
        };
        let replay = match replay {
            Some(replay) => replay,
            None => Replay::new(Rc::clone(trace), how(Choices::of(signature)))?,
        };
        let running = Rc::new(Workload::Replay(Rc::clone(trace), replay));
        self.replay = Some((question.clone(), Rc::clone(&running)));
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
