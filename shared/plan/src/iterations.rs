//! The first iterations, simulated as they are.

use super::cache::RunKey;
use super::collective::Selection;
use super::concrete::{ConcreteAction, ConcreteStep, ROUNDS, rounds_of_exchange};
use super::cost::Breakdown;
use super::deployment::Deployment;
use super::schedule::ScheduleWriter;
use loggia_model::Error;
use loggia_model::units::Micros;
use loggia_simulate::loggp_costs::operator_time;

/// Number of further iterations simulated; more if nodes make a pattern that takes time to settle.
const LATER: u32 = 2;
const LATER_ON_NODES: u32 = 8;

/// The run of a whole program, from the first iteration on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IterationCosts {
    /// The first.
    pub first: Breakdown,
    /// Additional time of each following iteration.
    pub each: Breakdown,
}

impl IterationCosts {
    /// Mean time of an iteration.
    #[must_use]
    pub fn mean(self, iterations: u64) -> Breakdown {
        let first = 1.0 / iterations.max(1) as f64;
        self.first.with(self.each, |one, each| one * first + each * (1.0 - first))
    }

    pub(super) fn with(self, other: IterationCosts, f: impl Fn(f64, f64) -> f64) -> IterationCosts {
        IterationCosts {
            first: self.first.with(other.first, &f),
            each: self.each.with(other.each, &f),
        }
    }
}

impl Deployment<'_> {
    /// The first iteration and what those after it take more.
    pub(super) fn steady(&self, steps: &[ConcreteStep]) -> Result<Option<IterationCosts>, Error> {
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

    /// Whether repetitions of a step differ, and after how many they repeat.
    pub(super) fn differs(&self, step: &ConcreteStep) -> f64 {
        match step.what {
            // If the number of rounds is no multiple of four, the last round resembles the first of
            // the next.
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
        // In the simulation a computing processor does nothing else.
        let left = |step: &ConcreteStep| {
            if !self.machine.moves_on() || step.during.0 == 0.0 {
                return Ok(None);
            }
            let algorithm = chooser(&step.what)?;
            let how = Selection::Preferred(Some(algorithm.name));
            let price = self.machine.collective(self.call(&step.what), how)?;
            Ok(price.map(|price| {
                let both = self.overlapped(price.parts, step.during).total();
                Micros((both - price.parts.total()).max(0.0))
            }))
        };
        let ranks = ScheduleWriter {
            procs: self.procs,
            decomposition: self.decomposition,
            nodes,
            operator_time: &|op, bytes| operator_time(self.machine.compute(op, self.procs), bytes),
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
}

fn is_known(step: &ConcreteStep, is: &dyn Fn(&ConcreteAction) -> bool) -> bool {
    match &step.what {
        ConcreteAction::Steps(steps) => steps.iter().all(|step| is_known(step, is)),
        ConcreteAction::Collective { .. } => is(&step.what),
        _ => true,
    }
}
