//! o_s(m) and o_r(m) by style, from the two-processor benchmark (`000`, Figure 2).

use super::evidence::{Evidence, curve};
use crate::signature::{Quantity, Style};
use crate::stats::Estimate;
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
            curve(&points, &format!("median, {}", source.unwrap_or_default()))
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
