//! Skew: ranks that run ahead of each other between iterations, and the time that this saves.
//!
//! A step ends when its last rank ends it. But the root of a broadcast continues long before all
//! ranks have received. Without a synchronising operation, iterations therefore overlap. Which
//! operations synchronise is known; the gain is simulated on at most [`SAMPLE_RANKS`] ranks.

use super::collective::Selection;
use super::concrete::{ConcreteAction, ConcreteStep, ROUNDS, rounds_of_exchange};
use super::decomposition::Decomposition;
use super::deployment::Deployment;
use loggia_model::Error;
use loggia_model::signature::Operation;
use loggia_model::units::Procs;

/// Maximum number of ranks on which the gain is simulated.
const SAMPLE_RANKS: u32 = 64;
/// Ranks with skew may contend; this is the maximum ratio of a step's time with skew to that
/// without.
const MAX_CONTENTION: f64 = 2.0;

/// Propagation of delays between ranks, each as a share of the iterations.
#[derive(Clone, Copy, Debug, Default)]
struct Propagation {
    /// From the first rank to all.
    out: f64,
    /// From all to the first.
    back: f64,
    /// From all to all.
    all: f64,
}

impl Deployment<'_> {
    /// The share of iterations with a synchronising operation.
    pub(super) fn synchronised_share(&self, steps: &[ConcreteStep]) -> f64 {
        let mut propagation = Propagation::default();
        let wraps =
            self.decomposition.is_some_and(|decomposition| decomposition.wraps.contains(&true));
        add_propagation(steps, (1.0, self.procs, wraps), &mut propagation);
        propagation.all.max(propagation.out.min(propagation.back))
    }
}

fn add_propagation(
    steps: &[ConcreteStep],
    (share, procs, wraps): (f64, Procs, bool),
    propagation: &mut Propagation,
) {
    use Operation::{Bcast, Gather, Reduce, Scan, Scatter};
    for step in steps.iter().filter(|step| step.times > 0.0) {
        let share = share / step.every as f64;
        let direction = match &step.action {
            ConcreteAction::Steps(steps) => {
                add_propagation(steps, (share, procs, wraps), propagation);
                continue;
            }
            ConcreteAction::Collective { op: Bcast | Scatter | Scan, .. } => &mut propagation.out,
            ConcreteAction::Collective { op: Reduce | Gather, .. } => &mut propagation.back,
            ConcreteAction::Collective { .. } => &mut propagation.all,
            // The last of four rounds ends at the corner where the first one started.
            ConcreteAction::Wavefront { .. } if step.times % ROUNDS == 0.0 => &mut propagation.all,
            ConcreteAction::Wavefront { .. } => &mut propagation.out,
            // The first rank waits for the last one.
            ConcreteAction::Shift(_) => &mut propagation.back,
            // Half the iterations: a delay passes only along one edge of the grid.
            ConcreteAction::Halo { .. } if wraps => {
                propagation.back = propagation.back.max(share / 2.0);
                continue;
            }
            // Only with partners for all ranks in all rounds.
            ConcreteAction::Exchange { apart: 1, .. }
                if procs.0.is_power_of_two()
                    && step.times >= rounds_of_exchange(procs, 1) as f64 =>
            {
                &mut propagation.all
            }
            ConcreteAction::Compute(_)
            | ConcreteAction::Halo { .. }
            | ConcreteAction::Exchange { .. } => continue,
        };
        *direction = direction.max(share);
    }
}

impl Deployment<'_> {
    /// Time of a step with skew divided by its time without, simulated on fewer ranks.
    pub(super) fn skew_factor(&self, step: &ConcreteStep) -> Result<f64, Error> {
        let is_alone = self.procs.0 < 2 || step.times < 1.0;
        if is_alone || matches!(step.action, ConcreteAction::Compute(_) | ConcreteAction::Steps(_))
        {
            return Ok(1.0);
        }
        let machine = self.machine.skew_of.as_deref().unwrap_or(self.machine);
        let is_collective = matches!(step.action, ConcreteAction::Collective { .. });
        let decomposition = self.decomposition.map(on_fewer_ranks);
        let procs = match decomposition.as_ref().filter(|_| !is_collective) {
            Some(decomposition) => decomposition.ranks.iter().product(),
            None => self.procs.0.min(SAMPLE_RANKS),
        };
        let deployment = Deployment { machine, ..*self };
        let few =
            Deployment { procs: Procs(procs), decomposition: decomposition.as_ref(), ..deployment };
        let once = ConcreteStep {
            action: deployment.with_algorithm(&step.action)?,
            every: 1,
            ..step.clone()
        };
        let period = few.period(&once).min(step.times.round());
        let once = ConcreteStep { times: period, ..once };
        let Some(costs) = few.simulate_iterations(std::slice::from_ref(&once))? else {
            return Ok(1.0);
        };
        let synchronised = match is_collective {
            true => few.modelled(&once)?,
            false => few.once(&once)?.0.total() * period,
        };
        Ok(if synchronised > 0.0 {
            (costs.each.total() / synchronised).clamp(0.0, MAX_CONTENTION)
        } else {
            1.0
        })
    }

    /// The action with the algorithm that it has on this number of ranks, for use on others.
    fn with_algorithm(&self, action: &ConcreteAction) -> Result<ConcreteAction, Error> {
        let ConcreteAction::Collective { op, bytes, .. } = action else {
            return Ok(action.clone());
        };
        let cost =
            self.machine.collective(self.call(action), Selection::Preferred(action.algorithm()))?;
        let by = cost.filter(|cost| cost.from.is_of_algorithm()).map(|cost| cost.by.to_owned());
        Ok(ConcreteAction::Collective { op: *op, bytes: *bytes, algorithm: by })
    }

    /// The modelled time of a collective operation.
    fn modelled(&self, step: &ConcreteStep) -> Result<f64, Error> {
        let selection = match step.action.algorithm() {
            Some(name) => Selection::Preferred(Some(name)),
            None => Selection::BestAlgorithm,
        };
        let cost = self.machine.collective(self.call(&step.action), selection)?;
        Ok(cost.map_or(0.0, |cost| self.overlapped(cost.parts, step.during).total()))
    }
}

/// The same blocks on fewer ranks.
fn on_fewer_ranks(decomposition: &Decomposition) -> Decomposition {
    let mut ranks = decomposition.ranks.clone();
    while ranks.iter().map(|n| u64::from(*n)).product::<u64>() > u64::from(SAMPLE_RANKS) {
        if let Some(largest) = ranks.iter_mut().max() {
            *largest = largest.div_ceil(2);
        }
    }
    Decomposition { ranks, ..decomposition.clone() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::concrete::Scope;
    use super::super::machine::Machine;
    use super::super::sketch::Sketch;
    use super::*;
    use loggia_model::library;

    #[test]
    fn steps_that_propagate_both_ways_synchronise() {
        for (steps, expected) in [
            ("allreduce = 8", 1.0),
            ("allreduce = 8\nevery = 4", 0.25),
            ("bcast = 8", 0.0),
            ("bcast = 8\n[[step]]\nreduce = 8", 1.0),
            ("bcast = 8\n[[step]]\nreduce = 8\nevery = 10", 0.1),
            ("steps = [{ gather = 8, every = 2 }, { scatter = 8 }]\nevery = 5", 0.1),
            ("exchange = 8", 0.0),
            ("exchange = 8\ntimes = \"log2(p)\"", 1.0),
            ("bcast = 8\n[[step]]\nshift = 8", 1.0),
            ("bcast = 8\n[[step]]\nhalo = 8", 0.5),
        ] {
            let grid = "[grid]\ncells = [64, 64]\nperiodic = true";
            let sketch = Sketch::read(&format!("{grid}\n[[step]]\n{steps}")).unwrap();
            let machine = library::load("cray-t3d").unwrap();
            let machine = Machine::new(&machine, None, None, None).unwrap();
            let scope = Scope::new(&sketch, Procs(8), None, &[]).unwrap();
            let deployment = Deployment {
                machine: &machine,
                procs: Procs(8),
                ranks_per_node: None,
                decomposition: scope.decomposition(),
                iterations: 1,
            };
            assert_eq!(deployment.synchronised_share(&scope.steps().unwrap()), expected, "{steps}");
        }
    }
}
