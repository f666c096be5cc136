//! g, g by queue depth and G, from the streaming bandwidth test (the flood test of Bell et al.,
//! Section 4.2).
//!
//! # Formula
//! - g: the time per message of the smallest size, at the best queue depth
//! - G: (t(m) − g) / (m − m0), where t(m) is the time per message of m bytes at its best depth and
//!   m0 the smallest size; the median over the largest sizes
//! - if single messages take significantly less per byte than a stream, whose buffers exceed the
//!   caches, G is (T(m2) − T(m1)) / (m2 − m1) between the largest size and a quarter of it

use super::end_to_end::at_small;
use super::evidence::{Evidence, Group, parameter, unusable};
use loggia_model::signature::{DepthPoint, Parameter, Quantity, Statistic, Tier};
use loggia_model::stats::Estimate;
use loggia_model::stats::estimate::{difference, scale};
use loggia_model::stats::quantile::median;
use loggia_model::units::MicrosPerByte;
use loggia_model::units::words::number;
use std::collections::BTreeMap;

/// G is estimated from sizes of at least the largest size divided by this.
const LARGE: u64 = 4;

/// Sets g and G.
pub(super) fn fit(evidence: &Evidence, ends: &BTreeMap<u64, Estimate>, tier: &mut Tier) {
    let groups = evidence
        .by(Quantity::Gap, Statistic::Mean, |samples| Some((samples.bytes?.0, samples.depth?)));
    let mut by_size: BTreeMap<u64, BTreeMap<u32, (Estimate, &Group)>> = BTreeMap::new();
    for ((size, depth), group) in &groups {
        if let Some(estimate) = group.estimate() {
            by_size.entry(*size).or_default().insert(*depth, (estimate, group));
        }
    }
    let best: BTreeMap<u64, (Estimate, u32)> =
        by_size.iter().filter_map(|(size, depths)| Some((*size, best_of(depths)?))).collect();
    let Some((small, (gap, depth))) = at_small(&best) else { return };
    if let Some(depths) = by_size.get(&small) {
        tier.gap_by_depth = depths
            .iter()
            .map(|(depth, (estimate, group))| DepthPoint {
                depth: *depth,
                gap: parameter(*estimate, format!("median of {} streams", group.count())),
            })
            .collect();
        let bell_minimum = evidence.by(Quantity::Gap, Statistic::Minimum, |samples| {
            (samples.bytes?.0 == small).then_some(samples.depth?)
        });
        let minimum = bell_minimum.values().filter_map(Group::least).min_by(f64::total_cmp);
        let minimum = minimum.unwrap_or(gap.value);
        tier.gap = Some(parameter(
            gap,
            format!(
                "stream of {small} bytes, {depth} in flight, median of its runs (Bell et al., \
                 least at any depth: {})",
                number(minimum, 4)
            ),
        ));
    }
    tier.gap_per_byte = per_byte(&best, (small, gap), ends);
}

/// The depth with the smallest upper bound of the time, since a depth with few samples may have a
/// small estimate by chance.
fn best_of(depths: &BTreeMap<u32, (Estimate, &Group)>) -> Option<(Estimate, u32)> {
    let all = depths.iter().map(|(depth, (estimate, _))| (*estimate, *depth));
    all.min_by(|a, b| a.0.high.total_cmp(&b.0.high))
}

fn per_byte(
    best: &BTreeMap<u64, (Estimate, u32)>,
    small: (u64, Estimate),
    ends: &BTreeMap<u64, Estimate>,
) -> Option<Parameter<MicrosPerByte>> {
    let largest = best.keys().next_back().copied().filter(|size| *size > small.0)?;
    let large = best.range((largest / LARGE).max(small.0 + 1)..);
    let mut slopes: Vec<(u64, Estimate)> = large
        .map(|(size, (time, _))| {
            (*size, scale(difference(*time, small.1), 1.0 / (size - small.0) as f64))
        })
        .collect();
    slopes.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let (size, median_slope) = slopes.get(slopes.len() / 2).copied()?;
    // The interval includes the differences between sizes.
    let spread = |bound: fn(&Estimate) -> f64| -> Vec<f64> {
        slopes.iter().map(|(_, slope)| bound(slope)).collect()
    };
    let low = median(&spread(|e| e.low)).unwrap_or(median_slope.low).min(median_slope.low);
    let high = median(&spread(|e| e.high)).unwrap_or(median_slope.high).max(median_slope.high);
    let estimate = Estimate { value: median_slope.value, low, high };
    let source = format!(
        "streams of {} to {largest} bytes at their best depths, median: (t({size}) − g)/{}",
        largest / LARGE,
        size - small.0
    );
    if estimate.value <= 0.0 {
        return Some(unusable(format!(
            "{source} is not positive: the time does not grow with the size"
        )));
    }
    if let Some((slope, words)) =
        single_messages(ends).filter(|(slope, _)| slope.high < estimate.low)
    {
        let stream = number(estimate.value, 4);
        return Some(parameter(
            slope,
            format!("{words}; G of streams is larger, {stream}: {source}"),
        ));
    }
    Some(parameter(estimate, source))
}

/// Time per byte of single messages.
fn single_messages(ends: &BTreeMap<u64, Estimate>) -> Option<(Estimate, String)> {
    let (largest, large_time) = ends.iter().next_back()?;
    let (size, small_time) = ends.range(largest / LARGE..*largest).next()?;
    let slope = scale(difference(*large_time, *small_time), 1.0 / (largest - size) as f64);
    let words = format!("RTT/2: (T({largest}) − T({size}))/{}", largest - size);
    (slope.value > 0.0).then_some((slope, words))
}
