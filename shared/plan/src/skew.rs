//! Whether ranks run ahead of each other from iteration to iteration, and what that saves.
//!
//! A step ends with its last rank. But the root of a broadcast continues long before all ranks have
//! received it: without a synchronising operation, iterations overlap. Which operations synchronise
//! is known; the gain is simulated on at most [`SAMPLE_RANKS`] ranks.

use super::collective::Selection;
use super::concrete::{ConcreteAction, ConcreteStep, ROUNDS, rounds_of_exchange};
use super::decomposition::Decomposition;
use super::deployment::Deployment;
use loggia_model::Error;
use loggia_model::signature::Operation;
use loggia_model::units::Procs;

/// Number of ranks that the gain is simulated on.
const SAMPLE_RANKS: u32 = 64;
/// Ranks out of step may contend; this bounds the ratio of a step's time to that in step.
const MAX_CONTENTION: f64 = 2.0;

/// How far the effect of a rank spreads in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Propagation {
    /// From the first rank to all.
    out: f64,
    /// From all to the first.
    back: f64,
    /// From all to all. Each as a share of the iterations.
    all: f64,
}

impl Deployment<'_> {
    /// The share of iterations with a synchronising operation.
    pub(super) fn synchronised_share(&self, steps: &[ConcreteStep]) -> f64 {
        let mut propagation = Propagation::default();
        let wraps =
            self.decomposition.is_some_and(|decomposition| decomposition.wraps.contains(&true));
        look(steps, (1.0, self.procs, wraps), &mut propagation);
        propagation.all.max(propagation.out.min(propagation.back))
    }
}

fn look(
    steps: &[ConcreteStep],
    (share, procs, wraps): (f64, Procs, bool),
    propagation: &mut Propagation,
) {
    use Operation::{Bcast, Gather, Reduce, Scan, Scatter};
    for step in steps.iter().filter(|step| step.times > 0.0) {
        let share = share / step.every as f64;
        let way = match &step.what {
            ConcreteAction::Steps(steps) => {
                look(steps, (share, procs, wraps), propagation);
                continue;
            }
            ConcreteAction::Collective { op: Bcast | Scatter | Scan, .. } => &mut propagation.out,
            ConcreteAction::Collective { op: Reduce | Gather, .. } => &mut propagation.back,
            ConcreteAction::Collective { .. } => &mut propagation.all,
            // The last of four rounds ends where the first began.
            ConcreteAction::Wavefront { .. } if step.times % ROUNDS == 0.0 => &mut propagation.all,
            ConcreteAction::Wavefront { .. } => &mut propagation.out,
            // The first rank waits for the last one.
            ConcreteAction::Shift(_) => &mut propagation.back,
            // Half-way along one edge.
            ConcreteAction::Halo { .. } if wraps => {
                propagation.back = propagation.back.max(share / 2.0);
                continue;
            }
            // Ranks without a partner put the others out of step.
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
        *way = way.max(share);
    }
}

impl Deployment<'_> {
    /// The share of its time that a step takes if ranks run ahead of each other, from its time on
    /// fewer ranks.
    pub(super) fn adrift(&self, step: &ConcreteStep) -> Result<f64, Error> {
        let is_alone = self.procs.0 < 2 || step.times < 1.0;
        if is_alone || matches!(step.what, ConcreteAction::Compute(_) | ConcreteAction::Steps(_)) {
            return Ok(1.0);
        }
        let machine = self.machine.alike.as_deref().unwrap_or(self.machine);
        let is_collective = matches!(step.what, ConcreteAction::Collective { .. });
        let decomposition = self.decomposition.map(near);
        let procs = match decomposition.as_ref().filter(|_| !is_collective) {
            Some(decomposition) => decomposition.ranks.iter().product(),
            None => self.procs.0.min(SAMPLE_RANKS),
        };
        let here = Deployment { machine, ..*self };
        let few = Deployment { procs: Procs(procs), decomposition: decomposition.as_ref(), ..here };
        let once = ConcreteStep { what: here.as_here(&step.what)?, every: 1, ..step.clone() };
        let round = few.differs(&once).min(step.times.round());
        let once = ConcreteStep { times: round, ..once };
        let Some(runs) = few.runs(std::slice::from_ref(&once))? else { return Ok(1.0) };
        let whole = match is_collective {
            true => few.modelled(&once)?,
            false => few.once(&once)?.0.total() * round,
        };
        Ok(if whole > 0.0 { (runs.each.total() / whole).clamp(0.0, MAX_CONTENTION) } else { 1.0 })
    }

    /// A step as it is done here, for other numbers of ranks: by the same algorithm.
    fn as_here(&self, what: &ConcreteAction) -> Result<ConcreteAction, Error> {
        let ConcreteAction::Collective { op, bytes, .. } = what else { return Ok(what.clone()) };
        let price =
            self.machine.collective(self.call(what), Selection::Preferred(what.algorithm()))?;
        let by =
            price.filter(|price| price.from.is_of_algorithm()).map(|price| price.by.to_owned());
        Ok(ConcreteAction::Collective { op: *op, bytes: *bytes, algorithm: by })
    }

    /// The modelled time of a collective operation.
    fn modelled(&self, step: &ConcreteStep) -> Result<f64, Error> {
        let how = match step.what.algorithm() {
            Some(name) => Selection::Preferred(Some(name)),
            None => Selection::BestAlgorithm,
        };
        let price = self.machine.collective(self.call(&step.what), how)?;
        Ok(price.map_or(0.0, |price| self.overlapped(price.parts, step.during).total()))
    }
}

/// The same blocks on fewer ranks.
fn near(decomposition: &Decomposition) -> Decomposition {
    let mut ranks = decomposition.ranks.clone();
    while ranks.iter().map(|n| u64::from(*n)).product::<u64>() > u64::from(SAMPLE_RANKS) {
        if let Some(most) = ranks.iter_mut().max() {
            *most = most.div_ceil(2);
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
    fn all_wait_for_all_where_news_goes_to_and_fro() {
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
            let names = Scope::new(&sketch, Procs(8), None, &[]).unwrap();
            let place = Deployment {
                machine: &machine,
                procs: Procs(8),
                ranks_per_node: None,
                decomposition: names.decomposition(),
                iterations: 1,
            };
            assert_eq!(place.synchronised_share(&names.steps().unwrap()), expected, "{steps}");
        }
    }
}
