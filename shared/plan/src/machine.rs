//! A machine for plans: signature, simulation model, and values for unknown parameters.

use super::cache::{Cache, MachineId, RunKey};
use super::cost::Breakdown;
use super::error::PlanError;
use super::handshake::assume_sender_pushes;
use super::intra_node;
use loggia_model::Error;

use loggia_model::model::Route;
use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, ProgressKind, Reach, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Interval, IntervalEnd, MicrosPerByte, Procs};
use loggia_schedule::explain::Part;
use loggia_schedule::schedule::Schedule;
use loggia_simulate::assumed::assume_costs;
use loggia_simulate::program::reported_compute;
use loggia_simulate::{RunSetting, Simulation};
use std::rc::Rc;

/// Name of the simulation model if message parameters are unknown.
pub const NO_RULES: &str = "none";

/// A signature with a simulation model, and with values for unknown parameters.
#[derive(Debug)]
pub struct Machine {
    signature: Signature,
    /// The signature without assumed values.
    reported: Option<Signature>,
    tier: Option<String>,
    style: Option<String>,
    /// `None` if only collective operations are known.
    rules: Option<SimulationModel>,
    /// The machine that skew between ranks is computed on, if it is another one.
    pub(super) skew_of: Option<Rc<Machine>>,
    /// The end of its intervals that the machine is at; [`skew_of`](Self::skew_of) has the values
    /// between.
    pub(super) end: Option<IntervalEnd>,
    /// t_c, if it is assumed.
    compute: Option<MicrosPerByte>,
    /// Warnings about values assumed for unknown parameters.
    pub warnings: Vec<String>,
    /// Shared cache, and this machine's number in it.
    pub(super) cache: Rc<Cache>,
    pub(super) id: MachineId,
    /// Whether the parts of a time are needed.
    has_parts: bool,
}

impl Machine {
    /// Tier and send mode of a signature, by default with the richest simulation model.
    ///
    /// # Errors
    /// If it has no point-to-point parameters.
    pub fn new(
        signature: &Signature,
        tier: Option<&str>,
        style: Option<&str>,
        rules: Option<SimulationModel>,
    ) -> Result<Self, Error> {
        Machine::with_cache(&Rc::default(), signature, tier, style, rules)
    }

    /// As [`new`](Self::new), with a shared cache.
    ///
    /// # Errors
    /// If it has no point-to-point parameters.
    pub fn with_cache(
        cache: &Rc<Cache>,
        signature: &Signature,
        tier: Option<&str>,
        style: Option<&str>,
        rules: Option<SimulationModel>,
    ) -> Result<Self, Error> {
        let reported = signature;
        let mut signature = signature.clone();
        let mut warnings = Vec::new();
        let rules = match signature.tiers.is_empty() && !signature.collectives.is_empty() {
            true => None,
            false => {
                let name = signature.tier(tier)?.name.clone();
                warnings.extend(assume_costs(&mut signature, &name, style)?);
                let route = Route::of(&signature, tier, style)?;
                let rules = rules.map_or_else(|| SimulationModel::richest(&route), Ok)?;
                warnings.extend(rules.remark(&route));
                if rules == SimulationModel::LogGpo {
                    warnings.extend(route.assumed_overheads().map(|warning| warning.to_string()));
                    warnings.extend(assume_sender_pushes(&mut signature, &name));
                }
                warnings.extend(intra_node::fill_tiers(&mut signature, &name, style, rules));
                // The same holds before a change.
                if let Some(mut before) = signature.before_change() {
                    if rules == SimulationModel::LogGpo {
                        assume_sender_pushes(&mut before, &name);
                    }
                    intra_node::fill_tiers(&mut before, &name, style, rules);
                    signature.tiers_before_change = before.tiers;
                }
                Some(rules)
            }
        };
        let rules_name = rules.map_or(NO_RULES, SimulationModel::name);
        let id = cache.machine(reported, (tier, style, rules_name), None);
        let (tier, style) = (tier.map(str::to_owned), style.map(str::to_owned));
        let reported = (signature != *reported).then(|| reported.clone());
        Ok(Machine {
            signature,
            reported,
            tier,
            style,
            rules,
            skew_of: None,
            end: None,
            compute: None,
            warnings,
            cache: Rc::clone(cache),
            id,
            has_parts: true,
        })
    }

    /// The machine with this t_c.
    #[must_use]
    pub(super) fn with_operator_time(self, each: MicrosPerByte) -> Self {
        let signature = self.reported.as_ref().unwrap_or(&self.signature);
        let tier_style_rules = (self.tier.as_deref(), self.style.as_deref(), self.rules_name());
        let id = self.cache.machine(signature, tier_style_rules, Some(each));
        Machine { compute: Some(each), id, ..self }
    }

    /// Sets the signature without assumed values, and the warnings about these values.
    #[must_use]
    pub(super) fn reported_as(self, reported: Option<Signature>, warnings: &[String]) -> Self {
        Machine { reported, warnings: warnings.to_vec(), ..self }
    }

    /// Uses the skew between ranks of another machine.
    #[must_use]
    pub(super) fn with_skew_of(self, usual: &Rc<Machine>) -> Self {
        Machine { skew_of: Some(Rc::clone(usual)), ..self }
    }

    /// The machine is at this end of the intervals of another one.
    #[must_use]
    pub(super) fn at_end_of(self, usual: &Rc<Machine>, end: IntervalEnd) -> Self {
        Machine { end: Some(end), ..self.with_skew_of(usual) }
    }

    /// t_c of an operation.
    pub(super) fn compute(&self, op: Operation, procs: Procs) -> MicrosPerByte {
        self.compute.unwrap_or_else(|| reported_compute(Some(&self.signature), op, procs))
    }

    /// t_c, if it is assumed.
    pub(super) fn assumed_compute(&self) -> Option<MicrosPerByte> {
        self.compute
    }

    /// Without the parts of times: faster, and all time counts as waiting.
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
    pub fn rules(&self) -> Option<SimulationModel> {
        self.rules
    }

    /// Name of the simulation model.
    pub fn rules_name(&self) -> &'static str {
        self.rules.map_or(NO_RULES, SimulationModel::name)
    }

    /// Whether messages progress while a rank computes.
    pub fn has_independent_progress(&self) -> bool {
        let tier = self.signature.tier(self.tier.as_deref()).ok();
        let kind = tier.and_then(|tier| tier.progress.as_ref()?.kind);
        kind == Some(ProgressKind::Independent)
    }

    /// Whether the placement of ranks has an effect.
    pub(super) fn has_nodes(&self, each: Option<u32>) -> bool {
        let has = |reach| self.signature.tiers.iter().any(|tier| tier.reach == reach);
        each.is_some() && has(Reach::Inter) && (has(Reach::Intra) || self.card().is_some())
    }

    /// 1/R_N, if the simulation model has network cards.
    pub(super) fn card(&self) -> Option<Interval<MicrosPerByte>> {
        let (tier, style) = (self.tier.as_deref(), self.style.as_deref());
        let card = Route::of(&self.signature, tier, style).ok()?.node_gap_per_byte()?;
        let has_cards = !matches!(self.rules?, SimulationModel::LogGops | SimulationModel::LogP);
        has_cards.then_some(card)
    }

    /// Placement of ranks, if it has an effect.
    pub(super) fn nodes(&self, procs: Procs, each: Option<u32>) -> Option<Rc<Nodes>> {
        self.cache.nodes(procs, each.filter(|_| self.has_nodes(each))?)
    }

    /// Simulates a schedule, unless its result is cached. `None` if the schedule is too long.
    pub(super) fn run(
        &self,
        key: RunKey,
        nodes: Option<&Nodes>,
        write: impl FnOnce() -> Result<Option<Schedule>, Error>,
    ) -> Result<Option<Breakdown>, Error> {
        self.cache.run(self.id, key.with_parts(self.has_parts), || {
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
        let end = run.end();
        let of = |part: Part| {
            let ticks = end.share(part).ticks;
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
