//! Whether ranks run ahead of each other from iteration to iteration, and what that saves.
//!
//! A step takes so long as its last rank needs. But who sends a broadcast goes on long before all have
//! received it, and the next one follows on its heels: unless something in an iteration makes all wait
//! for all. That is known of operations; how much is saved, some ranks are run for.

use super::collective::{From, How};
use super::concrete::{Doing, What};
use super::cost::Place;
use super::decomposition::Division;
use super::representative::{ROUNDS, rounds_of_exchange};
use loggia_model::Error;
use loggia_model::signature::Operation;
use loggia_model::units::Procs;

/// So many ranks tell what is saved.
const NEAR: u32 = 64;
/// Neighbours that are out of step may hinder each other, but not more than that.
const MOST: f64 = 2.0;

/// Which way news goes through a step.
#[derive(Clone, Copy, Debug, Default)]
struct Ways {
    /// From the first rank to all …
    out: f64,
    /// … from all to the first …
    back: f64,
    /// … from all to all. Each in which part of the iterations.
    all: f64,
}

impl Place<'_> {
    /// In which part of the iterations all ranks wait for all.
    pub(super) fn closed(&self, doings: &[Doing]) -> f64 {
        let mut ways = Ways::default();
        let wraps = self.division.is_some_and(|division| division.wraps.contains(&true));
        look(doings, (1.0, self.procs, wraps), &mut ways);
        ways.all.max(ways.out.min(ways.back))
    }
}

fn look(doings: &[Doing], (share, procs, wraps): (f64, Procs, bool), ways: &mut Ways) {
    use Operation::{Bcast, Gather, Reduce, Scan, Scatter};
    for doing in doings.iter().filter(|doing| doing.times > 0.0) {
        let share = share / doing.every as f64;
        let way = match &doing.what {
            What::Steps(steps) => {
                look(steps, (share, procs, wraps), ways);
                continue;
            }
            What::Collective { op: Bcast | Scatter | Scan, .. } => &mut ways.out,
            What::Collective { op: Reduce | Gather, .. } => &mut ways.back,
            What::Collective { .. } => &mut ways.all,
            // The last of four rounds ends where the first began.
            What::Wavefront { .. } if doing.times % ROUNDS == 0.0 => &mut ways.all,
            What::Wavefront { .. } => &mut ways.out,
            // The first rank waits for the last one.
            What::Shift(_) => &mut ways.back,
            // It does so for one of its edge, half-way.
            What::Halo { .. } if wraps => {
                ways.back = ways.back.max(share / 2.0);
                continue;
            }
            // Where some have no partner, the others get out of step by that.
            What::Exchange { apart: 1, .. }
                if procs.0.is_power_of_two()
                    && doing.times >= rounds_of_exchange(procs, 1) as f64 =>
            {
                &mut ways.all
            }
            What::Compute(_) | What::Halo { .. } | What::Exchange { .. } => continue,
        };
        *way = way.max(share);
    }
}

impl Place<'_> {
    /// Which part of its time a step takes where ranks run ahead of each other; what it takes on fewer
    /// ranks tells it.
    pub(super) fn adrift(&self, doing: &Doing) -> Result<f64, Error> {
        let is_alone = self.procs.0 < 2 || doing.times < 1.0;
        if is_alone || matches!(doing.what, What::Compute(_) | What::Steps(_)) {
            return Ok(1.0);
        }
        let machine = self.machine.alike.as_deref().unwrap_or(self.machine);
        let is_collective = matches!(doing.what, What::Collective { .. });
        let division = self.division.map(near);
        let procs = match division.as_ref().filter(|_| !is_collective) {
            Some(division) => division.ranks.iter().product(),
            None => self.procs.0.min(NEAR),
        };
        let here = Place { machine, ..*self };
        let few = Place { procs: Procs(procs), division: division.as_ref(), ..here };
        let once = Doing { what: here.as_here(&doing.what)?, every: 1, ..doing.clone() };
        let round = few.differs(&once).min(doing.times.round());
        let once = Doing { times: round, ..once };
        let Some(runs) = few.runs(std::slice::from_ref(&once))? else { return Ok(1.0) };
        let whole = match is_collective {
            true => few.modelled(&once)?,
            false => few.once(&once)?.0.total() * round,
        };
        Ok(if whole > 0.0 { (runs.each.total() / whole).clamp(0.0, MOST) } else { 1.0 })
    }

    /// A step as it is done here, for other numbers of ranks: by the same algorithm.
    fn as_here(&self, what: &What) -> Result<What, Error> {
        let What::Collective { op, bytes, .. } = what else { return Ok(what.clone()) };
        let price = self.machine.collective(self.call(what), How::As(what.algorithm()))?;
        let by =
            price.filter(|price| price.from != From::Measured).map(|price| price.by.to_owned());
        Ok(What::Collective { op: *op, bytes: *bytes, algorithm: by })
    }

    /// What a collective operation takes by its algorithm.
    fn modelled(&self, doing: &Doing) -> Result<f64, Error> {
        let how = match doing.what.algorithm() {
            Some(name) => How::As(Some(name)),
            None => How::Algorithm,
        };
        let price = self.machine.collective(self.call(&doing.what), how)?;
        Ok(price.map_or(0.0, |price| self.beside(price.parts, doing.during).total()))
    }
}

/// The same blocks on fewer ranks.
fn near(division: &Division) -> Division {
    let mut ranks = division.ranks.clone();
    while ranks.iter().map(|n| u64::from(*n)).product::<u64>() > u64::from(NEAR) {
        if let Some(most) = ranks.iter_mut().max() {
            *most = most.div_ceil(2);
        }
    }
    Division { ranks, ..division.clone() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::concrete::Names;
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
            let names = Names::new(&sketch, Procs(8), None, &[]).unwrap();
            let place = Place {
                machine: &machine,
                procs: Procs(8),
                ranks_per_node: None,
                division: names.division(),
                iterations: 1,
            };
            assert_eq!(place.closed(&names.doings().unwrap()), expected, "{steps}");
        }
    }
}
