//! L, and g(m) of PLogP.
//!
//! # Formula
//! - L = EEL − o_s − o_r; o_r is the test that completes a posted receive, so that no time is
//!   counted twice
//! - upper bound of Al-Tawil & Moritz: a receive that waits for a synchronous send minus a receive
//!   whose message has arrived (timer21 − timer12)
//! - if EEL − o_s − o_r is negative, L is 0 with this upper bound
//! - g(m) = T(m) − L (Kielmann, Bal & Verstoep, 2000, fast method)

use super::end_to_end::at_small;
use super::evidence::{Evidence, curve, parameter, unusable};
use loggia_model::signature::{Curve, Parameter, Quality, Quantity, Tier};
use loggia_model::stats::Estimate;
use loggia_model::stats::estimate::{difference, propagate};
use loggia_model::units::Micros;
use loggia_model::units::words::number;
use std::collections::BTreeMap;

/// Maximum width of the interval, relative to EEL, for the conclusion that L is near 0.
const PRECISE: f64 = 0.5;

/// L and g(m), from round trips and overheads.
pub(super) fn fit(evidence: &Evidence, ends: &BTreeMap<u64, Estimate>, tier: &mut Tier) {
    let estimates = |quantity, style| -> BTreeMap<u64, Estimate> {
        let groups = evidence.by_size(quantity, style);
        groups.iter().filter_map(|(size, group)| Some((*size, group.estimate()?))).collect()
    };
    let Some((size, eel)) = at_small(ends) else { return };
    let send = at_small(&estimates(Quantity::SendOverhead, "isend"));
    let recv = at_small(&estimates(Quantity::RecvCompletion, "isend"));
    let (Some((_, send)), Some((_, recv))) = (send, recv) else { return };
    let waiting = at_small(&estimates(Quantity::RecvWaiting, "ssend"));
    let arrived = at_small(&estimates(Quantity::RecvOverhead, "ssend"));
    let bound = match (waiting, arrived) {
        (Some((_, waiting)), Some((_, arrived))) => Some(difference(waiting, arrived)),
        _ => None,
    };
    let bound = bound.filter(|bound| bound.value > 0.0);
    let bound_text = bound.map_or(String::new(), |bound| {
        format!("; upper bound {} from synchronous sends", number(bound.value, 4))
    });
    let source = format!(
        "EEL − o_s − o_r at {size} bytes = {} − {} − {}{bound_text}",
        number(eel.value, 4),
        number(send.value, 4),
        number(recv.value, 4)
    );
    tier.latency = Some(residual([eel, send, recv], bound, source));
    let Some(Micros(latency)) = tier.latency.as_ref().and_then(|latency| latency.value) else {
        return;
    };
    tier.gap_by_size = gaps(ends, Micros(latency), "RTT/2 − L (PLogP's fast method)");
}

/// L = EEL − o_s − o_r.
pub(super) fn residual(
    [eel, send, recv]: [Estimate; 3],
    bound: Option<Estimate>,
    source: String,
) -> Parameter<Micros> {
    let latency = propagate([eel, send, recv], |[eel, send, recv]| eel - send - recv);
    let fitted = parameter(latency, source.clone());
    let is_precise = latency.high - latency.low <= PRECISE * eel.value;
    match fitted.quality {
        // Not significantly above 0.
        Quality::Unusable if latency.low <= 0.0 && is_precise => {
            zero_latency(latency, bound, &source)
        }
        // L and its uncertainty are a small part of the message time, so L = 0 is possible.
        Quality::Unusable if is_precise => Parameter {
            value: Some(Micros(latency.value)),
            low: Some(Micros(0.0)),
            high: Some(Micros(latency.high)),
            quality: Quality::Uncertain,
            ..fitted
        },
        _ => fitted,
    }
}

/// g(m) = T(m) − L.
pub(super) fn gaps(ends: &BTreeMap<u64, Estimate>, latency: Micros, source: &str) -> Option<Curve> {
    let gaps: BTreeMap<u64, Estimate> = ends
        .iter()
        // T(m) and L share the noise of the round trips, so the interval is that of T(m).
        .map(|(size, end)| (*size, difference(*end, Estimate::exact(latency.0))))
        .filter(|(_, gap)| gap.value > 0.0)
        .collect();
    curve(&gaps, source)
}

/// L if the two overheads sum up to the end-to-end time or more. In shared memory the end of a send
/// overlaps with the receive (Bell et al., Section 3), and the CPUs copy the bytes. Then L is 0,
/// with the upper end of the interval or the bound of Al-Tawil & Moritz.
fn zero_latency(latency: Estimate, bound: Option<Estimate>, source: &str) -> Parameter<Micros> {
    let high = bound.map_or(latency.high, |bound| bound.value.max(latency.high)).max(0.0);
    let reason = match latency.value > 0.0 {
        true => format!("{source} is not significantly above 0"),
        false => {
            format!("{source} is not positive: the two overheads overlap (Bell et al., Section 3)")
        }
    };
    if !high.is_finite() {
        return unusable(reason);
    }
    Parameter {
        value: Some(Micros(latency.value.max(0.0))),
        low: Some(Micros(0.0)),
        high: Some(Micros(high)),
        quality: Quality::Uncertain,
        source: reason,
    }
}
