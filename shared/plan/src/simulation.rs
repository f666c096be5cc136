//! Simulates whole iterations.

use super::collective::Selection;
use super::concrete::{ConcreteAction, ConcreteStep, own_computation};
use super::cost::Breakdown;
use super::deployment::Deployment;
use super::iterations::IterationCosts;
use loggia_model::Error;

/// Maximum computation of all ranks together, which can be counted in ps.
const LONGEST_US: f64 = 40.0 * 86_400e6;

impl Deployment<'_> {
    /// Simulated costs of the iterations. `None` if the simulation is too long, a step is not
    /// repeated a whole number of times, or operations are known only by their measured times.
    ///
    /// # Errors
    /// If the machine lacks a parameter that a step needs.
    pub fn simulated(&self, steps: &[ConcreteStep]) -> Result<Option<IterationCosts>, Error> {
        if !are_whole(steps) || own_computation(steps) * self.procs.count() * 3.0 > LONGEST_US {
            return Ok(None);
        }
        let mut rare = Vec::new();
        intervals(steps, 1, &mut rare);
        let Some(base) = self.iteration_costs(&executed_every(steps, 1, &[1]))? else {
            return Ok(None);
        };
        let mut all = base;
        for every in rare.into_iter().filter(|every| *every > 1) {
            let Some(with_rare) = self.iteration_costs(&executed_every(steps, 1, &[1, every]))?
            else {
                return Ok(None);
            };
            let more = with_rare.each.with(base.each, |with, base| (with - base) / every as f64);
            all = all.with(IterationCosts { first: more, each: more }, |all, more| all + more);
        }
        let unsynchronised = 1.0 - self.synchronised_share(steps);
        let [first, each] =
            [0.0, unsynchronised].map(|share| self.measured_excess(steps, (1.0, share)));
        all = all.with(IterationCosts { first: first?, each: each? }, |all, more| all + more);
        let own = own_computation(steps) + self.arithmetic(steps)?;
        let tidy = |parts: Breakdown| parts.settled().of_which(own);
        Ok(Some(IterationCosts { first: tidy(all.first), each: tidy(all.each) }))
    }

    /// Arithmetic of all reductions, in µs per iteration.
    fn arithmetic(&self, steps: &[ConcreteStep]) -> Result<f64, Error> {
        let mut all = 0.0;
        for step in steps {
            let once = match &step.action {
                ConcreteAction::Steps(steps) => self.arithmetic(steps)?,
                action => {
                    let selection = Selection::Preferred(action.algorithm());
                    let cost = self.machine.collective(self.call(action), selection)?;
                    cost.map_or(0.0, |cost| cost.parts.compute)
                }
            };
            all += once * step.times / step.every as f64;
        }
        Ok(all)
    }

    /// Measured times of collective operations minus those of the simulated algorithms.
    fn measured_excess(
        &self,
        steps: &[ConcreteStep],
        (share, unsynchronised): (f64, f64),
    ) -> Result<Breakdown, Error> {
        let mut all = Breakdown::default();
        for step in steps {
            let share = share * step.times / step.every as f64;
            if let ConcreteAction::Steps(steps) = &step.action {
                all = all
                    .with(self.measured_excess(steps, (share, unsynchronised))?, |all, more| {
                        all + more
                    });
                continue;
            }
            let (call, selection) =
                (self.call(&step.action), Selection::Preferred(step.action.algorithm()));
            let Some(cost) = self.machine.collective(call, selection)? else { continue };
            if cost.from.is_of_algorithm() {
                continue;
            }
            let Some(modelled) = self.machine.collective(call, Selection::BestAlgorithm)? else {
                continue;
            };
            // Skew saves the same share as for the algorithm.
            let skew = if unsynchronised > 0.0 { self.skew_factor(step)? } else { 1.0 };
            let share = share * (1.0 - unsynchronised + unsynchronised * skew);
            let overlapped = |parts| self.overlapped(parts, step.during);
            let more =
                overlapped(cost.parts).with(overlapped(modelled.parts), |a, b| (a - b) * share);
            all = all.with(more, |all, more| all + more);
        }
        Ok(all)
    }
}

/// Whether all steps are repeated a whole number of times.
fn are_whole(steps: &[ConcreteStep]) -> bool {
    steps.iter().all(|step| {
        step.times.fract() == 0.0
            && match &step.action {
                ConcreteAction::Steps(steps) => are_whole(steps),
                _ => true,
            }
    })
}

/// Intervals of the steps, in iterations: 1 for every iteration, 10 for every tenth.
fn intervals(steps: &[ConcreteStep], outer: u64, all: &mut Vec<u64>) {
    for step in steps {
        let every = outer.saturating_mul(step.every);
        match &step.action {
            ConcreteAction::Steps(steps) => intervals(steps, every, all),
            _ => all.push(every),
        }
    }
    all.sort_unstable();
    all.dedup();
}

/// The steps whose interval is one of `kept`, executed in every iteration.
fn executed_every(steps: &[ConcreteStep], outer: u64, kept: &[u64]) -> Vec<ConcreteStep> {
    let keep = |step: &ConcreteStep| {
        let every = outer.saturating_mul(step.every);
        let action = match &step.action {
            ConcreteAction::Steps(steps) => match executed_every(steps, every, kept) {
                left if left.is_empty() => return None,
                left => ConcreteAction::Steps(left),
            },
            _ if !kept.contains(&every) => return None,
            action => action.clone(),
        };
        Some(ConcreteStep { action, every: 1, ..step.clone() })
    };
    steps.iter().filter_map(keep).collect()
}
