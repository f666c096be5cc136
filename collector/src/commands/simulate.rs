//! `loggia simulate`

mod machine;
mod program;
mod progress;
mod range;
pub(super) mod text;
pub(super) mod trace;

use crate::cli::Simulate;
use crate::files;
use crate::report::{Failure, Output, remark};
use loggia_engine::schedule::Schedule;
use loggia_model::goal;
use loggia_model::simulate::answer::{Answer, CriticalPath, Curve, RankSplit, Sensitivity};
use loggia_model::simulate::program::{ClosedForm, Program};
use loggia_model::simulate::{MOST_EVENTS, Simulation};
use machine::Machine;
use range::Range;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// All that may be said about a run. Beside what was always asked, what was asked for.
#[derive(Serialize)]
struct Said<'a> {
    machine: &'a str,
    schedule: &'a str,
    #[serde(flatten)]
    answer: Answer,
    #[serde(flatten)]
    sensitivity: Option<Sensitivity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path: Option<CriticalPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<RankSplit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<Curve>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_form: Option<ClosedForm>,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Simulate, output: &mut Output) -> Result<(), Failure> {
    let range = args.curve.as_deref().map(Range::parse).transpose()?;
    let (program, machine) = Machine::and_program(args)?;
    let Program { schedule, nodes, .. } = &program;
    let node_of = nodes.as_ref().map(|nodes| nodes.of_all());
    let setting = machine.setting(args, node_of, range.is_some())?;
    let rules = machine.rules(args, &setting)?;
    let simulation = Simulation::new(schedule, rules, &setting)?;
    if let Some(path) = &args.write_goal {
        for note in write_goal(schedule, path)? {
            remark(&format!("loggia: {note}"));
        }
    }
    let outcome = progress::watched(&simulation);
    let answer = simulation.answer(&outcome);
    let warnings = simulation.warnings.iter().map(ToString::to_string);
    let said = Said {
        machine: machine.name(),
        schedule: &program.name,
        sensitivity: args.sensitivity.then(|| simulation.sensitivity()),
        critical_path: args.critical_path.then(|| simulation.critical_path()),
        ranks: args.split.then(|| {
            let (outcome, splits) = simulation.split();
            simulation.rank_splits(&splits, outcome.end())
        }),
        curve: range.map(|range| range.trace(&simulation, MOST_EVENTS)).transpose()?,
        closed_form: program.closed_form(rules, &setting),
        warnings: program
            .warnings
            .iter()
            .cloned()
            .chain(machine.remark_on(nodes.is_some()))
            .chain(machine.remark_on_rules(rules, &setting).filter(|_| args.rules.is_none()))
            .chain(warnings)
            .collect(),
        answer,
    };
    if let Some(path) = &args.timeline {
        files::write_whole(path, |file| trace::write(&simulation, file))?;
    }
    output.answer(&said, || text::of(&said, schedule.ranks()))
}

pub(super) fn write_goal(schedule: &Schedule, path: &Path) -> Result<Vec<String>, Failure> {
    let binary = path.extension().is_some_and(|extension| extension == "bin");
    Ok(files::write_whole(path, |file| {
        if binary {
            return goal::binary::write(schedule, file);
        }
        let mut lines = Lines { file, failed: None };
        let notes = goal::text::write(schedule, &mut lines);
        match lines.failed {
            Some(error) => Err(error),
            None => notes.map_err(std::io::Error::other),
        }
    })?)
}

/// A file as what takes text, with the error that text cannot carry.
struct Lines<W> {
    file: W,
    failed: Option<std::io::Error>,
}

impl<W: Write> std::fmt::Write for Lines<W> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.file.write_all(text.as_bytes()).map_err(|error| {
            self.failed = Some(error);
            std::fmt::Error
        })
    }
}
