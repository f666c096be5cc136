//! What steps cost on so many ranks, and what that is made of.
//!
//! What a few ranks take tells what messages between neighbours cost, and wavefronts (`few`);
//! collective operations have closed forms, and what was measured of them (`collective`). On few ranks
//! the whole is simulated (`whole`).

use super::collective::{Basis, Selection};
use super::concrete::{ConcreteAction, ConcreteStep};
use super::decomposition::Decomposition;
use super::machine::Machine;
use loggia_model::Error;
use loggia_model::units::{Micros, Procs};
use serde::{Deserialize, Serialize};

/// What adding up the same times in another order may change.
const ROUNDING: f64 = 1e-12;

/// What a time is made of, in µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// A rank's own computation.
    pub compute: f64,
    /// o, O', O
    pub overhead: f64,
    /// L
    pub latency: f64,
    /// g
    pub gap: f64,
    /// G, by the byte
    pub bytes: f64,
    /// Others' computation, that it waits for.
    pub waiting: f64,
}

impl Breakdown {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        let Breakdown { compute, overhead, latency, gap, bytes, waiting } = self;
        compute + overhead + latency + gap + bytes + waiting
    }

    /// Each with the other's.
    #[must_use]
    pub fn with(self, other: Breakdown, f: impl Fn(f64, f64) -> f64) -> Breakdown {
        Breakdown {
            compute: f(self.compute, other.compute),
            overhead: f(self.overhead, other.overhead),
            latency: f(self.latency, other.latency),
            gap: f(self.gap, other.gap),
            bytes: f(self.bytes, other.bytes),
            waiting: f(self.waiting, other.waiting),
        }
    }

    /// So many times as much.
    #[must_use]
    pub fn times(self, factor: f64) -> Breakdown {
        self.with(self, |part, _| part * factor)
    }

    /// What the other takes more. Its longest way may be another one, so that some part is less: then
    /// the others are less, too, and together they are what is more.
    pub(super) fn until(self, other: Breakdown) -> Breakdown {
        let more = other.total() - self.total();
        let apart = other.with(self, |other, own| (other - own).max(0.0));
        match apart.total() {
            0.0 => Breakdown { waiting: more, ..Breakdown::default() },
            total => apart.times(more / total),
        }
    }

    /// The same time without parts below zero, as differences may have them.
    #[must_use]
    pub fn settled(self) -> Breakdown {
        let apart = self.with(self, |part, _| part.max(0.0));
        match apart.total() {
            0.0 => Breakdown { waiting: self.total(), ..Breakdown::default() },
            total => apart.times(self.total() / total),
        }
    }

    /// The same in another time: a rank's own computation stays what it is.
    #[must_use]
    pub fn within(self, total: f64) -> Breakdown {
        let compute = self.compute.min(total);
        let rest = Breakdown { compute: 0.0, ..self };
        let factor = match rest.total() {
            0.0 => 0.0,
            rest => (total - compute) / rest,
        };
        Breakdown { compute, ..rest.times(factor) }.up_to(total)
    }

    /// With waiting up to a time, but for what is rounding.
    pub(super) fn up_to(self, total: f64) -> Breakdown {
        let more = total - self.total();
        match more.abs() <= ROUNDING * total {
            true => self,
            false => Breakdown { waiting: self.waiting + more, ..self },
        }
    }

    /// With a rank's own computation set apart from what it waits for. What is computed while
    /// messages take longer is not seen.
    #[must_use]
    pub fn of_which(self, own: f64) -> Breakdown {
        let own = own.min(self.compute);
        Breakdown { compute: own, waiting: self.waiting + self.compute - own, ..self }
    }
}

/// What one step costs in an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepCost {
    /// In which line of the sketch it stands.
    pub line: usize,
    /// What it does.
    pub what: String,
    /// Its part of an iteration, on average.
    pub time_us: Micros,
    /// What that is made of.
    pub parts: Breakdown,
    /// How a collective operation is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How its time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Basis>,
}

/// How a collective operation is done, and whence that is known.
type Provenance = (&'static str, Basis);

/// Where steps are done.
#[derive(Clone, Copy, Debug)]
pub struct Deployment<'a> {
    /// On which machine.
    pub machine: &'a Machine,
    /// On so many ranks …
    pub procs: Procs,
    /// … of which so many share a node.
    pub ranks_per_node: Option<u32>,
    /// Which have parts of this grid.
    pub decomposition: Option<&'a Decomposition>,
    /// How often all is done.
    pub iterations: u64,
}

impl Deployment<'_> {
    /// What each step costs; those within others stand for themselves.
    ///
    /// # Errors
    /// Where the machine does not tell what a step needs.
    pub fn costs(&self, steps: &[ConcreteStep]) -> Result<Vec<StepCost>, Error> {
        let mut costs = Vec::new();
        // Only after the first iteration can anybody be ahead.
        let later = 1.0 - 1.0 / self.iterations.max(1) as f64;
        let loose = (1.0 - self.closed(steps)) * later;
        self.add(steps, (1.0, loose), &mut costs)?;
        Ok(costs)
    }

    /// Adds what steps cost, of which this share is done in an iteration, and in which part of them
    /// ranks run ahead of each other.
    fn add(
        &self,
        steps: &[ConcreteStep],
        (share, loose): (f64, f64),
        costs: &mut Vec<StepCost>,
    ) -> Result<(), Error> {
        for step in steps {
            let share = share * step.times / step.every as f64;
            if let ConcreteAction::Steps(steps) = &step.what {
                self.add(steps, (share, loose), costs)?;
                continue;
            }
            let (parts, price) = self.once(step).map_err(|error| step.placed(error))?;
            let mut parts = parts.times(share);
            if loose > 0.0 {
                let adrift = self.adrift(step)?;
                parts = parts.within(parts.total() * (1.0 - loose + loose * adrift));
            }
            costs.push(StepCost {
                line: step.line,
                what: step.what.words(),
                time_us: Micros(parts.total()),
                parts,
                by: price.map(|(by, _)| by.to_owned()),
                from: price.map(|(_, from)| from),
            });
        }
        Ok(())
    }

    /// What a step costs when it is done once, on average of its rounds; of a collective operation, by
    /// what.
    pub(super) fn once(
        &self,
        step: &ConcreteStep,
    ) -> Result<(Breakdown, Option<Provenance>), Error> {
        let during = step.during.0;
        let found = match &step.what {
            ConcreteAction::Steps(_) => Breakdown::default(),
            ConcreteAction::Compute(time) => Breakdown { compute: time.0, ..Breakdown::default() },
            _ if self.procs.0 < 2 && !matches!(step.what, ConcreteAction::Wavefront { .. }) => {
                Breakdown { compute: during, ..Breakdown::default() }
            }
            ConcreteAction::Halo { .. } => match self.decomposition {
                Some(decomposition) => self.halo(step, decomposition)?.of_which(during),
                None => Breakdown::default(),
            },
            ConcreteAction::Exchange { bytes, apart } => {
                self.exchange(step, *bytes, *apart)?.of_which(during)
            }
            ConcreteAction::Shift(_) => self.in_a_ring(step)?.of_which(during),
            ConcreteAction::Wavefront { work, blocks, .. } => {
                self.wavefront(step, *blocks)?.of_which(work.0 * *blocks as f64)
            }
            ConcreteAction::Collective { algorithm, .. } => {
                let how = Selection::Preferred(algorithm.as_deref());
                let Some(price) = self.machine.collective(self.call(&step.what), how)? else {
                    return Ok((Breakdown::default(), None));
                };
                let parts = self.beside(price.parts, step.during);
                return Ok((parts, Some((price.by, price.from))));
            }
        };
        Ok((found, None))
    }
}

/// A rank's own computation in an iteration.
pub(super) fn own(steps: &[ConcreteStep]) -> f64 {
    let of = |step: &ConcreteStep| {
        let once = match &step.what {
            ConcreteAction::Steps(steps) => own(steps),
            ConcreteAction::Compute(time) => time.0,
            ConcreteAction::Wavefront { work, blocks, .. } => work.0 * *blocks as f64,
            _ => 0.0,
        };
        (once + step.during.0) * step.times / step.every as f64
    };
    steps.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::concrete::Scope;
    use super::super::sketch::Sketch;
    use super::*;
    use loggia_model::library;

    fn both(text: &str, machine: &str, p: u32) -> (f64, f64, Breakdown) {
        let sketch = Sketch::read(text).unwrap();
        let machine = Machine::new(&library::load(machine).unwrap(), None, None, None).unwrap();
        let names = Scope::new(&sketch, Procs(p), None, &[]).unwrap();
        let steps = names.steps().unwrap();
        let place = Deployment {
            machine: &machine,
            procs: Procs(p),
            ranks_per_node: None,
            decomposition: names.decomposition(),
            iterations: 1000,
        };
        let sum: f64 = place.costs(&steps).unwrap().iter().map(|cost| cost.time_us.0).sum();
        let simulated = place.simulated(&steps).unwrap().unwrap().each;
        (sum, simulated.total(), simulated)
    }

    /// What is summed up agrees with the run of the whole.
    #[test]
    fn sums_agree_with_runs() {
        for (text, within) in [
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
                let (sum, simulated, parts) = both(text, "cray-t3d", p);
                let off = (sum / simulated - 1.0).abs();
                assert!(off <= within, "{text} on {p}: {sum} and {simulated}, {parts:?}");
            }
        }
    }
}
