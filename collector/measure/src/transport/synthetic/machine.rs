//! Placement of ranks, and all costs between them.

use super::noise::{CostKind, Noise, Random};
use crate::message_costs::{Sending, recv_overhead, send_overhead, style, transmission};
use crate::transport::{Arithmetic, Rank, RankInfo, Result};
use loggia_model::model::composition::Question;
use loggia_model::model::exchange::{Costs, MessageProtocol};
use loggia_model::model::{CONTROL, Need, Route, collective, loggpo};
use loggia_model::placement::Nodes;
use loggia_model::signature::{Mode, Operation, ProgressKind, Reach, Signature, Style, Tier};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Interval, Micros, MicrosPerByte, Procs};
use loggia_simulate::RunSetting;
use loggia_simulate::algorithm::AlgorithmModel;
use loggia_simulate::collective::{Algorithm, algorithms, named};

/// Conditions that are not part of a signature.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Ranks per node; by default 2 if the signature has both tiers.
    pub per_node: Option<u32>,
    /// A slow node, and the factor on the latency of its messages.
    pub slow_node: Option<(u32, f64)>,
    /// Cost of reading the clock, in µs.
    pub reading_clock: f64,
    /// Algorithms of operations without a closed form; by default the first algorithm.
    pub algorithms: Vec<(Operation, &'static str)>,
}

/// The machine that all ranks share.
pub(super) struct Machine {
    signature: Signature,
    pub(super) procs: Rank,
    per_node: u32,
    noise: Noise,
    pub(super) conditions: Conditions,
}

/// The costs of an eager message, with noise.
pub(super) struct Eager {
    /// o_s
    pub(super) overhead: f64,
    /// L
    pub(super) latency: f64,
    /// G (m−1)
    pub(super) bytes: f64,
    /// max(g, G (m−1)): the delay of the sender's next message.
    pub(super) hold: f64,
}

impl Machine {
    pub(super) fn new(
        signature: &Signature,
        procs: u32,
        noise: Noise,
        conditions: Conditions,
    ) -> Result<Self> {
        collective::check_procs(Procs(procs))?;
        let has = |reach| signature.tiers.iter().any(|tier| tier.reach == reach);
        let default = match (has(Reach::Inter), has(Reach::Intra)) {
            (true, true) => 2,
            (false, true) => procs,
            (_, false) => 1,
        };
        let per_node = conditions.per_node.unwrap_or(default).max(1);
        let signature = signature.clone();
        let machine = Machine { signature, procs, per_node, noise, conditions };
        for tier in &machine.signature.tiers {
            machine.check(tier)?;
        }
        for (op, name) in &machine.conditions.algorithms {
            named(*op, name)?;
        }
        Ok(machine)
    }

    /// Whether the tier has every cost of a message, in every send mode.
    fn check(&self, tier: &Tier) -> Result<()> {
        let route = Route { signature: &self.signature, tier, style: tier.styles.first() };
        let any_size = Bytes(1);
        let needs = [
            (Need::SendOverhead, send_overhead(&route, any_size).is_some()),
            (Need::RecvOverhead, recv_overhead(&route, any_size).is_some()),
            (Need::Latency, route.latency().is_some() || tier.reach == Reach::Intra),
        ];
        let missing: Vec<Need> =
            needs.into_iter().filter(|(_, known)| !known).map(|(need, _)| need).collect();
        if !missing.is_empty() {
            return Err(route.lacks("a synthetic machine", &missing));
        }
        // Sizes with a rendezvous, whose costs must be known.
        let sizes = tier.progress.iter().flat_map(|progress| &progress.transfer);
        for bytes in sizes.map(|from| from.from).chain([Bytes(u64::MAX)]) {
            if by_loggpo(&route, bytes).is_some_and(|protocol| protocol != MessageProtocol::Eager) {
                loggpo::costs(&route, bytes)?;
            }
        }
        Ok(())
    }

    pub(super) fn title(&self) -> &str {
        &self.signature.title
    }

    fn node_of(&self, rank: Rank) -> u32 {
        rank / self.per_node
    }

    pub(super) fn rank_info(&self, rank: Rank) -> RankInfo {
        let Noise { relative, outliers, outlier_factor, seed } = self.noise;
        let settings = [
            ("signature", self.signature.name.clone()),
            ("noise", relative.to_string()),
            ("outliers", format!("{outliers}, up to {outlier_factor} times as long")),
            ("seed", seed.to_string()),
        ];
        RankInfo {
            host: format!("node{}", self.node_of(rank)),
            library: Some("synthetic".to_owned()),
            cores: self.per_node,
            may_run_on: "any".to_owned(),
            settings: settings.map(|(name, value)| (name.to_owned(), value)).into(),
            clock: "virtual".to_owned(),
            ..RankInfo::default()
        }
    }

    pub(super) fn random(&self, of: CostKind, between: [Rank; 2], number: u64) -> Random {
        self.noise.random(of, between, number)
    }

    /// Standard sends are always supported, other modes if the signature has them, blocking or not.
    pub(super) fn can_send(&self, mode: Mode) -> bool {
        let styles = self.signature.tiers.iter().flat_map(|tier| &tier.styles);
        let named = |style: &Style| style.name.mpi().is_some_and(|(named, _)| named == mode);
        mode == Mode::Standard || styles.into_iter().any(named)
    }

    /// The route of a message, in the most similar send mode.
    pub(super) fn route(&self, [a, b]: [Rank; 2], sending: Sending) -> Result<Route<'_>> {
        let reach = match self.node_of(a) == self.node_of(b) {
            true => Reach::Intra,
            false => Reach::Inter,
        };
        let tiers = &self.signature.tiers;
        let tier = match tiers.iter().find(|tier| tier.reach == reach) {
            Some(tier) => tier,
            None => self.signature.tier(None)?,
        };
        Ok(Route { signature: &self.signature, tier, style: style(tier, sending) })
    }

    /// Factor on the latency between two ranks.
    fn slowness(&self, [a, b]: [Rank; 2]) -> f64 {
        match self.conditions.slow_node {
            Some((node, factor)) if [a, b].map(|rank| self.node_of(rank)).contains(&node) => factor,
            _ => 1.0,
        }
    }

    /// Costs of an eager message until it arrives.
    pub(super) fn eager(
        &self,
        route: &Route,
        between: [Rank; 2],
        bytes: Bytes,
        random: &mut Random,
    ) -> Eager {
        let slow = self.slowness(between);
        let overhead = send_overhead(route, bytes).unwrap_or_default() * random.with_outliers();
        let latency = value(route.latency()) * random.with_outliers() * slow;
        let [bytes, hold] = transmission(route, bytes).map(|time| time * slow);
        let factor = random.regular();
        Eager { overhead, latency, bytes: bytes * factor, hold: hold * factor }
    }

    /// Processor time of a receive.
    pub(super) fn receipt(&self, route: &Route, bytes: Bytes, random: &mut Random) -> f64 {
        recv_overhead(route, bytes).unwrap_or_default() * random.with_outliers()
    }

    /// Time until an acknowledgement arrives (o_s + L), and its cost (o_r).
    pub(super) fn acknowledgement(
        &self,
        route: &Route,
        between: [Rank; 2],
        random: &mut Random,
    ) -> [f64; 2] {
        let empty = Bytes(0);
        let control = route.control_overhead().map(|control| control.value.0);
        let send =
            control.or(send_overhead(route, empty)).unwrap_or_default() * random.with_outliers();
        let recv =
            control.or(recv_overhead(route, empty)).unwrap_or_default() * random.with_outliers();
        [send + value(route.latency()) * random.with_outliers() * self.slowness(between), recv]
    }

    /// Costs of a handshake, and the gap to the next message.
    pub(super) fn handshake(
        &self,
        route: &Route,
        between: [Rank; 2],
        bytes: Bytes,
        random: &mut Random,
    ) -> Result<(Costs, f64)> {
        let costs = match by_loggpo(route, bytes) {
            Some(_) => Costs { copy: Micros(0.0), ..loggpo::costs(route, bytes)?.0 },
            None => loggps_costs(route, bytes),
        };
        let slow = self.slowness(between);
        let [_, hold] = transmission(route, bytes);
        let latency = costs.latency * random.with_outliers() * slow;
        let control = costs.control * random.with_outliers();
        let initiation = costs.initiation * random.with_outliers();
        let factor = random.regular() * slow;
        let copy = costs.copy * random.with_outliers();
        Ok((
            Costs { control, initiation, copy, latency, bytes: costs.bytes * factor },
            hold * factor,
        ))
    }

    /// Cost of posting a receive for an unknown message.
    pub(super) fn posting(&self, between: [Rank; 2], bytes: Bytes) -> Result<f64> {
        let route = self.route(between, (Mode::Standard, false))?;
        Ok(match protocol(&route, bytes) {
            MessageProtocol::Eager => 0.0,
            _ if by_loggpo(&route, bytes).is_none() => loggps_costs(&route, bytes).control.0,
            MessageProtocol::Rat | MessageProtocol::Rta => {
                route.control_overhead().map_or(0.0, |time| time.value.0)
            }
        })
    }

    pub(super) fn has_collectives(&self) -> bool {
        !self.signature.collectives.is_empty() || !self.signature.tiers.is_empty()
    }

    /// Time of a collective operation: by its closed form, otherwise by an algorithm.
    pub(super) fn collective(
        &self,
        op: Operation,
        members: &[Rank],
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Result<f64> {
        if members.len() < 2 {
            return Ok(0.0);
        }
        match self.by_form(op, Procs(members.len() as u32), bytes, arithmetic) {
            Some(time) => Ok(time),
            None => self.by_algorithm(op, members, bytes),
        }
    }

    fn by_form(
        &self,
        op: Operation,
        procs: Procs,
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Option<f64> {
        let form = self.signature.collective(op)?;
        let whole = op.bytes_are().to_whole(op, procs, bytes as f64);
        let cost = collective::cost(form, procs, form.bytes_are.of_whole(op, procs, whole));
        let time = match arithmetic {
            Arithmetic::Sum => cost.prediction.time()?,
            Arithmetic::Empty => cost.startup? + cost.transmission?,
        };
        Some(time.0)
    }

    fn by_algorithm(&self, op: Operation, members: &[Rank], bytes: usize) -> Result<f64> {
        let procs = Procs(members.len() as u32);
        let chosen = self.conditions.algorithms.iter().find(|(chosen, _)| *chosen == op);
        let first = || algorithms(op).first().map_or("", |algorithm| algorithm.name);
        let algorithm: &Algorithm = named(op, chosen.map_or_else(first, |(_, name)| *name))?;
        let on_first =
            members.iter().filter(|rank| self.node_of(**rank) == self.node_of(0)).count();
        let nodes = Nodes::block(procs.0, on_first as u32)?;
        let tier = |reach| self.signature.tiers.iter().find(|tier| tier.reach == reach);
        let setting = match (tier(Reach::Inter), tier(Reach::Intra), nodes.count()) {
            (Some(_), Some(inside), 1) => {
                RunSetting::of(&self.signature, Some(&inside.name), None, None)
            }
            (Some(_), Some(_), _) => {
                RunSetting::of(&self.signature, None, None, Some(nodes.of_all()))
            }
            _ => RunSetting::of(&self.signature, None, None, None),
        }?;
        let model = AlgorithmModel {
            setting,
            nodes: Some(&nodes),
            compute: MicrosPerByte(0.0),
            rules: SimulationModel::LogGp,
        };
        let bytes = Bytes(bytes as u64);
        let question = Question { op, procs, bytes, bytes_are: op.bytes_are(), per_node: None };
        Ok(model.predict(&question, algorithm)?.time.value.0)
    }
}

/// The protocol of a message above S: that of LogGPO; otherwise the handshake of LogGPS, in which the
/// sender pushes.
pub(super) fn protocol(route: &Route, bytes: Bytes) -> MessageProtocol {
    let is_eager = route.eager_limit().is_none_or(|limit| bytes <= limit.value);
    let other = if is_eager { MessageProtocol::Eager } else { MessageProtocol::Rat };
    by_loggpo(route, bytes).unwrap_or(other)
}

/// The protocol of LogGPO, if progress and transfer are known.
fn by_loggpo(route: &Route, bytes: Bytes) -> Option<MessageProtocol> {
    kind(route)?;
    loggpo::protocol(route, bytes)
}

/// The kind of progress of a route, if known.
pub(super) fn kind(route: &Route) -> Option<ProgressKind> {
    route.tier.progress.as_ref()?.kind
}

/// The kind of progress of a handshake. If it is unknown, messages progress while ranks compute, as
/// in simulations by LogGPS.
pub(super) fn handshake_kind(route: &Route) -> ProgressKind {
    kind(route).unwrap_or(ProgressKind::Independent)
}

/// Names of the tiers whose S is known, but not their progress.
pub(super) fn tiers_of_assumed_progress(signature: &Signature) -> Vec<&str> {
    let is_assumed = |tier: &&Tier| {
        let route = Route { signature, tier, style: tier.styles.first() };
        kind(&route).is_none() && route.eager_limit().is_some()
    };
    signature.tiers.iter().filter(is_assumed).map(|tier| tier.name.as_str()).collect()
}

/// The costs of a handshake by LogGPS: o_s + L + o_r + (k−1)G + 2(o_s1 + L + o_r1). A step of the
/// handshake costs the mean of o_s1 and o_r1. The sender handles the acknowledgement, then sends.
fn loggps_costs(route: &Route, bytes: Bytes) -> Costs {
    let [send, recv, send_control, recv_control] = [
        send_overhead(route, bytes),
        recv_overhead(route, bytes),
        send_overhead(route, CONTROL),
        recv_overhead(route, CONTROL),
    ]
    .map(|time| Micros(time.unwrap_or_default()));
    let control = (send_control + recv_control) * 0.5;
    let [bytes, _] = transmission(route, bytes);
    Costs {
        control,
        initiation: control + send,
        copy: recv,
        latency: Micros(value(route.latency())),
        bytes: Micros(bytes),
    }
}

fn value(time: Option<Interval<Micros>>) -> f64 {
    time.map_or(0.0, |time| time.value.0)
}
