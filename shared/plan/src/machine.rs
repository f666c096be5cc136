//! A machine for plans: simulation model, and values for unknown parameters.

use super::cache::{Cache, MachineId, RunKey};
use super::cost::Breakdown;
use super::error::PlanError;
use super::intra_node;
use super::substitute::{push_above, stand_in};
use loggia_model::Error;

use loggia_model::model::Route;
use loggia_model::placement::Nodes;
use loggia_model::rules::Rules;
use loggia_model::signature::{Operation, ProgressKind, Reach, Signature};
use loggia_model::units::{Interval, IntervalEnd, MicrosPerByte, Procs};
use loggia_schedule::explain::Part;
use loggia_schedule::schedule::Schedule;
use loggia_simulate::program::reported_compute;
use loggia_simulate::{RunSetting, Simulation};
use std::rc::Rc;

/// Name of the simulation model if message parameters are unknown.
pub const NO_RULES: &str = "none";

/// A signature with all that a plan asks of it.
#[derive(Debug)]
pub struct Machine {
    signature: Signature,
    /// The signature without assumed values.
    reported: Option<Signature>,
    tier: Option<String>,
    style: Option<String>,
    /// `None` if only collective operations are known.
    rules: Option<Rules>,
    /// The machine before a what-if.
    pub(super) before: Option<Rc<Machine>>,
    /// A machine with the same skew between ranks.
    pub(super) alike: Option<Rc<Machine>>,
    /// The end of its intervals at which the machine is; [`alike`](Self::alike) is not.
    pub(super) end: Option<IntervalEnd>,
    /// t_c, if that is assumed.
    compute: Option<MicrosPerByte>,
    /// Warnings about values assumed for unknown parameters.
    pub doubts: Vec<String>,
    /// Shared cache, and this machine's number in it.
    pub(super) cache: Rc<Cache>,
    pub(super) id: MachineId,
    /// Number in the cache of a machine with the same costs of messages.
    pub(super) prices: MachineId,
    /// Whether it matters what times are made of.
    has_parts: bool,
}

impl Machine {
    /// A signature's tier and style, by the richest rules that it allows.
    ///
    /// # Errors
    /// If it has no point-to-point parameters.
    pub fn new(
        signature: &Signature,
        tier: Option<&str>,
        style: Option<&str>,
        rules: Option<Rules>,
    ) -> Result<Self, Error> {
        Machine::within(&Rc::default(), signature, tier, style, rules)
    }

    /// The same, which remembers with others what was run.
    ///
    /// # Errors
    /// If it has no point-to-point parameters.
    pub fn within(
        cache: &Rc<Cache>,
        signature: &Signature,
        tier: Option<&str>,
        style: Option<&str>,
        rules: Option<Rules>,
    ) -> Result<Self, Error> {
        let reported = signature;
        let mut signature = signature.clone();
        let mut doubts = Vec::new();
        let rules = match signature.tiers.is_empty() && !signature.collectives.is_empty() {
            true => None,
            false => {
                let name = signature.tier(tier)?.name.clone();
                doubts.extend(stand_in(&mut signature, &name, style)?);
                let route = Route::of(&signature, tier, style)?;
                let rules = rules.map_or_else(|| Rules::richest(&route), Ok)?;
                doubts.extend(rules.remark(&route));
                if rules == Rules::LogGpo {
                    doubts.extend(push_above(&mut signature, &name));
                }
                doubts.extend(intra_node::lend(&mut signature, &name, style, rules));
                Some(rules)
            }
        };
        let by = rules.map_or(NO_RULES, Rules::name);
        let id = cache.machine(reported, (tier, style, by), None);
        let (tier, style) = (tier.map(str::to_owned), style.map(str::to_owned));
        let reported = (signature != *reported).then(|| reported.clone());
        Ok(Machine {
            signature,
            reported,
            tier,
            style,
            rules,
            before: None,
            alike: None,
            end: None,
            compute: None,
            doubts,
            cache: Rc::clone(cache),
            id,
            prices: id,
            has_parts: true,
        })
    }

    /// The same machine with this t_c.
    #[must_use]
    pub(super) fn with_operator_time(self, each: MicrosPerByte) -> Self {
        let by = self.rules.map_or(NO_RULES, Rules::name);
        let of = self.reported.as_ref().unwrap_or(&self.signature);
        let way = (self.tier.as_deref(), self.style.as_deref(), by);
        let id = self.cache.machine(of, way, Some(each));
        Machine { compute: Some(each), id, prices: id, ..self }
    }

    /// Remembers the machine before a what-if.
    #[must_use]
    pub(super) fn changed_from(self, before: Rc<Machine>) -> Self {
        let prices = self.cache.changed(before.prices, self.id);
        Machine { before: Some(before), prices, ..self }
    }

    /// Reuses the skew between ranks of another machine.
    #[must_use]
    pub(super) fn like(self, usual: &Rc<Machine>) -> Self {
        Machine { alike: Some(Rc::clone(usual)), ..self }
    }

    /// At an end of the intervals of another machine.
    #[must_use]
    pub(super) fn at_end_of(self, usual: &Rc<Machine>, end: IntervalEnd) -> Self {
        Machine { end: Some(end), ..self.like(usual) }
    }

    /// t_c of an operation.
    pub(super) fn compute(&self, op: Operation, procs: Procs) -> MicrosPerByte {
        self.compute.unwrap_or_else(|| reported_compute(Some(&self.signature), op, procs))
    }

    /// t_c, if that is assumed.
    pub(super) fn assumed_compute(&self) -> Option<MicrosPerByte> {
        self.compute
    }

    /// Without parts of times: faster, and all communication counts as waiting.
    #[must_use]
    pub fn without_parts(self) -> Self {
        Machine { has_parts: false, ..self }
    }

    /// The signature with assumed values.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The signature without assumed values, if there are any.
    pub(super) fn reported(&self) -> Option<&Signature> {
        self.reported.as_ref()
    }

    pub(super) fn tier(&self) -> Option<&str> {
        self.tier.as_deref()
    }

    pub(super) fn style(&self) -> Option<&str> {
        self.style.as_deref()
    }

    /// The simulation model; `None` if message parameters are unknown.
    pub fn rules(&self) -> Option<Rules> {
        self.rules
    }

    /// Their name.
    pub fn rules_name(&self) -> &'static str {
        self.rules.map_or(NO_RULES, Rules::name)
    }

    /// Whether messages move on while a rank computes.
    pub fn moves_on(&self) -> bool {
        let tier = self.signature.tier(self.tier.as_deref()).ok();
        let kind = tier.and_then(|tier| tier.progress.as_ref()?.kind);
        kind == Some(ProgressKind::Independent)
    }

    /// Whether it matters which ranks share a node.
    pub(super) fn has_nodes(&self, each: Option<u32>) -> bool {
        let has = |reach| self.signature.tiers.iter().any(|tier| tier.reach == reach);
        each.is_some() && has(Reach::Inter) && (has(Reach::Intra) || self.card().is_some())
    }

    /// 1/R_N, where the rules know network cards.
    pub(super) fn card(&self) -> Option<Interval<MicrosPerByte>> {
        let (tier, style) = (self.tier.as_deref(), self.style.as_deref());
        let card = Route::of(&self.signature, tier, style).ok()?.node_gap_per_byte()?;
        let knows = !matches!(self.rules?, Rules::LogGops | Rules::LogP);
        knows.then_some(card)
    }

    /// Placement of ranks, if it matters.
    pub(super) fn nodes(&self, procs: Procs, each: Option<u32>) -> Option<Rc<Nodes>> {
        self.cache.nodes(procs, each.filter(|_| self.has_nodes(each))?)
    }

    /// Simulates a schedule; `words` are its cache key. `None` if it is too long.
    pub(super) fn run(
        &self,
        words: RunKey,
        nodes: Option<&Nodes>,
        write: impl FnOnce() -> Result<Option<Schedule>, Error>,
    ) -> Result<Option<Breakdown>, Error> {
        self.cache.run(self.id, words.with(self.has_parts), || {
            let Some(schedule) = write()? else { return Ok(None) };
            self.parts(&schedule, nodes).map(Some)
        })
    }

    fn parts(&self, schedule: &Schedule, nodes: Option<&Nodes>) -> Result<Breakdown, Error> {
        let Some(rules) = self.rules else {
            let machine = self.signature.name.clone();
            return Err(PlanError::NoPointToPoint { machine }.into());
        };
        let node_of = nodes.map(Nodes::of_all);
        let (tier, style) = (self.tier.as_deref(), self.style.as_deref());
        let setting = RunSetting::of(&self.signature, tier, style, node_of)?;
        let simulation = Simulation::new(schedule, rules, &setting)?;
        let stuck = || PlanError::Stuck.into();
        if !self.has_parts {
            let run = simulation.run();
            let end = simulation.micros(run.end());
            let parts = Breakdown { waiting: end.0, ..Breakdown::default() };
            return run.left.is_empty().then_some(parts).ok_or_else(stuck);
        }
        let run = simulation.traced();
        if !run.left.is_empty() {
            return Err(stuck());
        }
        let made = run.end();
        let of = |part: Part| {
            let ticks = made.share(part).ticks;
            simulation.micros(ticks.unsigned_abs()).0 * if ticks < 0 { -1.0 } else { 1.0 }
        };
        Ok(Breakdown {
            compute: of(Part::Compute),
            overhead: of(Part::Overhead) + of(Part::Control) + of(Part::OverheadBytes),
            latency: of(Part::Latency),
            gap: of(Part::Gap),
            bytes: of(Part::Bytes) + of(Part::Card),
            waiting: 0.0,
        })
    }
}
