//! Plans of a sketch in three stages: the analytic sum, fast enough to follow a slider; the
//! simulation, one number of ranks after another; the whole plan.

use loggia_model::Error;
use loggia_model::json::from_json;
use loggia_model::ranks::ranks;
use loggia_model::signature::Signature;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::what_if::WhatIf;
use loggia_plan::cache::Cache;
use loggia_plan::plan::Plan;
use loggia_plan::request::Request;
use loggia_plan::sketch::Sketch;
use loggia_plan::sketch::edit::Outline;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planning {
    /// The text of the sketch.
    pub sketch: String,
    /// Numbers of ranks, as for the command's option `--procs`.
    pub ranks: String,
    /// The signature, as its file has it.
    pub signature: String,
    /// The tier; by default the first.
    pub tier: Option<String>,
    /// The send mode; by default the first.
    pub style: Option<String>,
    /// The simulation model; by default the richest possible.
    pub rules: Option<SimulationModel>,
    /// The what-if.
    pub what_if: WhatIf,
}

/// The part of a plan that is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// The analytic sum of the steps.
    Sums,
    /// Fills the cache for one number of ranks; no response.
    Point(usize),
    /// The whole plan, as the command computes it.
    Whole,
}

/// The result of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// Editable parts of the sketch; `None` if it cannot be read.
    pub outline: Option<Outline>,
    pub plan: Result<Plan, Error>,
}

/// Caches of earlier requests.
#[derive(Debug, Default)]
pub(super) struct PlanCache {
    /// Signatures by their JSON.
    machines: Vec<(String, Signature)>,
    /// Simulated costs.
    cache: Rc<Cache>,
}

/// Maximum number of cached signatures.
const MAX: usize = 16;

impl PlanCache {
    /// The result of a plan; `None` if the request only fills the cache.
    pub(super) fn answer(&mut self, planning: &Planning, extent: Extent) -> Option<Planned> {
        let outline = (extent == Extent::Sums).then(|| Outline::of(&planning.sketch)).transpose();
        let outline = match outline {
            Ok(outline) => outline,
            Err(error) => return Some(Planned { outline: None, plan: Err(error) }),
        };
        let plan = self.plan(planning, extent);
        let has_response = !matches!(extent, Extent::Point(_));
        has_response.then_some(Planned { outline, plan })
    }

    fn plan(&mut self, planning: &Planning, extent: Extent) -> Result<Plan, Error> {
        let sketch = Sketch::read(&planning.sketch)?;
        let procs = ranks(&planning.ranks)?;
        let cache = Rc::clone(&self.cache);
        let request = Request {
            tier: planning.tier.as_deref(),
            style: planning.style.as_deref(),
            rules: planning.rules,
            what_if: planning.what_if,
            cache,
            ..Request::of(&sketch, self.machine(&planning.signature)?)
        };
        match extent {
            Extent::Sums => Request { simulated: Some(0), ..request }.times_over(&procs),
            Extent::Point(at) => request.over(procs.get(at..=at).unwrap_or_default()),
            Extent::Whole => request.over(&procs),
        }
    }

    /// The signature of this JSON.
    fn machine(&mut self, text: &str) -> Result<&Signature, Error> {
        let place = match self.machines.iter().position(|(known, _)| known == text) {
            Some(place) => place,
            None => {
                let signature = from_json(text)?;
                if self.machines.len() >= MAX {
                    self.machines.remove(0);
                }
                self.machines.push((text.to_owned(), signature));
                self.machines.len() - 1
            }
        };
        Ok(&self.machines[place].1)
    }
}
