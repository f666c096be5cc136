//! Progress and protocol of a rendezvous, and the cost of its steps (Chen et al., Section 2.2).
//!
//! # Formula
//! - O': the call of a send above S, which only sends a request
//! - eager: T(m) = O_i + G(m−1) + L + O_c. T(m) without L and G(m−1) is divided between O_i and O_c
//!   in proportion to the times of the two calls. If a network moves the bytes, these are the
//!   calls' times themselves. If the CPUs do, as in shared memory, the bytes' time is in the calls
//!   already and is not counted twice.
//! - above S: O_i(m) is T(m) without the handshake, L and G(m−1)

use super::eager::Limits;
use super::end_to_end::at_small;
use super::evidence::{Evidence, curve, parameter};
use loggia_model::model::exchange::{Arrivals, Costs, MessageProtocol, exchange};
use loggia_model::signature::{
    ProgressKind, Quality, Quantity, Samples, Statistic, Tier, Transfer, TransferFrom,
};
use loggia_model::stats::Estimate;
use loggia_model::stats::estimate::{difference, scale};
use loggia_model::units::words::number;
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeMap;

/// The sides whose CPU an exchange of one size needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needed {
    sender: bool,
    receiver: bool,
}

/// The parameters of LogGPO; `limits` is S if it is known.
pub(super) fn fit(
    evidence: &Evidence,
    ends: &BTreeMap<u64, Estimate>,
    limits: Option<Limits>,
    tier: &mut Tier,
) {
    let seen = needed(evidence);
    if seen.is_empty() && limits.is_none() {
        return;
    }
    verdicts(&seen, limits.as_ref(), tier);
    let eager = limits.map(|limits| limits.eager);
    let estimates = |quantity| -> BTreeMap<u64, Estimate> {
        let groups = evidence.by_size(quantity, "isend");
        groups.iter().filter_map(|(size, group)| Some((*size, group.estimate()?))).collect()
    };
    let sends = estimates(Quantity::SendOverhead);
    let receives = estimates(Quantity::RecvCompletion);
    control(&sends, eager, tier);
    steps(ends, &sends, &receives, eager, tier);
}

/// By size: whether computation of one side delayed the other, with the evidence.
fn needed(evidence: &Evidence) -> BTreeMap<u64, (Needed, String)> {
    let key = |samples: &Samples| Some((samples.bytes?.0, (samples.compute?.0 * 1e3) as u64));
    let by = |quantity| evidence.by(quantity, Statistic::Raw, key);
    let alone = |quantity| -> BTreeMap<u64, f64> {
        let groups = by(quantity);
        groups.iter().filter_map(|((size, _), g)| Some((*size, g.estimate()?.value))).collect()
    };
    // The longest computation shows the delay most clearly.
    let computing = |quantity| -> BTreeMap<u64, (f64, f64)> {
        let groups = by(quantity);
        let one = groups.iter().filter_map(|((size, compute), group)| {
            Some((*size, (*compute as f64 * 1e-3, group.estimate()?.value)))
        });
        one.collect()
    };
    let (sender_done, receiver_done) = (alone(Quantity::SenderDone), alone(Quantity::ReceiverDone));
    let by_receiver = computing(Quantity::SenderDoneReceiverComputes);
    let by_sender = computing(Quantity::ReceiverDoneSenderComputes);
    let mut seen = BTreeMap::new();
    for (size, (compute, sent)) in &by_receiver {
        let (Some(base_sent), Some(base_received), Some((at_sender, received))) =
            (sender_done.get(size), receiver_done.get(size), by_sender.get(size))
        else {
            continue;
        };
        let delays = [(received - base_received) / at_sender, (sent - base_sent) / compute];
        let needed = Needed { sender: delays[0] > 0.5, receiver: delays[1] > 0.5 };
        let words = format!(
            "{size} bytes: {} µs of the sender's computation delayed the receiver by {}, {} of \
             the receiver's the sender by {}",
            number(*at_sender, 3),
            number((received - base_received).max(0.0), 3),
            number(*compute, 3),
            number((sent - base_sent).max(0.0), 3),
        );
        seen.insert(*size, (needed, words));
    }
    seen
}

fn verdicts(seen: &BTreeMap<u64, (Needed, String)>, limits: Option<&Limits>, tier: &mut Tier) {
    let progress = tier.progress.get_or_insert_default();
    let above = |size: &u64| limits.is_none_or(|limits| *size > limits.eager);
    let large: Vec<(u64, Needed)> =
        seen.iter().filter(|(size, _)| above(size)).map(|(size, (n, _))| (*size, *n)).collect();
    let kind_of = |needed: Needed| match needed {
        Needed { sender: false, receiver: false } => ProgressKind::Independent,
        _ => ProgressKind::Dependent,
    };
    let transfer_of = |needed: Needed| match needed {
        // A side that computes without delaying the other has independent progress.
        Needed { sender: true, .. } => Some(Transfer::Rat),
        Needed { sender: false, receiver: true } => Some(Transfer::Rta),
        Needed { sender: false, receiver: false } => None,
    };
    let mut transfer = Vec::new();
    if let Some(limits) = limits {
        let first_waiting = limits.completes.map_or(0, |size| size + 1);
        let mut last = Transfer::T;
        if limits.completes.is_some() {
            transfer.push(TransferFrom { from: Bytes(0), transfer: Transfer::T });
        }
        if first_waiting <= limits.eager {
            transfer.push(TransferFrom { from: Bytes(first_waiting), transfer: Transfer::Ta });
        }
        for (size, needed) in &large {
            let Some(mechanism) = transfer_of(*needed) else { continue };
            if mechanism != last {
                // The first protocol holds from S on; a change is known to the size at which it was
                // seen.
                let from = if last == Transfer::T { limits.eager + 1 } else { *size };
                transfer.push(TransferFrom { from: Bytes(from), transfer: mechanism });
                last = mechanism;
            }
        }
    }
    let kinds: Vec<ProgressKind> = large.iter().map(|(_, needed)| kind_of(*needed)).collect();
    let dependent = kinds.iter().filter(|kind| **kind == ProgressKind::Dependent).count();
    progress.kind = match (kinds.len(), dependent) {
        (0, _) => None,
        (all, dependent) if 2 * dependent >= all => Some(ProgressKind::Dependent),
        _ => Some(ProgressKind::Independent),
    };
    let agree = dependent == 0 || dependent == kinds.len();
    progress.transfer = transfer;
    progress.quality = if agree { Quality::Good } else { Quality::Uncertain };
    let words: Vec<&str> = seen.values().map(|(_, words)| words.as_str()).collect();
    progress.source = format!("exchanges with an early receive: {}", words.join("; "));
}

/// O': above S a send call only sends a request. Without sizes above S, a small send.
fn control(sends: &BTreeMap<u64, Estimate>, eager: Option<u64>, tier: &mut Tier) {
    let above = eager.and_then(|limit| sends.range(limit + 1..).next());
    let (source, estimate) = match (above, at_small(sends)) {
        (Some((size, estimate)), _) => {
            (format!("the call of an isend of {size} bytes, which only sends a request"), *estimate)
        }
        (None, Some((size, estimate))) => {
            (format!("assumed to be an isend of {size} bytes: none was above S"), estimate)
        }
        (None, None) => return,
    };
    tier.progress.get_or_insert_default().control_overhead = Some(parameter(estimate, source));
}

/// O_i(m) and O_c(m), such that the model's sum equals the measured time.
fn steps(
    ends: &BTreeMap<u64, Estimate>,
    sends: &BTreeMap<u64, Estimate>,
    receives: &BTreeMap<u64, Estimate>,
    eager: Option<u64>,
    tier: &mut Tier,
) {
    let latency = tier.latency.as_ref().and_then(|p| p.value);
    let gap_per_byte = tier.gap_per_byte.as_ref().and_then(|p| p.value);
    let (Some(latency), Some(gap_per_byte)) = (latency, gap_per_byte) else { return };
    let Some(progress) = &mut tier.progress else { return };
    let control = progress.control_overhead.as_ref().and_then(|p| p.value).unwrap_or_default();
    let (mut initiation, mut copy) = (BTreeMap::new(), BTreeMap::new());
    for (size, end) in ends {
        let protocol = match eager {
            Some(limit) if *size > limit => match progress.transfer_at(Bytes(*size)) {
                Some(Transfer::Rta) => MessageProtocol::Rta,
                _ => MessageProtocol::Rat,
            },
            _ => MessageProtocol::Eager,
        };
        let known = Costs {
            control,
            initiation: Micros(0.0),
            copy: Micros(0.0),
            latency,
            bytes: gap_per_byte.of(Bytes(*size).after_the_first()),
        };
        let kind = progress.kind.unwrap_or(ProgressKind::Dependent);
        let rest = exchange(protocol, kind, &known, &Arrivals::default()).delivered;
        let left = difference(*end, Estimate::exact(rest.0));
        if protocol != MessageProtocol::Eager {
            initiation.insert(*size, left);
            continue;
        }
        let (Some(send), Some(recv)) = (interpolated(sends, *size), interpolated(receives, *size))
        else {
            continue;
        };
        let share = send / (send + recv);
        initiation.insert(*size, scale(left, share));
        copy.insert(*size, scale(left, 1.0 - share));
    }
    let source = "T(m) without L, G(m−1) and the handshake";
    progress.initiation = curve(&initiation, source);
    progress.copy = curve(&copy, "T(m) without L, G(m−1) and O_i, for eager messages");
}

/// The value at that size, linear in bytes between two.
fn interpolated(points: &BTreeMap<u64, Estimate>, size: u64) -> Option<f64> {
    let above = points.range(size..).next();
    let below = points.range(..=size).next_back();
    match (below, above) {
        (Some((x0, y0)), Some((x1, y1))) if x1 > x0 => {
            let share = (size - x0) as f64 / (x1 - x0) as f64;
            Some(y0.value + (y1.value - y0.value) * share)
        }
        (Some((_, y)), _) | (None, Some((_, y))) => Some(y.value),
        (None, None) => None,
    }
}
