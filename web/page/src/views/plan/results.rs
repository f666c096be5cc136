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
    /// Whether it equals the command's answer; otherwise it is the analytic sum.
    pub(super) is_whole: bool,
    /// Where it stands in the command's answer.
    index: usize,
}

impl MachinePlan {
    /// The path of something of it in the command's answer; of an estimate, another one.
    pub(super) fn path(&self, name: &str) -> String {
        let estimated = if self.is_whole { "" } else { "estimated." };
        format!("plan.{estimated}plans.{}.{name}", self.index)
    }

    /// The same of a number of ranks.
    pub(super) fn at(&self, point: usize, name: &str) -> String {
        self.path(&format!("points.{point}.{name}"))
    }
}

impl Results {
    /// The plan on the machine in question.
    pub(super) fn own(&self) -> Option<(&MachinePlan, &Shared<Plan>)> {
        let known = self.plans.first()?;
        Some((known, known.plan.as_ref().ok()?))
    }

    /// Takes an answer of the sketch with that text.
    pub(super) fn take(
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
        // Where it cannot be planned any more, what it was before is no answer.
        match self.plans.get_mut(index) {
            Some(place) => *place = known,
            None => self.plans.push(known),
        }
    }

    /// Forgets what is known of machines that are not shown any more.
    pub(super) fn keep(&mut self, machines: &[MachineText]) {
        let is_same = |(index, known): (usize, &MachinePlan)| {
            machines.get(index).is_some_and(|(machine, _)| {
                // The one in question may be changed while it is looked at.
                index == 0 || *machine == known.shown.machine
            })
        };
        let same = self.plans.iter().enumerate().take_while(|known| is_same(*known)).count();
        self.plans.truncate(same);
    }
}
