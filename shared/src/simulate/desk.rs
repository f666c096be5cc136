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
use crate::fit::anew;
use crate::model::Route;
use crate::signature::{Operation, Signature};
use crate::units::{Bytes, Micros, Procs};
use crate::{Error, collective};
use loggia_engine::timeline::Timeline;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A message to the simulator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Something of a run.
    Run {
        /// What runs where.
        question: Question,
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
    /// The file that was opened last.
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
    /// What to know before trusting it.
    pub warnings: Vec<String>,
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
    opened: Option<Rc<Program>>,
    ready: Option<Ready>,
}

/// What the last question was about.
#[derive(Debug)]
struct Ready {
    question: Question,
    signature: Signature,
    program: Rc<Program>,
    timeline: Option<Timeline>,
}

impl Desk {
    /// Opens a GOAL file, for [`Runs::File`].
    pub fn open(&mut self, name: &str, file: &[u8]) -> Result<(), Error> {
        (self.opened, self.ready) = (None, None);
        self.opened = Some(Rc::new(Program::from_goal(name, file)?));
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
                let signature = from_json(&question.signature)?;
                let program = self.program(&question.runs, &signature)?;
                Ready { question: question.clone(), signature, program, timeline: None }
            }
        };
        Ok(self.ready.insert(ready))
    }

    fn program(&self, runs: &Runs, signature: &Signature) -> Result<Rc<Program>, Error> {
        match runs {
            Runs::Algorithm { .. } => made(runs, signature).map(Rc::new),
            Runs::File => self
                .opened
                .clone()
                .ok_or_else(|| Error::new("no schedule is open", "SCHEDULE", "open a GOAL file")),
        }
    }
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
    is_fine: bool,
) -> Result<(Setting<'a>, Rules, Route<'a>), Error> {
    let (tier, style) = (question.tier.as_deref(), question.style.as_deref());
    let route = Route::of(signature, tier, style)?;
    let mut setting = Setting::of(signature, tier, style, None)?;
    if is_fine {
        setting.longest_tick = Ticks::Picoseconds;
    }
    let rules = question.rules.map_or_else(|| Rules::richest(&route), Ok)?;
    Ok((setting, rules, route))
}

impl Ready {
    fn answer(&mut self, want: &Want, tell: &mut dyn FnMut(u64, u64)) -> Result<Told, Error> {
        let schedule = &self.program.schedule;
        let is_fine = matches!(want, Want::Curve(..));
        let (setting, rules, route) = setting(&self.signature, &self.question, is_fine)?;
        let simulation = Simulation::new(schedule, rules, &setting)?;
        Ok(match want {
            Want::End => {
                let outcome = simulation.run_told(tell);
                let mut answer = simulation.answer(&outcome);
                let ends = &outcome.ends;
                let first = ends.iter().min().copied().unwrap_or_default();
                answer.rank_times_us.truncate(MOST_RANK_TIMES);
                let doubts = simulation.warnings.iter().map(ToString::to_string);
                let unasked = self.question.rules.is_none();
                let remark = rules.remark(&route).filter(|_| unasked);
                let read = self.program.warnings.iter().cloned();
                Told::End(Box::new(Ended {
                    schedule: self.program.name.clone(),
                    operations: schedule.len() as u64,
                    answer,
                    first_us: simulation.micros(first),
                    last_us: simulation.micros(outcome.end()),
                    closed_form: self.program.closed_form(rules, &setting),
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
        })
    }

    /// How it ends on another machine; its tiers and styles have names of their own.
    fn elsewhere(&self, signature: &str) -> Elsewhere {
        let Question { runs, .. } = &self.question;
        let question = Question { tier: None, style: None, ..self.question.clone() };
        let run = || {
            let signature = from_json(signature)?;
            let program = match runs {
                Runs::File => Rc::clone(&self.program),
                Runs::Algorithm { .. } => Rc::new(made(runs, &signature)?),
            };
            let (setting, rules, _) = setting(&signature, &question, false)?;
            let simulation = Simulation::new(&program.schedule, rules, &setting)?;
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
