//! The tables of a signature: measured times for predictions.
//!
//! RTT/2 by tier, and collective operations by number of ranks. Each table uses one measurement
//! procedure, as the fits do.

use super::card;
use super::collective::conditions::Conditions;
use super::measured::{measured, points_of};
use super::printed;
use super::spread::{self, Spread};
use super::states::States;
use loggia_model::signature::{Operation, Point, Quantity, Samples, Statistic, Table};
use loggia_model::stats::CONFIDENCE;
use loggia_model::stats::quantile::Sample;
use loggia_model::units::{Bytes, Micros, Procs};
use std::collections::BTreeMap;

/// All tables of the samples.
#[must_use]
pub fn tables(samples: &[Samples]) -> Vec<Table> {
    let mut tiers: Vec<&str> = Vec::new();
    for tier in samples.iter().filter_map(|samples| samples.tier.as_deref()) {
        if !tiers.contains(&tier) {
            tiers.push(tier);
        }
    }
    let states = States::of(samples.iter());
    let messages = tiers.into_iter().flat_map(|tier| messages(tier, samples));
    let collectives = Operation::ALL.into_iter().flat_map(|op| collectives(op, samples, &states));
    messages.chain(collectives).collect()
}

/// RTT/2 on a tier, one table per send mode. The default mode, with the most sizes, is last; tables
/// of several pairs follow.
fn messages(tier: &str, samples: &[Samples]) -> Vec<Table> {
    let is_own = |s: &Samples| {
        s.quantity == Quantity::EndToEnd && s.tool.is_none() && s.tier.as_deref() == Some(tier)
    };
    let printed_style = || printed::style_of_ends(tier, samples);
    let default_style =
        Some("send".to_owned()).filter(|_| samples.iter().any(is_own)).or_else(printed_style);
    let default_style = default_style.unwrap_or_else(|| "send".to_owned());
    let table = |style: String, pairs: u32, mut points: Vec<Point>| {
        points.retain(|point| point.value.0 > 0.0);
        let is_selected = |s: &&Samples| {
            s.quantity == Quantity::EndToEnd
                && s.tier.as_deref() == Some(tier)
                && s.style.as_deref() == Some(style.as_str())
                && s.pairs() == pairs
        };
        let by_size = by_condition(samples.iter().filter(is_selected));
        for point in &mut points {
            let all = by_size.get(&(None, point.bytes)).map_or(&[][..], Vec::as_slice);
            let given = spread::given(all);
            if given != Spread::default() {
                (point.low, point.high) = (None, None);
            }
            spread::widen(point, given);
            point.low = point.low.map(|low| low.max(Micros(0.0)));
        }
        (!points.is_empty()).then(|| Table {
            op: None,
            tier: Some(tier.to_owned()),
            style: Some(style),
            procs: None,
            per_node: None,
            pairs: Some(pairs).filter(|pairs| *pairs > 1),
            statistic: Statistic::Median,
            points,
            source: "RTT/2".to_owned(),
        })
    };
    let other_styles = printed::ends_by_style(tier, samples).into_iter();
    let other_styles = other_styles.filter(|(style, _)| *style != default_style);
    let mut tables: Vec<Table> =
        other_styles.filter_map(|(style, ends)| table(style, 1, points_of(ends))).collect();
    tables.extend(table(default_style.clone(), 1, measured(tier, samples)));
    for pairs in card::numbers_of_pairs(tier, Quantity::EndToEnd, samples) {
        let ends = card::end_to_end(tier, samples, pairs).into_iter();
        tables.extend(ends.filter_map(|(style, ends)| table(style, pairs, points_of(ends))));
    }
    tables
}

/// The times of an operation, one table per number of ranks and placement.
fn collectives(op: Operation, samples: &[Samples], states: &States) -> Vec<Table> {
    let of_op = || samples.iter().filter(|samples| samples.op.as_deref() == Some(op.name()));
    let mut placements: Vec<Option<u32>> = of_op().map(|samples| samples.per_node).collect();
    placements.sort_unstable();
    placements.dedup();
    let tables = |per_node: Option<u32>| {
        let of_placement = of_op().filter(|samples| samples.per_node == per_node);
        placement_tables(op, per_node, of_placement.collect(), states)
    };
    placements.into_iter().flat_map(tables).collect()
}

/// Tables for one number of ranks per node. Other tools supply the numbers of ranks that the best
/// procedure lacks.
fn placement_tables(
    op: Operation,
    per_node: Option<u32>,
    mut remaining: Vec<&Samples>,
    states: &States,
) -> Vec<Table> {
    let mut tables = Vec::new();
    while let Some(conditions) = Conditions::of(op, remaining.iter().copied(), states) {
        let is_selected = |s: &&Samples| {
            (s.tool.as_deref(), s.style.as_deref()) == (conditions.tool, conditions.procedure)
        };
        let all = by_condition(remaining.iter().copied().filter(is_selected));
        for (procs, curve) in &conditions.real {
            let mut points: Vec<Point> = curve.iter().filter_map(point).collect();
            for point in points.iter_mut().filter(|point| point.low.is_none()) {
                let all = all.get(&(Some(*procs), point.bytes)).map_or(&[][..], Vec::as_slice);
                spread::widen(point, spread::interval(all));
            }
            if !points.is_empty() {
                tables.push(Table {
                    op: Some(op),
                    tier: None,
                    style: None,
                    procs: Some(*procs),
                    per_node,
                    pairs: None,
                    statistic: conditions.statistic,
                    points,
                    source: conditions.words(),
                });
            }
        }
        remaining.retain(|samples| {
            let is_covered = samples.procs.is_none_or(|p| conditions.real.contains_key(&p));
            samples.tool.is_some()
                && samples.style.as_deref() == conditions.procedure
                && !is_covered
        });
    }
    tables
}

/// Samples by number of ranks, if known, and size.
fn by_condition<'a>(
    samples: impl Iterator<Item = &'a Samples>,
) -> BTreeMap<(Option<Procs>, Bytes), Vec<&'a Samples>> {
    let mut groups: BTreeMap<_, Vec<&Samples>> = BTreeMap::new();
    for samples in samples {
        let procs = samples.procs.filter(|_| samples.op.is_some());
        groups.entry((procs, samples.bytes.unwrap_or_default())).or_default().push(samples);
    }
    groups
}

/// The median of the parts of a measurement, with an interval if there are enough parts.
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

    /// An outlier in 1,000 times changes the mean, but not the median.
    #[test]
    fn medians_are_preferred_to_means() {
        let sample = |statistic, time| printed(Quantity::EndToEnd, 8, statistic, time);
        let tables =
            tables(&[sample(Statistic::Mean, 6.06), sample(Statistic::Percentile(50), 0.46)]);
        assert_eq!(tables[0].points[0].value, Micros(0.46));
    }

    #[test]
    fn a_collective_has_a_table_for_each_number_of_ranks() {
        let sample = |procs, time| Samples {
            tier: None,
            op: Some("allreduce".to_owned()),
            procs: Some(Procs(procs)),
            ..printed(Quantity::Collective, 8, Statistic::Mean, time)
        };
        let tables = tables(&[sample(2, 3.0), sample(4, 5.0)]);
        let times: Vec<_> =
            tables.iter().map(|t| (t.procs.unwrap().0, t.points[0].value.0)).collect();
        assert_eq!(times, [(2, 3.0), (4, 5.0)]);
    }
}
