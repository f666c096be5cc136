//! The last run, prepared for further queries.

use super::messages::{
    OtherMachine, PathExcerpt, Query, Response, RunRequest, RunResult, RunSource,
};
use super::workload::Workload;
use super::{bars, section};
use loggia_model::Error;
use loggia_model::json::from_json;
use loggia_model::measured::Basis;
use loggia_model::model::Route;
use loggia_model::placement::{self, Nodes};
use loggia_model::signature::Signature;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Micros;
use loggia_replay::measured;
use loggia_replay::report::ReplayReport;
use loggia_schedule::timeline::Timeline;
use loggia_simulate::result::{CriticalPath, Status};
use loggia_simulate::{MAX_EVENTS, RunSetting, Simulated, Ticks};
use std::rc::Rc;

/// Largest number of ranks whose times are reported one by one.
const MAX_RANK_TIMES: usize = 1 << 12;
/// Number of steps reported from the start and from the end of a critical path.
const MAX_STEPS: usize = 1 << 11;
/// Maximum number of operations for which the timeline is kept in memory; for larger schedules,
/// each part is computed again.
const MAX_KEPT: u64 = 1 << 21;
/// Maximum number of operations for a critical path, which needs some hundred bytes per operation.
const MAX_EXPLAINED: u64 = 1 << 22;

#[derive(Debug)]
pub(super) struct PreparedRun {
    pub(super) question: RunRequest,
    signature: Signature,
    running: Rc<Workload>,
    nodes: Option<Nodes>,
    timeline: Option<Timeline>,
    /// The calls of a traced program, as measured and as predicted.
    calls: Option<[Timeline; 2]>,
}

/// The machine and the simulation model of a run.
fn setting<'a>(
    signature: &'a Signature,
    question: &RunRequest,
    nodes: Option<&'a Nodes>,
    in_picoseconds: bool,
) -> Result<(RunSetting<'a>, SimulationModel, Route<'a>), Error> {
    let (tier, style) = (question.tier.as_deref(), question.style.as_deref());
    let route = Route::of(signature, tier, style)?;
    let mut setting = RunSetting::of(signature, tier, style, nodes.map(Nodes::of_all))?;
    if in_picoseconds {
        setting.longest_tick = Ticks::Picoseconds;
    }
    let rules = question.rules.map_or_else(|| SimulationModel::richest(&route), Ok)?;
    Ok((setting, rules, route))
}

impl PreparedRun {
    pub(super) fn new(
        question: &RunRequest,
        published: &Signature,
        running: Rc<Workload>,
    ) -> Result<Self, Error> {
        let nodes = question.changed.nodes.as_deref();
        Ok(PreparedRun {
            nodes: nodes.map(|text| Nodes::parse(text, running.ranks())).transpose()?,
            question: question.clone(),
            signature: question.changed.machine.applied(published),
            running,
            timeline: None,
            calls: None,
        })
    }

    pub(super) fn answer(
        &mut self,
        query: &Query,
        on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Response, Error> {
        let in_picoseconds = matches!(query, Query::Curve(..));
        let nodes = self.running.placed(self.nodes.as_ref(), &self.signature);
        let (setting, rules, route) =
            setting(&self.signature, &self.question, nodes, in_picoseconds)?;
        let in_memory = || self.running.in_memory(rules, &setting);
        let simulation = || self.running.simulation(rules, &setting);
        Ok(match query {
            Query::End => {
                let (mut answer, replayed, warnings, has_cards) = match &*self.running {
                    Workload::Program(_) => {
                        let simulation = in_memory()?;
                        let answer = simulation.answer(&simulation.run_with_progress(on_progress));
                        (answer, None, simulation.warnings(), simulation.has_cards())
                    }
                    Workload::Replay(_, replay) => {
                        let simulation = simulation()?;
                        let report = replay.answer(&simulation)?;
                        let ReplayReport { run: answer, replayed, .. } =
                            report.under(&self.question.changed.machine);
                        (answer, Some(replayed), simulation.warnings(), simulation.has_cards())
                    }
                };
                let least = |a: Micros, b: &Micros| if b.0 < a.0 { *b } else { a };
                let most = |a: Micros, b: &Micros| if b.0 > a.0 { *b } else { a };
                let ends = &answer.rank_times_us;
                let first = ends.iter().fold(Micros(f64::INFINITY), least);
                let last = ends.iter().fold(Micros(0.0), most);
                answer.rank_times_us.truncate(MAX_RANK_TIMES);
                let warnings = warnings.iter().map(ToString::to_string);
                let is_default = self.question.rules.is_none();
                let remark = rules.remark(&route).filter(|_| is_default);
                let read = self.running.warnings().into_iter();
                let beyond = self.signature.extrapolated(self.running.ranks(), has_cards);
                let is_ignored = self.nodes.is_some() && nodes.is_none();
                let one_tier = is_ignored.then(|| placement::one_tier(&self.signature.name));
                Response::End(Box::new(RunResult {
                    schedule: self.running.name().to_owned(),
                    operations: self.running.operations(),
                    answer,
                    first_us: first,
                    last_us: last,
                    closed_form: self.running.closed_form(rules, &setting),
                    replayed,
                    basis: match beyond {
                        Some(_) => Basis::Extrapolated,
                        None => Basis::of_model(&self.signature),
                    },
                    warnings: beyond
                        .into_iter()
                        .chain(read)
                        .chain(one_tier)
                        .chain(remark)
                        .chain(warnings)
                        .collect(),
                }))
            }
            Query::OtherMachine(others) => Response::OtherMachine(
                others.iter().map(|other| self.on_other_machine(other)).collect(),
            ),
            Query::Split(most) => Response::Split(bars::bars(&simulation()?, *most)),
            Query::Sensitivity => Response::Sensitivity(simulation()?.sensitivity()),
            Query::Path if self.running.operations() > MAX_EXPLAINED => {
                return Err(Error::new(
                    format!(
                        "{} operations are too many for a critical path",
                        self.running.operations()
                    ),
                    "critical_path",
                    "run `loggia simulate` on a machine with enough memory",
                ));
            }
            Query::Path => Response::Path(PathExcerpt::of(in_memory()?.critical_path())),
            Query::Curve(parameter, to) => {
                let range = (Micros(0.0), *to);
                Response::Curve(in_memory()?.curve_over(*parameter, range, MAX_EVENTS)?)
            }
            Query::TimelineSection(viewport) => {
                let simulation = in_memory()?;
                if self.timeline.is_none() && self.running.operations() <= MAX_KEPT {
                    let mut timeline = Timeline::default();
                    simulation.timeline(&mut timeline);
                    self.timeline = Some(timeline);
                }
                Response::TimelineSection(section::of_run(
                    &simulation,
                    self.timeline.as_ref(),
                    *viewport,
                )?)
            }
            Query::Calls(viewport) => {
                let Workload::Replay(trace, replay) = &*self.running else {
                    return Err(Error::new("a schedule has no calls", "calls", "open a trace"));
                };
                let simulation = in_memory()?;
                if self.calls.is_none() && self.running.operations() <= MAX_KEPT {
                    let mut timelines = [Timeline::default(), Timeline::default()];
                    measured(trace, &mut timelines[0]);
                    replay.predicted(&simulation, &mut timelines[1]);
                    self.calls = Some(timelines);
                }
                let calls_section = |which: usize| {
                    section::of_calls(&simulation, *viewport, |builder| {
                        match (&self.calls, which) {
                            (Some(timelines), which) => builder.add_timeline(&timelines[which]),
                            (None, 0) => measured(trace, builder),
                            (None, _) => replay.predicted(&simulation, builder),
                        }
                    })
                };
                let was = trace.source.is_timed().then(|| calls_section(0)).transpose()?;
                Response::Calls(was.map(Box::new), Box::new(calls_section(1)?))
            }
        })
    }

    /// The result on another machine, whose tiers and send modes have other names.
    fn on_other_machine(&self, signature: &str) -> OtherMachine {
        let RunRequest { runs, changed, .. } = &self.question;
        let question = RunRequest { tier: None, style: None, ..self.question.clone() };
        let run = || {
            let signature = from_json(signature)?;
            let signature = question.changed.machine.applied(&signature);
            let running = match runs {
                RunSource::File => Rc::clone(&self.running),
                RunSource::Algorithm { .. } => {
                    Rc::new(Workload::of_algorithm(runs, changed.nodes.as_deref(), &signature)?)
                }
            };
            let nodes = running.placed(self.nodes.as_ref(), &signature);
            let (setting, rules, _) = setting(&signature, &question, nodes, false)?;
            let simulation = running.simulation(rules, &setting)?;
            let answer = simulation.answer(&simulation.run());
            let is_over = answer.status == Status::Ok;
            Ok((rules.name(), answer.time_us.filter(|_| is_over)))
        };
        match run() {
            Ok((rules, time_us)) => OtherMachine::Ran { rules, time_us },
            Err(error) => OtherMachine::Refused(error),
        }
    }
}

impl PathExcerpt {
    fn of(mut path: CriticalPath) -> Self {
        let more = path.steps.len().saturating_sub(2 * MAX_STEPS);
        if more > 0 {
            path.steps.drain(MAX_STEPS..MAX_STEPS + more);
        }
        PathExcerpt { path, left_out: (more > 0).then_some((MAX_STEPS, more)) }
    }
}
