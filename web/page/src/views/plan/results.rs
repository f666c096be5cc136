//! Responses of the worker so far. Each stays until a newer one replaces it.

use super::request::{MachineText, Query};
use crate::comparison::{ComparedMachine, shown};
use crate::machines::Machine;
use crate::memo::Shared;
use loggia_model::Error;
use loggia_plan::plan::Plan;
use loggia_plan::sketch::edit::Outline;
use loggia_worker::{Extent, Planned};

#[derive(Default)]
pub(super) struct Results {
    /// The text and its outline.
    pub(super) outline: Option<(String, Shared<Outline>)>,
    /// An error of the sketch, or of the plan.
    pub(super) refused: Option<Error>,
    pub(super) plans: Vec<MachinePlan>,
}

/// A plan on a machine, or its error.
#[derive(Clone, PartialEq)]
pub(super) struct MachinePlan {
    pub(super) shown: ComparedMachine,
    pub(super) plan: Result<Shared<Plan>, Error>,
    /// Whether it equals the command's result; otherwise it is the analytic sum.
    pub(super) is_whole: bool,
    /// Index in the command's answer.
    index: usize,
}

impl MachinePlan {
    /// A path in the command's JSON; an analytic sum has another one.
    pub(super) fn path(&self, name: &str) -> String {
        let estimated = if self.is_whole { "" } else { "estimated." };
        format!("plan.{estimated}plans.{}.{name}", self.index)
    }

    /// A path below one number of ranks.
    pub(super) fn at(&self, point: usize, name: &str) -> String {
        self.path(&format!("points.{point}.{name}"))
    }
}

impl Results {
    /// The plan on the selected machine.
    pub(super) fn own(&self) -> Option<(&MachinePlan, &Shared<Plan>)> {
        let known = self.plans.first()?;
        Some((known, known.plan.as_ref().ok()?))
    }

    /// Stores the response to a request with this text.
    pub(super) fn store(
        &mut self,
        (index, extent): Query,
        planned: Planned,
        text: &str,
        machines: &[MachineText],
    ) {
        let all: Vec<Machine> = machines.iter().map(|(machine, _)| machine.clone()).collect();
        let Some(shown) = shown(&all).into_iter().nth(index) else { return };
        if index == 0 && extent == Extent::Sums {
            if let Some(outline) = planned.outline {
                self.outline = Some((text.to_owned(), Shared::new(outline)));
            }
            self.refused = planned.plan.as_ref().err().cloned();
        }
        let known = MachinePlan {
            shown,
            plan: planned.plan.map(Shared::new),
            is_whole: extent == Extent::Whole,
            index,
        };
        // If the new text has no plan, the old plan is removed.
        match self.plans.get_mut(index) {
            Some(place) => *place = known,
            None => self.plans.push(known),
        }
    }

    /// Removes plans of machines that are no longer shown.
    pub(super) fn keep(&mut self, machines: &[MachineText]) {
        let is_same = |(index, known): (usize, &MachinePlan)| {
            machines.get(index).is_some_and(|(machine, _)| {
                // The selected machine may change during a drag.
                index == 0 || *machine == known.shown.machine
            })
        };
        let same = self.plans.iter().enumerate().take_while(|known| is_same(*known)).count();
        self.plans.truncate(same);
    }
}
