//! Checks of pairs of ranks: ping-pongs of sizes between those of the signature, and exchanges that
//! overlap with computation.

use super::barrier::Barrier;
use super::rounds::{Part, Rounds};
use super::{Check, CheckKind, Predicted, Subject};
use crate::measure::Effort;
use crate::message_costs::style;
use crate::run::Failure;
use crate::run::commands::{PairCommand, Step, run_pair};
use crate::run::machine::TierPair;
use crate::transport::Transport;
use loggia_fit::Remeasured;
use loggia_model::model::exchange::{Arrivals, Costs, MessageProtocol, exchange};
use loggia_model::model::{Model, Route, loggpo};
use loggia_model::signature::{Clock, Mode, ProgressKind, Quantity, Samples, Signature, Transfer};
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeSet;

pub(super) struct PairCheck<'a> {
    pub(super) pair: TierPair,
    pub(super) route: Route<'a>,
    pub(super) signature: &'a Signature,
}

impl PairCheck<'_> {
    pub(super) fn part(&self) -> Part<'_> {
        let latency = self.route.end_to_end_latency().map(|eel| eel.value);
        Part { tier: Some(&self.route.tier.name), latency }
    }

    pub(super) fn checks(
        &self,
        transport: &mut dyn Transport,
        clock: &Clock,
        rounds: &mut Rounds,
    ) -> Result<Vec<Check>, Failure> {
        let (tier, &TierPair { leader, partner, .. }) = (&self.route.tier.name, &self.pair);
        let steps = steps(&self.route, self.signature);
        let samples = rounds.samples(self.part(), |round, pulse| {
            let (clock, steps) = (clock.clone(), steps.clone());
            let command = PairCommand { leader, partner, clock, round, pulse, steps };
            let found = run_pair(transport, command).map_err(Failure::Failed)?;
            let of_tier = |samples| Samples { tier: Some(tier.clone()), ..samples };
            Ok(found.samples.into_iter().map(of_tier).collect())
        })?;
        let remeasured = self.part().remeasured(&samples);
        let mut checks = ping_pongs(&self.route, &remeasured);
        checks.extend(overlapped(&self.route, &remeasured));
        Ok(checks)
    }
}

/// Sizes that the signature was not fitted to.
fn unseen(signature: &Signature) -> Vec<usize> {
    let seen: BTreeSet<u64> =
        signature.samples.iter().filter_map(|samples| samples.bytes.map(|b| b.0)).collect();
    let largest = seen.iter().next_back().copied().unwrap_or(1 << 20).min(1 << 20);
    let between = (0..20).map(|k| 3_u64 << k).filter(|size| *size <= largest);
    between.filter(|size| !seen.contains(size)).map(|size| size as usize).collect()
}

fn steps(route: &Route, signature: &Signature) -> Vec<Step> {
    let effort = Effort { warm_up: 10, min: 60, max: 400, precision: 0.01, seconds: 0.08 };
    let sizes = unseen(signature);
    let mut steps: Vec<Step> = sizes.iter().map(|&size| Step::PingPong { size, effort }).collect();
    let limit = route.eager_limit().map_or(1 << 12, |limit| limit.value.0 as usize);
    let largest = sizes.last().copied().unwrap_or(1 << 16);
    let eager = route.tier.progress.as_ref().and_then(|progress| {
        let second = progress.transfer.iter().find(|transfer| transfer.transfer != Transfer::T);
        second.map(|transfer| transfer.from.0.saturating_sub(1) as usize)
    });
    for size in [eager.unwrap_or(limit) / 3, 3 * limit, 12 * limit, 48 * limit] {
        if size > 0 && size <= largest {
            let end = Model::richest(route)
                .and_then(|model| model.predict(route, Bytes(size as u64)).ok()?.time())
                .map_or(100.0, |time| time.0);
            let effort = Effort { min: 20, max: 100, precision: 0.03, ..effort };
            steps.push(Step::Progress { size, compute: 10.0 + 2.0 * end, effort });
        }
    }
    steps
}

fn compared(
    route: &Route,
    kind: CheckKind,
    bytes: Bytes,
    compute_us: Option<Micros>,
    measured_us: Micros,
    predictions: impl IntoIterator<Item = (Model, Option<Micros>)>,
) -> Check {
    let predicted = |(model, time): (Model, Option<Micros>)| {
        Some((model.name(), Predicted::of(time?, measured_us)))
    };
    Check {
        subject: Subject { tier: Some(route.tier.name.clone()), what: kind, op: None },
        procs: None,
        bytes,
        compute_us,
        measured_us,
        predictions: predictions.into_iter().filter_map(predicted).collect(),
    }
}

fn ping_pongs(route: &Route, remeasured: &Remeasured) -> Vec<Check> {
    let of_model = |model: Model, bytes| {
        (model, model.predict(route, bytes).ok().and_then(|predicted| predicted.time()))
    };
    let ends = remeasured.times(Quantity::EndToEnd);
    let check = |(bytes, _, measured): (Bytes, Micros, Micros)| {
        let predictions = Model::ALL.map(|model| of_model(model, bytes));
        compared(route, CheckKind::PingPong, bytes, None, measured, predictions)
    };
    ends.into_iter().map(check).collect()
}

/// LogGP models every exchange as eager; only LogGPO models the waits of sender and receiver.
fn overlapped(route: &Route, remeasured: &Remeasured) -> Vec<Check> {
    let mut checks = Vec::new();
    let barrier = Barrier::of(route);
    // The measured messages are non-blocking standard sends.
    let route = Route { style: style(route.tier, (Mode::Standard, false)), ..*route };
    let kinds = [
        (CheckKind::SenderComputes, Quantity::ReceiverDoneSenderComputes),
        (CheckKind::ReceiverComputes, Quantity::SenderDoneReceiverComputes),
    ];
    for (kind, quantity) in kinds {
        for (size, compute, measured) in remeasured.times(quantity) {
            let time = |protocol, progress, costs: Costs| {
                completion(kind, compute, &barrier, (protocol, progress, costs))
            };
            let loggpo = loggpo::costs(&route, size).ok().and_then(|(costs, _)| {
                let protocol = loggpo::protocol(&route, size)?;
                Some(time(protocol, route.tier.progress.as_ref()?.kind?, costs))
            });
            let loggp = loggp_costs(&route, size)
                .map(|costs| time(MessageProtocol::Eager, ProgressKind::Independent, costs));
            let predictions = [(Model::LogGpo, loggpo), (Model::LogGp, loggp)];
            checks.push(compared(&route, kind, size, Some(compute), measured, predictions));
        }
    }
    checks
}

fn loggp_costs(route: &Route, size: Bytes) -> Option<Costs> {
    Some(Costs {
        control: Micros(0.0),
        initiation: route.send_overhead(size)?.time.value,
        copy: route.recv_overhead(size)?.time.value,
        latency: route.latency()?.value,
        bytes: route.gap_per_byte()?.value.of(size.after_the_first()),
    })
}

/// The measured time of an exchange after a barrier: of the side that does not compute, on its clock.
fn completion(
    kind: CheckKind,
    compute: Micros,
    barrier: &Barrier,
    (protocol, progress, mut costs): (MessageProtocol, ProgressKind, Costs),
) -> Micros {
    let [at_sender, at_receiver] = match kind {
        CheckKind::SenderComputes => [compute, Micros(0.0)],
        _ => [Micros(0.0), compute],
    };
    if protocol == MessageProtocol::Eager {
        costs.latency = costs.latency + barrier.delay(costs.initiation);
    }
    // The receive is posted before the sender's clock starts.
    let calls = [Micros(0.0), Micros(-1.0)];
    let around = Arrivals::around(protocol, &costs, calls, [at_sender, at_receiver]);
    let at = Arrivals { recv_wait: barrier.receiver_leaves + at_receiver, ..around };
    let done = exchange(protocol, progress, &costs, &at);
    match kind {
        CheckKind::SenderComputes => barrier.sender_starts + done.receiver_end,
        _ => done.sender_end,
    }
}
