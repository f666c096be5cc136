//! Measures what the fit did not see, and compares: sizes between those of the signature, and
//! exchanges that overlap with computation (`002`, Figure 5 and Section 2.2).

use super::machine::{Ranks, TierPair};
use super::orders::{Step, dismiss, order_pair};
use crate::measure::{Effort, examine_clock};
use crate::report::{Failure, remark};
use crate::transport::Transport;
use loggia_model::model::exchange::{Arrivals, Costs, Way, exchange};
use loggia_model::model::{Model, Route, loggpo};
use loggia_model::signature::{ProgressKind, Quantity, Samples, Signature};
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

/// Rounds, spread over the run.
const ROUNDS: u32 = 5;

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
        for round in 0..ROUNDS {
            let found = order_pair(transport, &clock, &pair, round, steps.clone());
            samples.extend(found.map_err(Failure::Failed)?.samples);
        }
        checks.extend(ping_pongs(&pair, &route, &samples));
        checks.extend(overlapped(&pair, &route, &samples));
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
    for size in [limit / 3, 3 * limit, 12 * limit, 48 * limit] {
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

/// The median over rounds, without the clock's part.
fn medians(samples: &[Samples], quantity: Quantity) -> BTreeMap<(u64, u64), f64> {
    let mut times: BTreeMap<(u64, u64), Vec<f64>> = BTreeMap::new();
    for samples in samples.iter().filter(|samples| samples.quantity == quantity) {
        let timer = samples.timer.unwrap_or_default();
        let compute = samples.compute.map_or(0, |compute| compute.0.to_bits());
        let key = (samples.bytes.map_or(0, |bytes| bytes.0), compute);
        times.entry(key).or_default().extend(samples.times.iter().map(|t| (*t - timer).0));
    }
    times.into_iter().filter_map(|(key, times)| Some((key, median(&times)?))).collect()
}

fn compared(
    pair: &TierPair,
    what: What,
    bytes: u64,
    compute: Option<f64>,
    measured: f64,
    predictions: impl IntoIterator<Item = (Model, Option<Micros>)>,
) -> Check {
    let predicted = |(model, time): (Model, Option<Micros>)| {
        let time_us = time?;
        Some((model.name(), Predicted { time_us, error: time_us.0 / measured - 1.0 }))
    };
    Check {
        tier: pair.name.to_owned(),
        what,
        bytes: Bytes(bytes),
        compute_us: compute.map(Micros),
        measured_us: Micros(measured),
        predictions: predictions.into_iter().filter_map(predicted).collect(),
    }
}

fn ping_pongs(pair: &TierPair, route: &Route, samples: &[Samples]) -> Vec<Check> {
    let of_model = |model: Model, bytes| {
        (model, model.predict(route, Bytes(bytes)).ok().and_then(|predicted| predicted.time()))
    };
    let ends = medians(samples, Quantity::EndToEnd);
    let check = |(&(bytes, _), &measured): (&(u64, u64), &f64)| {
        let predictions = Model::ALL.map(|model| of_model(model, bytes));
        compared(pair, What::PingPong, bytes, None, measured, predictions)
    };
    ends.iter().map(check).collect()
}

/// LogGP's idea of an overlapped exchange is an eager one: only LogGPO knows who waits for whom.
fn overlapped(pair: &TierPair, route: &Route, samples: &[Samples]) -> Vec<Check> {
    let mut checks = Vec::new();
    // Both begin after a barrier, the receiver about one small message later; its receive is
    // posted before.
    let later = Micros(route.end_to_end_latency().map_or(0.0, |eel| eel.value.0));
    let kinds = [
        (What::SenderComputes, Quantity::ReceiverDoneSenderComputes),
        (What::ReceiverComputes, Quantity::SenderDoneReceiverComputes),
    ];
    for (what, quantity) in kinds {
        for ((bytes, compute), measured) in medians(samples, quantity) {
            let compute = f64::from_bits(compute);
            let time = |way, progress, costs: &Costs| {
                let [at_sender, at_receiver] = match what {
                    What::SenderComputes => [Micros(compute), Micros(0.0)],
                    _ => [Micros(0.0), Micros(compute)],
                };
                let calls = [Micros(0.0), Micros(-1.0)];
                let around = Arrivals::around(way, costs, calls, [at_sender, at_receiver]);
                let at = Arrivals { recv_wait: later + at_receiver, ..around };
                let done = exchange(way, progress, costs, &at);
                match what {
                    What::SenderComputes => done.receiver_end - later,
                    _ => done.sender_end,
                }
            };
            let size = Bytes(bytes);
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
            checks.push(compared(pair, what, bytes, Some(compute), measured, predictions));
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
