//! The machine of a run: where its parameters come from, and which ranks share a node.

use super::ticks::Ticks;
use crate::error::SimulationError;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::numbers::Numbers;
use loggia_model::signature::{Parameter, Reach, Signature, Tier};

/// The source of message parameters.
#[derive(Clone, Copy, Debug)]
pub enum ParameterSource<'a> {
    /// A signature.
    Route(Route<'a>),
    /// Single numbers, as LogGOPSim takes them.
    Numbers(Numbers),
}

/// The machine of a simulated run: its parameters, and which ranks share a node.
#[derive(Clone, Copy, Debug)]
pub struct RunSetting<'a> {
    /// Between nodes, and between all ranks where there are no nodes.
    pub between: ParameterSource<'a>,
    /// Within a node, and the node of each rank.
    pub inside: Option<(ParameterSource<'a>, &'a [u32])>,
    /// Longest allowed tick; a curve over a parameter needs short ones.
    pub longest_tick: Ticks,
}

impl<'a> RunSetting<'a> {
    /// All ranks are as far from each other.
    pub fn flat(between: ParameterSource<'a>) -> Self {
        RunSetting { between, inside: None, longest_tick: Ticks::Nanoseconds }
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
            return Ok(RunSetting::flat(ParameterSource::Route(Route::of(
                signature, tier, style,
            )?)));
        };
        let find = |reach| signature.tiers.iter().find(|tier| tier.reach == reach);
        let mut inter = find(Reach::Inter);
        if let (Some(inter), Some(name)) = (&mut inter, tier) {
            *inter = signature.tier(Some(name))?;
        }
        let card = |tier: &Tier| tier.node_gap_per_byte.as_ref().and_then(Parameter::interval);
        let intra = find(Reach::Intra).or(inter.filter(|inter| card(inter).is_some()));
        let (Some(inter), Some(intra)) = (inter, intra) else {
            let signature = signature.title.clone();
            return Err(SimulationError::NeedsTwoTiers { signature }.into());
        };
        let of_inside = if intra.name == inter.name { style } else { None };
        let inside = Route::of(signature, Some(&intra.name), of_inside)?;
        Ok(RunSetting {
            between: ParameterSource::Route(Route::of(signature, Some(&inter.name), style)?),
            inside: Some((ParameterSource::Route(inside), node_of)),
            longest_tick: Ticks::Nanoseconds,
        })
    }
}
