//! `loggia replay TRACE SIG`

mod compare;
mod text;

use super::told::{Told, goal, timeline};
use crate::cli::Replay as Args;
use crate::report::{Failure, Output};
use crate::{source, traces};
use loggia_model::collective::Nodes;
use loggia_model::model::Route;
use loggia_model::replay::answer::Answer;
use loggia_model::replay::choice::Choices;
use loggia_model::replay::what_if::WhatIf;
use loggia_model::replay::{How, Replay};
use loggia_model::simulate::{Rules, Setting};
use loggia_model::trace::Opened;
use loggia_model::{Error, Signature};
use serde::Serialize;
use std::path::Path;

/// All that may be said about a replay. Beside what was always asked, what was asked for.
#[derive(Serialize)]
struct Said<'a> {
    machine: &'a str,
    trace: &'a str,
    #[serde(flatten)]
    answer: Answer,
    #[serde(flatten)]
    told: Told,
    warnings: Vec<String>,
    /// Whether it is asked what would be if something were otherwise.
    #[serde(skip)]
    is_what_if: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let Some((sig, words)) = args.what.split_last() else { return Ok(()) };
    let names: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| *word != "with").collect();
    let signature = machine(args, sig)?;
    if !args.compare.is_empty() {
        return compare::run(args, &together(&names), &signature, output);
    }
    let [names] = &together(&names)[..] else {
        return Err(Failure::Refused(Error::new(
            "more than one trace is given",
            names.join(" "),
            "give one, or ask for a table of all of them by --compare loggp,loggpo",
        )));
    };
    let replay = opened(args, names, &signature)?;
    let nodes = placed(args, &replay)?;
    let node_of = nodes.as_ref().map(|nodes| nodes.of_all());
    let (tier, style) = (args.way.tier.as_deref(), args.way.style.as_deref());
    let setting = Setting::of(&signature, tier, style, node_of)?;
    let route = Route::of(&signature, tier, style)?;
    let rules = args.rules.map_or_else(|| Rules::richest(&route), Ok)?;
    let simulation = replay.simulation(rules, &setting)?;
    goal::write(&replay.schedule, &args.written)?;
    let answer = replay.answer(&simulation);
    let doubts = simulation.warnings.iter().map(ToString::to_string);
    let said = Said {
        machine: &signature.name,
        trace: names[0],
        told: Told::of(&simulation, &args.asked),
        warnings: replay
            .warnings
            .iter()
            .cloned()
            .chain(rules.remark(&route).filter(|_| args.rules.is_none()))
            .chain(doubts)
            .collect(),
        is_what_if: !what_if(args).is_nothing() || !args.scale_compute.is_empty(),
        answer,
    };
    timeline::write(&simulation, &args.written)?;
    output.answer(&said, || text::of(&said))
}

/// Which of the words belong to one trace: rank files that follow each other do.
fn together<'a>(names: &[&'a str]) -> Vec<Vec<&'a str>> {
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

/// The machine, as it would be.
fn machine(args: &Args, sig: &str) -> Result<Signature, Error> {
    let signature = source::load_with(sig, args.way.defaults(), &args.assume.set)?;
    Ok(what_if(args).applied(&signature))
}

fn what_if(args: &Args) -> WhatIf {
    WhatIf {
        latency: args.scale_latency.unwrap_or(1.0),
        bandwidth: args.scale_bandwidth.unwrap_or(1.0),
        overhead: args.scale_overhead.unwrap_or(1.0),
        progress: args.progress,
        eager_limit: args.eager_limit,
    }
}

/// Which ranks share a node.
fn placed(args: &Args, replay: &Replay) -> Result<Option<Nodes>, Error> {
    let nodes = args.nodes.as_deref();
    nodes.map(|text| Nodes::parse(text, replay.schedule.ranks())).transpose()
}

/// A trace, ready to be run.
fn opened(args: &Args, names: &[&str], signature: &Signature) -> Result<Replay, Error> {
    match traces::open(names, args.speed)? {
        Opened::Calls(trace) => Replay::new(&trace, &how(args, signature)?),
        Opened::Schedule(program) => Ok(Replay::of_schedule(*program)),
    }
}

fn how(args: &Args, signature: &Signature) -> Result<How, Error> {
    let mut choices = Choices::of(signature);
    for words in &args.algorithm {
        choices.ask(words)?;
    }
    let mut how = How { choices, ..How::default() };
    if let Some(combine) = args.compute {
        how.combine = combine;
    }
    for (rank, times) in &args.scale_compute {
        match rank {
            Some(rank) => how.scale_ranks.push((*rank, *times)),
            None => how.scale_compute *= times,
        }
    }
    Ok(how)
}
