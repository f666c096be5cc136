//! Unknown parameters of a machine: the value assumed for each, and the effect of the worst case.

use super::concrete::{ConcreteAction, ConcreteStep};
use super::machine::Machine;
use super::substitute::{SMALL, handshake, shake_hands, symbols};
use loggia_model::model::{Need, Route};
use loggia_model::rules::Rules;
use loggia_model::signature::{
    Curve, Operation, Parameter, Reach, Signature, Style, Tier, Transfer,
};
use loggia_model::units::words::{number, time};
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use serde::{Deserialize, Serialize};

/// A worst case of an unknown G: a slow network of today.
const SLOW_BYTE: MicrosPerByte = MicrosPerByte(0.01);
/// A worst case of an unknown t_c: 8 ns for an addition of eight bytes.
const SLOW_SUM: MicrosPerByte = MicrosPerByte(0.001);

/// An unknown parameter, and how much its worst case changes the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assumption {
    pub parameter: String,
    /// The value that the plan assumes.
    pub now: String,
    /// The worst case.
    pub otherwise: String,
    /// The measurement that would tell.
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

/// The steps of a plan, for which unknown parameters of a machine matter.
pub(super) struct AssumptionQuery<'a> {
    pub(super) machine: &'a Machine,
    /// Whether the simulation model was chosen: parameters of richer models do not matter then.
    pub(super) has_rules: bool,
    pub(super) ranks_per_node: Option<u32>,
    pub(super) steps: &'a [ConcreteStep],
}

impl AssumptionQuery<'_> {
    /// The unknown parameters that matter.
    pub(super) fn lacks(&self) -> Vec<AssumedParameter> {
        let signature = self.machine.signature();
        let reported = self.machine.reported().unwrap_or(signature);
        let of = |signature| Route::of(signature, self.machine.tier(), self.machine.style()).ok();
        let (Some(known), Some(used)) = (of(reported), of(signature)) else {
            return self.operator_time().into_iter().collect();
        };
        let whole = half_round_trip(&used);
        let all = [
            self.overheads(&known, whole),
            self.gap(&known, whole),
            self.gap_per_byte(&known),
            self.eager_limit(&known),
            self.transfer(&known),
            self.progress(),
            self.operator_time(),
            self.inside(&used),
            self.shared_network(&used),
        ];
        all.into_iter().flatten().collect()
    }

    /// The machine with a changed tier.
    fn with(&self, change: impl FnOnce(&mut Tier)) -> WorstCase {
        let mut signature = self.machine.signature().clone();
        let name = signature.tier(self.machine.tier()).map(|tier| tier.name.clone());
        let name = name.unwrap_or_default();
        if let Some(tier) = signature.tiers.iter_mut().find(|tier| tier.name == name) {
            change(tier);
        }
        WorstCase::Machine(Box::new(signature))
    }

    fn overheads(&self, known: &Route, whole: Option<Micros>) -> Option<AssumedParameter> {
        let needs = [Need::SendOverhead, Need::RecvOverhead];
        let missing: Vec<Need> = needs.into_iter().filter(|need| !known.has(*need)).collect();
        let each = Micros(whole?.0 / 2.0);
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
                    .find(|one| style.as_ref().is_none_or(|name| one.name == *name));
                if let Some(style) = style {
                    style.send_overhead = Some(Curve::assumed(each));
                    style.recv_overhead = Some(Curve::assumed(each));
                }
            }),
        })
    }

    fn gap(&self, known: &Route, whole: Option<Micros>) -> Option<AssumedParameter> {
        let gap = whole?;
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
        let is_asked = self.machine.rules() == Some(Rules::LogGpo);
        let Some((limit, None)) = handshake(known.tier).filter(|_| is_asked) else { return None };
        Some(AssumedParameter {
            parameter: "transfer above S".to_owned(),
            now: "RAT: the sender pushes".to_owned(),
            otherwise: "RTA: the receiver pulls".to_owned(),
            origin: Need::Transfer.origin(),
            worst: self.with(|tier| {
                let own = &mut tier.progress.get_or_insert_default().transfer;
                own.retain(|known| known.from <= limit);
                shake_hands(tier, Transfer::Rta);
            }),
        })
    }

    fn progress(&self) -> Option<AssumedParameter> {
        let is_known = self.machine.rules() == Some(Rules::LogGpo) || self.has_rules;
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
        let unknown = |step: &ConcreteStep| match &step.what {
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

    /// The tier inside a node, where ranks share nodes.
    fn inside(&self, used: &Route) -> Option<AssumedParameter> {
        let is_asked = self.ranks_per_node.is_some_and(|each| each > 1);
        if !is_asked {
            return None;
        }
        let other = match used.tier.reach {
            Reach::Inter => Reach::Intra,
            Reach::Intra => Reach::Inter,
        };
        // The cost between nodes has no upper bound.
        if other == Reach::Inter || used.signature.tiers.iter().any(|tier| tier.reach == other) {
            return None;
        }
        Some(AssumedParameter {
            parameter: "messages inside a node".to_owned(),
            now: "as slow as between nodes".to_owned(),
            otherwise: "free".to_owned(),
            origin: Need::SecondTier.origin(),
            worst: WorstCase::Machine(Box::new(with_free_inside(self.machine.signature()))),
        })
    }

    /// Measurements use one pair of ranks; a plan may send from all ranks of a node at once.
    fn shared_network(&self, used: &Route) -> Option<AssumedParameter> {
        if self.machine.card().is_some() {
            return None;
        }
        let each = self.ranks_per_node.filter(|each| *each > 1)?;
        let per_byte = used.gap_per_byte()?.value;
        let shared = MicrosPerByte(per_byte.0 * f64::from(each));
        (used.tier.reach == Reach::Inter).then(|| AssumedParameter {
            parameter: "contention for a node's network".to_owned(),
            now: "none".to_owned(),
            otherwise: format!("ranks of a node share the bandwidth: G × {each}"),
            origin: "a bandwidth test of several pairs at once, such as osu_mbw_mr",
            worst: self.with(|tier| tier.gap_per_byte = Some(Parameter::assumed(shared))),
        })
    }
}

fn with_handshakes(signature: &Signature) -> Signature {
    let mut signature = signature.clone();
    for tier in &mut signature.tiers {
        let progress = tier.progress.get_or_insert_default();
        progress.eager_limit = Some(Parameter::assumed(Bytes(0)));
        tier.styles.iter_mut().for_each(|style| style.eager_limit = None);
    }
    signature
}

fn with_free_inside(signature: &Signature) -> Signature {
    let mut signature = signature.clone();
    let nothing = || Some(Curve::assumed(Micros(0.0)));
    let style =
        Style { send_overhead: nothing(), recv_overhead: nothing(), ..Style::unknown("send") };
    signature.tiers.push(Tier {
        reach: Reach::Intra,
        latency: Some(Parameter::assumed(Micros(0.0))),
        gap: Some(Parameter::assumed(Micros(0.0))),
        gap_per_byte: Some(Parameter::assumed(MicrosPerByte(0.0))),
        progress: signature.tiers.first().and_then(|tier| tier.progress.clone()),
        styles: vec![style],
        ..Tier::unknown("inside a node")
    });
    signature
}

fn any(steps: &[ConcreteStep], is: &dyn Fn(&ConcreteStep) -> bool) -> bool {
    steps.iter().any(|step| match &step.what {
        ConcreteAction::Steps(steps) => any(steps, is),
        _ => is(step),
    })
}

/// The same steps, with the computation of each before its communication.
pub(super) fn apart(steps: &[ConcreteStep]) -> Vec<ConcreteStep> {
    let one = |step: &ConcreteStep| {
        if let ConcreteAction::Steps(steps) = &step.what {
            return ConcreteStep { what: ConcreteAction::Steps(apart(steps)), ..step.clone() };
        }
        let during = ConcreteStep {
            what: ConcreteAction::Compute(step.during),
            during: Micros(0.0),
            ..step.alone()
        };
        let alone = ConcreteStep { during: Micros(0.0), ..step.alone() };
        match step.during.0 > 0.0 {
            true => ConcreteStep {
                what: ConcreteAction::Steps(vec![during, alone]),
                during: Micros(0.0),
                ..step.clone()
            },
            false => step.clone(),
        }
    };
    steps.iter().map(one).collect()
}

/// RTT/2 of a small message.
fn half_round_trip(route: &Route) -> Option<Micros> {
    let whole = route.end_to_end_latency().or_else(|| route.startup()).map(|whole| whole.value);
    whole.or_else(|| {
        let overhead = |at: Option<loggia_model::signature::At>| Some(at?.time.value.0);
        let (sent, received) = (route.send_overhead(SMALL), route.recv_overhead(SMALL));
        Some(Micros(route.latency()?.value.0 + overhead(sent)? + overhead(received)?))
    })
}
