//! The machine of a run: where its parameters come from, and which ranks share a node.

use super::ticks::Ticks;
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::model::Route;
use loggia_model::numbers::Numbers;
use loggia_model::signature::{Reach, Signature};

/// The source of message parameters.
#[derive(Clone, Copy, Debug)]
pub enum ParameterSource<'a> {
    /// A signature.
    Route(Route<'a>),
    /// Single numbers, as LogGOPSim takes them.
    Numbers(Numbers),
}

/// A machine as a run sees it.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Between nodes, and between all ranks where there are no nodes.
    pub between: ParameterSource<'a>,
    /// Within a node, and the node of each rank.
    pub inside: Option<(ParameterSource<'a>, &'a [u32])>,
    /// No tick is longer than that: what is followed over a parameter wants short ones.
    pub longest_tick: Ticks,
}

impl<'a> Setting<'a> {
    /// All ranks are as far from each other.
    pub fn flat(between: ParameterSource<'a>) -> Self {
        Setting { between, inside: None, longest_tick: Ticks::Nanoseconds }
    }

    /// A signature's tiers, the first or the one named for messages between nodes; with nodes, its
    /// tier inside a node for those within.
    pub fn of(
        signature: &'a Signature,
        tier: Option<&str>,
        style: Option<&str>,
        node_of: Option<&'a [u32]>,
    ) -> Result<Self, Error> {
        let Some(node_of) = node_of else {
            return Ok(Setting::flat(ParameterSource::Route(Route::of(signature, tier, style)?)));
        };
        let find = |reach| signature.tiers.iter().find(|tier| tier.reach == reach);
        let (Some(inter), Some(intra)) = (find(Reach::Inter), find(Reach::Intra)) else {
            return Err(Error::new(
                format!(
                    "{} does not report both a network and the inside of a node",
                    signature.title
                ),
                Input::Nodes,
                "leave the nodes out, or choose a signature with two tiers: `loggia list`",
            ));
        };
        let name = match tier {
            Some(name) => signature.tier(Some(name))?.name.as_str(),
            None => inter.name.as_str(),
        };
        Ok(Setting {
            between: ParameterSource::Route(Route::of(signature, Some(name), style)?),
            inside: Some((
                ParameterSource::Route(Route::of(signature, Some(&intra.name), None)?),
                node_of,
            )),
            longest_tick: Ticks::Nanoseconds,
        })
    }
}
