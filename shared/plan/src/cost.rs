//! What steps cost on so many ranks, and what that is made of.
//!
//! What a few ranks take tells what messages between neighbours cost, and wavefronts (`few`);
//! collective operations have closed forms, and what was measured of them (`collective`). On few ranks
//! the whole is simulated (`whole`).

use super::collective::{From, How};
use super::concrete::{Doing, What};
use super::decomposition::Division;
use super::machine::Machine;
use loggia_model::Error;
use loggia_model::units::{Micros, Procs};
use serde::{Deserialize, Serialize};

/// What adding up the same times in another order may change.
const ROUNDING: f64 = 1e-12;

/// What a time is made of, in µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
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

impl Parts {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        let Parts { compute, overhead, latency, gap, bytes, waiting } = self;
        compute + overhead + latency + gap + bytes + waiting
    }

    /// Each with the other's.
    #[must_use]
    pub fn with(self, other: Parts, f: impl Fn(f64, f64) -> f64) -> Parts {
        Parts {
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
    pub fn times(self, factor: f64) -> Parts {
        self.with(self, |part, _| part * factor)
    }

    /// What the other takes more. Its longest way may be another one, so that some part is less: then
    /// the others are less, too, and together they are what is more.
    pub(super) fn until(self, other: Parts) -> Parts {
        let more = other.total() - self.total();
        let apart = other.with(self, |other, own| (other - own).max(0.0));
        match apart.total() {
            0.0 => Parts { waiting: more, ..Parts::default() },
            total => apart.times(more / total),
        }
    }

    /// The same time without parts below zero, as differences may have them.
    #[must_use]
    pub fn settled(self) -> Parts {
        let apart = self.with(self, |part, _| part.max(0.0));
        match apart.total() {
            0.0 => Parts { waiting: self.total(), ..Parts::default() },
            total => apart.times(self.total() / total),
        }
    }

    /// The same in another time: a rank's own computation stays what it is.
    #[must_use]
    pub fn within(self, total: f64) -> Parts {
        let compute = self.compute.min(total);
        let rest = Parts { compute: 0.0, ..self };
        let factor = match rest.total() {
            0.0 => 0.0,
            rest => (total - compute) / rest,
        };
        Parts { compute, ..rest.times(factor) }.up_to(total)
    }

    /// With waiting up to a time, but for what is rounding.
    pub(super) fn up_to(self, total: f64) -> Parts {
        let more = total - self.total();
        match more.abs() <= ROUNDING * total {
            true => self,
            false => Parts { waiting: self.waiting + more, ..self },
        }
    }

    /// With a rank's own computation set apart from what it waits for. What is computed while
    /// messages take longer is not seen.
    #[must_use]
    pub fn of_which(self, own: f64) -> Parts {
        let own = own.min(self.compute);
        Parts { compute: own, waiting: self.waiting + self.compute - own, ..self }
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
    pub parts: Parts,
    /// How a collective operation is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How its time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<From>,
}

/// How a collective operation is done, and whence that is known.
type By = (&'static str, From);

/// Where steps are done.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// On which machine.
    pub machine: &'a Machine,
    /// On so many ranks …
    pub procs: Procs,
    /// … of which so many share a node.
    pub ranks_per_node: Option<u32>,
    /// Which have parts of this grid.
    pub division: Option<&'a Division>,
    /// How often all is done.
    pub iterations: u64,
}

impl Place<'_> {
    /// What each step costs; those within others stand for themselves.
    ///
    /// # Errors
    /// Where the machine does not tell what a step needs.
    pub fn costs(&self, doings: &[Doing]) -> Result<Vec<StepCost>, Error> {
        let mut costs = Vec::new();
        // Only after the first iteration can anybody be ahead.
        let later = 1.0 - 1.0 / self.iterations.max(1) as f64;
        let loose = (1.0 - self.closed(doings)) * later;
        self.add(doings, (1.0, loose), &mut costs)?;
        Ok(costs)
    }

    /// Adds what steps cost, of which this share is done in an iteration, and in which part of them
    /// ranks run ahead of each other.
    fn add(
        &self,
        doings: &[Doing],
        (share, loose): (f64, f64),
        costs: &mut Vec<StepCost>,
    ) -> Result<(), Error> {
        for doing in doings {
            let share = share * doing.times / doing.every as f64;
            if let What::Steps(steps) = &doing.what {
                self.add(steps, (share, loose), costs)?;
                continue;
            }
            let (parts, price) = self.once(doing).map_err(|error| doing.placed(error))?;
            let mut parts = parts.times(share);
            if loose > 0.0 {
                let adrift = self.adrift(doing)?;
                parts = parts.within(parts.total() * (1.0 - loose + loose * adrift));
            }
            costs.push(StepCost {
                line: doing.line,
                what: doing.what.words(),
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
    pub(super) fn once(&self, doing: &Doing) -> Result<(Parts, Option<By>), Error> {
        let during = doing.during.0;
        let found = match &doing.what {
            What::Steps(_) => Parts::default(),
            What::Compute(time) => Parts { compute: time.0, ..Parts::default() },
            _ if self.procs.0 < 2 && !matches!(doing.what, What::Wavefront { .. }) => {
                Parts { compute: during, ..Parts::default() }
            }
            What::Halo { .. } => match self.division {
                Some(division) => self.halo(doing, division)?.of_which(during),
                None => Parts::default(),
            },
            What::Exchange { bytes, apart } => {
                self.exchange(doing, *bytes, *apart)?.of_which(during)
            }
            What::Shift(_) => self.in_a_ring(doing)?.of_which(during),
            What::Wavefront { work, blocks, .. } => {
                self.wavefront(doing, *blocks)?.of_which(work.0 * *blocks as f64)
            }
            What::Collective { algorithm, .. } => {
                let how = How::As(algorithm.as_deref());
                let Some(price) = self.machine.collective(self.call(&doing.what), how)? else {
                    return Ok((Parts::default(), None));
                };
                let parts = self.beside(price.parts, doing.during);
                return Ok((parts, Some((price.by, price.from))));
            }
        };
        Ok((found, None))
    }
}

/// A rank's own computation in an iteration.
pub(super) fn own(doings: &[Doing]) -> f64 {
    let of = |doing: &Doing| {
        let once = match &doing.what {
            What::Steps(steps) => own(steps),
            What::Compute(time) => time.0,
            What::Wavefront { work, blocks, .. } => work.0 * *blocks as f64,
            _ => 0.0,
        };
        (once + doing.during.0) * doing.times / doing.every as f64
    };
    doings.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::concrete::Names;
    use super::super::sketch::Sketch;
    use super::*;
    use loggia_model::library;

    fn both(text: &str, machine: &str, p: u32) -> (f64, f64, Parts) {
        let sketch = Sketch::read(text).unwrap();
        let machine = Machine::new(&library::load(machine).unwrap(), None, None, None).unwrap();
        let names = Names::new(&sketch, Procs(p), None, &[]).unwrap();
        let doings = names.doings().unwrap();
        let place = Place {
            machine: &machine,
            procs: Procs(p),
            ranks_per_node: None,
            division: names.division(),
            iterations: 1000,
        };
        let sum: f64 = place.costs(&doings).unwrap().iter().map(|cost| cost.time_us.0).sum();
        let simulated = place.simulated(&doings).unwrap().unwrap().each;
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
