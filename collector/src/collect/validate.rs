//! Measures what the fit did not see, and compares: sizes between those of the signature, and
//! exchanges that overlap with computation (`002`, Figure 5 and Section 2.2).

use super::machine::{Ranks, TierPair};
use super::orders::{PairOrder, Step, dismiss, order_pair};
use crate::measure::{Effort, examine_clock, pulse};
use crate::report::{Failure, remark};
use crate::transport::Transport;
use loggia_model::fit::Again;
use loggia_model::model::exchange::{Arrivals, Costs, Way, exchange};
use loggia_model::model::{Model, Route, loggpo};
use loggia_model::signature::{ProgressKind, Quantity, Samples, Signature, Transfer};
use loggia_model::stats::quantile::median;
use loggia_model::units::{Bytes, Micros};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What was measured again, and how near each model came.
#[derive(Serialize)]
pub(crate) struct Validation {
    pub(crate) signature: String,
    pub(crate) checks: Vec<Check>,
    pub(crate) models: Vec<Score>,
}

/// One thing that was measured again.
#[derive(Serialize)]
pub(crate) struct Check {
    pub(crate) tier: String,
    pub(crate) what: What,
    pub(crate) bytes: Bytes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) compute_us: Option<Micros>,
    pub(crate) measured_us: Micros,
    pub(crate) predictions: BTreeMap<&'static str, Predicted>,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum What {
    PingPong,
    /// Until the receiver is done, while the sender computes.
    SenderComputes,
    /// Until the sender is done, while the receiver computes.
    ReceiverComputes,
}

impl What {
    pub(crate) fn words(self) -> &'static str {
        match self {
            What::PingPong => "ping-pong",
            What::SenderComputes => "delivery, sender computes",
            What::ReceiverComputes => "sender done, receiver computes",
        }
    }
}

/// What a model said.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Predicted {
    pub(crate) time_us: Micros,
    /// (predicted − measured)/measured
    pub(crate) error: f64,
}

/// How near a model came over all sizes.
#[derive(Serialize)]
pub(crate) struct Score {
    pub(crate) tier: String,
    pub(crate) what: What,
    pub(crate) model: &'static str,
    pub(crate) checks: usize,
    pub(crate) median_error: f64,
    pub(crate) largest_error: f64,
}

/// Rounds, spread over the run, between processors that change their state within seconds …
const ROUNDS: u32 = 120;
/// … and over a network, where they do not count and each round takes long.
const FEW_ROUNDS: u32 = 6;

/// So many times as many where the machine is not in the state in which it was measured.
const PATIENCE: u32 = 3;

/// Measures again on the machine that this runs on, as rank 0.
pub(crate) fn validate(
    transport: &mut dyn Transport,
    signature: &Signature,
) -> Result<Validation, Failure> {
    let result = validated(transport, signature);
    if !matches!(result, Err(Failure::Failed(_))) {
        dismiss(transport).map_err(Failure::Failed)?;
    }
    result
}

fn validated(transport: &mut dyn Transport, signature: &Signature) -> Result<Validation, Failure> {
    if transport.ranks() < 2 {
        return Err(super::alone().into());
    }
    let ranks = Ranks::present(transport)?;
    for word in ranks.unlike(signature) {
        remark(&format!("! {word}"));
    }
    let clock = examine_clock(transport);
    let mut checks = Vec::new();
    for pair in ranks.tier_pairs() {
        let Ok(tier) = signature.tier(Some(pair.name)) else {
            remark(&format!("! {} has no tier {}: not compared", signature.title, pair.name));
            continue;
        };
        let route = Route::of(signature, Some(&tier.name), None)?;
        let steps = steps(&route, signature);
        let mut samples = Vec::new();
        let TierPair { leader, partner, .. } = pair;
        let usual = route.end_to_end_latency().map(|eel| eel.value);
        let pulse = usual.map_or(0, |eel| pulse::trips(eel.0));
        let rounds = if pulse > 0 { ROUNDS } else { FEW_ROUNDS };
        for round in 0..PATIENCE * rounds {
            let is_due = round > 0 && round % rounds == 0;
            if is_due && Again::of(&tier.name, &samples, usual).remark().is_none() {
                break;
            }
            let (clock, steps) = (clock.clone(), steps.clone());
            let order = PairOrder { leader, partner, clock, round, pulse, steps };
            let found = order_pair(transport, order).map_err(Failure::Failed)?;
            let of_tier = |samples| Samples { tier: Some(tier.name.clone()), ..samples };
            samples.extend(found.samples.into_iter().map(of_tier));
        }
        let again = Again::of(&tier.name, &samples, usual);
        if let Some(word) = again.remark() {
            remark(&format!("! {word}"));
        }
        checks.extend(ping_pongs(&pair, &route, &again));
        checks.extend(overlapped(&pair, &route, &again));
    }
    let models = scores(&checks);
    Ok(Validation { signature: signature.name.clone(), checks, models })
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
    let effort = Effort { warm_up: 10, least: 60, most: 400, precision: 0.01, seconds: 0.08 };
    let sizes = unseen(signature);
    let mut steps: Vec<Step> = sizes.iter().map(|&size| Step::PingPong { size, effort }).collect();
    let limit = route.eager_limit().map_or(1 << 12, |limit| limit.value.0 as usize);
    let largest = sizes.last().copied().unwrap_or(1 << 16);
    let alone = route.tier.progress.as_ref().and_then(|progress| {
        let second = progress.transfer.iter().find(|transfer| transfer.transfer != Transfer::T);
        second.map(|transfer| transfer.from.0.saturating_sub(1) as usize)
    });
    for size in [alone.unwrap_or(limit) / 3, 3 * limit, 12 * limit, 48 * limit] {
        if size > 0 && size <= largest {
            let end = Model::richest(route)
                .and_then(|model| model.predict(route, Bytes(size as u64)).ok()?.time())
                .map_or(100.0, |time| time.0);
            let effort = Effort { least: 20, most: 100, precision: 0.03, ..effort };
            steps.push(Step::Progress { size, compute: 10.0 + 2.0 * end, effort });
        }
    }
    steps
}

fn compared(
    pair: &TierPair,
    what: What,
    bytes: Bytes,
    compute_us: Option<Micros>,
    measured_us: Micros,
    predictions: impl IntoIterator<Item = (Model, Option<Micros>)>,
) -> Check {
    let predicted = |(model, time): (Model, Option<Micros>)| {
        let time_us = time?;
        Some((model.name(), Predicted { time_us, error: time_us.0 / measured_us.0 - 1.0 }))
    };
    Check {
        tier: pair.name.to_owned(),
        what,
        bytes,
        compute_us,
        measured_us,
        predictions: predictions.into_iter().filter_map(predicted).collect(),
    }
}

fn ping_pongs(pair: &TierPair, route: &Route, again: &Again) -> Vec<Check> {
    let of_model = |model: Model, bytes| {
        (model, model.predict(route, bytes).ok().and_then(|predicted| predicted.time()))
    };
    let ends = again.times(Quantity::EndToEnd);
    let check = |(bytes, _, measured): (Bytes, Micros, Micros)| {
        let predictions = Model::ALL.map(|model| of_model(model, bytes));
        compared(pair, What::PingPong, bytes, None, measured, predictions)
    };
    ends.into_iter().map(check).collect()
}

/// LogGP's idea of an overlapped exchange is an eager one: only LogGPO knows who waits for whom.
fn overlapped(pair: &TierPair, route: &Route, again: &Again) -> Vec<Check> {
    let mut checks = Vec::new();
    // Both begin after a barrier, the receiver about one small message later; its receive is
    // posted before. What it measures begins one message before the sender's start.
    let later = Micros(route.end_to_end_latency().map_or(0.0, |eel| eel.value.0));
    let kinds = [
        (What::SenderComputes, Quantity::ReceiverDoneSenderComputes),
        (What::ReceiverComputes, Quantity::SenderDoneReceiverComputes),
    ];
    for (what, quantity) in kinds {
        for (size, compute, measured) in again.times(quantity) {
            let time = |way, progress, costs: &Costs| {
                let [at_sender, at_receiver] = match what {
                    What::SenderComputes => [compute, Micros(0.0)],
                    _ => [Micros(0.0), compute],
                };
                let calls = [Micros(0.0), Micros(-1.0)];
                let around = Arrivals::around(way, costs, calls, [at_sender, at_receiver]);
                let at = Arrivals { recv_wait: later + at_receiver, ..around };
                let done = exchange(way, progress, costs, &at);
                match what {
                    What::SenderComputes => done.receiver_end + later,
                    _ => done.sender_end,
                }
            };
            let richer = loggpo::costs(route, size).ok().and_then(|(costs, _)| {
                let way = loggpo::way(route, size)?;
                let progress = route.tier.progress.as_ref()?.kind?;
                Some(time(way, progress, &costs))
            });
            let plain = || {
                let costs = Costs {
                    control: Micros(0.0),
                    initiation: route.send_overhead(size)?.time.value,
                    copy: route.recv_overhead(size)?.time.value,
                    latency: route.latency()?.value,
                    bytes: route.gap_per_byte()?.value.of(size.after_the_first()),
                };
                Some(time(Way::Eager, ProgressKind::Independent, &costs))
            };
            let predictions = [(Model::LogGpo, richer), (Model::LogGp, plain())];
            checks.push(compared(pair, what, size, Some(compute), measured, predictions));
        }
    }
    checks
}

fn scores(checks: &[Check]) -> Vec<Score> {
    let mut errors: BTreeMap<(String, What, &'static str), Vec<f64>> = BTreeMap::new();
    for check in checks {
        for (model, predicted) in &check.predictions {
            let key = (check.tier.clone(), check.what, *model);
            errors.entry(key).or_default().push(predicted.error.abs());
        }
    }
    let score = |((tier, what, model), errors): ((String, What, &'static str), Vec<f64>)| Score {
        tier,
        what,
        model,
        checks: errors.len(),
        median_error: median(&errors).unwrap_or_default(),
        largest_error: errors.iter().copied().fold(0.0, f64::max),
    };
    let mut scores: Vec<Score> = errors.into_iter().map(score).collect();
    scores.sort_by(|a, b| {
        let place = (&a.tier, a.what).cmp(&(&b.tier, b.what));
        place.then(a.median_error.total_cmp(&b.median_error))
    });
    scores
}
