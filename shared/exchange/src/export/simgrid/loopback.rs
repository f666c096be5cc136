//! Messages inside a node: the loopback of a cluster. The network's factors and overheads apply to it.

use super::factors::{Factors, Loopback};
use super::lines::FLAT;
use loggia_model::model::{self, Route};
use loggia_model::signature::{Reach, Tier};
use loggia_model::units::{Bytes, Micros};

/// The loopback for the tier inside a node; `None` if this is the route's own tier.
pub(super) fn loopback(route: &Route, factors: &Factors) -> Option<Loopback> {
    let is_inside = |tier: &&Tier| tier.reach == Reach::Intra && tier.name != route.tier.name;
    let tier = route.signature.tiers.iter().find(is_inside)?;
    let style = route.style.map(|style| style.name.0.as_str());
    let inside = Route::near(route.signature, Some(&tier.name), style).ok()?;
    let [small, large] = [8, 1 << 20].map(|size| factors.shares(size));
    let total = |size| Some(model::predict(&inside, None, Bytes(size)).ok()?.time()?.0);
    let totals = [total(8)?, total(1 << 20)?];
    // overheads + lf·lat + transfer/bw = total, at both sizes.
    let remaining = [totals[0] - small.overheads, totals[1] - large.overheads];
    let latency = (remaining[0] * large.transfer - remaining[1] * small.transfer)
        / (small.lf * large.transfer - large.lf * small.transfer);
    let latency = if latency.is_finite() { latency.max(0.0) } else { 0.0 };
    let per_byte = (remaining[1] - large.lf * latency) / large.transfer;
    let per_byte = per_byte.max(factors.per_byte * FLAT);
    let times =
        [(8, &small, totals[0]), (1 << 20, &large, totals[1])].map(|(size, shares, total)| {
            let simulated = shares.overheads + shares.lf * latency + shares.transfer * per_byte;
            (Bytes(size), Micros(simulated), Micros(total))
        });
    Some(Loopback { tier: tier.name.clone(), latency: Micros(latency), per_byte, times })
}
