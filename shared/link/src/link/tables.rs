//! Measured tables in a link: fewer points, between which the others are interpolated to
//! within 1% or a quarter of their interval, as with curves. What does not fit is left out and named.

use super::compact::{allowed, in_steps};
use loggia_model::Signature;
use loggia_model::measured::{MeasuredTime, pairs, sizes};
use loggia_model::signature::{Point, Table};
use loggia_model::units::Bytes;

/// The tables in a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    All,
    Messages,
    Nothing,
}

impl Taken {
    /// From most to fewest.
    pub(super) const EACH: [Taken; 3] = [Taken::All, Taken::Messages, Taken::Nothing];

    fn takes(self, table: &Table) -> bool {
        match self {
            Taken::All => true,
            Taken::Messages => table.op.is_none(),
            Taken::Nothing => false,
        }
    }

    /// Leaves out the other tables, thins these, and says what was left out.
    pub(super) fn thin(self, signature: &mut Signature) -> Vec<String> {
        let mut omitted = Vec::new();
        let left_out = |of_messages: bool| {
            let is_left = |table: &&Table| !self.takes(table) && table.op.is_none() == of_messages;
            signature.tables.iter().filter(is_left).map(|table| table.points.len()).sum::<usize>()
        };
        for (points, what) in
            [(left_out(true), "messages"), (left_out(false), "collective operations")]
        {
            if points > 0 {
                omitted.push(format!("{points} measured times of {what}"));
            }
        }
        signature.tables.retain(|table| self.takes(table));
        let points = thin_all(&mut signature.tables);
        if points > 0 {
            omitted.push(format!(
                "{points} measured times that the others tell to within 1% or a quarter of their \
                 interval"
            ));
        }
        omitted
    }
}

/// Leaves out points of tables; says how many.
fn thin_all(tables: &mut [Table]) -> usize {
    let (mut one, mut several): (Vec<_>, Vec<_>) =
        tables.iter_mut().partition(|table| table.pairs.is_none());
    let of_one: usize = one.iter_mut().map(|table| thin(table, &sizes::at)).sum();
    // Times of several pairs are read as their deviation from a rule on those of one.
    let of_several = several.iter_mut().map(|table| {
        let same = |one: &&&mut Table| {
            one.op.is_none() && (&one.tier, &one.style) == (&table.tier, &table.style)
        };
        match (one.iter().find(same), table.pairs) {
            (Some(one), Some(n)) => {
                thin(table, &|known, bytes| pairs::at(&one.points, vec![(n, known)], n, bytes))
            }
            _ => thin(table, &sizes::at),
        }
    });
    of_one + of_several.sum::<usize>()
}

/// Predicts a time at a size from some points.
type Read<'a> = &'a dyn Fn(&[Point], Bytes) -> Option<MeasuredTime>;

/// Leaves out points of a table; says how many.
fn thin(table: &mut Table, read: Read) -> usize {
    let told: Vec<Point> = table.points.iter().map(in_steps).collect();
    // An already compact table stays as it is, so that repeated sharing does not change it.
    if told == table.points || told.len() < 3 {
        return 0;
    }
    let mut kept: Vec<usize> = vec![0, told.len() - 1];
    loop {
        let known: Vec<Point> = kept.iter().map(|place| told[*place]).collect();
        let error = |point: &Point| {
            let time = read(&known, point.bytes).map_or(f64::INFINITY, |r| r.time.value.0);
            (time - point.value.0).abs() / allowed(point)
        };
        let others = (0..told.len()).filter(|place| !kept.contains(place));
        let worst = others
            .map(|place| (place, error(&table.points[place])))
            .filter(|(_, error)| *error > 1.0)
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((worst, _)) = worst else { break };
        let place = kept.partition_point(|place| *place < worst);
        kept.insert(place, worst);
    }
    let before = told.len();
    table.points = kept.into_iter().map(|place| told[place]).collect();
    before - table.points.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::State;
    use crate::{DIGNIFIED_LENGTH, decode, encode};
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
    fn what_a_link_holds_is_read_to_within_a_hundredth() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.tables = vec![table(None, 2), table(Some(Operation::Bcast), 16)];
        let full = t3d.tables.clone();
        let (link, omitted) = encode(&State::of(t3d));
        assert!(link.len() <= DIGNIFIED_LENGTH, "{}", link.len());
        assert!(omitted.iter().any(|what| what.contains("within 1%")), "{omitted:?}");
        let opened = decode(&link).unwrap();
        for (full, thin) in full.iter().zip(&opened.signatures[0].tables) {
            assert!(thin.points.len() < full.points.len());
            for point in &full.points {
                let read = sizes::at(&thin.points, point.bytes).unwrap().time.value.0;
                assert!((read / point.value.0 - 1.0).abs() <= 0.015, "{point:?}: {read}");
            }
        }
        let again = encode(&opened).0;
        assert_eq!(decode(&again).unwrap(), opened);
    }

    #[test]
    fn times_of_several_pairs_are_read_to_within_a_hundredth() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let of_pairs = |pairs: u32| {
            let rule = |power: u32| {
                let (steps, bytes) = (f64::from(power), f64::from(1u32 << power));
                // From 512 bytes on another protocol, and a card that two pairs fill.
                let latency = if power < 9 { 2.0 } else { 5.0 };
                let card = f64::from(pairs.max(2)) / 2.0 * 0.0002 * bytes;
                Micros(latency + f64::from(pairs) * 0.01 * steps + card)
            };
            let mut of = table(None, 2);
            of.pairs = Some(pairs).filter(|pairs| *pairs > 1);
            of.points.iter_mut().zip(0..).for_each(|(point, power)| point.value = rule(power));
            of
        };
        t3d.tables = [1, 4, 16].map(of_pairs).to_vec();
        let full = t3d.tables.clone();
        let opened = decode(&encode(&State::of(t3d)).0).unwrap();
        let tables = &opened.signatures[0].tables;
        for (full, thin) in full.iter().zip(tables).skip(1) {
            assert!(thin.points.len() < full.points.len());
            let pairs = thin.pairs.unwrap();
            for point in &full.points {
                let known = vec![(pairs, thin.points.as_slice())];
                let read = pairs::at(&tables[0].points, known, pairs, point.bytes).unwrap();
                let read = read.time.value.0;
                assert!((read / point.value.0 - 1.0).abs() <= 0.015, "{point:?}: {read}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_named() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let operations = (1..60).map(|n| table(Some(Operation::Alltoall), 2 * n));
        t3d.tables = [table(None, 2)].into_iter().chain(operations).collect();
        let (link, omitted) = encode(&State::of(t3d));
        assert!(link.len() <= DIGNIFIED_LENGTH, "{}", link.len());
        let named = omitted.iter().any(|what| what.contains("times of collective operations"));
        assert!(named, "{omitted:?}");
        assert_eq!(decode(&link).unwrap().signatures[0].tables.len(), 1);
    }
}
