//! `loggia simulate`

mod machine;
mod program;
mod progress;
mod text;

use super::details::{self, goal, timeline};
use crate::cli::Simulate;
use crate::report::{Failure, Output};
use loggia_model::Error;
use loggia_report::run::{ParameterRange, RunReport};
use loggia_simulate::program::Program;
use loggia_simulate::{MAX_EVENTS, Simulation};
use machine::Machine;

pub(crate) fn run(args: &Simulate, output: &mut Output) -> Result<(), Failure> {
    args.files.check()?;
    let range = args.curve.as_deref().map(range).transpose()?;
    let (program, machine) = Machine::and_program(args)?;
    let Program { schedule, nodes, .. } = &program;
    let node_of = nodes.as_ref().map(|nodes| nodes.of_all());
    let setting = machine.setting(args, node_of, range.is_some())?;
    let rules = machine.rules(args, &setting)?;
    let simulation = Simulation::new(schedule, rules, &setting)?;
    if let Some(path) = &args.files.write_goal {
        goal::write(schedule, path)?;
    }
    let outcome = progress::watched(&simulation);
    let answer = simulation.answer(&outcome);
    let warnings = simulation.warnings();
    let report = RunReport {
        machine: machine.name(),
        schedule: &program.name,
        details: details::requested(&simulation, &args.details, || Ok(simulation.critical_path()))?,
        curve: range.map(|range| range.trace(&simulation, MAX_EVENTS)).transpose()?,
        closed_form: program.closed_form(rules, &setting),
        warnings: machine
            .extrapolated(schedule.ranks(), simulation.has_cards())
            .into_iter()
            .chain(machine.assumed(args))
            .chain(program.warnings.iter().cloned())
            .chain(machine.remark_on(nodes.is_some()))
            .chain(machine.remark_on_rules(rules, &setting).filter(|_| args.rules.is_none()))
            .chain(warnings.iter().map(ToString::to_string))
            .collect(),
        answer,
    };
    if let Some(path) = &args.files.timeline {
        timeline::write(&simulation, path)?;
    }
    output.print(&report, || text::of(&report, schedule.ranks()))?;
    match report.answer.stuck {
        None => Ok(()),
        Some(_) => details::stuck(output),
    }
}

fn range(text: &str) -> Result<ParameterRange, Error> {
    ParameterRange::parse(text).map_err(|error| error.at("--curve"))
}
