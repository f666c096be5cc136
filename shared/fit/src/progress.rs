//! Progress and protocol of rendezvous messages, and the costs of their steps (Chen et al., Section
//! 2.2).
//!
//! # Formula
//! - O': the time of a send call above S, which only sends a request
//! - eager: T(m) = O_i + G(m−1) + L + O_c. T(m) − L − G(m−1) is divided between O_i and O_c in
//!   proportion to the times of the two calls. If a network moves the bytes, O_i and O_c equal
//!   these times. If CPUs move the bytes, as in shared memory, the calls include the bytes' time,
//!   and it is not counted twice.
//! - above S: O_i(m) = T(m) − handshake − L − G(m−1)

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

/// The sides whose CPU is needed for progress at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needed {
    sender: bool,
    receiver: bool,
}

const NOT_MEASURED: &str =
    "no exchange with an early receive was measured by ranks on separate processors";

/// Sets the parameters of LogGPO; `limits` is S, if known.
pub(super) fn fit(
    evidence: &Evidence,
    ends: &BTreeMap<u64, Estimate>,
    limits: Option<Limits>,
    tier: &mut Tier,
) {
    let needed_by_size = cpu_needed(evidence);
    if needed_by_size.is_empty() && limits.is_none() {
        return;
    }
    set_protocols(&needed_by_size, limits.as_ref(), tier);
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

/// By size: whether computation on one side delayed the other, with the evidence.
fn cpu_needed(evidence: &Evidence) -> BTreeMap<u64, (Needed, String)> {
    let key = |samples: &Samples| Some((samples.bytes?.0, (samples.compute?.0 * 1e3) as u64));
    let by = |quantity| evidence.by(quantity, Statistic::Raw, key);
    let alone = |quantity| -> BTreeMap<u64, f64> {
        let groups = by(quantity);
        groups.iter().filter_map(|((size, _), g)| Some((*size, g.estimate()?.value))).collect()
    };
    // The longest computation gives the clearest delay.
    let computing = |quantity| -> BTreeMap<u64, (f64, f64)> {
        let groups = by(quantity);
        let times = groups.iter().filter_map(|((size, compute), group)| {
            Some((*size, (*compute as f64 * 1e-3, group.estimate()?.value)))
        });
        times.collect()
    };
    let (sender_done, receiver_done) = (alone(Quantity::SenderDone), alone(Quantity::ReceiverDone));
    let by_receiver = computing(Quantity::SenderDoneReceiverComputes);
    let by_sender = computing(Quantity::ReceiverDoneSenderComputes);
    let mut needed_by_size = BTreeMap::new();
    for (size, (compute, sent)) in &by_receiver {
        let (Some(base_sent), Some(base_received), Some((sender_compute, received))) =
            (sender_done.get(size), receiver_done.get(size), by_sender.get(size))
        else {
            continue;
        };
        let delays = [(received - base_received) / sender_compute, (sent - base_sent) / compute];
        let cpu_needed = Needed { sender: delays[0] > 0.5, receiver: delays[1] > 0.5 };
        let evidence_text = format!(
            "{size} bytes: {} µs of computation on the sender delayed the receiver by {} µs, {} µs \
             on the receiver delayed the sender by {} µs",
            number(*sender_compute, 3),
            number((received - base_received).max(0.0), 3),
            number(*compute, 3),
            number((sent - base_sent).max(0.0), 3),
        );
        needed_by_size.insert(*size, (cpu_needed, evidence_text));
    }
    needed_by_size
}

fn set_protocols(
    needed_by_size: &BTreeMap<u64, (Needed, String)>,
    limits: Option<&Limits>,
    tier: &mut Tier,
) {
    let progress = tier.progress.get_or_insert_default();
    let above = |size: &u64| limits.is_none_or(|limits| *size > limits.eager);
    let large: Vec<(u64, Needed)> = needed_by_size
        .iter()
        .filter(|(size, _)| above(size))
        .map(|(size, (n, _))| (*size, *n))
        .collect();
    let kind_of = |cpu_needed: Needed| match cpu_needed {
        Needed { sender: false, receiver: false } => ProgressKind::Independent,
        _ => ProgressKind::Dependent,
    };
    let transfer_of = |cpu_needed: Needed| match cpu_needed {
        // Computation that does not delay the other side: independent progress.
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
        for (size, cpu_needed) in &large {
            let Some(mechanism) = transfer_of(*cpu_needed) else { continue };
            if mechanism != last {
                // The first protocol applies from S on; a change applies from the size at which it
                // was measured.
                let from = if last == Transfer::T { limits.eager + 1 } else { *size };
                transfer.push(TransferFrom { from: Bytes(from), transfer: mechanism });
                last = mechanism;
            }
        }
    }
    let kinds: Vec<ProgressKind> =
        large.iter().map(|(_, cpu_needed)| kind_of(*cpu_needed)).collect();
    let dependent = kinds.iter().filter(|kind| **kind == ProgressKind::Dependent).count();
    progress.kind = match (kinds.len(), dependent) {
        (0, _) => None,
        (all, dependent) if 2 * dependent >= all => Some(ProgressKind::Dependent),
        _ => Some(ProgressKind::Independent),
    };
    let is_unanimous = dependent == 0 || dependent == kinds.len();
    progress.transfer = transfer;
    let is_known = is_unanimous && !needed_by_size.is_empty();
    progress.quality = if is_known { Quality::Good } else { Quality::Uncertain };
    let evidence_text: Vec<&str> =
        needed_by_size.values().map(|(_, evidence_text)| evidence_text.as_str()).collect();
    progress.source = match &evidence_text[..] {
        [] => NOT_MEASURED.to_owned(),
        _ => format!("exchanges with an early receive: {}", evidence_text.join("; ")),
    };
}

/// Sets O': the send call above S, which only sends a request; without sizes above S, a small send.
fn control(sends: &BTreeMap<u64, Estimate>, eager: Option<u64>, tier: &mut Tier) {
    let above = eager.and_then(|limit| sends.range(limit + 1..).next());
    let (source, estimate) = match (above, at_small(sends)) {
        (Some((size, estimate)), _) => {
            (format!("isend call of {size} bytes, which only sends a request"), *estimate)
        }
        (None, Some((size, estimate))) => (
            format!("assumed equal to an isend call of {size} bytes: no size above S was measured"),
            estimate,
        ),
        (None, None) => return,
    };
    tier.progress.get_or_insert_default().control_overhead = Some(parameter(estimate, source));
}

/// Sets O_i(m) and O_c(m), so that the sum of the model equals the measured time.
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
        let known_time = exchange(protocol, kind, &known, &Arrivals::default()).delivered;
        let remaining = difference(*end, Estimate::exact(known_time.0));
        if protocol != MessageProtocol::Eager {
            initiation.insert(*size, remaining);
            continue;
        }
        let (Some(send), Some(recv)) = (interpolated(sends, *size), interpolated(receives, *size))
        else {
            continue;
        };
        let share = send / (send + recv);
        initiation.insert(*size, scale(remaining, share));
        copy.insert(*size, scale(remaining, 1.0 - share));
    }
    let source = "T(m) without L, G(m−1) and the handshake";
    progress.initiation = curve(&initiation, source);
    progress.copy = curve(&copy, "T(m) without L, G(m−1) and O_i, for eager messages");
}

/// Linear interpolation at a size.
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
