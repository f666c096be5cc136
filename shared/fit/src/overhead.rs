//! o_s(m) and o_r(m) by style, from the two-processor benchmark (`000`, Figure 2). `003`'s overheads
//! stand beside them: what a flood that is one message deep takes with a long computation in each of
//! its messages, without that computation (Section 4.3).

use super::evidence::{Evidence, curve};
use loggia_model::signature::{Quantity, Statistic, Style};
use loggia_model::stats::Estimate;
use loggia_model::units::words::number;
use std::collections::BTreeMap;

/// Every style whose overheads were measured, the first measured first.
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
            let beside = by_computation(evidence, quantity, name).unwrap_or_default();
            curve(&points, &format!("median, {}{beside}", source.unwrap_or_default()))
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

/// `003`'s estimate of an overhead, in words.
fn by_computation(evidence: &Evidence, quantity: Quantity, style: &str) -> Option<String> {
    let quantity = match quantity {
        Quantity::SendOverhead => Quantity::GapSenderComputes,
        Quantity::RecvCompletion => Quantity::GapReceiverComputes,
        _ => return None,
    };
    let groups = evidence.by(quantity, Statistic::Mean, |samples| {
        let of_style = samples.style.as_deref() == Some(style);
        // In ns, so that it can be a key.
        samples.compute.filter(|_| of_style).map(|compute| (compute.0 * 1e3) as u64)
    });
    let (compute, group) = groups.iter().next_back()?;
    let compute = *compute as f64 * 1e-3;
    let left = group.estimate()?.value - compute;
    let (left, compute) = (number(left, 3), number(compute, 3));
    Some(format!(
        "; 003's, what {compute} µs of computation leave of a flood's time a message: {left}"
    ))
}
