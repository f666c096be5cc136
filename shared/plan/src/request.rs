//! What is asked of a plan: a sketch, a machine, and what differs from both.

use super::cache::Cache;
use super::sketch::Sketch;
use loggia_model::rules::Rules;
use loggia_model::signature::Signature;
use loggia_model::what_if::WhatIf;
use std::rc::Rc;

/// Up to so many ranks the whole is simulated, if nobody says otherwise.
pub const SIMULATED: u32 = 64;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Of which program.
    pub sketch: &'a Sketch,
    /// On which machine.
    pub machine: &'a Signature,
    /// By which of its tiers …
    pub tier: Option<&'a str>,
    /// … and styles.
    pub style: Option<&'a str>,
    /// By which rules; else by the richest.
    pub rules: Option<Rules>,
    /// How many ranks share a node; else what the sketch says.
    pub ranks_per_node: Option<u32>,
    /// The constants that the sketch leaves open.
    pub open: &'a [(String, f64)],
    /// Up to so many ranks the whole is simulated.
    pub simulated: u32,
    /// What if the machine were another.
    pub what_if: WhatIf,
    /// What was run already: plans that share it ask once.
    pub cache: Rc<Cache>,
}

impl<'a> Request<'a> {
    /// Of a sketch on a machine, where these decide everything else.
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
