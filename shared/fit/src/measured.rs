//! Measured T(m): from the collector's ping-pongs, or else from other tools.

use super::end_to_end::by_size;
use super::evidence::{Evidence, Group};
use super::printed;
use loggia_model::signature::{Point, Quantity, Samples, Statistic};
use loggia_model::stats::Estimate;
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeMap;

/// Measured RTT/2 of a tier by size. A point has no bounds if there are too few samples.
#[must_use]
pub fn measured(tier: &str, samples: &[Samples]) -> Vec<Point> {
    let evidence = Evidence::of_tier(tier, samples);
    let mut ends = by_size(&evidence);
    if ends.is_empty() {
        ends = printed::ends(tier, samples);
    }
    if ends.is_empty() {
        let printed = evidence.by(Quantity::EndToEnd, Statistic::Reported, |s| Some(s.bytes?.0));
        let estimate = |(size, group): (&u64, &Group)| Some((*size, group.estimate()?));
        ends = printed.iter().filter_map(estimate).collect();
    }
    points_of(ends)
}

/// Estimates by size as points.
pub(super) fn points_of(ends: BTreeMap<u64, Estimate>) -> Vec<Point> {
    let bound = |value: f64| value.is_finite().then_some(Micros(value));
    let point = |(size, estimate): (u64, Estimate)| Point {
        bytes: Bytes(size),
        value: Micros(estimate.value),
        low: bound(estimate.low),
        high: bound(estimate.high),
    };
    ends.into_iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_points_have_bounds_if_there_are_enough_samples() {
        let ends = |size: u64, times: &[f64]| Samples {
            tier: Some("network".to_owned()),
            style: Some("send".to_owned()),
            bytes: Some(Bytes(size)),
            times: times.iter().copied().map(Micros).collect(),
            ..Samples::raw(Quantity::EndToEnd)
        };
        let many = [2.0, 2.1, 2.0, 1.9, 2.0, 2.1, 2.0, 1.9, 2.0, 2.0];
        let samples = [ends(64, &many), ends(8, &[1.0])];
        let [few, point] = measured("network", &samples)[..] else { panic!() };
        assert_eq!((few.bytes, few.value, few.low), (Bytes(8), Micros(1.0), None));
        assert_eq!((point.bytes, point.value), (Bytes(64), Micros(2.0)));
        assert!(point.low.unwrap() < point.value && point.value < point.high.unwrap());
        assert!(measured("node", &samples).is_empty());
    }
}
