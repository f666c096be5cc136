//! Unknown parameters of a machine: the value assumed for each, and the effect of the worst case.

use super::concrete::{ConcreteAction, ConcreteStep};
use super::handshake::{handshake, set_handshake};
use super::machine::Machine;
use loggia_model::model::{Model, Need, Route};
use loggia_model::signature::{
    Curve, Operation, Parameter, Reach, Signature, Style, Tier, Transfer,
};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::words::{number, time};
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_simulate::assumed::{SMALL, symbols};
use serde::{Deserialize, Serialize};

/// Worst case of an unknown G, in µs per byte: a slow network of today.
const SLOW_BYTE: MicrosPerByte = MicrosPerByte(0.01);
/// Worst case of an unknown t_c, in µs per byte: 8 ns for an addition of eight bytes.
const SLOW_SUM: MicrosPerByte = MicrosPerByte(0.001);

/// An unknown parameter, and the effect of its worst case on the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assumption {
    pub parameter: String,
    /// The value that the plan assumes.
    pub now: String,
    /// The worst case.
    pub otherwise: String,
    /// The measurement that determines it.
    pub origin: String,
    /// The number of ranks of `time_us`.
    pub procs: Procs,
    /// The time of an iteration in the worst case.
    pub time_us: Micros,
    /// The relative increase.
    pub more: f64,
}

/// An unknown parameter.
pub(super) struct AssumedParameter {
    pub(super) parameter: String,
    pub(super) now: String,
    pub(super) otherwise: String,
    pub(super) origin: &'static str,
    pub(super) worst: WorstCase,
}

/// The worst case of an unknown parameter.
pub(super) enum WorstCase {
    /// A machine with another signature.
    Machine(Box<Signature>),
    /// Another t_c.
    OperatorTime(MicrosPerByte),
    /// No computation overlaps communication.
    NoOverlap,
}

/// Input of the search for unknown parameters that affect a plan.
pub(super) struct AssumptionQuery<'a> {
    pub(super) machine: &'a Machine,
    /// Whether the user chose the simulation model; parameters of richer models have no effect
    /// then.
    pub(super) has_rules: bool,
    pub(super) ranks_per_node: Option<u32>,
    pub(super) steps: &'a [ConcreteStep],
}

impl AssumptionQuery<'_> {
    /// The unknown parameters that affect the plan.
    pub(super) fn unknown_parameters(&self) -> Vec<AssumedParameter> {
        let signature = self.machine.signature();
        let reported = self.machine.reported().unwrap_or(signature);
        let of = |signature| Route::of(signature, self.machine.tier(), self.machine.style()).ok();
        let (Some(known), Some(used)) = (of(reported), of(signature)) else {
            return self.operator_time().into_iter().collect();
        };
        let half_rtt = half_round_trip(&used);
        let all = [
            self.overheads(&known, half_rtt),
            self.gap(&known, half_rtt),
            self.gap_per_byte(&known),
            self.eager_limit(&known),
            self.transfer(&known),
            self.progress(),
            self.operator_time(),
            self.intra_node(&used),
            self.shared_network(&used),
        ];
        all.into_iter().flatten().collect()
    }

    /// The machine with a changed tier.
    fn with(&self, change: impl Fn(&mut Tier)) -> WorstCase {
        let mut signature = self.machine.signature().clone();
        let name = signature.tier(self.machine.tier()).map(|tier| tier.name.clone());
        let name = name.unwrap_or_default();
        for tier in signature.tiers_before_and_now().flatten().filter(|tier| tier.name == name) {
            change(tier);
        }
        WorstCase::Machine(Box::new(signature))
    }

    fn overheads(&self, known: &Route, half_rtt: Option<Micros>) -> Option<AssumedParameter> {
        if Model::LogGpo.is_possible(known) {
            return None;
        }
        let needs = [Need::SendOverhead, Need::RecvOverhead];
        let missing: Vec<Need> = needs.into_iter().filter(|need| !known.has(*need)).collect();
        let each = Micros(half_rtt?.0 / 2.0);
        let style = known.style.map(|style| style.name.clone());
        (!missing.is_empty()).then(|| AssumedParameter {
            parameter: symbols(&missing, ", "),
            now: "0, included in L".to_owned(),
            otherwise: format!("{} each, and L = 0", time(each)),
            origin: Need::SendOverhead.origin(),
            worst: self.with(|tier| {
                tier.latency = Some(Parameter::assumed(Micros(0.0)));
                let style = tier
                    .styles
                    .iter_mut()
                    .find(|known| style.as_ref().is_none_or(|name| known.name == *name));
                if let Some(style) = style {
                    style.send_overhead = Some(Curve::assumed(each));
                    style.recv_overhead = Some(Curve::assumed(each));
                }
            }),
        })
    }

    fn gap(&self, known: &Route, half_rtt: Option<Micros>) -> Option<AssumedParameter> {
        let gap = half_rtt?;
        (!known.has(Need::Gap)).then(|| AssumedParameter {
            parameter: Need::Gap.symbol().to_owned(),
            now: "0".to_owned(),
            otherwise: format!("RTT/2 = {}", time(gap)),
            origin: Need::Gap.origin(),
            worst: self.with(|tier| tier.gap = Some(Parameter::assumed(gap))),
        })
    }

    fn gap_per_byte(&self, known: &Route) -> Option<AssumedParameter> {
        let is_known = known.has(Need::GapPerByte) || known.has(Need::PerByte);
        (!is_known).then(|| AssumedParameter {
            parameter: Need::GapPerByte.symbol().to_owned(),
            now: "0".to_owned(),
            otherwise: format!("{} ns per byte, 100 MB/s", number(SLOW_BYTE.0 * 1e3, 3)),
            origin: Need::GapPerByte.origin(),
            worst: self.with(|tier| tier.gap_per_byte = Some(Parameter::assumed(SLOW_BYTE))),
        })
    }

    fn eager_limit(&self, known: &Route) -> Option<AssumedParameter> {
        (!known.has(Need::EagerLimit) && !self.has_rules).then(|| AssumedParameter {
            parameter: Need::EagerLimit.symbol().to_owned(),
            now: "all messages are eager".to_owned(),
            otherwise: "S = 0: every message waits for its receiver".to_owned(),
            origin: Need::EagerLimit.origin(),
            worst: WorstCase::Machine(Box::new(with_handshakes(self.machine.signature()))),
        })
    }

    fn transfer(&self, known: &Route) -> Option<AssumedParameter> {
        let has_handshakes = self.machine.rules() == Some(SimulationModel::LogGpo);
        let Some((limit, None)) = handshake(known.tier).filter(|_| has_handshakes) else {
            return None;
        };
        Some(AssumedParameter {
            parameter: "transfer above S".to_owned(),
            now: "RAT: the sender pushes".to_owned(),
            otherwise: "RTA: the receiver pulls".to_owned(),
            origin: Need::Transfer.origin(),
            worst: self.with(|tier| {
                let own = &mut tier.progress.get_or_insert_default().transfer;
                own.retain(|known| known.from <= limit);
                set_handshake(tier, Transfer::Rta);
            }),
        })
    }

    fn progress(&self) -> Option<AssumedParameter> {
        let is_known = self.machine.rules() == Some(SimulationModel::LogGpo) || self.has_rules;
        (!is_known && any(self.steps, &|step| step.during.0 > 0.0)).then(|| AssumedParameter {
            parameter: Need::ProgressKind.symbol().to_owned(),
            now: "messages progress while ranks compute".to_owned(),
            otherwise: "no overlap of communication and computation".to_owned(),
            origin: Need::ProgressKind.origin(),
            worst: WorstCase::NoOverlap,
        })
    }

    fn operator_time(&self) -> Option<AssumedParameter> {
        use Operation::{Allreduce, Reduce, ReduceScatter, Scan};
        let unknown = |step: &ConcreteStep| match &step.action {
            ConcreteAction::Collective { op, bytes, .. } => {
                matches!(op, Allreduce | Reduce | ReduceScatter | Scan)
                    && bytes.0 > 0
                    && self.machine.compute(*op, Procs(2)).0 == 0.0
            }
            _ => false,
        };
        any(self.steps, &unknown).then(|| AssumedParameter {
            parameter: "t_c".to_owned(),
            now: "0".to_owned(),
            otherwise: format!("{} ns per byte", number(SLOW_SUM.0 * 1e3, 3)),
            origin: "a reduction of many bytes, as in Touriño & Doallo 2001",
            worst: WorstCase::OperatorTime(SLOW_SUM),
        })
    }

    /// The tier inside a node, if ranks share nodes.
    fn intra_node(&self, used: &Route) -> Option<AssumedParameter> {
        let share_nodes = self.ranks_per_node.is_some_and(|each| each > 1);
        if !share_nodes {
            return None;
        }
        let other = match used.tier.reach {
            Reach::Inter => Reach::Intra,
            Reach::Intra => Reach::Inter,
        };
        // Costs between nodes have no upper bound, and so no worst case.
        if other == Reach::Inter || used.signature.tiers.iter().any(|tier| tier.reach == other) {
            return None;
        }
        Some(AssumedParameter {
            parameter: "messages inside a node".to_owned(),
            now: "as slow as between nodes".to_owned(),
            otherwise: "free".to_owned(),
            origin: Need::SecondTier.origin(),
            worst: WorstCase::Machine(Box::new(with_free_intra_node(self.machine.signature()))),
        })
    }

    /// G is measured with one pair of ranks; in a plan all ranks of a node may send at once.
    fn shared_network(&self, used: &Route) -> Option<AssumedParameter> {
        if self.machine.card().is_some() {
            return None;
        }
        let each = self.ranks_per_node.filter(|each| *each > 1)?;
        let per_byte = used.gap_per_byte()?.value;
        (used.tier.reach == Reach::Inter).then(|| AssumedParameter {
            parameter: "contention for a node's network".to_owned(),
            now: "none".to_owned(),
            otherwise: format!("{each} ranks of a node share the bandwidth of one"),
            origin: "a bandwidth test of several pairs at once, such as osu_mbw_mr",
            worst: self.with(|tier| tier.node_gap_per_byte = Some(Parameter::assumed(per_byte))),
        })
    }
}

fn with_handshakes(signature: &Signature) -> Signature {
    let mut signature = signature.clone();
    for tier in signature.tiers_before_and_now().flatten() {
        let progress = tier.progress.get_or_insert_default();
        progress.eager_limit = Some(Parameter::assumed(Bytes(0)));
        tier.styles.iter_mut().for_each(|style| style.eager_limit = None);
    }
    signature
}

fn with_free_intra_node(signature: &Signature) -> Signature {
    let mut signature = signature.clone();
    let zero = || Some(Curve::assumed(Micros(0.0)));
    let style = Style { send_overhead: zero(), recv_overhead: zero(), ..Style::unknown("send") };
    for tiers in signature.tiers_before_and_now() {
        tiers.push(Tier {
            reach: Reach::Intra,
            latency: Some(Parameter::assumed(Micros(0.0))),
            gap: Some(Parameter::assumed(Micros(0.0))),
            gap_per_byte: Some(Parameter::assumed(MicrosPerByte(0.0))),
            progress: tiers.first().and_then(|tier| tier.progress.clone()),
            styles: vec![style.clone()],
            ..Tier::unknown("inside a node")
        });
    }
    signature
}

fn any(steps: &[ConcreteStep], matches: &dyn Fn(&ConcreteStep) -> bool) -> bool {
    steps.iter().any(|step| match &step.action {
        ConcreteAction::Steps(steps) => any(steps, matches),
        _ => matches(step),
    })
}

/// The steps without overlap: each computes before it communicates.
pub(super) fn without_overlap(steps: &[ConcreteStep]) -> Vec<ConcreteStep> {
    let separate = |step: &ConcreteStep| {
        if let ConcreteAction::Steps(steps) = &step.action {
            return ConcreteStep {
                action: ConcreteAction::Steps(without_overlap(steps)),
                ..step.clone()
            };
        }
        let computation = ConcreteStep {
            action: ConcreteAction::Compute(step.during),
            during: Micros(0.0),
            ..step.alone()
        };
        let communication = ConcreteStep { during: Micros(0.0), ..step.alone() };
        match step.during.0 > 0.0 {
            true => ConcreteStep {
                action: ConcreteAction::Steps(vec![computation, communication]),
                during: Micros(0.0),
                ..step.clone()
            },
            false => step.clone(),
        }
    };
    steps.iter().map(separate).collect()
}

/// RTT/2 of a small message.
fn half_round_trip(route: &Route) -> Option<Micros> {
    let measured = route.end_to_end_latency().or_else(|| route.startup()).map(|time| time.value);
    measured.or_else(|| {
        let overhead = |at: Option<loggia_model::signature::At>| Some(at?.time.value.0);
        let (sent, received) = (route.send_overhead(SMALL), route.recv_overhead(SMALL));
        Some(Micros(route.latency()?.value.0 + overhead(sent)? + overhead(received)?))
    })
}
