//! The machine of a run: the source of its parameters, and the placement of ranks.

use super::ticks::Ticks;
use crate::error::SimulationError;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::numbers::Numbers;
use loggia_model::signature::{Reach, Signature};

/// The source of message parameters.
#[derive(Clone, Copy, Debug)]
pub enum ParameterSource<'a> {
    /// A signature.
    Route(Route<'a>),
    /// Single numbers, as in LogGOPSim.
    Numbers(Numbers),
}

/// The machine of a simulated run: its parameters, and the placement of ranks.
#[derive(Clone, Copy, Debug)]
pub struct RunSetting<'a> {
    /// Between nodes; without nodes, between all ranks.
    pub between: ParameterSource<'a>,
    /// Inside a node, and the node of each rank.
    pub inside: Option<(ParameterSource<'a>, &'a [u32])>,
    /// Factor of the time per byte of a network card: if a few ranks represent all ranks of a node,
    /// their card is proportionally slower.
    pub(super) card_factor: f64,
    /// Longest allowed tick; a curve over a parameter needs short ticks.
    pub longest_tick: Ticks,
}

impl<'a> RunSetting<'a> {
    /// The same parameters between all ranks.
    pub fn flat(between: ParameterSource<'a>) -> Self {
        RunSetting { between, inside: None, card_factor: 1.0, longest_tick: Ticks::Nanoseconds }
    }

    /// The tiers of a signature. Between nodes: the named tier, else the first. Inside nodes: the
    /// tier inside a node, else the same as between nodes.
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
        let intra = find(Reach::Intra).or(inter);
        let (Some(inter), Some(intra)) = (inter, intra) else {
            let signature = signature.title.clone();
            return Err(SimulationError::NoTierBetweenNodes { signature }.into());
        };
        let of_inside = if intra.name == inter.name { style } else { None };
        let inside = Route::of(signature, Some(&intra.name), of_inside)?;
        Ok(RunSetting {
            between: ParameterSource::Route(Route::of(signature, Some(&inter.name), style)?),
            inside: Some((ParameterSource::Route(inside), node_of)),
            card_factor: 1.0,
            longest_tick: Ticks::Nanoseconds,
        })
    }
}
