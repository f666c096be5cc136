//! Measured tables in a link. If a link would be too long, points that interpolation gives within 1%
//! or a quarter of their interval are left out, as in curves; then tables are left out and listed.

use super::compact::{allowed, in_steps};
use loggia_model::Signature;
use loggia_model::measured::{MeasuredTime, pairs, sizes};
use loggia_model::signature::{Point, Table};
use loggia_model::units::Bytes;

/// Number of points that are too many for a link.
const TOO_MANY_POINTS: usize = 250;

/// The tables in a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IncludedTables {
    /// All tables, with all points.
    Whole,
    All,
    Messages,
    Nothing,
}

impl IncludedTables {
    /// From most to fewest tables.
    const DECREASING: [IncludedTables; 4] = [
        IncludedTables::Whole,
        IncludedTables::All,
        IncludedTables::Messages,
        IncludedTables::Nothing,
    ];

    /// The tables to try, from most to fewest.
    pub(super) fn decreasing(tables: usize, points: usize) -> &'static [IncludedTables] {
        match (tables, points) {
            // Nothing could be left out.
            (0, _) => &Self::DECREASING[..1],
            // More points do not fit; trying would take time at every change of the page.
            (_, TOO_MANY_POINTS..) => &Self::DECREASING[1..],
            _ => &Self::DECREASING,
        }
    }

    fn includes(self, table: &Table) -> bool {
        match self {
            IncludedTables::Whole | IncludedTables::All => true,
            IncludedTables::Messages => table.op.is_none(),
            IncludedTables::Nothing => false,
        }
    }

    /// Leaves out the other tables and thins these; returns a list of the omitted parts.
    pub(super) fn thin(self, signature: &mut Signature) -> Vec<String> {
        let mut omitted = Vec::new();
        let left_out = |of_messages: bool| {
            let is_left =
                |table: &&Table| !self.includes(table) && table.op.is_none() == of_messages;
            signature.tables.iter().filter(is_left).map(|table| table.points.len()).sum::<usize>()
        };
        for (points, kind) in
            [(left_out(true), "messages"), (left_out(false), "collective operations")]
        {
            if points > 0 {
                omitted.push(format!("{points} measured times of {kind}"));
            }
        }
        if self == IncludedTables::Whole {
            for point in signature.tables.iter_mut().flat_map(|table| &mut table.points) {
                *point = in_steps(point);
            }
            return omitted;
        }
        signature.tables.retain(|table| self.includes(table));
        let points = thin_all(&mut signature.tables);
        if points > 0 {
            omitted.push(format!(
                "{points} measured times, interpolated within 1% or a quarter of the interval"
            ));
        }
        omitted
    }
}

/// Leaves out points of tables; returns their number.
fn thin_all(tables: &mut [Table]) -> usize {
    let (mut single_pair, mut pairs_tables): (Vec<_>, Vec<_>) =
        tables.iter_mut().partition(|table| table.pairs.is_none());
    let single_pair_omitted: usize =
        single_pair.iter_mut().map(|table| thin(table, &sizes::at)).sum();
    // Times of several pairs are interpolated relative to a model based on the times of one pair.
    let pairs_omitted = pairs_tables.iter_mut().map(|table| {
        let same = |single_pair: &&&mut Table| {
            single_pair.op.is_none()
                && (&single_pair.tier, &single_pair.style) == (&table.tier, &table.style)
        };
        match (single_pair.iter().find(same), table.pairs) {
            (Some(single_pair), Some(n)) => thin(table, &|known, bytes| {
                pairs::at(&single_pair.points, vec![(n, known)], n, bytes)
            }),
            _ => thin(table, &sizes::at),
        }
    });
    single_pair_omitted + pairs_omitted.sum::<usize>()
}

/// Interpolates a time at a size from some points.
type Interpolate<'a> = &'a dyn Fn(&[Point], Bytes) -> Option<MeasuredTime>;

/// Leaves out points of a table; returns their number.
fn thin(table: &mut Table, interpolate: Interpolate) -> usize {
    let rounded_points: Vec<Point> = table.points.iter().map(in_steps).collect();
    // An already compact table stays as it is, so that repeated sharing does not change it.
    if rounded_points == table.points || rounded_points.len() < 3 {
        return 0;
    }
    let mut kept: Vec<usize> = vec![0, rounded_points.len() - 1];
    loop {
        let known: Vec<Point> = kept.iter().map(|index| rounded_points[*index]).collect();
        let error = |point: &Point| {
            let time = interpolate(&known, point.bytes).map_or(f64::INFINITY, |r| r.time.value.0);
            (time - point.value.0).abs() / allowed(point)
        };
        let omitted = (0..rounded_points.len()).filter(|index| !kept.contains(index));
        let worst = omitted
            .map(|index| (index, error(&table.points[index])))
            .filter(|(_, error)| *error > 1.0)
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((worst, _)) = worst else { break };
        let index = kept.partition_point(|index| *index < worst);
        kept.insert(index, worst);
    }
    let before = rounded_points.len();
    table.points = kept.into_iter().map(|index| rounded_points[index]).collect();
    before - table.points.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;
    use crate::{RECOMMENDED_LENGTH, decode, encode};
    use loggia_model::library;
    use loggia_model::signature::{Operation, Statistic};
    use loggia_model::units::{Bytes, Micros, Procs};

    fn table(op: Option<Operation>, procs: u32) -> Table {
        let point = |power: u32| Point {
            bytes: Bytes(1 << power),
            value: Micros(1.7 + f64::from(procs) * 0.001_234 * f64::from(1u32 << power).powf(0.8)),
            low: None,
            high: None,
        };
        Table {
            op,
            tier: op.is_none().then(|| "network".to_owned()),
            style: None,
            procs: op.map(|_| Procs(procs)),
            per_node: None,
            pairs: None,
            statistic: Statistic::Mean,
            points: (0..22).map(point).collect(),
            source: "a test".to_owned(),
        }
    }

    #[test]
    fn a_short_link_keeps_all_measured_times() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.tables = vec![table(None, 2), table(Some(Operation::Bcast), 16)];
        let (link, omitted) = encode(&State::of(t3d.clone()));
        assert!(link.len() <= RECOMMENDED_LENGTH, "{}", link.len());
        assert!(!omitted.iter().any(|part| part.contains("measured times")), "{omitted:?}");
        let opened = decode(&link).unwrap();
        for (full, rounded) in t3d.tables.iter().zip(&opened.signatures[0].tables) {
            assert_eq!(rounded.points.len(), full.points.len());
            for (point, rounded) in full.points.iter().zip(&rounded.points) {
                assert!((rounded.value.0 / point.value.0 - 1.0).abs() < 5e-3, "{rounded:?}");
            }
        }
        assert_eq!(decode(&encode(&opened).0).unwrap(), opened);
    }

    #[test]
    fn times_in_a_link_have_an_error_of_at_most_one_percent() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.tables = vec![table(None, 2), table(Some(Operation::Bcast), 16)];
        let full = t3d.tables.clone();
        let omitted = IncludedTables::All.thin(&mut t3d);
        let (link, _) = encode(&State::of(t3d));
        assert!(link.len() <= RECOMMENDED_LENGTH, "{}", link.len());
        assert!(omitted.iter().any(|part| part.contains("within 1%")), "{omitted:?}");
        let opened = decode(&link).unwrap();
        for (full, thin) in full.iter().zip(&opened.signatures[0].tables) {
            assert!(thin.points.len() < full.points.len());
            for point in &full.points {
                let time = sizes::at(&thin.points, point.bytes).unwrap().time.value.0;
                assert!((time / point.value.0 - 1.0).abs() <= 0.015, "{point:?}: {time}");
            }
        }
        let again = encode(&opened).0;
        assert_eq!(decode(&again).unwrap(), opened);
    }

    #[test]
    fn times_of_several_pairs_have_an_error_of_at_most_one_percent() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let table_of_pairs = |pairs: u32| {
            let time = |power: u32| {
                let (steps, bytes) = (f64::from(power), f64::from(1u32 << power));
                // Another protocol from 512 bytes on, and a card that two pairs fill.
                let latency = if power < 9 { 2.0 } else { 5.0 };
                let card = f64::from(pairs.max(2)) / 2.0 * 0.0002 * bytes;
                Micros(latency + f64::from(pairs) * 0.01 * steps + card)
            };
            let mut table_of_n = table(None, 2);
            table_of_n.pairs = Some(pairs).filter(|pairs| *pairs > 1);
            table_of_n
                .points
                .iter_mut()
                .zip(0..)
                .for_each(|(point, power)| point.value = time(power));
            table_of_n
        };
        t3d.tables = [1, 4, 16].map(table_of_pairs).to_vec();
        let full = t3d.tables.clone();
        IncludedTables::All.thin(&mut t3d);
        let opened = decode(&encode(&State::of(t3d)).0).unwrap();
        let tables = &opened.signatures[0].tables;
        for (full, thin) in full.iter().zip(tables).skip(1) {
            assert!(thin.points.len() < full.points.len());
            let pairs = thin.pairs.unwrap();
            for point in &full.points {
                let known = vec![(pairs, thin.points.as_slice())];
                let time = pairs::at(&tables[0].points, known, pairs, point.bytes).unwrap();
                let time = time.time.value.0;
                assert!((time / point.value.0 - 1.0).abs() <= 0.015, "{point:?}: {time}");
            }
        }
    }

    #[test]
    fn tables_that_do_not_fit_are_left_out_and_named() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let operations = (1..60).map(|n| table(Some(Operation::Alltoall), 2 * n));
        t3d.tables = [table(None, 2)].into_iter().chain(operations).collect();
        let (link, omitted) = encode(&State::of(t3d));
        assert!(link.len() <= RECOMMENDED_LENGTH, "{}", link.len());
        let is_named = omitted.iter().any(|part| part.contains("times of collective operations"));
        assert!(is_named, "{omitted:?}");
        assert_eq!(decode(&link).unwrap().signatures[0].tables.len(), 1);
    }
}
