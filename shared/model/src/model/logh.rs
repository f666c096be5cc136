//! LoGH{sSP} (Al-Tawil & Moritz 2001, Section 3.3): two tiers, as in a cluster of shared-memory
//! nodes.
//!
//! # Formula
//! inside a node (8): T = s_s + s_r + (k−1) S
//! between nodes (9): T = o_s + o_r + (k−1) G + L
//! - s_s, s_r: overheads inside a node; S: gap per byte there; the latency there is neglected
//! - o_s, o_r, G, L: the same between nodes

use super::{Model, Need, Prediction, Route, Term, Warning};
use crate::signature::Reach;
use crate::units::Bytes;

pub(super) const NEEDS: &[Need] =
    &[Need::SendOverhead, Need::RecvOverhead, Need::GapPerByte, Need::Latency, Need::SecondTier];

/// Unknown parameters; L is not needed inside a node.
pub(super) fn missing(route: &Route) -> Vec<Need> {
    let inside = route.tier.reach == Reach::Intra;
    NEEDS
        .iter()
        .copied()
        .filter(|need| !(route.has(*need) || inside && *need == Need::Latency))
        .collect()
}

pub(super) fn is_possible(route: &Route) -> bool {
    missing(route).is_empty()
}

/// The time of one message; none if a parameter is unknown.
pub fn predict(route: &Route, bytes: Bytes) -> Option<Prediction> {
    if !route.has(Need::SecondTier) {
        return None;
    }
    let send = route.send_overhead(bytes)?;
    let recv = route.recv_overhead(bytes)?;
    let gap = route.gap_per_byte_term()?;
    let inside = route.tier.reach == Reach::Intra;
    let [send_symbol, recv_symbol, gap_symbol] =
        if inside { ["s_s", "s_r", "S"] } else { ["o_s", "o_r", "G"] };
    let mut terms = Vec::with_capacity(4);
    terms.push(Term::new(send_symbol, 1.0, send.time));
    terms.push(Term::new(recv_symbol, 1.0, recv.time));
    terms.push(Term::new(gap_symbol, bytes.after_the_first(), gap));
    if !inside {
        terms.push(Term::new("L", 1.0, route.latency()?));
    }
    let warnings = Warning::of_curves(bytes, [(send_symbol, &send), (recv_symbol, &recv)]);
    let symbols = if inside { "s_s + s_r + (k−1)S" } else { "o_s + o_r + (k−1)G + L" };
    Some(Prediction::sum(Some(Model::Logh), symbols, terms, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// Al-Tawil & Moritz 2001, Table 4 and Equations 8 and 9, at the sizes of the table.
    #[test]
    fn on_the_convex_exemplar() {
        let convex = library::load("convex-exemplar").unwrap();
        for (tier, bytes, value, low, high) in [
            ("inter-hypernode", 100, 60.0 + 99.0 * 0.05 + 7.0, 68.95, 74.95),
            ("inter-hypernode", 10_000, 400.0 + 9999.0 * 0.05 + 7.0, 903.95, 909.95),
            ("intra-hypernode", 100, 4.0 + 99.0 * 0.01, 4.99, 4.99),
            ("intra-hypernode", 10_000, 40.0 + 9999.0 * 0.01, 139.99, 139.99),
        ] {
            let route = Route::of(&convex, Some(tier), None).unwrap();
            assert_eq!(Model::richest(&route), Some(Model::Logh));
            let total = predict(&route, Bytes(bytes)).unwrap().total.unwrap();
            for (actual, expected) in [(total.value, value), (total.low, low), (total.high, high)] {
                assert!((actual.0 - expected).abs() < 1e-9, "{tier} {bytes}: {total:?}");
            }
        }
    }

    #[test]
    fn one_tier_is_not_enough() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let error = Model::Logh.predict(&route, Bytes(1)).unwrap_err();
        assert!(error.message.contains("a second tier"), "{error}");
    }
}
