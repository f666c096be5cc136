//! Costs of iterations, from a simulation of the first ones.

use super::cache::RunKey;
use super::collective::Selection;
use super::concrete::{ConcreteAction, ConcreteStep, ROUNDS, rounds_of_exchange};
use super::cost::Breakdown;
use super::deployment::Deployment;
use super::schedule::ScheduleWriter;
use loggia_model::Error;
use loggia_model::units::Micros;
use loggia_simulate::loggp_costs::operator_time;

/// Number of further iterations simulated. Placement on nodes needs more until the pattern is
/// steady.
const LATER: u32 = 2;
const LATER_ON_NODES: u32 = 8;

/// Simulated costs of a whole program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IterationCosts {
    /// Time of the first iteration.
    pub first: Breakdown,
    /// Additional time of each following iteration.
    pub each: Breakdown,
}

impl IterationCosts {
    /// Mean time of an iteration.
    #[must_use]
    pub fn mean(self, iterations: u64) -> Breakdown {
        let first = 1.0 / iterations.max(1) as f64;
        self.first.with(self.each, |start, each| start * first + each * (1.0 - first))
    }

    pub(super) fn with(self, other: IterationCosts, f: impl Fn(f64, f64) -> f64) -> IterationCosts {
        IterationCosts {
            first: self.first.with(other.first, &f),
            each: self.each.with(other.each, &f),
        }
    }
}

impl Deployment<'_> {
    /// Costs of the first and of each following iteration.
    pub(super) fn iteration_costs(
        &self,
        steps: &[ConcreteStep],
    ) -> Result<Option<IterationCosts>, Error> {
        // Repetitions of a single step are simulated for one period.
        if let [step] = steps {
            let period = self.period(step);
            let rounds = step.times / period;
            if rounds >= 2.0 && rounds.fract() == 0.0 {
                let once = ConcreteStep { times: period, ..step.clone() };
                let costs = self.simulate_iterations(std::slice::from_ref(&once))?;
                return Ok(costs.map(|IterationCosts { first, each }| IterationCosts {
                    first: first.with(each, |first, each| first + each * (rounds - 1.0)),
                    each: each.times(rounds),
                }));
            }
        }
        self.simulate_iterations(steps)
    }

    /// Number of repetitions of a step after which its pattern repeats.
    pub(super) fn period(&self, step: &ConcreteStep) -> f64 {
        match step.action {
            // Unless the number of rounds is a multiple of four, the corners of the next repetition
            // depend on the last round.
            ConcreteAction::Wavefront { .. } if step.times % ROUNDS != 0.0 => step.times,
            ConcreteAction::Wavefront { .. } => ROUNDS,
            ConcreteAction::Exchange { apart, .. } => rounds_of_exchange(self.procs, apart) as f64,
            _ => 1.0,
        }
    }

    pub(super) fn simulate_iterations(
        &self,
        steps: &[ConcreteStep],
    ) -> Result<Option<IterationCosts>, Error> {
        if steps.is_empty() {
            return Ok(Some(IterationCosts::default()));
        }
        let nodes = self.machine.nodes(self.procs, self.ranks_per_node);
        let nodes = nodes.as_deref();
        let chooser = |action: &ConcreteAction| {
            self.machine.algorithm(self.call(action), Selection::Preferred(action.algorithm()))
        };
        if !steps.iter().all(|step| is_known(step, &|action| chooser(action).is_ok())) {
            return Ok(None);
        }
        // In the simulation, a computing CPU does not progress messages.
        let left = |step: &ConcreteStep| {
            if !self.machine.has_independent_progress() || step.during.0 == 0.0 {
                return Ok(None);
            }
            let algorithm = chooser(&step.action)?;
            let selection = Selection::Preferred(Some(algorithm.name));
            let cost = self.machine.collective(self.call(&step.action), selection)?;
            Ok(cost.map(|cost| {
                let both = self.overlapped(cost.parts, step.during).total();
                Micros((both - cost.parts.total()).max(0.0))
            }))
        };
        let writer = ScheduleWriter {
            procs: self.procs,
            decomposition: self.decomposition,
            nodes,
            operator_time: &|op, bytes| operator_time(self.machine.compute(op, self.procs), bytes),
            left: &left,
            chooser: &chooser,
        };
        let simulate = |iterations| {
            let each: Vec<u32> = self.ranks_per_node.into_iter().collect();
            let key = RunKey::new(self.procs, &each, iterations);
            let key = key.with_grid(self.decomposition).with_steps(steps);
            self.machine.run(key, nodes, || writer.write(steps, iterations))
        };
        let further = if nodes.is_some() { LATER_ON_NODES } else { LATER };
        let (Some(first), Some(all)) = (simulate(1)?, simulate(1 + further)?) else {
            return Ok(None);
        };
        let each = all.with(first, |all, one| (all - one) / f64::from(further)).settled();
        Ok(Some(IterationCosts { first, each }))
    }
}

fn is_known(step: &ConcreteStep, has_algorithm: &dyn Fn(&ConcreteAction) -> bool) -> bool {
    match &step.action {
        ConcreteAction::Steps(steps) => steps.iter().all(|step| is_known(step, has_algorithm)),
        ConcreteAction::Collective { .. } => has_algorithm(&step.action),
        _ => true,
    }
}
