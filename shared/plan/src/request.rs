//! The request for a plan: sketch, machine, and settings.

use super::cache::Cache;
use super::sketch::Sketch;
use loggia_model::rules::Rules;
use loggia_model::signature::Signature;
use loggia_model::what_if::WhatIf;
use std::rc::Rc;

/// Default largest p for which the whole program is simulated.
pub const SIMULATED: u32 = 64;

#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub sketch: &'a Sketch,
    pub machine: &'a Signature,
    /// The tier; by default the first.
    pub tier: Option<&'a str>,
    /// The send mode; by default the first.
    pub style: Option<&'a str>,
    /// The simulation model; by default the richest.
    pub rules: Option<Rules>,
    /// Ranks per node; by default those of the sketch.
    pub ranks_per_node: Option<u32>,
    /// The constants that the sketch leaves open.
    pub open: &'a [(String, f64)],
    /// Largest p for which the whole program is simulated.
    pub simulated: u32,
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
            simulated: SIMULATED,
            what_if: WhatIf::default(),
            cache: Rc::default(),
        }
    }

    pub(super) fn each(&self) -> Option<u32> {
        self.ranks_per_node.or(self.sketch.ranks_per_node)
    }
}
