//! Computes a plan point by point: for the machine, its bounds, what-ifs, and the worst case of
//! each unknown parameter.

use super::assumption::{self, Assumption, WorstCase, without_overlap};
use super::concrete::{ConcreteStep, Instance, Scope, own_computation};
use super::cost::{Breakdown, StepCost};
use super::deployment::Deployment;
use super::error::PlanError;
use super::machine::Machine;
use super::plan::{
    AlgorithmChoice, CHANGES, Improvement, Method, Plan, Point, SECOND_CARD, Scaling, SharedCard,
    SumCheck,
};
use super::request::Request;
use super::sketch::GridExtent;
use super::warnings;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::model::pairs::filled_by;
use loggia_model::signature::Signature;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::IntervalEnd;
use loggia_model::units::{BytesPerMicro, Micros, Procs};
use std::rc::Rc;

/// Relative difference up to which times are equal.
const EQUAL: f64 = 1e-9;

/// A network card limits if a second one would save this share of the time.
const LIMITS: f64 = 0.01;

/// The machines of a plan, and its request.
pub(super) struct Evaluation<'a> {
    request: &'a Request<'a>,
    usual: Rc<Machine>,
    /// The machine at both ends of its parameters' intervals.
    ends: Vec<Machine>,
    changed: Vec<(&'static str, Machine)>,
    is_complete: bool,
}

/// The time that efficiency is relative to.
struct Baseline {
    procs: Procs,
    time: f64,
}

impl Request<'_> {
    /// The plan for these numbers of ranks.
    ///
    /// # Errors
    /// If the sketch or the machine lacks a value that the plan needs.
    pub fn over(&self, procs: &[Procs]) -> Result<Plan, Error> {
        Evaluation::new(self, true)?.plan(procs)
    }

    /// The plan without bounds, what-ifs and unknown parameters.
    ///
    /// # Errors
    /// If the sketch or the machine lacks a value that the plan needs.
    pub fn times_over(&self, procs: &[Procs]) -> Result<Plan, Error> {
        Evaluation::new(self, false)?.plan(procs)
    }

    fn machine(&self, signature: &Signature) -> Result<Machine, Error> {
        Machine::with_cache(&self.cache, signature, self.tier, self.style, self.rules)
    }

    /// The machine after a change, which applies to assumed costs as well.
    fn changed(
        &self,
        before: &Machine,
        change: impl Fn(&Signature) -> Signature,
    ) -> Result<Machine, Error> {
        let changed = self.machine(&change(before.signature()))?;
        Ok(changed.reported_as(before.reported().map(change), &before.warnings))
    }
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(request: &'a Request<'a>, is_complete: bool) -> Result<Self, Error> {
        let with_what_if = |signature: &Signature| {
            let before = request.machine(signature)?;
            match request.what_if.is_nothing() {
                true => Ok(before),
                false => request.changed(&before, |signature| request.what_if.applied(signature)),
            }
        };
        let usual = Rc::new(with_what_if(request.machine)?);
        let mut evaluation =
            Evaluation { request, usual, ends: Vec::new(), changed: Vec::new(), is_complete };
        if !is_complete {
            return Ok(evaluation);
        }
        // Only total times are needed here.
        for end in [IntervalEnd::Low, IntervalEnd::High] {
            let at_end = with_what_if(&request.machine.at_end(end))?.without_parts();
            evaluation.ends.push(at_end.at_end_of(&evaluation.usual, end));
        }
        for (change, what_if) in CHANGES {
            // Without message parameters, what-ifs have no effect.
            if evaluation.usual.rules().is_none() {
                break;
            }
            let changed =
                request.changed(&evaluation.usual, |signature| what_if.applied(signature))?;
            let changed = changed.without_parts().with_skew_of(&evaluation.usual);
            // Progress has an effect under LogGPO only.
            if what_if.progress.is_none() || changed.rules() == Some(SimulationModel::LogGpo) {
                evaluation.changed.push((change, changed));
            }
        }
        if evaluation.shared_card().is_some() {
            let twice = |signature: &Signature| with_second_card(signature, request.tier);
            // The skew differs without contention for the card, so it is computed anew.
            let changed = request.changed(&evaluation.usual, twice)?.without_parts();
            evaluation.changed.push((SECOND_CARD, changed));
        }
        Ok(evaluation)
    }

    /// Ranks per network card, and the card's rate, if known.
    fn shared_card(&self) -> Option<(u32, BytesPerMicro)> {
        let each = self.request.each().filter(|each| *each > 1)?;
        Some((each, BytesPerMicro(1.0 / self.usual.card()?.value.0)))
    }

    /// Effect of the shared network card on these points.
    fn card_effect(&self, points: &[Point]) -> Option<SharedCard> {
        let (ranks_per_node, rate) = self.shared_card()?;
        let saves = |point: &Point| {
            let improvement = point.what_if.iter().find(|it| it.change == SECOND_CARD)?;
            Some(point.share(point.time_us.0 - improvement.time_us.0))
        };
        let last = points.last()?;
        let limits = |point: &&Point| saves(point).is_some_and(|saves| saves >= LIMITS);
        let (tier, style) = (self.usual.tier(), self.usual.style());
        let route = Route::of(self.usual.signature(), tier, style).ok();
        Some(SharedCard {
            ranks_per_node,
            rate,
            filled_by: route.and_then(|route| filled_by(&route)),
            limits_from: points.iter().find(limits).map(|point| point.procs),
            procs: last.procs,
            second_card_saves: saves(last)?,
        })
    }

    pub(super) fn plan(&self, procs: &[Procs]) -> Result<Plan, Error> {
        let instances =
            procs.iter().map(|procs| self.instance(*procs)).collect::<Result<Vec<_>, _>>()?;
        let mut warnings = self.usual.warnings.clone();
        warnings.extend(warnings::without_effect(self.request, self.usual.rules().is_some()));
        let base = self.base(&instances)?;
        warnings.extend(base.as_ref().and_then(|base| warnings::no_serial_run(base.procs)));
        let scaling = self.scaling(&instances);
        let measured = self.request.machine.measured_ranks();
        let mut points = Vec::new();
        let mut sum_check = None;
        for instance in &instances {
            let (point, check) = self.point(instance)?;
            sum_check = check.or(sum_check);
            let efficiency = base.as_ref().map_or(1.0, |base| {
                let ideal_speedup = match scaling {
                    Scaling::Strong => instance.procs.count() / base.procs.count(),
                    Scaling::Weak => 1.0,
                };
                // An iteration of zero time has full efficiency.
                if point.time_us.0 > 0.0 {
                    base.time / (ideal_speedup * point.time_us.0)
                } else {
                    1.0
                }
            });
            points.push(Point { efficiency, extrapolates: instance.procs > measured, ..point });
        }
        let is_communication_bound = |point: &&Point| point.parts.compute < point.time_us.0 / 2.0;
        let communication_bound_from =
            points.iter().find(is_communication_bound).map(|point| point.procs);
        warnings.extend(warnings::uneven(&instances));
        warnings.extend(warnings::layers(&instances));
        warnings.extend(warnings::inexact_sum(sum_check.as_ref()));
        let has_card = self.usual.card().is_some();
        warnings.extend(warnings::extrapolated(&points, measured, has_card));
        let usual_nodes = self.usual_ranks_per_node();
        warnings.extend(warnings::ranks_per_node_unset(self.request.each(), has_card, usual_nodes));
        warnings.extend(warnings::unmeasured_sizes(&points));
        warnings.extend(warnings::unmeasured_operations(&points));
        warnings.extend(warnings::unmeasured(self.request, &points));
        let missing = match (self.is_complete, instances.last(), points.last()) {
            (true, Some(instance), Some(point)) if point.time_us.0 > 0.0 => {
                self.missing(instance, point)
            }
            _ => Vec::new(),
        };
        Ok(Plan {
            machine: self.request.machine.name.clone(),
            rules: self.usual.rules_name(),
            iterations: self.request.sketch.iterations,
            scaling,
            algorithms: chosen(&points),
            card: self.card_effect(&points),
            points,
            sum_check,
            missing,
            communication_bound_from,
            measured_procs: measured,
            warnings,
        })
    }

    /// Ranks per node in the measurements, or else cores per node, if known.
    fn usual_ranks_per_node(&self) -> Option<u32> {
        let tier = self.usual.signature().tier(self.usual.tier()).ok()?;
        tier.ranks_per_node.or(self.request.machine.machine.cores_per_node)
    }

    /// The point of a number of ranks, without its efficiency; and the comparison of simulation and
    /// sum.
    fn point(&self, instance: &Instance) -> Result<(Point, Option<SumCheck>), Error> {
        let (sum, steps) = self.sum(&self.usual, instance, &instance.steps)?;
        let simulated = self.simulated(&self.usual, instance, &instance.steps)?;
        let sum_check =
            simulated.filter(|simulated| simulated.total() > 0.0).map(|simulated| SumCheck {
                procs: instance.procs,
                simulated_us: Micros(simulated.total()),
                sum_us: Micros(sum.total()),
            });
        let (parts, by) = match simulated {
            Some(parts) => (parts, Method::Simulated),
            None => (sum, Method::Sum),
        };
        let time = parts.total();
        let mut bounds = (time, time);
        for end in &self.ends {
            let at_end = self.time(end, instance, &instance.steps, (by, time))?;
            bounds = (bounds.0.min(at_end), bounds.1.max(at_end));
        }
        let mut what_if = Vec::new();
        for (change, machine) in &self.changed {
            let time = self.time(machine, instance, &instance.steps, (by, time))?;
            what_if.push(Improvement { change, time_us: Micros(time) });
        }
        let total = time * self.request.sketch.iterations as f64;
        let improved = what_if.iter().map(|improvement| improvement.time_us.0);
        if !improved.chain([total, bounds.0, bounds.1]).all(f64::is_finite) {
            let long = steps.iter().find(|step| !step.time_us.0.is_finite());
            return Err(PlanError::TimeTooLarge { line: long.map(|step| step.line) }.into());
        }
        let decomposition = instance.scope.decomposition();
        let point = Point {
            procs: instance.procs,
            time_us: Micros(time),
            low_us: Micros(bounds.0),
            high_us: Micros(bounds.1),
            total_us: Micros(total),
            efficiency: 1.0,
            by,
            parts,
            steps,
            block: decomposition.map(|decomposition| decomposition.block.clone()),
            ranks: decomposition.map(|decomposition| decomposition.ranks.clone()),
            what_if,
            extrapolates: false,
            beyond: match self.is_complete && instance.procs.0 > 1 {
                true => self.usual.beyond(&instance.steps),
                false => Vec::new(),
            },
        };
        Ok((point, sum_check))
    }

    /// The time at a bound or with a what-if, by the same method as the time of the point.
    fn time(
        &self,
        machine: &Machine,
        instance: &Instance,
        steps: &[ConcreteStep],
        (by, usual): (Method, f64),
    ) -> Result<f64, Error> {
        let simulated = match by {
            Method::Simulated => self.simulated(machine, instance, steps)?,
            Method::Sum => None,
        };
        let time = match simulated {
            Some(parts) => parts.total(),
            None => self.sum(machine, instance, steps)?.0.total(),
        };
        // Differences may be rounding errors of sums in another order.
        Ok(if (time - usual).abs() < EQUAL * usual { usual } else { time })
    }

    fn sum(
        &self,
        machine: &Machine,
        instance: &Instance,
        steps: &[ConcreteStep],
    ) -> Result<(Breakdown, Vec<StepCost>), Error> {
        let costs = self.deployment(machine, instance).costs(steps)?;
        let all = costs.iter().map(|cost| cost.parts);
        let sum = all.fold(Breakdown::default(), |all, parts| all.with(parts, |a, b| a + b));
        Ok((sum, costs))
    }

    /// Mean simulated time of an iteration of the whole program, if it is short.
    fn simulated(
        &self,
        machine: &Machine,
        instance: &Instance,
        steps: &[ConcreteStep],
    ) -> Result<Option<Breakdown>, Error> {
        let ranks_per_card = self.shared_card().map(|(each, _)| each);
        if instance.procs.0 < 2 || instance.procs.0 > self.request.most_simulated(ranks_per_card) {
            return Ok(None);
        }
        let whole = self.deployment(machine, instance).simulated(steps)?;
        Ok(whole.map(|whole| whole.mean(self.request.sketch.iterations)))
    }

    fn deployment<'p>(&self, machine: &'p Machine, instance: &'p Instance) -> Deployment<'p> {
        Deployment {
            machine,
            procs: instance.procs,
            ranks_per_node: self.request.each(),
            decomposition: instance.scope.decomposition(),
            iterations: self.request.sketch.iterations,
        }
    }

    /// The sketch on p ranks, independent of the machine.
    fn instance(&self, procs: Procs) -> Result<Instance<'a>, Error> {
        let scope = Scope::new(self.request.sketch, procs, self.request.each(), self.request.open)?;
        Ok(Instance { procs, steps: scope.steps()?, scope })
    }

    /// The time on one rank; if the sketch needs more ranks or does not compute, the time on the
    /// smallest requested number.
    fn base(&self, instances: &[Instance]) -> Result<Option<Baseline>, Error> {
        let of = |instance: &Instance| {
            let time = self.sum(&self.usual, instance, &instance.steps)?.0.total();
            Ok::<_, Error>(Baseline { procs: instance.procs, time })
        };
        let alone = self.instance(Procs(1)).and_then(|alone| of(&alone));
        match (alone, instances.first()) {
            (Ok(alone), None) => Ok(Some(alone)),
            (Ok(alone), _) if alone.time > 0.0 => Ok(Some(alone)),
            (_, Some(fewest)) => of(fewest).map(Some),
            (Err(error), None) => Err(error),
        }
    }

    /// Strong scaling if a rank computes less with more ranks.
    fn scaling(&self, instances: &[Instance]) -> Scaling {
        match &self.request.sketch.grid {
            Some(grid) if grid.of == GridExtent::Global => Scaling::Strong,
            Some(_) => Scaling::Weak,
            None => {
                let alone =
                    self.instance(Procs(1)).map(|instance| own_computation(&instance.steps)).ok();
                let alone = alone
                    .or_else(|| instances.first().map(|instance| own_computation(&instance.steps)));
                let most = instances.last().map(|instance| own_computation(&instance.steps));
                let is_less = most < alone.map(|alone| alone * 0.99);
                if is_less { Scaling::Strong } else { Scaling::Weak }
            }
        }
    }

    /// Unknown parameters, and their effect on the largest number of ranks.
    fn missing(&self, instance: &Instance, point: &Point) -> Vec<Assumption> {
        let query = assumption::AssumptionQuery {
            machine: &self.usual,
            has_rules: self.request.rules.is_some(),
            ranks_per_node: self.request.each(),
            steps: &instance.steps,
        };
        let machine =
            |signature: &Signature| self.request.machine(signature).map(Machine::without_parts);
        let usual = (point.by, point.time_us.0);
        let mut found = Vec::new();
        for unknown in query.unknown_parameters() {
            let as_usual = || machine(self.usual.signature());
            let (worst, steps) = match unknown.worst {
                WorstCase::Machine(signature) => (machine(&signature), None),
                WorstCase::OperatorTime(each) => {
                    (as_usual().map(|machine| machine.with_operator_time(each)), None)
                }
                WorstCase::NoOverlap => (as_usual(), Some(without_overlap(&instance.steps))),
            };
            let steps = steps.as_deref().unwrap_or(&instance.steps);
            // Measured times hold in every case. A case that needs further unknown parameters is left
            // out.
            let worst = worst.map(|worst| worst.with_skew_of(&self.usual));
            let time = worst.and_then(|worst| self.time(&worst, instance, steps, usual));
            let Ok(time) = time else { continue };
            // A worst case is not faster, even if its handshake saves a copy.
            let time = time.max(point.time_us.0);
            found.push(Assumption {
                parameter: unknown.parameter,
                now: unknown.now,
                otherwise: unknown.otherwise,
                origin: unknown.origin.to_owned(),
                procs: instance.procs,
                time_us: Micros(time),
                more: time / point.time_us.0 - 1.0,
            });
        }
        found
    }
}

/// The machine with the doubled rate of a node's network card.
fn with_second_card(signature: &Signature, tier: Option<&str>) -> Signature {
    let mut twice = signature.clone();
    let name = signature.tier(tier).map(|tier| tier.name.clone()).unwrap_or_default();
    let known = twice.tiers.iter_mut().find(|tier| tier.name == name);
    if let Some(card) = known.and_then(|tier| tier.node_gap_per_byte.as_mut()) {
        for each in [&mut card.value, &mut card.low, &mut card.high].into_iter().flatten() {
            *each = *each * 0.5;
        }
    }
    twice.changed_from(&signature.tiers);
    twice
}

/// Methods of each collective operation, by the first p that uses them.
fn chosen(points: &[Point]) -> Vec<AlgorithmChoice> {
    let most = points.first().map_or(0, |point| point.steps.len());
    let mut all: Vec<AlgorithmChoice> = Vec::new();
    for at in 0..most {
        let mut last: Option<&str> = None;
        for point in points {
            let Some(step) = point.steps.get(at) else { continue };
            let (Some(by), Some(from)) = (step.by.as_deref(), step.from) else { continue };
            if last != Some(by) {
                all.push(AlgorithmChoice {
                    line: step.line,
                    what: step.what.clone(),
                    from_procs: point.procs,
                    by: by.to_owned(),
                    from,
                });
                last = Some(by);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::sketch::Sketch;
    use super::*;
    use loggia_model::library;
    use loggia_model::what_if::WhatIf;

    fn planned(text: &str, machine: &str, procs: &[u32]) -> Plan {
        let sketch = Sketch::read(text).unwrap();
        let machine = library::load(machine).unwrap();
        let procs: Vec<Procs> = procs.iter().copied().map(Procs).collect();
        let request = Request { simulated: Some(0), ..Request::of(&sketch, &machine) };
        request.over(&procs).unwrap()
    }

    /// Touriño & Doallo 2001, Table 5: estimates of both methods of each stage, and the better one.
    #[test]
    fn the_case_study_on_the_ap3000() {
        let cases = [
            (
                "reduce_scatter = 480000",
                "reduce+scatter",
                [24414.0, 33957.0, 43500.0, 49082.0],
                [20927.0, 29440.0, 39291.0, 45355.0],
            ),
            (
                "allgather = 8",
                "gather+bcast",
                [166.43, 356.94, 738.07, 1119.25],
                [164.54, 271.69, 427.93, 601.14],
            ),
        ];
        for (step, better, by_formula, by_better) in cases {
            let best = planned(&format!("[[step]]\n{step}"), "ap3000-mpi", &[2, 4, 8, 12]);
            let formula = format!("[[step]]\n{step}\nalgorithm = \"closed-form\"");
            let formula = planned(&formula, "ap3000-mpi", &[2, 4, 8, 12]);
            for at in 0..4 {
                let [best, formula] = [&best, &formula].map(|plan| &plan.points[at]);
                assert_eq!(best.steps[0].by.as_deref(), Some(better), "{step}");
                let error = |point: &Point, printed: f64| (point.time_us.0 / printed - 1.0).abs();
                assert!(
                    error(best, by_better[at]) < 1e-3,
                    "{} for {}",
                    best.time_us.0,
                    by_better[at]
                );
                assert!(error(formula, by_formula[at]) < 1e-3, "{}", formula.time_us.0);
            }
        }
    }

    /// On this cloud, allreduce was measured at p = 32 alone.
    #[test]
    fn an_operation_outside_its_measurements_is_extrapolated() {
        let text = "[[step]]\nallreduce = 8";
        let plan = planned(text, "aws-c5n-18xlarge", &[4, 16, 32]);
        let extrapolated: Vec<bool> = plan.points.iter().map(Point::is_extrapolated).collect();
        assert_eq!(extrapolated, [true, true, false]);
        let warns = |warning: &String| warning.ends_with("allreduce, at p = 4 to 16.");
        assert!(plan.warnings.iter().any(warns), "{:?}", plan.warnings);
    }

    #[test]
    fn a_what_if_without_parameters_warns() {
        let sketch = Sketch::read("[[step]]\nbcast = 8").unwrap();
        let what_if = WhatIf { latency: 0.5, ..WhatIf::default() };
        for (name, warns) in [("ibm-sp2", true), ("cray-t3d", false)] {
            let machine = library::load(name).unwrap();
            let request = Request { what_if, ..Request::of(&sketch, &machine) };
            let plan = request.over(&[Procs(16)]).unwrap();
            let has_no_effect = |warning: &String| warning.starts_with("The what-if has no effect");
            assert_eq!(plan.warnings.iter().any(has_no_effect), warns, "{name}");
        }
    }

    #[test]
    fn a_plan_warns_of_its_limits() {
        let text = "[grid]\ncells = [1000, 1000]\n[[step]]\nhalo = \"8 * face\"\nduring = \"1ns * cells\"\n[[step]]\nallreduce = 8";
        let plan = planned(text, "now-sparc", &[1, 3, 1 << 20]);
        assert!(plan.warnings.iter().any(|warning| warning.contains("do not divide")));
        assert!(
            plan.warnings
                .iter()
                .any(|warning| warning.contains("No collective operation was measured"))
        );
        let beyond: Vec<bool> = plan.points.iter().map(|point| point.extrapolates).collect();
        assert_eq!(beyond, [false, true, true]);
        assert!((plan.points[0].efficiency - 1.0).abs() < 1e-9);
        assert!(plan.communication_bound_from.is_some());
    }
}
