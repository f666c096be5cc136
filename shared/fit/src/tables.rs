//! The tables of a signature: what predictions are read from where something was measured.
//!
//! Half round trips by tier; collective operations by number of ranks. Of several ways of measuring
//! the same, each table takes one, as the fits do.

use super::collective::conditions::{Conditions, Curve};
use super::measured::measured;
use super::printed;
use super::states::States;
use loggia_model::signature::{Operation, Point, Samples, Statistic, Table};
use loggia_model::stats::CONFIDENCE;
use loggia_model::stats::quantile::Sample;
use loggia_model::units::{Bytes, Micros, Procs};

/// All tables that the samples tell.
#[must_use]
pub fn tables(samples: &[Samples]) -> Vec<Table> {
    let mut tiers: Vec<&str> = Vec::new();
    for tier in samples.iter().filter_map(|samples| samples.tier.as_deref()) {
        if !tiers.contains(&tier) {
            tiers.push(tier);
        }
    }
    let states = States::of(samples.iter());
    let messages = tiers.into_iter().filter_map(|tier| messages(tier, samples));
    let collectives = Operation::ALL.into_iter().flat_map(|op| collectives(op, samples, &states));
    messages.chain(collectives).collect()
}

/// Half round trips on a tier.
fn messages(tier: &str, samples: &[Samples]) -> Option<Table> {
    let mut points = measured(tier, samples);
    points.retain(|point| point.value.0 > 0.0);
    for point in &mut points {
        point.low = point.low.map(|low| low.max(Micros(0.0)));
    }
    let style = printed::style_of_ends(tier, samples).unwrap_or_else(|| "send".to_owned());
    (!points.is_empty()).then(|| Table {
        op: None,
        tier: Some(tier.to_owned()),
        style: Some(style),
        procs: None,
        per_node: None,
        statistic: Statistic::Median,
        points,
        source: "half round trips".to_owned(),
    })
}

/// An operation's times, a table for each number of ranks.
fn collectives(op: Operation, samples: &[Samples], states: &States) -> Vec<Table> {
    let Some(conditions) = Conditions::of(op, samples, states) else { return Vec::new() };
    let statistic = conditions.statistic;
    let table = |(procs, curve): (&Procs, &Curve)| Table {
        op: Some(op),
        tier: None,
        style: None,
        procs: Some(*procs),
        per_node: None,
        statistic,
        points: curve.iter().filter_map(point).collect(),
        source: conditions.words(),
    };
    conditions.real.iter().map(table).filter(|table| !table.points.is_empty()).collect()
}

/// The median of the parts of a measurement, with its interval where they are enough for one.
fn point((bytes, parts): (&Bytes, &Vec<f64>)) -> Option<Point> {
    let estimate = Sample::new(parts, 0.0).estimate(0.5, CONFIDENCE)?;
    let bound = |bound: f64| bound.is_finite().then(|| Micros(bound.max(0.0)));
    (estimate.value > 0.0).then(|| Point {
        bytes: *bytes,
        value: Micros(estimate.value),
        low: bound(estimate.low),
        high: bound(estimate.high),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::signature::Quantity;

    fn printed(quantity: Quantity, bytes: u64, statistic: Statistic, time: f64) -> Samples {
        Samples {
            tier: Some("network".to_owned()),
            bytes: Some(Bytes(bytes)),
            statistic,
            times: vec![Micros(time)],
            tool: Some("OSU latency".to_owned()),
            ..Samples::raw(quantity)
        }
    }

    /// One outlier in a thousand moves the mean and not the median.
    #[test]
    fn medians_are_taken_before_means() {
        let of = |statistic, time| printed(Quantity::EndToEnd, 8, statistic, time);
        let tables = tables(&[of(Statistic::Mean, 6.06), of(Statistic::Percentile(50), 0.46)]);
        assert_eq!(tables[0].points[0].value, Micros(0.46));
    }

    #[test]
    fn a_collective_has_a_table_for_each_number_of_ranks() {
        let of = |procs, time| Samples {
            tier: None,
            op: Some("allreduce".to_owned()),
            procs: Some(Procs(procs)),
            ..printed(Quantity::Collective, 8, Statistic::Mean, time)
        };
        let tables = tables(&[of(2, 3.0), of(4, 5.0)]);
        let times: Vec<_> =
            tables.iter().map(|t| (t.procs.unwrap().0, t.points[0].value.0)).collect();
        assert_eq!(times, [(2, 3.0), (4, 5.0)]);
    }
}
