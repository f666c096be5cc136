//! The program of a run: a schedule, or a traced program.

use super::messages::RunSource;
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::placement::Nodes;
use loggia_model::signature::Signature;
use loggia_model::simulation_model::SimulationModel;
use loggia_replay::choice::Choices;
use loggia_replay::trace::Trace;
use loggia_replay::{Replay, ReplayOptions};
use loggia_simulate::collective;
use loggia_simulate::program::{ClosedForm, CollectiveSchedule, Program};
use loggia_simulate::{RunSetting, Simulated, Simulation, Steps, Words};
use std::rc::Rc;

/// Maximum number of ranks of an algorithm's schedule, limited by the memory of a page.
pub(super) const MAX_RANKS: u32 = 1 << 22;

#[derive(Debug)]
pub(super) enum Workload {
    Program(Box<Program>),
    Replay(Rc<Trace>, Replay),
}

impl Workload {
    /// An algorithm's schedule with a placement, as the command's `--nodes`. t_c is that of the
    /// signature.
    pub(super) fn of_algorithm(
        source: &RunSource,
        nodes: Option<&str>,
        signature: &Signature,
    ) -> Result<Self, Error> {
        let RunSource::Algorithm { op, algorithm, procs, bytes } = source else {
            return Err(Error::new("no algorithm is selected", Input::Algorithm, "choose one"));
        };
        if procs.0 > MAX_RANKS {
            return Err(Error::new(
                format!("a page runs algorithms on up to {MAX_RANKS} ranks"),
                Input::Procs,
                "choose fewer ranks, or use the command `loggia simulate`",
            ));
        }
        let algorithm = collective::named(*op, algorithm)?;
        let made = CollectiveSchedule::new(algorithm, *procs, *bytes)?
            .with_operator_time(None, Some(signature));
        let nodes = nodes.map(|text| Nodes::parse(text, procs.0)).transpose()?;
        made.program(nodes).map(|program| Workload::Program(Box::new(program)))
    }

    /// The same traced program with other options.
    pub(super) fn with_options(
        &self,
        how: impl FnOnce(Choices) -> ReplayOptions,
    ) -> Option<Replay> {
        match self {
            Workload::Program(_) => None,
            Workload::Replay(_, replay) => replay.with_options(how),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Workload::Program(program) => &program.name,
            Workload::Replay(trace, _) => &trace.name,
        }
    }

    /// The placement, if the machine distinguishes nodes. The schedule of a two-level algorithm
    /// runs on all machines; a replay refuses machines that do not distinguish them.
    pub(super) fn placed<'a>(
        &self,
        nodes: Option<&'a Nodes>,
        signature: &Signature,
    ) -> Option<&'a Nodes> {
        let is_replay = matches!(self, Workload::Replay(..));
        nodes.filter(|_| is_replay || signature.distinguishes_nodes())
    }

    pub(super) fn operations(&self) -> u64 {
        match self {
            Workload::Program(program) => program.schedule.len() as u64,
            Workload::Replay(_, replay) => replay.operations(),
        }
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        match self {
            Workload::Program(program) => program.warnings.clone(),
            Workload::Replay(_, replay) => replay.warnings(),
        }
    }

    pub(super) fn closed_form(
        &self,
        rules: SimulationModel,
        setting: &RunSetting,
    ) -> Option<ClosedForm> {
        match self {
            Workload::Program(program) => program.closed_form(rules, setting),
            Workload::Replay(..) => None,
        }
    }

    pub(super) fn simulation<'a>(
        &'a self,
        rules: SimulationModel,
        setting: &RunSetting<'a>,
    ) -> Result<Simulation<'a, Self>, Error> {
        if let Workload::Replay(_, replay) = self {
            replay.prepare(rules)?;
        }
        Simulation::new(self, rules, setting)
    }

    /// The whole schedule in memory, for queries by operation number.
    pub(super) fn in_memory<'a>(
        &'a self,
        rules: SimulationModel,
        setting: &RunSetting<'a>,
    ) -> Result<Simulation<'a>, Error> {
        match self {
            Workload::Program(program) => Simulation::new(&program.schedule, rules, setting),
            Workload::Replay(_, replay) => replay.in_memory(rules, setting),
        }
    }
}

impl Simulated for Workload {
    fn ranks(&self) -> u32 {
        match self {
            Workload::Program(program) => program.schedule.ranks(),
            Workload::Replay(_, replay) => replay.ranks(),
        }
    }

    fn steps(&self) -> Steps<'_> {
        match self {
            Workload::Program(program) => program.schedule.steps(),
            Workload::Replay(_, replay) => replay.steps(),
        }
    }

    fn words(&self) -> Words {
        match self {
            Workload::Program(program) => program.schedule.words(),
            Workload::Replay(_, replay) => replay.words(),
        }
    }
}
