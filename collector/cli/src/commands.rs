//! Runs each verb: one file per verb. Shared by several verbs: `ranks` and `details`.

mod calls;
mod choose;
mod collect;
mod compare;
mod details;
mod export;
mod figure;
mod import;
mod lesson;
mod link;
mod list;
mod manual;
mod metrics;
mod new;
mod page;
mod plan;
mod predict;
mod ranks;
mod replay;
mod score;
mod serve;
mod show;
mod simulate;
mod trace;
mod validate;

use crate::cli::{Predict, Verb};
use crate::report::{Failure, Output};

pub(crate) fn run(verb: Verb, output: &mut Output) -> Result<(), Failure> {
    match verb {
        Verb::List(args) => list::run(&args, output),
        Verb::New(args) => new::run(&args, output),
        Verb::Show(args) => show::run(&args, output),
        Verb::Predict(Predict::P2p(args)) => predict::p2p::run(&args, output),
        Verb::Predict(Predict::Protocol(args)) => predict::protocol::run(&args, output),
        Verb::Predict(Predict::Collective(args)) => predict::collective::run(&args, output),
        Verb::Predict(Predict::Overlap(args)) => predict::overlap::run(&args, output),
        Verb::Predict(Predict::Messages(args)) => predict::messages::run(&args, output),
        Verb::Metrics(args) => metrics::run(&args, output),
        Verb::Choose(args) => choose::run(&args, output),
        Verb::Compare(args) => compare::run(&args, output),
        Verb::Export(args) => export::run(&args, output),
        Verb::Figure(args) => figure::run(&args, output),
        Verb::Simulate(args) => simulate::run(&args, output),
        Verb::Collect(args) => collect::run(&args, output),
        Verb::Import(args) => import::run(&args, output),
        Verb::Score(args) => score::run(&args, output),
        Verb::Validate(args) => validate::run(&args, output),
        Verb::Trace(args) => trace::run(&args, output),
        Verb::Calls(args) => calls::run(&args, output),
        Verb::Replay(args) => replay::run(&args, output),
        Verb::Plan(args) => plan::run(&args, output),
        Verb::Lesson(verb) => lesson::run(&verb, output),
        Verb::Link(args) => link::make(&args, output),
        Verb::Page(args) => page::run(&args, output),
        Verb::Open { link } => link::open(&link, output),
        Verb::Serve(args) => serve::run(&args, output),
        Verb::Completions { shell } => manual::completions(shell, output),
        Verb::Man => manual::page(output),
    }
}
