//! A simulator that is asked by messages: the page's, which works on a thread of its own. What else
//! takes long is asked of it, too.
//!
//! A [`Request`] is complete in itself, so that whoever asks may end one simulator and go on with
//! another. What two requests share, such as the schedule, is kept between them.

mod bars;
mod sight;

pub use bars::Bar;
pub use sight::{Arrow, Glass, Sight, Stretch};

use super::answer::{Answer, CriticalPath, Curve, Sensitivity, Status, Word, known};
use super::program::{ClosedForm, Made, Program};
use super::{MOST_EVENTS, Parameter, Rules, Setting, Simulation, Ticks};
use crate::codec::{from_json, to_json};
use crate::collective::Nodes;
use crate::fit::anew;
use crate::model::Route;
use crate::replay::answer::Operation as Spent;
use crate::replay::choice::Choices;
use crate::replay::what_if::WhatIf;
use crate::replay::{Chosen, How, Replay, measured};
use crate::signature::{Operation, Signature};
use crate::trace::{self, Bytes as TraceBytes, File, Trace};
use crate::units::{Bytes, Micros, Procs};
use crate::{Error, collective, replay};
use loggia_engine::schedule::Schedule;
use loggia_engine::timeline::Timeline;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A message to the simulator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Something of a run.
    Run {
        /// What runs where.
        question: Box<Question>,
        /// What is wanted of it.
        want: Want,
    },
    /// A signature, as its file has it, fitted again to its samples.
    Fit(String),
}

/// What runs where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What runs.
    pub runs: Runs,
    /// The signature, as its file has it.
    pub signature: String,
    /// Its tier; without a word, the first.
    pub tier: Option<String>,
    /// Its style; without a word, the first.
    pub style: Option<String>,
    /// By which rules; without a word, the richest possible.
    pub rules: Option<Rules>,
    /// What if it were otherwise.
    #[serde(default)]
    pub changed: Changed,
}

/// What if it were otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// The machine.
    pub machine: WhatIf,
    /// All computation of a traced program takes so many times as long.
    pub compute: f64,
    /// Which ranks share a node, as the command's `--nodes`.
    pub nodes: Option<String>,
}

impl Default for Changed {
    fn default() -> Self {
        Changed { machine: WhatIf::default(), compute: 1.0, nodes: None }
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
        /// On so many ranks.
        procs: Procs,
        /// As the operation counts them.
        bytes: Bytes,
    },
    /// What was opened last: a GOAL file, or a trace.
    File,
}

/// What is wanted of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Want {
    /// How it ends.
    End,
    /// How it ends on other machines: their signatures, as files have them.
    Elsewhere(Vec<String>),
    /// Where the time of each rank goes, in so many bars at most.
    Split(u32),
    /// How the end moves with each parameter.
    Sensitivity,
    /// What leads to the end.
    Path,
    /// The end over a parameter, from nothing to here; what is by the byte, for one byte.
    Curve(Parameter, Micros),
    /// A part of the timeline.
    Sight(Glass),
    /// A part of the timeline of a traced program's calls: as they were, and as they would be.
    Calls(Glass),
}

/// A message from the simulator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Told {
    /// How the run ended.
    End(Box<Ended>),
    /// How it ended on each of the other machines.
    Elsewhere(Vec<Elsewhere>),
    /// Where the time goes.
    Split(Vec<Bar>),
    /// How the end moves.
    Sensitivity(Sensitivity),
    /// What leads to the end.
    Path(Way),
    /// The end over a parameter.
    Curve(Curve),
    /// A part of the timeline.
    Sight(Sight),
    /// A part of the timeline of calls: as they were, if that is known, and as they would be.
    Calls(Option<Box<Sight>>, Box<Sight>),
    /// A signature that was fitted again, as its file would have it, without its samples.
    Fitted(String),
    /// Why there is no answer.
    Refused(Error),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// What ran.
    pub schedule: String,
    /// Its sends, receives and computations.
    pub operations: u64,
    /// The answer; of many ranks without their times.
    pub answer: Answer,
    /// When the first rank had ended.
    pub first_us: Micros,
    /// When the last rank had ended or could not go on.
    pub last_us: Micros,
    /// What the closed form says.
    pub closed_form: Option<ClosedForm>,
    /// Of a traced program, what is known beside.
    pub replayed: Option<Replayed>,
    /// What to know before trusting it.
    pub warnings: Vec<String>,
}

/// What is known of a traced program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// How long the real run took, if the trace says so.
    pub measured_us: Option<Micros>,
    /// (predicted − measured) / measured
    pub error: Option<f64>,
    /// Where the time of all ranks together goes.
    pub operations: Vec<Spent>,
    /// How collective operations are done.
    pub algorithms: Vec<Chosen>,
    /// Calls in the trace.
    pub records: u64,
}

/// How a run ends on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Elsewhere {
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

/// What leads to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// Its parts and, of its steps, the first and the last.
    pub path: CriticalPath,
    /// Before which of these steps others are left out, and how many.
    pub left_out: Option<(usize, usize)>,
}

/// The times of so many ranks are told one by one.
const MOST_RANK_TIMES: usize = 1 << 12;
/// So many steps of a critical path are told at its begin, and at its end.
const MOST_STEPS: usize = 1 << 11;
/// Of longer schedules the timeline is not kept, but made anew for each part of it.
const MOST_KEPT: usize = 1 << 21;
/// Of longer schedules nobody is told what leads to the end: it takes some hundred bytes a step.
const MOST_EXPLAINED: usize = 1 << 22;

/// The simulator that is asked.
#[derive(Debug, Default)]
pub struct Desk {
    /// Files that belong to what is opened next.
    files: Vec<File>,
    opened: Option<Opened>,
    /// The trace that was opened last as a program, and for which signature and computation.
    replay: Option<(String, f64, Rc<Running>)>,
    ready: Option<Ready>,
}

/// What was opened.
#[derive(Debug)]
enum Opened {
    Schedule(Rc<Running>),
    Trace(Rc<Trace>),
}

/// What runs.
#[derive(Debug)]
enum Running {
    Program(Program),
    Replay(Rc<Trace>, Replay),
}

impl Running {
    fn name(&self) -> &str {
        match self {
            Running::Program(program) => &program.name,
            Running::Replay(trace, _) => &trace.name,
        }
    }

    fn schedule(&self) -> &Schedule {
        match self {
            Running::Program(program) => &program.schedule,
            Running::Replay(_, replay) => &replay.schedule,
        }
    }

    fn warnings(&self) -> &[String] {
        match self {
            Running::Program(program) => &program.warnings,
            Running::Replay(_, replay) => &replay.warnings,
        }
    }

    fn closed_form(&self, rules: Rules, setting: &Setting) -> Option<ClosedForm> {
        match self {
            Running::Program(program) => program.closed_form(rules, setting),
            Running::Replay(..) => None,
        }
    }

    fn simulation<'a>(
        &'a self,
        rules: Rules,
        setting: &Setting<'a>,
    ) -> Result<Simulation<'a>, Error> {
        match self {
            Running::Program(program) => Simulation::new(&program.schedule, rules, setting),
            Running::Replay(_, replay) => replay.simulation(rules, setting),
        }
    }
}

/// What the last question was about.
#[derive(Debug)]
struct Ready {
    question: Question,
    signature: Signature,
    running: Rc<Running>,
    nodes: Option<Nodes>,
    timeline: Option<Timeline>,
    /// The calls of a traced program as they were, and as they would be.
    calls: Option<[Timeline; 2]>,
}

impl Desk {
    /// Hands over a file of what is opened next.
    pub fn add(&mut self, name: &str, file: Vec<u8>) {
        self.files.push(File { name: name.to_owned(), bytes: TraceBytes::new(file) });
    }

    /// Opens the files that were handed over, for [`Runs::File`]: a GOAL file, or a trace.
    pub fn open(&mut self) -> Result<(), Error> {
        (self.opened, self.ready, self.replay) = (None, None, None);
        let files = std::mem::take(&mut self.files);
        let name = match &files[..] {
            [one] => one.name.clone(),
            all => format!("{} files", all.len()),
        };
        self.opened = Some(match trace::open(&name, files, trace::SPEED)? {
            trace::Opened::Schedule(program) => {
                Opened::Schedule(Rc::new(Running::Program(*program)))
            }
            trace::Opened::Calls(trace) => Opened::Trace(Rc::new(trace)),
        });
        Ok(())
    }

    /// Answers; tells now and then how many steps of all have begun.
    pub fn answer(&mut self, request: &Request, tell: &mut dyn FnMut(u64, u64)) -> Told {
        let told = match request {
            Request::Run { question, want } => {
                self.prepare(question).and_then(|ready| ready.answer(want, tell))
            }
            Request::Fit(signature) => fitted(signature),
        };
        told.unwrap_or_else(Told::Refused)
    }

    fn prepare(&mut self, question: &Question) -> Result<&mut Ready, Error> {
        let last = self.ready.take().filter(|ready| ready.question == *question);
        let ready = match last {
            Some(ready) => ready,
            None => {
                let published = from_json(&question.signature)?;
                let running = self.running(question, &published)?;
                let ranks = running.schedule().ranks();
                let nodes = question.changed.nodes.as_deref();
                Ready {
                    nodes: nodes.map(|text| Nodes::parse(text, ranks)).transpose()?,
                    question: question.clone(),
                    signature: question.changed.machine.applied(&published),
                    running,
                    timeline: None,
                    calls: None,
                }
            }
        };
        Ok(self.ready.insert(ready))
    }

    fn running(
        &mut self,
        question: &Question,
        signature: &Signature,
    ) -> Result<Rc<Running>, Error> {
        match (&question.runs, &self.opened) {
            (Runs::Algorithm { .. }, _) => {
                made(&question.runs, signature).map(|program| Rc::new(Running::Program(program)))
            }
            (Runs::File, Some(Opened::Schedule(running))) => Ok(Rc::clone(running)),
            (Runs::File, Some(Opened::Trace(trace))) => {
                let compute = question.changed.compute;
                let known = self
                    .replay
                    .as_ref()
                    .filter(|(text, scale, _)| *text == question.signature && *scale == compute);
                if let Some((.., running)) = known {
                    return Ok(Rc::clone(running));
                }
                let running = Rc::new(replayed(Rc::clone(trace), signature, compute)?);
                let text = question.signature.clone();
                self.replay = Some((text, compute, Rc::clone(&running)));
                Ok(running)
            }
            (Runs::File, None) => {
                Err(Error::new("nothing is open", "SCHEDULE", "open a GOAL file, or a trace"))
            }
        }
    }
}

/// A traced program, its collective operations done as the machine's library does them.
fn replayed(trace: Rc<Trace>, signature: &Signature, compute: f64) -> Result<Running, Error> {
    let choices = Choices::of(signature);
    let how = How { choices, scale_compute: compute, ..How::default() };
    let replay = Replay::new(&trace, &how)?;
    Ok(Running::Replay(trace, replay))
}

fn fitted(signature: &str) -> Result<Told, Error> {
    let mut fitted = anew(&from_json(signature)?)?;
    fitted.samples.clear();
    Ok(Told::Fitted(to_json(&fitted)))
}

/// An algorithm's schedule. Combining costs what the signature reports.
fn made(runs: &Runs, signature: &Signature) -> Result<Program, Error> {
    let Runs::Algorithm { op, algorithm, procs, bytes } = runs else {
        return Err(Error::new("no algorithm is named", "--algorithm", "name one"));
    };
    let algorithm = collective::named(*op, algorithm)?;
    Made::new(algorithm, *procs, *bytes)?.combining(None, Some(signature)).program(None)
}

/// Sets the machine and the rules of a question.
fn setting<'a>(
    signature: &'a Signature,
    question: &Question,
    nodes: Option<&'a Nodes>,
    is_fine: bool,
) -> Result<(Setting<'a>, Rules, Route<'a>), Error> {
    let (tier, style) = (question.tier.as_deref(), question.style.as_deref());
    let route = Route::of(signature, tier, style)?;
    let mut setting = Setting::of(signature, tier, style, nodes.map(Nodes::of_all))?;
    if is_fine {
        setting.longest_tick = Ticks::Picoseconds;
    }
    let rules = question.rules.map_or_else(|| Rules::richest(&route), Ok)?;
    Ok((setting, rules, route))
}

impl Ready {
    fn answer(&mut self, want: &Want, tell: &mut dyn FnMut(u64, u64)) -> Result<Told, Error> {
        let schedule = self.running.schedule();
        let is_fine = matches!(want, Want::Curve(..));
        let nodes = self.nodes.as_ref();
        let (setting, rules, route) = setting(&self.signature, &self.question, nodes, is_fine)?;
        let simulation = self.running.simulation(rules, &setting)?;
        Ok(match want {
            Want::End => {
                let (mut answer, replayed) = match &*self.running {
                    Running::Program(_) => (simulation.answer(&simulation.run_told(tell)), None),
                    Running::Replay(_, replay) => Replayed::of(replay.answer(&simulation)),
                };
                let least = |a: Micros, b: &Micros| if b.0 < a.0 { *b } else { a };
                let most = |a: Micros, b: &Micros| if b.0 > a.0 { *b } else { a };
                let ends = &answer.rank_times_us;
                let first = ends.iter().fold(Micros(f64::INFINITY), least);
                let last = ends.iter().fold(Micros(0.0), most);
                answer.rank_times_us.truncate(MOST_RANK_TIMES);
                let doubts = simulation.warnings.iter().map(ToString::to_string);
                let unasked = self.question.rules.is_none();
                let remark = rules.remark(&route).filter(|_| unasked);
                let read = self.running.warnings().iter().cloned();
                Told::End(Box::new(Ended {
                    schedule: self.running.name().to_owned(),
                    operations: schedule.len() as u64,
                    answer,
                    first_us: first,
                    last_us: last,
                    closed_form: self.running.closed_form(rules, &setting),
                    replayed,
                    warnings: read.chain(remark).chain(doubts).collect(),
                }))
            }
            Want::Elsewhere(others) => {
                Told::Elsewhere(others.iter().map(|other| self.elsewhere(other)).collect())
            }
            Want::Split(most) => Told::Split(bars::bars(&simulation, *most)),
            Want::Sensitivity => Told::Sensitivity(simulation.sensitivity()),
            Want::Path if schedule.len() > MOST_EXPLAINED => {
                return Err(Error::new(
                    format!("{} operations are too many to follow", schedule.len()),
                    "critical_path",
                    "`loggia simulate --critical-path` may have the memory",
                ));
            }
            Want::Path => Told::Path(Way::of(simulation.critical_path())),
            Want::Curve(parameter, to) => {
                let range = (Micros(0.0), *to);
                Told::Curve(simulation.curve_over(*parameter, range, MOST_EVENTS)?)
            }
            Want::Sight(glass) => {
                if self.timeline.is_none() && schedule.len() <= MOST_KEPT {
                    let mut timeline = Timeline::default();
                    simulation.timeline(&mut timeline);
                    self.timeline = Some(timeline);
                }
                Told::Sight(sight::sight(&simulation, self.timeline.as_ref(), *glass)?)
            }
            Want::Calls(glass) => {
                let Running::Replay(trace, replay) = &*self.running else {
                    return Err(Error::new("a schedule has no calls", "calls", "open a trace"));
                };
                if self.calls.is_none() && schedule.len() <= MOST_KEPT {
                    let mut kept = [Timeline::default(), Timeline::default()];
                    measured(trace, &mut kept[0]);
                    replay.predicted(&simulation, &mut kept[1]);
                    self.calls = Some(kept);
                }
                let look = |which: usize| {
                    sight::of_calls(&simulation, *glass, |looking| match (&self.calls, which) {
                        (Some(kept), which) => looking.keep(&kept[which]),
                        (None, 0) => measured(trace, looking),
                        (None, _) => replay.predicted(&simulation, looking),
                    })
                };
                let was = trace.source.is_timed().then(|| look(0)).transpose()?;
                Told::Calls(was.map(Box::new), Box::new(look(1)?))
            }
        })
    }

    /// How it ends on another machine; its tiers and styles have names of their own.
    fn elsewhere(&self, signature: &str) -> Elsewhere {
        let Question { runs, .. } = &self.question;
        let question = Question { tier: None, style: None, ..self.question.clone() };
        let run = || {
            let signature = from_json(signature)?;
            let signature = question.changed.machine.applied(&signature);
            let running = match runs {
                Runs::File => Rc::clone(&self.running),
                Runs::Algorithm { .. } => Rc::new(Running::Program(made(runs, &signature)?)),
            };
            let (setting, rules, _) = setting(&signature, &question, self.nodes.as_ref(), false)?;
            let simulation = running.simulation(rules, &setting)?;
            let answer = simulation.answer(&simulation.run());
            let is_over = answer.status == Status::Ok;
            Ok((rules.name(), answer.time_us.filter(|_| is_over)))
        };
        match run() {
            Ok((rules, time_us)) => Elsewhere::Ran { rules, time_us },
            Err(error) => Elsewhere::Refused(error),
        }
    }
}

impl Replayed {
    fn of(answer: replay::answer::Answer) -> (Answer, Option<Self>) {
        let replay::answer::Answer { measured_us, error, run, operations, algorithms, .. } = answer;
        let records = answer.records;
        (run, Some(Replayed { measured_us, error, operations, algorithms, records }))
    }
}

impl Way {
    fn of(mut path: CriticalPath) -> Self {
        let more = path.steps.len().saturating_sub(2 * MOST_STEPS);
        if more > 0 {
            path.steps.drain(MOST_STEPS..MOST_STEPS + more);
        }
        Way { path, left_out: (more > 0).then_some((MOST_STEPS, more)) }
    }
}

#[cfg(test)]
mod tests;
