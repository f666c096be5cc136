//! What steps cost on so many ranks, and what that is made of.
//!
//! Messages between neighbours cost the same on any larger machine: so what a few ranks take is
//! simulated, and that is what many take. A wavefront grows with the ranks that it runs across: what
//! one more takes is told by three grids. Collective operations have closed forms, and what was
//! measured of them.

use super::division::{ALONG, Division};
use super::machine::Machine;
use super::on::{Doing, What};
use super::schedule::Ranks;
use crate::Error;
use crate::simulate::ask::Answer;
use crate::units::{Micros, Procs};
use serde::Serialize;

/// So many rounds of a wavefront tell how they follow each other: one from each corner.
const ROUNDS: f64 = 4.0;
/// So many more blocks tell what one takes …
const BLOCKS: u64 = 4;
/// … and so many more ranks along a dimension.
const FURTHER: u32 = 3;

/// What a time is made of, in µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
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
    fn until(self, other: Parts) -> Parts {
        let more = other.total() - self.total();
        let apart = other.with(self, |other, own| (other - own).max(0.0));
        match apart.total() {
            0.0 => Parts { waiting: more, ..Parts::default() },
            total => apart.times(more / total),
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

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
}

impl Place<'_> {
    /// What each step costs; those within others stand for themselves.
    ///
    /// # Errors
    /// Where the machine does not tell what a step needs.
    pub fn costs(&self, doings: &[Doing]) -> Result<Vec<StepCost>, Error> {
        let mut costs = Vec::new();
        self.add(doings, 1.0, &mut costs)?;
        Ok(costs)
    }

    fn add(&self, doings: &[Doing], share: f64, costs: &mut Vec<StepCost>) -> Result<(), Error> {
        for doing in doings {
            let share = share * doing.times / doing.every as f64;
            if let What::Steps(steps) = &doing.what {
                self.add(steps, share, costs)?;
                continue;
            }
            let (parts, by) = self.once(doing)?;
            let parts = parts.times(share);
            costs.push(StepCost {
                line: doing.line,
                what: doing.what.words(),
                time_us: Micros(parts.total()),
                parts,
                by,
            });
        }
        Ok(())
    }

    /// What a step costs when it is done once, on average of its rounds.
    fn once(&self, doing: &Doing) -> Result<(Parts, Option<String>), Error> {
        let alone = || Doing { times: 1.0, every: 1, ..doing.clone() };
        let during = doing.during.0;
        let found = match &doing.what {
            What::Steps(_) => Parts::default(),
            What::Compute(time) => Parts { compute: time.0, ..Parts::default() },
            _ if self.procs.0 < 2 && !matches!(doing.what, What::Wavefront { .. }) => {
                Parts { compute: during, ..Parts::default() }
            }
            What::Halo { .. } => {
                let small = self.division.map(Division::small);
                self.few(&alone(), small.as_ref())?.of_which(during)
            }
            What::Exchange(_) => self.of_ranks(2, &alone())?.of_which(during),
            What::Shift(_) => self.of_ranks(self.procs.0.min(ALONG), &alone())?.of_which(during),
            What::Wavefront { work, blocks, .. } => {
                self.wavefront(doing, *blocks)?.of_which(work.0 * *blocks as f64)
            }
            What::Collective { op, bytes, algorithm } => {
                let each = self.ranks_per_node;
                let by = algorithm.as_deref();
                let answer = self.machine.collective(*op, self.procs, *bytes, by, each)?;
                let parts = answer_parts(&answer);
                let name = Some(answer.name().to_owned());
                return Ok((self.beside(parts, during), name));
            }
        };
        Ok((found, None))
    }

    /// A collective operation beside computation.
    fn beside(&self, parts: Parts, during: f64) -> Parts {
        let alone = parts.total();
        // Its calls take the processor, whoever moves messages on.
        let hidden = match self.machine.moves_on() {
            true => (alone - parts.overhead).min(during),
            false => 0.0,
        };
        let left = if alone > 0.0 { (alone - hidden) / alone } else { 1.0 };
        let parts = parts.times(left);
        Parts { compute: parts.compute + during, ..parts }
    }

    /// Simulated on so many ranks in a row.
    fn of_ranks(&self, procs: u32, doing: &Doing) -> Result<Parts, Error> {
        let row = Division { ranks: vec![procs], block: vec![1], is_even: true, is_periodic: true };
        self.few(doing, Some(&row))
    }

    /// Simulated on the ranks of a small grid. They are on nodes of their own, if the ranks asked for
    /// are on several.
    fn few(&self, doing: &Doing, division: Option<&Division>) -> Result<Parts, Error> {
        let procs = division.map_or(2, |division| division.ranks.iter().product());
        let each = self.ranks_per_node.unwrap_or(1);
        let inside = if self.procs.0 <= each { procs } else { 1 };
        let nodes = self.machine.nodes(Procs(procs), Some(inside));
        let nobody = |_, _, _: Option<&str>| Err(Error::new("this is no collective", "", ""));
        let ranks = Ranks { procs: Procs(procs), division, combining: &|_| 0, chooser: &nobody };
        let Some(schedule) = ranks.write(std::slice::from_ref(doing), 1)? else {
            return Err(Error::new(
                "this step is too long to be simulated on a few ranks",
                doing.line.to_string(),
                "write it as fewer blocks, each with more work",
            ));
        };
        Ok(self.machine.run(&schedule, nodes.as_ref())?.1)
    }

    /// One of the rounds of a wavefront, from what it takes on three small grids.
    fn wavefront(&self, doing: &Doing, blocks: u64) -> Result<Parts, Error> {
        let Some(division) = self.division else { return Ok(Parts::default()) };
        let rounds = doing.times.clamp(1.0, ROUNDS).round();
        let of = |ranks: [u32; 2], blocks: u64| {
            let small = division.with_ranks(ranks);
            let what = doing.what.with_blocks(blocks);
            let few = Doing { what, times: rounds, every: 1, ..doing.clone() };
            Ok::<_, Error>(self.few(&few, Some(&small))?.times(1.0 / rounds))
        };
        let [x, y] = [0, 1].map(|at| division.ranks.get(at).copied().unwrap_or(1));
        let small = [x.min(ALONG), y.min(ALONG)];
        let few = blocks.min(2 * BLOCKS);
        let begun = of(small, few)?;
        let mut found = begun;
        // What one rank more along a dimension takes, and one block more.
        let mut add = |more: f64, with: Parts, apart: f64| {
            found = found.with(begun.until(with).times(more / apart), |all, each| all + each);
        };
        if x > small[0] {
            let further = (x - small[0]).min(FURTHER);
            let with = of([small[0] + further, small[1]], few)?;
            add(f64::from(x - small[0]), with, f64::from(further));
        }
        if y > small[1] {
            let further = (y - small[1]).min(FURTHER);
            let with = of([small[0], small[1] + further], few)?;
            add(f64::from(y - small[1]), with, f64::from(further));
        }
        if blocks > few {
            add((blocks - few) as f64, of(small, few + BLOCKS)?, BLOCKS as f64);
        }
        Ok(found)
    }

    /// The whole iteration, simulated as it is: the time of an iteration among others. None where that
    /// is too long to be done on the side.
    ///
    /// # Errors
    /// Where the machine does not tell what it needs.
    pub fn simulated(&self, doings: &[Doing]) -> Result<Option<Parts>, Error> {
        let Some(base) = self.steady(&thinned(doings, &|every| every == 1))? else {
            return Ok(None);
        };
        let mut all = base;
        for rare in everys(doings).into_iter().filter(|every| *every > 1) {
            let both = thinned(doings, &|every| every == 1 || every == rare);
            let Some(with) = self.steady(&both)? else { return Ok(None) };
            all = all.with(with.with(base, |a, b| (a - b) / rare as f64), |a, b| a + b);
        }
        Ok(Some(all.of_which(own(doings))))
    }

    /// What one iteration takes more than those before it.
    fn steady(&self, doings: &[Doing]) -> Result<Option<Parts>, Error> {
        if doings.is_empty() {
            return Ok(Some(Parts::default()));
        }
        let nodes = self.machine.nodes(self.procs, self.ranks_per_node);
        let chooser = |op, bytes, by: Option<&str>| {
            let each = self.ranks_per_node;
            match self.machine.collective(op, self.procs, bytes, by, each)? {
                Answer::Algorithm(answer) => Ok(answer.modelled.algorithm),
                // What was measured of the library does not say how it does it.
                Answer::Forms(_) => self.machine.fastest(op, self.procs, bytes, each),
            }
        };
        let ranks = Ranks {
            procs: self.procs,
            division: self.division,
            combining: &|_| 0,
            chooser: &chooser,
        };
        let of = |iterations| {
            let Some(schedule) = ranks.write(doings, iterations)? else { return Ok(None) };
            Ok::<_, Error>(Some(self.machine.run(&schedule, nodes.as_ref())?.1))
        };
        let (Some(one), Some(three)) = (of(1)?, of(3)?) else { return Ok(None) };
        Ok(Some(three.with(one, |three, one| (three - one) / 2.0)))
    }
}

/// What a collective operation's time is made of.
fn answer_parts(answer: &Answer) -> Parts {
    let mut parts = Parts::default();
    match answer {
        // A form knows its startup and its bytes.
        Answer::Forms(way) => {
            let of = |share: Option<Micros>| share.map_or(0.0, |time| time.0);
            parts.latency = of(way.share(|cost| cost.startup));
            parts.bytes = of(way.share(|cost| cost.transmission));
            parts.compute = of(way.share(|cost| cost.compute));
            let rest = answer.time().map_or(0.0, |time| time.0) - parts.total();
            parts.latency += rest;
        }
        Answer::Algorithm(by) => {
            for term in &by.modelled.terms {
                let time = term.time.0;
                match term.symbol {
                    "L" => parts.latency += time,
                    "G" | "B" => parts.bytes += time,
                    "g" => parts.gap += time,
                    "t_c" | "c" => parts.compute += time,
                    _ => parts.overhead += time,
                }
            }
            let rest = by.modelled.time.value.0 - parts.total();
            parts.waiting += rest;
        }
    }
    parts
}

/// How often steps are done: in each, in every tenth iteration …
fn everys(doings: &[Doing]) -> Vec<u64> {
    let mut all: Vec<u64> = doings.iter().map(|doing| doing.every).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Those steps that are done in such iterations.
fn thinned(doings: &[Doing], is_in: &dyn Fn(u64) -> bool) -> Vec<Doing> {
    let kept = doings.iter().filter(|doing| is_in(doing.every));
    kept.map(|doing| Doing { every: 1, ..doing.clone() }).collect()
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
    use super::super::on::Names;
    use super::super::sketch::Sketch;
    use super::*;
    use crate::library;

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
        };
        let sum: f64 = place.costs(&doings).unwrap().iter().map(|cost| cost.time_us.0).sum();
        let simulated = place.simulated(&doings).unwrap().unwrap();
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
