//! What a whole iteration takes, simulated as it is.

use super::cache::Words;
use super::collective::{Call, From, How};
use super::concrete::{Doing, What};
use super::cost::{Parts, Place, own};
use super::representative::{ROUNDS, rounds_of_exchange};
use super::schedule::Ranks;
use loggia_model::Error;
use loggia_model::units::Micros;
use loggia_simulate::loggp::combining;

/// More computation than this cannot be counted in ps, all ranks together.
const LONGEST_US: f64 = 40.0 * 86_400e6;

/// So many iterations after the first tell what each one takes; more where nodes make a pattern of
/// slow and fast messages, which takes its time to settle.
const LATER: u32 = 2;
const LATER_ON_NODES: u32 = 8;

/// The run of a whole program, from the first iteration on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Whole {
    /// The first.
    pub first: Parts,
    /// What each one after it takes more.
    pub each: Parts,
}

impl Whole {
    /// An iteration, on average of so many.
    #[must_use]
    pub fn mean(self, iterations: u64) -> Parts {
        let first = 1.0 / iterations.max(1) as f64;
        self.first.with(self.each, |one, each| one * first + each * (1.0 - first))
    }

    fn with(self, other: Whole, f: impl Fn(f64, f64) -> f64) -> Whole {
        Whole { first: self.first.with(other.first, &f), each: self.each.with(other.each, &f) }
    }
}

impl Place<'_> {
    /// All iterations, simulated. None where that is too long to be done on the side, or cannot be
    /// done: where something is done in part, or operations are known only as they were measured.
    ///
    /// # Errors
    /// Where the machine does not tell what it needs.
    pub fn simulated(&self, doings: &[Doing]) -> Result<Option<Whole>, Error> {
        if !are_whole(doings) || own(doings) * self.procs.count() * 3.0 > LONGEST_US {
            return Ok(None);
        }
        let mut rare = Vec::new();
        everys(doings, 1, &mut rare);
        let Some(base) = self.steady(&thinned(doings, 1, &[1]))? else { return Ok(None) };
        let mut all = base;
        for every in rare.into_iter().filter(|every| *every > 1) {
            let Some(with) = self.steady(&thinned(doings, 1, &[1, every]))? else {
                return Ok(None);
            };
            let more = with.each.with(base.each, |with, base| (with - base) / every as f64);
            all = all.with(Whole { first: more, each: more }, |all, more| all + more);
        }
        let loose = 1.0 - self.closed(doings);
        let [first, each] = [0.0, loose].map(|loose| self.measured(doings, (1.0, loose)));
        all = all.with(Whole { first: first?, each: each? }, |all, more| all + more);
        let own = own(doings);
        let tidy = |parts: Parts| parts.settled().of_which(own);
        Ok(Some(Whole { first: tidy(all.first), each: tidy(all.each) }))
    }

    /// What operations take more than their algorithms, as they were measured.
    fn measured(&self, doings: &[Doing], (share, loose): (f64, f64)) -> Result<Parts, Error> {
        let mut all = Parts::default();
        for doing in doings {
            let share = share * doing.times / doing.every as f64;
            if let What::Steps(steps) = &doing.what {
                all = all.with(self.measured(steps, (share, loose))?, |all, more| all + more);
                continue;
            }
            let (call, how) = (self.call(&doing.what), How::As(doing.what.algorithm()));
            let Some(price) = self.machine.collective(call, how)? else { continue };
            if price.from != From::Measured {
                continue;
            }
            let Some(modelled) = self.machine.collective(call, How::Algorithm)? else { continue };
            // What is saved of the algorithm by running ahead is saved of what was measured.
            let adrift = if loose > 0.0 { self.adrift(doing)? } else { 1.0 };
            let share = share * (1.0 - loose + loose * adrift);
            let beside = |parts| self.beside(parts, doing.during);
            let more = beside(price.parts).with(beside(modelled.parts), |a, b| (a - b) * share);
            all = all.with(more, |all, more| all + more);
        }
        Ok(all)
    }

    /// The first iteration and what those after it take more.
    fn steady(&self, doings: &[Doing]) -> Result<Option<Whole>, Error> {
        // A single step that is repeated is simulated as far as its rounds differ.
        if let [one] = doings {
            let round = self.differs(one);
            let rounds = one.times / round;
            if rounds >= 2.0 && rounds.fract() == 0.0 {
                let once = Doing { times: round, ..one.clone() };
                let found = self.runs(std::slice::from_ref(&once))?;
                return Ok(found.map(|Whole { first, each }| Whole {
                    first: first.with(each, |first, each| first + each * (rounds - 1.0)),
                    each: each.times(rounds),
                }));
            }
        }
        self.runs(doings)
    }

    /// After so many rounds a step begins again as it began.
    pub(super) fn differs(&self, doing: &Doing) -> f64 {
        match doing.what {
            // Of rounds that are no multiple of four, the last and the next first are alike.
            What::Wavefront { .. } if doing.times % ROUNDS != 0.0 => doing.times,
            What::Wavefront { .. } => ROUNDS,
            What::Exchange { apart, .. } => rounds_of_exchange(self.procs, apart) as f64,
            _ => 1.0,
        }
    }

    pub(super) fn runs(&self, doings: &[Doing]) -> Result<Option<Whole>, Error> {
        if doings.is_empty() {
            return Ok(Some(Whole::default()));
        }
        let nodes = self.machine.nodes(self.procs, self.ranks_per_node);
        let nodes = nodes.as_deref();
        let chooser =
            |what: &What| self.machine.algorithm(self.call(what), How::As(what.algorithm()));
        if !doings.iter().all(|doing| is_known(doing, &|what| chooser(what).is_ok())) {
            return Ok(None);
        }
        // The engine lets nobody but the program use a processor that computes.
        let left = |doing: &Doing| {
            if !self.machine.moves_on() || doing.during.0 == 0.0 {
                return Ok(None);
            }
            let algorithm = chooser(&doing.what)?;
            let how = How::As(Some(algorithm.name));
            let price = self.machine.collective(self.call(&doing.what), how)?;
            Ok(price.map(|price| {
                let both = self.beside(price.parts, doing.during).total();
                Micros((both - price.parts.total()).max(0.0))
            }))
        };
        let ranks = Ranks {
            procs: self.procs,
            division: self.division,
            nodes,
            combining: &|op, bytes| combining(self.machine.compute(op, self.procs), bytes),
            left: &left,
            chooser: &chooser,
        };
        let of = |iterations| {
            let each: Vec<u32> = self.ranks_per_node.into_iter().collect();
            let words = Words::new(self.procs, &each, iterations);
            let words = words.on(self.division).doing(doings);
            self.machine.run(words, nodes, || ranks.write(doings, iterations))
        };
        let more = if nodes.is_some() { LATER_ON_NODES } else { LATER };
        let (Some(first), Some(all)) = (of(1)?, of(1 + more)?) else { return Ok(None) };
        let each = all.with(first, |all, one| (all - one) / f64::from(more)).settled();
        Ok(Some(Whole { first, each }))
    }

    pub(super) fn call<'w>(&self, what: &'w What) -> Call<'w> {
        Call { procs: self.procs, ranks_per_node: self.ranks_per_node, what }
    }
}

/// Whether everything is done a whole number of times.
fn are_whole(doings: &[Doing]) -> bool {
    doings.iter().all(|doing| {
        doing.times.fract() == 0.0
            && match &doing.what {
                What::Steps(steps) => are_whole(steps),
                _ => true,
            }
    })
}

fn is_known(doing: &Doing, is: &dyn Fn(&What) -> bool) -> bool {
    match &doing.what {
        What::Steps(steps) => steps.iter().all(|step| is_known(step, is)),
        What::Collective { .. } => is(&doing.what),
        _ => true,
    }
}

/// How often steps are done: in each, in every tenth iteration …
fn everys(doings: &[Doing], outer: u64, all: &mut Vec<u64>) {
    for doing in doings {
        let every = outer.saturating_mul(doing.every);
        match &doing.what {
            What::Steps(steps) => everys(steps, every, all),
            _ => all.push(every),
        }
    }
    all.sort_unstable();
    all.dedup();
}

/// Those steps that are done as often as one of these, each time.
fn thinned(doings: &[Doing], outer: u64, kept: &[u64]) -> Vec<Doing> {
    let thin = |doing: &Doing| {
        let every = outer.saturating_mul(doing.every);
        let what = match &doing.what {
            What::Steps(steps) => match thinned(steps, every, kept) {
                left if left.is_empty() => return None,
                left => What::Steps(left),
            },
            _ if !kept.contains(&every) => return None,
            what => what.clone(),
        };
        Some(Doing { what, every: 1, ..doing.clone() })
    };
    doings.iter().filter_map(thin).collect()
}
