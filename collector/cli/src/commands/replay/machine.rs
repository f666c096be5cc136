//! The machine and the settings of a replay.

use crate::cli::Replay as Args;
use crate::{source, traces};
use loggia_model::model::Route;
use loggia_model::placement::Nodes;
use loggia_model::what_if::WhatIf;
use loggia_model::{Error, Signature};
use loggia_replay::choice::Choices;
use loggia_replay::trace::Opened;
use loggia_replay::{Replay, ReplayOptions};
use loggia_simulate::{Runs, Setting};
use std::rc::Rc;

pub(super) struct Machine<'a> {
    args: &'a Args,
    /// With the what-if changes applied.
    pub(super) signature: Signature,
    how: ReplayOptions,
}

impl<'a> Machine<'a> {
    pub(super) fn named(sig: &str, args: &'a Args) -> Result<Self, Error> {
        let published = source::load_with(sig, args.route.defaults(), &args.assume.set)?;
        // Algorithms were identified on the unchanged machine.
        let how = how(args, &published)?;
        Ok(Machine { args, signature: args.changed.what_if().applied(&published), how })
    }

    pub(super) fn what_if(&self) -> WhatIf {
        self.args.changed.what_if()
    }

    pub(super) fn replay(&self, names: &[&str]) -> Result<Replay, Error> {
        match traces::open(names, self.args.speed)? {
            Opened::Calls(trace) => Replay::new(Rc::new(trace), self.how.clone()),
            Opened::Schedule(program) => Ok(Replay::of_schedule(*program)),
        }
    }

    pub(super) fn nodes(&self, replay: &Replay) -> Result<Option<Nodes>, Error> {
        self.args.placement.nodes(replay.ranks())
    }

    pub(super) fn setting<'b>(&'b self, nodes: Option<&'b Nodes>) -> Result<Setting<'b>, Error> {
        let (tier, style) = (self.args.route.tier.as_deref(), self.args.route.style.as_deref());
        Setting::of(&self.signature, tier, style, nodes.map(Nodes::of_all))
    }

    pub(super) fn route(&self) -> Result<Route<'_>, Error> {
        let (tier, style) = (self.args.route.tier.as_deref(), self.args.route.style.as_deref());
        Route::of(&self.signature, tier, style)
    }
}

fn how(args: &Args, published: &Signature) -> Result<ReplayOptions, Error> {
    let mut choices = Choices::of(published);
    for words in &args.algorithm {
        choices.ask(words)?;
    }
    let mut how = ReplayOptions { choices, ..ReplayOptions::default() };
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
