//! The machine and the settings of a replay.

use crate::cli::Replay as Args;
use crate::{source, traces};
use loggia_model::model::Route;
use loggia_model::placement::Nodes;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::what_if::WhatIf;
use loggia_model::{Error, Signature};
use loggia_replay::choice::Choices;
use loggia_replay::trace::OpenedTrace;
use loggia_replay::{MeasuredMachine, MeasuredTimes, Replay, ReplayOptions};
use loggia_simulate::{RunSetting, Simulated};
use std::rc::Rc;

pub(super) struct Machine<'a> {
    args: &'a Args,
    /// With the what-if changes applied.
    pub(super) signature: Signature,
    /// Without the what-if changes: algorithms and times were measured on this machine.
    published: Rc<Signature>,
    options: ReplayOptions,
    /// The warning about assumed costs of messages.
    pub(super) assumed: Option<String>,
}

impl<'a> Machine<'a> {
    pub(super) fn named(sig: &str, args: &'a Args) -> Result<Self, Error> {
        let (published, assumed) = source::load_to_simulate(sig, &args.route, &args.assume.set)?;
        let options = options(args, &published)?;
        let signature = args.changed.what_if().applied(&published);
        Ok(Machine { args, signature, published: Rc::new(published), options, assumed })
    }

    pub(super) fn what_if(&self) -> WhatIf {
        self.args.changed.what_if()
    }

    /// A trace, prepared for this simulation model.
    pub(super) fn replay(
        &self,
        names: &[&str],
        rules: Option<SimulationModel>,
    ) -> Result<Replay, Error> {
        match traces::open(names, self.args.speed)? {
            OpenedTrace::Calls(trace) => {
                let options = self.options(trace.ranks.len() as u32, rules)?;
                Replay::new(Rc::new(trace), options)
            }
            OpenedTrace::Schedule(program) => Ok(Replay::of_schedule(*program)),
        }
    }

    /// The same trace, prepared for another simulation model.
    pub(super) fn replay_by(
        &self,
        replay: &Replay,
        rules: SimulationModel,
    ) -> Result<Option<Replay>, Error> {
        let options = self.options(replay.ranks(), Some(rules))?;
        Ok(replay.with_options(|_| options))
    }

    fn options(&self, ranks: u32, rules: Option<SimulationModel>) -> Result<ReplayOptions, Error> {
        let route = &self.args.route;
        let measured = MeasuredTimes::of(MeasuredMachine {
            signature: Rc::clone(&self.published),
            tier: route.tier.clone(),
            style: route.style.clone(),
            nodes: self.args.placement.nodes(ranks)?.map(Rc::new),
            rules,
        });
        Ok(ReplayOptions { measured, ..self.options.clone() })
    }

    pub(super) fn nodes(&self, replay: &Replay) -> Result<Option<Nodes>, Error> {
        self.args.placement.nodes(replay.ranks())
    }

    pub(super) fn setting<'b>(&'b self, nodes: Option<&'b Nodes>) -> Result<RunSetting<'b>, Error> {
        let (tier, style) = (self.args.route.tier.as_deref(), self.args.route.style.as_deref());
        RunSetting::of(&self.signature, tier, style, nodes.map(Nodes::of_all))
    }

    pub(super) fn route(&self) -> Result<Route<'_>, Error> {
        let (tier, style) = (self.args.route.tier.as_deref(), self.args.route.style.as_deref());
        Route::of(&self.signature, tier, style)
    }
}

fn options(args: &Args, published: &Signature) -> Result<ReplayOptions, Error> {
    let mut choices = Choices::of(published);
    for choice in &args.algorithm {
        choices.set(choice)?;
    }
    let mut options = ReplayOptions { choices, ..ReplayOptions::default() };
    if let Some(combine) = args.compute {
        options.combine = combine;
    }
    for (rank, times) in &args.scale_compute {
        match rank {
            Some(rank) => options.scale_ranks.push((*rank, *times)),
            None => options.scale_compute *= times,
        }
    }
    Ok(options)
}
