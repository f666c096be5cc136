//! The analytic sum of the costs of all steps on p ranks.
//!
//! Steps between neighbours are simulated on a few ranks (`representative`); collective operations have
//! closed forms and measured times (`collective`).

use super::collective::Selection;
use super::concrete::{ConcreteAction, ConcreteStep};
use super::cost::{Breakdown, CostBasis, StepCost};
use super::deployment::Deployment;
use loggia_model::Error;
use loggia_model::units::Micros;

/// The method of a collective operation, and the basis of its time.
type Provenance = (&'static str, CostBasis);

impl Deployment<'_> {
    /// Cost of each step. Steps inside other steps are listed separately.
    ///
    /// # Errors
    /// If the machine lacks a parameter that a step needs.
    pub fn costs(&self, steps: &[ConcreteStep]) -> Result<Vec<StepCost>, Error> {
        let mut costs = Vec::new();
        // Ranks run ahead of each other only after the first iteration.
        let later = 1.0 - 1.0 / self.iterations.max(1) as f64;
        let unsynchronised = (1.0 - self.synchronised_share(steps)) * later;
        self.add(steps, (1.0, unsynchronised), &mut costs)?;
        Ok(costs)
    }

    /// Adds the costs of steps. `share`: part of the steps that one iteration executes.
    /// `unsynchronised`: part of the iterations in which ranks run ahead of each other.
    fn add(
        &self,
        steps: &[ConcreteStep],
        (share, unsynchronised): (f64, f64),
        costs: &mut Vec<StepCost>,
    ) -> Result<(), Error> {
        for step in steps {
            let share = share * step.times / step.every as f64;
            if let ConcreteAction::Steps(steps) = &step.action {
                self.add(steps, (share, unsynchronised), costs)?;
                continue;
            }
            let (parts, provenance) = self.once(step).map_err(|error| step.placed(error))?;
            let mut parts = parts.times(share);
            if unsynchronised > 0.0 {
                let skew = self.skew_factor(step)?;
                parts =
                    parts.within(parts.total() * (1.0 - unsynchronised + unsynchronised * skew));
            }
            costs.push(StepCost {
                line: step.line,
                what: step.action.words(),
                time_us: Micros(parts.total()),
                parts,
                by: provenance.map(|(by, _)| by.to_owned()),
                from: provenance.map(|(_, from)| from),
            });
        }
        Ok(())
    }

    /// Mean cost of one execution of a step over its rounds; for a collective operation, also its
    /// method.
    pub(super) fn once(
        &self,
        step: &ConcreteStep,
    ) -> Result<(Breakdown, Option<Provenance>), Error> {
        let during = step.during.0;
        let parts = match &step.action {
            ConcreteAction::Steps(_) => Breakdown::default(),
            ConcreteAction::Compute(time) => Breakdown { compute: time.0, ..Breakdown::default() },
            _ if self.procs.0 < 2 && !matches!(step.action, ConcreteAction::Wavefront { .. }) => {
                Breakdown { compute: during, ..Breakdown::default() }
            }
            ConcreteAction::Halo { .. } => match self.decomposition {
                Some(decomposition) => self.halo(step, decomposition)?.of_which(during),
                None => Breakdown::default(),
            },
            ConcreteAction::Exchange { bytes, apart } => {
                self.exchange(step, *bytes, *apart)?.of_which(during)
            }
            ConcreteAction::Shift(_) => self.ring_shift(step)?.of_which(during),
            ConcreteAction::Wavefront { work, blocks, .. } => {
                self.wavefront(step, *blocks)?.of_which(work.0 * *blocks as f64)
            }
            ConcreteAction::Collective { algorithm, .. } => {
                let selection = Selection::Preferred(algorithm.as_deref());
                let Some(cost) = self.machine.collective(self.call(&step.action), selection)?
                else {
                    return Ok((Breakdown::default(), None));
                };
                let parts = self.overlapped(cost.parts, step.during);
                return Ok((parts, Some((cost.by, cost.from))));
            }
        };
        Ok((parts, None))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::concrete::Scope;
    use super::super::machine::Machine;
    use super::super::sketch::Sketch;
    use super::*;
    use loggia_model::Signature;
    use loggia_model::library;
    use loggia_model::units::Procs;

    fn sum_and_simulation(
        text: &str,
        signature: &Signature,
        p: u32,
        ranks_per_node: Option<u32>,
    ) -> (f64, f64, Breakdown) {
        let sketch = Sketch::read(text).unwrap();
        let machine = Machine::new(signature, None, None, None).unwrap();
        let scope = Scope::new(&sketch, Procs(p), ranks_per_node, &[]).unwrap();
        let steps = scope.steps().unwrap();
        let deployment = Deployment {
            machine: &machine,
            procs: Procs(p),
            ranks_per_node,
            decomposition: scope.decomposition(),
            iterations: 1000,
        };
        let sum: f64 = deployment.costs(&steps).unwrap().iter().map(|cost| cost.time_us.0).sum();
        let simulated = deployment.simulated(&steps).unwrap().unwrap().each;
        (sum, simulated.total(), simulated)
    }

    /// The analytic sum agrees with the simulation of the whole program.
    #[test]
    fn sums_agree_with_simulations() {
        for (text, tolerance) in [
            ("[[step]]\ncompute = \"1ms / p\"", 1e-6),
            ("[[step]]\nexchange = 1000\ntimes = 3", 0.05),
            ("[[step]]\nshift = 1000\nduring = 500", 0.05),
            ("[grid]\ncells = [1024, 1024]\n[[step]]\nhalo = \"8 * face\"\nduring = \"1ms\"", 0.05),
            ("[grid]\ncells = [1024, 1024]\nperiodic = true\n[[step]]\nhalo = \"8 * face\"", 0.05),
            ("[[step]]\nallreduce = 8", 0.05),
            (
                "[grid]\ncells = [64, 64]\n[[step]]\nwavefront = \"8 * face\"\nwork = \"50us\"\nblocks = 12\ntimes = 8",
                0.05,
            ),
            ("[[step]]\ncompute = 500\n[[step]]\nallreduce = 64\nevery = 10", 0.05),
        ] {
            for p in [2, 4, 16, 36] {
                let t3d = library::load("cray-t3d").unwrap();
                let (sum, simulated, parts) = sum_and_simulation(text, &t3d, p, None);
                let error = (sum / simulated - 1.0).abs();
                assert!(error <= tolerance, "{text} on {p}: {sum} and {simulated}, {parts:?}");
            }
        }
    }

    /// The same for ranks that share a network card. Its time is hidden by computation, as long, or
    /// much longer.
    #[test]
    fn sums_agree_with_simulations_on_a_shared_card() {
        let text = "[grid]\ncells = [4096, 4096]\n[[step]]\nhalo = \"8 * face\"\n\
                    during = \"2ns * cells\"\n[[step]]\nallreduce = 8\nevery = 10";
        for rate in ["3GB/s", "300MB/s", "50MB/s"] {
            let mut machine = library::load("alps-calibrated").unwrap();
            machine.set("R_N", rate).unwrap();
            // A pair is no faster than the card.
            machine.set("G", rate).unwrap();
            for (p, each) in [(64, 16), (128, 16), (128, 64), (96, 48)] {
                let (sum, simulated, parts) = sum_and_simulation(text, &machine, p, Some(each));
                let error = (sum / simulated - 1.0).abs();
                println!(
                    "{rate}, {p} ranks, {each} per node: {:+.1}%",
                    (sum / simulated - 1.0) * 100.0
                );
                assert!(error <= 0.1, "{rate}, {p}, {each}: {sum} and {simulated}, {parts:?}");
            }
        }
    }
}
