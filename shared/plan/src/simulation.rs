//! Simulates a whole iteration.

use super::collective::Selection;
use super::concrete::{ConcreteAction, ConcreteStep, own};
use super::cost::Breakdown;
use super::deployment::Deployment;
use super::iterations::IterationCosts;
use loggia_model::Error;

/// More computation than this cannot be counted in ps, all ranks together.
const LONGEST_US: f64 = 40.0 * 86_400e6;

impl Deployment<'_> {
    /// All iterations, simulated. None where that is too long to be done on the side, or cannot be
    /// done: where something is done in part, or operations are known only as they were measured.
    ///
    /// # Errors
    /// Where the machine does not tell what it needs.
    pub fn simulated(&self, steps: &[ConcreteStep]) -> Result<Option<IterationCosts>, Error> {
        if !are_whole(steps) || own(steps) * self.procs.count() * 3.0 > LONGEST_US {
            return Ok(None);
        }
        let mut rare = Vec::new();
        everys(steps, 1, &mut rare);
        let Some(base) = self.steady(&thinned(steps, 1, &[1]))? else { return Ok(None) };
        let mut all = base;
        for every in rare.into_iter().filter(|every| *every > 1) {
            let Some(with) = self.steady(&thinned(steps, 1, &[1, every]))? else {
                return Ok(None);
            };
            let more = with.each.with(base.each, |with, base| (with - base) / every as f64);
            all = all.with(IterationCosts { first: more, each: more }, |all, more| all + more);
        }
        let loose = 1.0 - self.synchronised_share(steps);
        let [first, each] = [0.0, loose].map(|loose| self.measured(steps, (1.0, loose)));
        all = all.with(IterationCosts { first: first?, each: each? }, |all, more| all + more);
        let own = own(steps) + self.arithmetic(steps)?;
        let tidy = |parts: Breakdown| parts.settled().of_which(own);
        Ok(Some(IterationCosts { first: tidy(all.first), each: tidy(all.each) }))
    }

    /// The arithmetic of all reductions.
    fn arithmetic(&self, steps: &[ConcreteStep]) -> Result<f64, Error> {
        let mut all = 0.0;
        for step in steps {
            let once = match &step.what {
                ConcreteAction::Steps(steps) => self.arithmetic(steps)?,
                what => {
                    let how = Selection::Preferred(what.algorithm());
                    let cost = self.machine.collective(self.call(what), how)?;
                    cost.map_or(0.0, |cost| cost.parts.compute)
                }
            };
            all += once * step.times / step.every as f64;
        }
        Ok(all)
    }

    /// The difference between measured times of operations and those of their algorithms.
    fn measured(
        &self,
        steps: &[ConcreteStep],
        (share, loose): (f64, f64),
    ) -> Result<Breakdown, Error> {
        let mut all = Breakdown::default();
        for step in steps {
            let share = share * step.times / step.every as f64;
            if let ConcreteAction::Steps(steps) = &step.what {
                all = all.with(self.measured(steps, (share, loose))?, |all, more| all + more);
                continue;
            }
            let (call, how) = (self.call(&step.what), Selection::Preferred(step.what.algorithm()));
            let Some(price) = self.machine.collective(call, how)? else { continue };
            if price.from.is_of_algorithm() {
                continue;
            }
            let Some(modelled) = self.machine.collective(call, Selection::BestAlgorithm)? else {
                continue;
            };
            // The part saved by running ahead is the same as for the algorithm.
            let adrift = if loose > 0.0 { self.adrift(step)? } else { 1.0 };
            let share = share * (1.0 - loose + loose * adrift);
            let overlapped = |parts| self.overlapped(parts, step.during);
            let more =
                overlapped(price.parts).with(overlapped(modelled.parts), |a, b| (a - b) * share);
            all = all.with(more, |all, more| all + more);
        }
        Ok(all)
    }
}

/// Whether everything is done a whole number of times.
fn are_whole(steps: &[ConcreteStep]) -> bool {
    steps.iter().all(|step| {
        step.times.fract() == 0.0
            && match &step.what {
                ConcreteAction::Steps(steps) => are_whole(steps),
                _ => true,
            }
    })
}

/// The different intervals of steps: every iteration, every tenth …
fn everys(steps: &[ConcreteStep], outer: u64, all: &mut Vec<u64>) {
    for step in steps {
        let every = outer.saturating_mul(step.every);
        match &step.what {
            ConcreteAction::Steps(steps) => everys(steps, every, all),
            _ => all.push(every),
        }
    }
    all.sort_unstable();
    all.dedup();
}

/// The steps executed as often as one of these.
fn thinned(steps: &[ConcreteStep], outer: u64, kept: &[u64]) -> Vec<ConcreteStep> {
    let thin = |step: &ConcreteStep| {
        let every = outer.saturating_mul(step.every);
        let what = match &step.what {
            ConcreteAction::Steps(steps) => match thinned(steps, every, kept) {
                left if left.is_empty() => return None,
                left => ConcreteAction::Steps(left),
            },
            _ if !kept.contains(&every) => return None,
            what => what.clone(),
        };
        Some(ConcreteStep { what, every: 1, ..step.clone() })
    };
    steps.iter().filter_map(thin).collect()
}
