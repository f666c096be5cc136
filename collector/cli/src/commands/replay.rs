//! `loggia replay TRACE SIG`

mod compare;
mod machine;
mod text;

use super::details::{self, goal, timeline};
use crate::cli::Replay as Args;
use crate::report::{Failure, Output};
use loggia_model::Error;
use loggia_model::simulation_model::SimulationModel;
use loggia_replay::report::ReplayReport;
use loggia_report::run::RunDetails;
use loggia_simulate::Simulated;
use machine::Machine;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Report<'a> {
    machine: &'a str,
    trace: &'a str,
    #[serde(flatten)]
    answer: ReplayReport,
    #[serde(flatten)]
    details: RunDetails,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    args.files.check()?;
    let arguments: Vec<&str> =
        args.what.iter().map(String::as_str).filter(|word| *word != "with").collect();
    let [names @ .., sig] = &arguments[..] else { return Ok(()) };
    if names.is_empty() {
        return Err(Failure::Refused(Error::new(
            "a trace and a machine are needed",
            *sig,
            "write, for example, `loggia replay TRACE cray-t3d`; `loggia list` lists the machines",
        )));
    }
    let machine = Machine::named(sig, args)?;
    if !args.compare.is_empty() {
        return compare::run(&args.compare, &groups_by_trace(names), &machine, output);
    }
    let [names] = &groups_by_trace(names)[..] else {
        return Err(Failure::Refused(Error::new(
            "more than one trace is given",
            names.join(" "),
            "give one trace, or compare all traces with --compare loggp,loggpo",
        )));
    };
    let replay = machine.replay(names, args.rules)?;
    let nodes = machine.nodes(&replay)?;
    let setting = machine.setting(nodes.as_ref())?;
    let route = machine.route()?;
    let rules = args.rules.map_or_else(|| SimulationModel::richest(&route), Ok)?;
    let simulation = replay.simulation(rules, &setting)?;
    let in_memory = || replay.in_memory(rules, &setting);
    if let Some(path) = &args.files.write_goal {
        goal::write(replay.schedule()?, path)?;
    }
    let answer = replay.answer(&simulation)?.under(&machine.what_if());
    let path = || in_memory().map(|simulation| simulation.critical_path());
    let warnings = simulation.warnings();
    let report = Report {
        machine: &machine.signature.name,
        trace: names[0],
        details: details::requested(&simulation, &args.details, path)?,
        warnings: machine
            .signature
            .extrapolated(replay.ranks(), simulation.has_cards())
            .into_iter()
            .chain(replay.warnings())
            .chain(machine.assumed.clone())
            .chain(rules.remark(&route).filter(|_| args.rules.is_none()))
            .chain(warnings.iter().map(ToString::to_string))
            .collect(),
        answer,
    };
    if let Some(path) = &args.files.timeline {
        timeline::write(&in_memory()?, path)?;
    }
    output.print(&report, || text::of(&report))?;
    match report.answer.run.stuck {
        None => Ok(()),
        Some(_) => details::stuck(output),
    }
}

/// Groups the names by trace: consecutive rank files form one trace.
fn groups_by_trace<'a>(names: &[&'a str]) -> Vec<Vec<&'a str>> {
    let is_rank = |name: &str| !Path::new(name).is_dir() && name.ends_with(".trace");
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for name in names {
        match groups.last_mut() {
            Some(group) if is_rank(name) && is_rank(group[0]) => group.push(name),
            _ => groups.push(vec![name]),
        }
    }
    groups
}
