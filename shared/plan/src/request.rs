//! The request for a plan: sketch, machine, and settings.

use super::cache::Cache;
use super::sketch::Sketch;
use loggia_model::signature::Signature;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::what_if::WhatIf;
use std::rc::Rc;

/// Default of the largest p for which the whole program is simulated.
const SIMULATED: u32 = 64;
/// The same for ranks that share a network card: up to two nodes, at most this p.
const SIMULATED_ON_TWO_NODES: u32 = 256;

#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub sketch: &'a Sketch,
    pub machine: &'a Signature,
    /// The tier; by default the first.
    pub tier: Option<&'a str>,
    /// The send mode; by default the first.
    pub style: Option<&'a str>,
    /// The simulation model; by default the richest.
    pub rules: Option<SimulationModel>,
    /// Ranks per node; by default those of the sketch.
    pub ranks_per_node: Option<u32>,
    /// Values of the open constants of the sketch.
    pub open: &'a [(String, f64)],
    /// Largest p for which the whole program is simulated; by default 64, or two nodes whose ranks
    /// share a network card.
    pub simulated: Option<u32>,
    pub what_if: WhatIf,
    /// Simulated costs, shared between plans.
    pub cache: Rc<Cache>,
}

impl<'a> Request<'a> {
    /// With default settings for everything else.
    #[must_use]
    pub fn of(sketch: &'a Sketch, machine: &'a Signature) -> Self {
        Request {
            sketch,
            machine,
            tier: None,
            style: None,
            rules: None,
            ranks_per_node: None,
            open: &[],
            simulated: None,
            what_if: WhatIf::default(),
            cache: Rc::default(),
        }
    }

    pub(super) fn each(&self) -> Option<u32> {
        self.ranks_per_node.or(self.sketch.ranks_per_node).filter(|each| *each > 0)
    }

    /// The largest p for which the whole program is simulated. `ranks_per_card`: number of ranks
    /// that share a network card.
    pub(super) fn most_simulated(&self, ranks_per_card: Option<u32>) -> u32 {
        let two_nodes = ranks_per_card.map_or(0, |each| each.saturating_mul(2).next_power_of_two());
        let usual = SIMULATED.max(two_nodes.min(SIMULATED_ON_TWO_NODES));
        self.simulated.unwrap_or(usual)
    }
}
