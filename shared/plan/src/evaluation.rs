//! How a plan is found: point by point, on the machine as it is, at its bounds, changed, and with
//! what it may lack.

use super::assumption::{self, Assumption, WorstCase, apart};
use super::collective::Basis;
use super::concrete::{ConcreteStep, Scope};
use super::cost::{Breakdown, Deployment, StepCost, own};
use super::machine::Machine;
use super::plan::{
    AlgorithmChoice, CHANGES, Improvement, Method, Plan, Point, Request, Scaling, SumCheck,
};
use super::sketch::GridExtent;
use loggia_model::Error;
use loggia_model::bounds::End;
use loggia_model::rules::Rules;
use loggia_model::signature::Signature;
use loggia_model::units::words::{number, size};
use loggia_model::units::{Micros, Procs};
use std::rc::Rc;

/// Where sums and runs are further apart, sums are not to be trusted more closely.
const FAR: f64 = 0.1;

/// Times that differ by no more than this part are the same.
const EQUAL: f64 = 1e-9;

/// A plan on its way.
pub(super) struct Evaluation<'a> {
    ask: &'a Request<'a>,
    usual: Rc<Machine>,
    /// As good, and as bad, as it may be.
    ends: Vec<Machine>,
    changed: Vec<(&'static str, Machine)>,
    is_whole: bool,
}

/// The sketch on so many ranks.
struct Instance<'a> {
    procs: Procs,
    names: Scope<'a>,
    steps: Vec<ConcreteStep>,
}

/// The time that others are compared with.
struct Baseline {
    procs: Procs,
    time: f64,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(ask: &'a Request<'a>, is_whole: bool) -> Result<Self, Error> {
        let machine = |signature: &Signature| {
            Machine::within(&ask.cache, signature, ask.tier, ask.style, ask.rules)
        };
        let like = |signature: &Signature| {
            if ask.what_if.is_nothing() {
                return machine(signature);
            }
            let before = Rc::new(machine(signature)?.without_parts());
            Ok(machine(&ask.what_if.applied(signature))?.changed_from(before))
        };
        let usual = Rc::new(like(ask.machine)?);
        let mut asking = Evaluation { ask, usual, ends: Vec::new(), changed: Vec::new(), is_whole };
        if !is_whole {
            return Ok(asking);
        }
        // Of the others only their times are asked.
        for end in [End::Low, End::High] {
            let at_end = like(&ask.machine.at_end(end))?.without_parts();
            asking.ends.push(at_end.like(&asking.usual));
        }
        for (change, what_if) in CHANGES {
            // Of messages nothing is known that could change.
            if asking.usual.rules().is_none() {
                break;
            }
            let changed = machine(&what_if.applied(asking.usual.signature()))?.without_parts();
            let changed = changed.changed_from(Rc::clone(&asking.usual)).like(&asking.usual);
            // Who moves messages on matters by these rules alone.
            if what_if.progress.is_none() || changed.rules() == Some(Rules::LogGpo) {
                asking.changed.push((change, changed));
            }
        }
        Ok(asking)
    }

    pub(super) fn plan(&self, procs: &[Procs]) -> Result<Plan, Error> {
        let instances =
            procs.iter().map(|procs| self.instance(*procs)).collect::<Result<Vec<_>, _>>()?;
        let mut warnings = self.usual.doubts.clone();
        let base = self.base(&instances)?;
        if let Some(base) = &base
            && base.procs.0 > 1
        {
            warnings.push(format!(
                "on a single rank this sketch has no number: efficiency is told against {}",
                base.procs.ranks()
            ));
        }
        let scaling = self.scaling(&instances);
        let measured = measured(self.ask.machine);
        let mut points = Vec::new();
        let mut meeting = None;
        for instance in &instances {
            let (point, met) = self.point(instance)?;
            meeting = met.or(meeting);
            let efficiency = base.as_ref().map_or(1.0, |base| {
                let more = match scaling {
                    Scaling::Strong => instance.procs.count() / base.procs.count(),
                    Scaling::Weak => 1.0,
                };
                // What takes no time is done as well by any number of ranks.
                if point.time_us.0 > 0.0 { base.time / (more * point.time_us.0) } else { 1.0 }
            });
            points.push(Point { efficiency, extrapolates: instance.procs > measured, ..point });
        }
        let is_overtaken = |point: &&Point| point.parts.compute < point.time_us.0 / 2.0;
        let overtaken_from = points.iter().find(is_overtaken).map(|point| point.procs);
        warnings.extend(uneven(&instances));
        warnings.extend(self.layers(&instances));
        warnings.extend(far(meeting.as_ref()));
        if points.iter().any(|point| point.extrapolates) {
            warnings.push(format!(
                "nothing was measured there on more than {}: how messages of many get into each \
                 other's way is not known",
                measured.ranks()
            ));
        }
        warnings.extend(beyond(&points));
        warnings.extend(self.unmeasured(&points));
        let missing = match (self.is_whole, instances.last(), points.last()) {
            (true, Some(instance), Some(point)) if point.time_us.0 > 0.0 => {
                self.missing(instance, point)
            }
            _ => Vec::new(),
        };
        Ok(Plan {
            machine: self.ask.machine.name.clone(),
            rules: self.usual.rules_name(),
            iterations: self.ask.sketch.iterations,
            scaling,
            algorithms: chosen(&points),
            points,
            meeting,
            missing,
            overtaken_from,
            measured_procs: measured,
            warnings,
        })
    }

    /// A number of ranks, without its efficiency; and where run and sum meet on it.
    fn point(&self, instance: &Instance) -> Result<(Point, Option<SumCheck>), Error> {
        let (sum, steps) = self.sum(&self.usual, instance, &instance.steps)?;
        let simulated = self.simulated(&self.usual, instance, &instance.steps)?;
        let meeting =
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
        let decomposition = instance.names.decomposition();
        let point = Point {
            procs: instance.procs,
            time_us: Micros(time),
            low_us: Micros(bounds.0),
            high_us: Micros(bounds.1),
            total_us: Micros(time * self.ask.sketch.iterations as f64),
            efficiency: 1.0,
            by,
            parts,
            steps,
            block: decomposition.map(|decomposition| decomposition.block.clone()),
            ranks: decomposition.map(|decomposition| decomposition.ranks.clone()),
            what_if,
            extrapolates: false,
            beyond: if self.is_whole { self.usual.beyond(&instance.steps) } else { Vec::new() },
        };
        Ok((point, meeting))
    }

    /// What is off at the ends, and changes, is told by the same way as the usual time.
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
        // The same times may have been added up in another order.
        Ok(if (time - usual).abs() < EQUAL * usual { usual } else { time })
    }

    fn sum(
        &self,
        machine: &Machine,
        instance: &Instance,
        steps: &[ConcreteStep],
    ) -> Result<(Breakdown, Vec<StepCost>), Error> {
        let costs = self.place(machine, instance).costs(steps)?;
        let all = costs.iter().map(|cost| cost.parts);
        let sum = all.fold(Breakdown::default(), |all, parts| all.with(parts, |a, b| a + b));
        Ok((sum, costs))
    }

    /// The run of the whole, if it is short: an iteration, on average.
    fn simulated(
        &self,
        machine: &Machine,
        instance: &Instance,
        steps: &[ConcreteStep],
    ) -> Result<Option<Breakdown>, Error> {
        if instance.procs.0 < 2 || instance.procs.0 > self.ask.simulated {
            return Ok(None);
        }
        let whole = self.place(machine, instance).simulated(steps)?;
        Ok(whole.map(|whole| whole.mean(self.ask.sketch.iterations)))
    }

    fn place<'p>(&self, machine: &'p Machine, instance: &'p Instance) -> Deployment<'p> {
        Deployment {
            machine,
            procs: instance.procs,
            ranks_per_node: self.ask.each(),
            decomposition: instance.names.decomposition(),
            iterations: self.ask.sketch.iterations,
        }
    }

    /// What the sketch does on so many ranks, whatever the machine.
    fn instance(&self, procs: Procs) -> Result<Instance<'a>, Error> {
        let names = Scope::new(self.ask.sketch, procs, self.ask.each(), self.ask.open)?;
        Ok(Instance { procs, steps: names.steps()?, names })
    }

    /// A single rank, or, where the sketch makes no sense on one, the fewest that were asked.
    fn base(&self, instances: &[Instance]) -> Result<Option<Baseline>, Error> {
        let of = |instance: &Instance| {
            let time = self.sum(&self.usual, instance, &instance.steps)?.0.total();
            Ok::<_, Error>(Baseline { procs: instance.procs, time })
        };
        match (self.instance(Procs(1)), instances.first()) {
            (Ok(alone), _) => of(&alone).map(Some),
            (Err(_), Some(fewest)) => of(fewest).map(Some),
            (Err(error), None) => Err(error),
        }
    }

    /// Whether a rank has less to compute where there are more of them.
    fn scaling(&self, instances: &[Instance]) -> Scaling {
        match &self.ask.sketch.grid {
            Some(grid) if grid.of == GridExtent::Global => Scaling::Strong,
            Some(_) => Scaling::Weak,
            None => {
                let alone = self.instance(Procs(1)).map(|instance| own(&instance.steps)).ok();
                let alone =
                    alone.or_else(|| instances.first().map(|instance| own(&instance.steps)));
                let most = instances.last().map(|instance| own(&instance.steps));
                let is_less = most < alone.map(|alone| alone * 0.99);
                if is_less { Scaling::Strong } else { Scaling::Weak }
            }
        }
    }

    /// What is not reported, and what it would change on so many ranks.
    fn missing(&self, instance: &Instance, point: &Point) -> Vec<Assumption> {
        let asked = assumption::AssumptionQuery {
            machine: &self.usual,
            has_rules: self.ask.rules.is_some(),
            ranks_per_node: self.ask.each(),
            steps: &instance.steps,
        };
        let machine = |signature: &Signature| {
            let ask = self.ask;
            let machine = Machine::within(&ask.cache, signature, ask.tier, ask.style, ask.rules)?;
            Ok::<_, Error>(machine.without_parts())
        };
        let from_usual =
            |machine: Machine| machine.changed_from(Rc::clone(&self.usual)).like(&self.usual);
        let usual = (point.by, point.time_us.0);
        let mut found = Vec::new();
        for lack in asked.lacks() {
            let as_usual = || machine(self.usual.signature());
            let (worst, steps) = match lack.worst {
                WorstCase::Machine(signature) => (machine(&signature), None),
                WorstCase::Combining(each) => {
                    (as_usual().map(|machine| machine.combining(each)), None)
                }
                WorstCase::NoOverlap => (as_usual(), Some(apart(&instance.steps))),
            };
            let steps = steps.as_deref().unwrap_or(&instance.steps);
            // What else it would have to be known for is no error of the plan.
            let time =
                worst.and_then(|worst| self.time(&from_usual(worst), instance, steps, usual));
            let Ok(time) = time else { continue };
            // What would be faster so, as handshakes that spare a copy, is no worse than now.
            let time = time.max(point.time_us.0);
            found.push(Assumption {
                parameter: lack.parameter,
                now: lack.now,
                otherwise: lack.otherwise,
                origin: lack.origin.to_owned(),
                procs: instance.procs,
                time_us: Micros(time),
                more: time / point.time_us.0 - 1.0,
            });
        }
        found
    }

    /// Which operations were not measured there, and which are estimates.
    fn unmeasured(&self, points: &[Point]) -> Vec<String> {
        let steps = || points.iter().flat_map(|point| &point.steps);
        let mut warnings = Vec::new();
        if self.ask.machine.collectives.is_empty() && self.ask.sketch.has_collectives() {
            warnings.push(
                "no collective operation was measured there: they cost what their algorithms do"
                    .to_owned(),
            );
        }
        let is_estimate = |step: &StepCost| step.from == Some(Basis::Estimate);
        let first = points.iter().find(|point| point.steps.iter().any(is_estimate));
        if let Some(first) = first {
            let mut names: Vec<&str> = steps()
                .filter(|step| is_estimate(step))
                .filter_map(|step| step.what.split(',').next())
                .collect();
            names.sort_unstable();
            names.dedup();
            warnings.push(format!(
                "from {} on {} is an estimate: the closed forms are exact by the rules of loggp on \
                 one tier alone",
                first.procs.ranks(),
                names.join(", ")
            ));
        }
        warnings
    }

    /// What a wavefront does where a third dimension is divided.
    fn layers(&self, instances: &[Instance]) -> Option<String> {
        let layers = |instance: &Instance| {
            let decomposition =
                instance.names.decomposition().filter(|_| has_wavefront(&instance.steps))?;
            decomposition.ranks.get(2).copied().filter(|layers| *layers > 1)
        };
        let first = instances.iter().find(|instance| layers(instance).is_some())?;
        Some(format!(
            "from {} on the third dimension is divided, too: a wavefront goes along the first two, \
             in all layers at once",
            first.procs.ranks()
        ))
    }
}

fn has_wavefront(steps: &[ConcreteStep]) -> bool {
    use super::concrete::ConcreteAction;
    steps.iter().any(|step| match &step.what {
        ConcreteAction::Steps(steps) => has_wavefront(steps),
        what => matches!(what, ConcreteAction::Wavefront { .. }),
    })
}

/// Where another way becomes the best, of each collective operation.
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

/// On how many ranks something was measured, at most.
fn measured(machine: &Signature) -> Procs {
    let forms = machine.collectives.iter().map(|form| form.procs.high.0);
    let samples = machine.samples.iter().filter_map(|samples| samples.procs).map(|procs| procs.0);
    let run = machine.collection.as_ref().map(|collection| collection.ranks);
    Procs(forms.chain(samples).chain(run).max().unwrap_or(2).max(2))
}

/// What is to be known of where runs and sums meet.
fn far(meeting: Option<&SumCheck>) -> Option<String> {
    let meeting = meeting?;
    let off = meeting.sum_us.0 / meeting.simulated_us.0 - 1.0;
    (off.abs() > FAR).then(|| {
        format!(
            "on {} the steps added up are {:+.0}% off the run of the whole: beyond, they may be off \
             as much (--simulate {} would run more)",
            meeting.procs.ranks(),
            off * 100.0,
            u64::from(meeting.procs.0) * 4
        )
    })
}

/// What is done where a grid cannot be divided evenly.
fn uneven(instances: &[Instance]) -> Vec<String> {
    let by = |all: Vec<String>| all.join(" × ");
    let told = |instance: &Instance| {
        let decomposition = instance.names.decomposition()?;
        let ranks = by(decomposition.ranks.iter().map(u32::to_string).collect());
        let block = by(decomposition.block.iter().map(|side| number(*side as f64, 9)).collect());
        Some((ranks, block))
    };
    let among = |is: &dyn Fn(&Instance) -> bool| {
        let found: Vec<&Instance> = instances.iter().filter(|instance| is(instance)).collect();
        let more = match found.len() {
            0 | 1 => String::new(),
            more => format!(" ({} more of these numbers of ranks neither)", more - 1),
        };
        Some((found.first().copied()?, more))
    };
    let mut warnings = Vec::new();
    let divided = |instance: &Instance, idle: bool| {
        instance.names.decomposition().is_some_and(|d| !d.is_even && d.has_idle == idle)
    };
    if let Some((instance, more)) = among(&|instance| divided(instance, false))
        && let Some((ranks, block)) = told(instance)
    {
        warnings.push(format!(
            "{} ranks, {ranks}, do not divide the grid evenly: all wait for the largest block, {block}{more}",
            instance.procs.0
        ));
    }
    if let Some((instance, _)) =
        among(&|instance| instance.names.decomposition().is_some_and(|d| d.has_idle))
        && let Some((ranks, _)) = told(instance)
    {
        warnings.push(format!(
            "{} ranks, {ranks}, are more than there are cells along a dimension: some have nothing to do",
            instance.procs.0
        ));
    }
    warnings
}

/// Of which sizes no message was measured there.
fn beyond(points: &[Point]) -> Option<String> {
    let with = || points.iter().filter(|point| !point.beyond.is_empty());
    let (first, last) = (with().next()?.procs.0, with().next_back()?.procs.0);
    let all = || with().flat_map(|point| &point.beyond);
    let (low, high) = (all().min()?, all().max()?);
    let sizes = if low == high { size(*low) } else { format!("{} to {}", size(*low), size(*high)) };
    let instance = if first == last { first.to_string() } else { format!("{first} to {last}") };
    Some(format!("nothing was measured there of messages of {sizes}, as on {instance} ranks"))
}
