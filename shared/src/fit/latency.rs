//! L, and g(m) of PLogP.
//!
//! # Formula
//! - L = EEL − o_s − o_r, with o_r as the test that completes a receive posted before, so that no
//!   part of it is counted twice
//! - beside it `000`'s upper bound: a receive that waits for a synchronous send, less one that
//!   finds it there (timer21 − timer12)
//! - g(m) = T(m) − L (Kielmann, Bal & Verstoep, 2000, their fast method)

use super::end_to_end::at_small;
use super::evidence::{Evidence, curve, parameter, unusable};
use crate::signature::{Quantity, Tier};
use crate::stats::Estimate;
use crate::stats::estimate::{difference, propagate};
use crate::units::words::number;
use std::collections::BTreeMap;

/// What round trips and overheads leave.
pub(super) fn fit(evidence: &Evidence, ends: &BTreeMap<u64, Estimate>, tier: &mut Tier) {
    let estimates = |quantity, style| -> BTreeMap<u64, Estimate> {
        let groups = evidence.by_size(quantity, style);
        groups.iter().filter_map(|(size, group)| Some((*size, group.estimate()?))).collect()
    };
    let Some((size, eel)) = at_small(ends) else { return };
    let send = at_small(&estimates(Quantity::SendOverhead, "isend"));
    let recv = at_small(&estimates(Quantity::RecvCompletion, "isend"));
    let (Some((_, send)), Some((_, recv))) = (send, recv) else { return };
    let latency = propagate([eel, send, recv], |[eel, send, recv]| eel - send - recv);
    let waiting = at_small(&estimates(Quantity::RecvWaiting, "ssend"));
    let there = at_small(&estimates(Quantity::RecvOverhead, "ssend"));
    let bound = match (waiting, there) {
        (Some((_, waiting)), Some((_, there))) if waiting.value > there.value => {
            let bound = number(waiting.value - there.value, 4);
            format!("; by 000's synchronous send at most {bound}")
        }
        _ => String::new(),
    };
    let source = format!(
        "EEL − o_s − o_r at {size} bytes = {} − {} − {}{bound}",
        number(eel.value, 4),
        number(send.value, 4),
        number(recv.value, 4)
    );
    if latency.value <= 0.0 {
        tier.latency = Some(unusable(format!(
            "{source} is not positive: the two overheads overlap (003, Section 3)"
        )));
        return;
    }
    tier.latency = Some(parameter(latency, source));
    let gaps: BTreeMap<u64, Estimate> = ends
        .iter()
        // The two share the noise of their round trips, so the interval is that of T(m).
        .map(|(size, end)| (*size, difference(*end, Estimate::exact(latency.value))))
        .filter(|(_, gap)| gap.value > 0.0)
        .collect();
    tier.gap_by_size = curve(&gaps, "T(m) − L, half round trips (PLogP's fast method)");
}
