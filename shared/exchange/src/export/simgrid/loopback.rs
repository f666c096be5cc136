//! Messages inside a node: the loopback of a cluster, to which the network's factors and overheads apply.

use super::factors::{Factors, Loopback};
use super::lines::FLAT;
use loggia_model::model::{self, Route};
use loggia_model::signature::{Reach, Tier};
use loggia_model::units::{Bytes, Micros};

/// The tier inside a node, if it is another than the route's.
pub(super) fn loopback(route: &Route, factors: &Factors) -> Option<Loopback> {
    let is_it = |tier: &&Tier| tier.reach == Reach::Intra && tier.name != route.tier.name;
    let tier = route.signature.tiers.iter().find(is_it)?;
    let style = route.style.map(|style| style.name.0.as_str());
    let inside = Route::near(route.signature, Some(&tier.name), style).ok()?;
    let [small, large] = [8, 1 << 20].map(|size| factors.shares(size));
    let total = |size| Some(model::predict(&inside, None, Bytes(size)).ok()?.time()?.0);
    let totals = [total(8)?, total(1 << 20)?];
    // overheads + lf·lat + each/bw = total, at both sizes.
    let rest = [totals[0] - small.overheads, totals[1] - large.overheads];
    let latency = (rest[0] * large.each - rest[1] * small.each)
        / (small.lf * large.each - large.lf * small.each);
    let latency = if latency.is_finite() { latency.max(0.0) } else { 0.0 };
    let per_byte = (rest[1] - large.lf * latency) / large.each;
    let per_byte = per_byte.max(factors.per_byte * FLAT);
    let times = [(8, &small, totals[0]), (1 << 20, &large, totals[1])].map(|(size, at, total)| {
        let theirs = at.overheads + at.lf * latency + at.each * per_byte;
        (Bytes(size), Micros(theirs), Micros(total))
    });
    Some(Loopback { tier: tier.name.clone(), latency: Micros(latency), per_byte, times })
}
