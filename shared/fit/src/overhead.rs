//! o_s(m) and o_r(m) by send mode, from the two-processor benchmark (Al-Tawil & Moritz, Figure 2).
//! The source also contains the overheads of the CPU overlap test (Bell et al., Section 4.3): time per
//! message of a stream of queue depth 1 with a long computation per message, minus the computation.

use super::evidence::{Evidence, curve};
use loggia_model::signature::{Quantity, Statistic, Style};
use loggia_model::stats::Estimate;
use loggia_model::units::words::number;
use std::collections::BTreeMap;

/// Every send mode with measured overheads, in the order of measurement.
pub(super) fn styles(evidence: &Evidence) -> Vec<Style> {
    let mut styles = Vec::new();
    for name in evidence.styles() {
        let fitted = |quantity| {
            let groups = evidence.by_size(quantity, name);
            let source = groups.values().next().map(|group| group.source().to_owned());
            let points: BTreeMap<u64, Estimate> = groups
                .iter()
                .filter_map(|(size, group)| Some((*size, group.estimate()?)))
                .collect();
            let bell = by_computation(evidence, quantity, name).unwrap_or_default();
            curve(&points, &format!("median, {}{bell}", source.unwrap_or_default()))
        };
        let style = Style {
            send_overhead: fitted(Quantity::SendOverhead).or_else(|| fitted(Quantity::PutOverhead)),
            recv_overhead: fitted(Quantity::RecvCompletion)
                .or_else(|| fitted(Quantity::RecvOverhead)),
            ..Style::unknown(name)
        };
        if style.send_overhead.is_some() || style.recv_overhead.is_some() {
            styles.push(style);
        }
    }
    styles
}

/// The overhead from the CPU overlap test, as text.
fn by_computation(evidence: &Evidence, quantity: Quantity, style: &str) -> Option<String> {
    let quantity = match quantity {
        Quantity::SendOverhead => Quantity::GapSenderComputes,
        Quantity::RecvCompletion => Quantity::GapReceiverComputes,
        _ => return None,
    };
    let groups = evidence.by(quantity, Statistic::Mean, |samples| {
        let is_style = samples.style.as_deref() == Some(style);
        // In whole ns, to be usable as a key.
        samples.compute.filter(|_| is_style).map(|compute| (compute.0 * 1e3) as u64)
    });
    let (compute, group) = groups.iter().next_back()?;
    let compute = *compute as f64 * 1e-3;
    let overhead = group.estimate()?.value - compute;
    let (overhead, compute) = (number(overhead, 3), number(compute, 3));
    Some(format!("; by Bell et al. with {compute} µs of computation: {overhead}"))
}
