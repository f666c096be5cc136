//! What a whole iteration takes, simulated as it is.

use super::cache::RunKey;
use super::collective::{Basis, Call, Selection};
use super::concrete::{ConcreteAction, ConcreteStep};
use super::cost::{Breakdown, Deployment, own};
use super::representative::{ROUNDS, rounds_of_exchange};
use super::schedule::ScheduleWriter;
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
pub struct IterationCosts {
    /// The first.
    pub first: Breakdown,
    /// What each one after it takes more.
    pub each: Breakdown,
}

impl IterationCosts {
    /// An iteration, on average of so many.
    #[must_use]
    pub fn mean(self, iterations: u64) -> Breakdown {
        let first = 1.0 / iterations.max(1) as f64;
        self.first.with(self.each, |one, each| one * first + each * (1.0 - first))
    }

    fn with(self, other: IterationCosts, f: impl Fn(f64, f64) -> f64) -> IterationCosts {
        IterationCosts {
            first: self.first.with(other.first, &f),
            each: self.each.with(other.each, &f),
        }
    }
}

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
        let loose = 1.0 - self.closed(steps);
        let [first, each] = [0.0, loose].map(|loose| self.measured(steps, (1.0, loose)));
        all = all.with(IterationCosts { first: first?, each: each? }, |all, more| all + more);
        let own = own(steps);
        let tidy = |parts: Breakdown| parts.settled().of_which(own);
        Ok(Some(IterationCosts { first: tidy(all.first), each: tidy(all.each) }))
    }

    /// What operations take more than their algorithms, as they were measured.
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
            if price.from != Basis::Measured {
                continue;
            }
            let Some(modelled) = self.machine.collective(call, Selection::BestAlgorithm)? else {
                continue;
            };
            // What is saved of the algorithm by running ahead is saved of what was measured.
            let adrift = if loose > 0.0 { self.adrift(step)? } else { 1.0 };
            let share = share * (1.0 - loose + loose * adrift);
            let beside = |parts| self.beside(parts, step.during);
            let more = beside(price.parts).with(beside(modelled.parts), |a, b| (a - b) * share);
            all = all.with(more, |all, more| all + more);
        }
        Ok(all)
    }

    /// The first iteration and what those after it take more.
    fn steady(&self, steps: &[ConcreteStep]) -> Result<Option<IterationCosts>, Error> {
        // A single step that is repeated is simulated as far as its rounds differ.
        if let [one] = steps {
            let round = self.differs(one);
            let rounds = one.times / round;
            if rounds >= 2.0 && rounds.fract() == 0.0 {
                let once = ConcreteStep { times: round, ..one.clone() };
                let found = self.runs(std::slice::from_ref(&once))?;
                return Ok(found.map(|IterationCosts { first, each }| IterationCosts {
                    first: first.with(each, |first, each| first + each * (rounds - 1.0)),
                    each: each.times(rounds),
                }));
            }
        }
        self.runs(steps)
    }

    /// After so many rounds a step begins again as it began.
    pub(super) fn differs(&self, step: &ConcreteStep) -> f64 {
        match step.what {
            // Of rounds that are no multiple of four, the last and the next first are alike.
            ConcreteAction::Wavefront { .. } if step.times % ROUNDS != 0.0 => step.times,
            ConcreteAction::Wavefront { .. } => ROUNDS,
            ConcreteAction::Exchange { apart, .. } => rounds_of_exchange(self.procs, apart) as f64,
            _ => 1.0,
        }
    }

    pub(super) fn runs(&self, steps: &[ConcreteStep]) -> Result<Option<IterationCosts>, Error> {
        if steps.is_empty() {
            return Ok(Some(IterationCosts::default()));
        }
        let nodes = self.machine.nodes(self.procs, self.ranks_per_node);
        let nodes = nodes.as_deref();
        let chooser = |what: &ConcreteAction| {
            self.machine.algorithm(self.call(what), Selection::Preferred(what.algorithm()))
        };
        if !steps.iter().all(|step| is_known(step, &|what| chooser(what).is_ok())) {
            return Ok(None);
        }
        // The engine lets nobody but the program use a processor that computes.
        let left = |step: &ConcreteStep| {
            if !self.machine.moves_on() || step.during.0 == 0.0 {
                return Ok(None);
            }
            let algorithm = chooser(&step.what)?;
            let how = Selection::Preferred(Some(algorithm.name));
            let price = self.machine.collective(self.call(&step.what), how)?;
            Ok(price.map(|price| {
                let both = self.beside(price.parts, step.during).total();
                Micros((both - price.parts.total()).max(0.0))
            }))
        };
        let ranks = ScheduleWriter {
            procs: self.procs,
            decomposition: self.decomposition,
            nodes,
            combining: &|op, bytes| combining(self.machine.compute(op, self.procs), bytes),
            left: &left,
            chooser: &chooser,
        };
        let of = |iterations| {
            let each: Vec<u32> = self.ranks_per_node.into_iter().collect();
            let words = RunKey::new(self.procs, &each, iterations);
            let words = words.on(self.decomposition).step(steps);
            self.machine.run(words, nodes, || ranks.write(steps, iterations))
        };
        let more = if nodes.is_some() { LATER_ON_NODES } else { LATER };
        let (Some(first), Some(all)) = (of(1)?, of(1 + more)?) else { return Ok(None) };
        let each = all.with(first, |all, one| (all - one) / f64::from(more)).settled();
        Ok(Some(IterationCosts { first, each }))
    }

    pub(super) fn call<'w>(&self, what: &'w ConcreteAction) -> Call<'w> {
        Call { procs: self.procs, ranks_per_node: self.ranks_per_node, what }
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

fn is_known(step: &ConcreteStep, is: &dyn Fn(&ConcreteAction) -> bool) -> bool {
    match &step.what {
        ConcreteAction::Steps(steps) => steps.iter().all(|step| is_known(step, is)),
        ConcreteAction::Collective { .. } => is(&step.what),
        _ => true,
    }
}

/// How often steps are done: in each, in every tenth iteration …
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

/// Those steps that are done as often as one of these, each time.
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
