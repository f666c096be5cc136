//! A collective operation's tables over the numbers of ranks.
//!
//! Two or three numbers of ranks cannot tell log p from p, but the operation can: an allreduce of a
//! given vector takes rounds, so it grows with log p; an allgather or alltoall of a given block moves
//! p − 1 of them. Beyond the measured ranks each size goes on from its own last measurement, in that
//! shape, with its own slope, which is the median of its neighbours' slopes: one outlier must not
//! decide. Where three numbers of ranks or more were measured, the shape is checked against the
//! largest.

use super::sizes::{self, estimate, log_at, log_time, usual_error};
use super::{Basis, Doubt, Estimate, MeasuredTime};
use crate::signature::{BytesAre, Operation, Point, Table};
use crate::stats::quantile::median;
use crate::units::{Bytes, Procs};
use libm::{exp2, log2, sqrt};
use std::collections::BTreeSet;

/// The tables of an operation with the same number of ranks per node, by ranks.
pub type Columns<'a> = Vec<(Procs, &'a [Point])>;

/// The growth of an operation with p, at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// With log p: each round doubles the ranks that are done.
    Rounds,
    /// With p: the block of each rank is moved.
    Blocks,
    /// With a power of p.
    Power,
}

/// Error of an extrapolation over ranks, if the operation determines the shape.
const ERROR_OF_SHAPE: f64 = 0.3;
/// Additional error for each doubling of the ranks (its square is added).
const ERROR_A_DOUBLING: f64 = 0.14;
/// For measurements on one number of ranks, or of ranks per node, where the growth is assumed.
const ERROR_ASSUMED: [f64; 2] = [0.5, 0.35];
/// The error between two numbers of ranks, for each doubling that lies between them.
const ERROR_BETWEEN: f64 = 0.08;
/// Another shape is considered if the operation's own errs by more than this on the largest number of
/// ranks.
const BAD: f64 = 0.14;
/// The other shape is taken if the own one errs by more than this factor times the other's.
const WORSE: f64 = 1.5;

impl Shape {
    /// The shape that an operation has where its bytes are counted as its algorithms count them.
    #[must_use]
    pub fn of(op: Operation) -> Self {
        match op.bytes_are() {
            BytesAre::PerPair | BytesAre::PerRank => Shape::Blocks,
            BytesAre::Vector | BytesAre::Total => Shape::Rounds,
        }
    }

    fn coordinate(self, procs: Procs) -> f64 {
        let p = f64::from(procs.0.max(1));
        match self {
            Shape::Rounds | Shape::Power => log2(p),
            Shape::Blocks => p - 1.0,
        }
    }

    /// The time at `procs` of the curve of this shape through two points, as logarithms.
    fn through(self, a: (Procs, f64), b: (Procs, f64), procs: Procs) -> f64 {
        let [x, xa, xb] = [procs, a.0, b.0].map(|procs| self.coordinate(procs));
        let share = (x - xa) / (xb - xa);
        if self == Shape::Power {
            return a.1 + (b.1 - a.1) * share;
        }
        let [ta, tb] = [a.1, b.1].map(exp2);
        let time = ta + (tb - ta) * share;
        // Fewer ranks than measured: the time cannot fall to nothing.
        log2(time.max(ta.min(tb) * 0.1))
    }

    /// Through one point, and 0 on one rank.
    fn through_one(self, a: (Procs, f64), procs: Procs) -> f64 {
        let ratio = self.coordinate(procs) / self.coordinate(a.0);
        a.1 + log2(ratio.max(0.01))
    }
}

/// The tables of an operation that share the number of ranks per node with the table of the most
/// ranks.
#[must_use]
pub fn columns(tables: &[Table], op: Operation) -> Columns<'_> {
    columns_of(tables, op, of_most_ranks(tables, op))
}

fn of_op(tables: &[Table], op: Operation) -> impl Iterator<Item = &Table> {
    tables.iter().filter(move |table| table.op == Some(op) && !table.points.is_empty())
}

fn of_most_ranks(tables: &[Table], op: Operation) -> Option<u32> {
    of_op(tables, op).max_by_key(|table| table.procs)?.per_node
}

fn columns_of(tables: &[Table], op: Operation, per_node: Option<u32>) -> Columns<'_> {
    let mut columns: Columns = of_op(tables, op)
        .filter(|table| table.per_node == per_node)
        .filter_map(|table| Some((table.procs.filter(|p| p.0 > 1)?, table.points.as_slice())))
        .collect();
    columns.sort_by_key(|(procs, points)| (*procs, std::cmp::Reverse(points.len())));
    columns.dedup_by_key(|(procs, _)| *procs);
    columns
}

/// The operation's time on p ranks, with this number of ranks per node; `None` without a table.
pub(super) fn on_nodes(
    tables: &[Table],
    op: Operation,
    procs: Procs,
    per_node: Option<u32>,
    bytes: Bytes,
) -> Option<MeasuredTime> {
    let measured: BTreeSet<u32> = of_op(tables, op).filter_map(|table| table.per_node).collect();
    let all_on_one = |each: &u32| *each >= procs.0;
    let same = |asked: u32| match measured.contains(&asked) {
        true => Some(asked),
        false => measured.iter().copied().find(|each| all_on_one(&asked) && all_on_one(each)),
    };
    let apart = |asked: u32, each: u32| log2(f64::from(each) / f64::from(asked.max(1))).abs();
    let nearest = |asked: u32| {
        let near = |each: &u32| apart(asked, *each);
        measured.iter().copied().min_by(|a, b| near(a).total_cmp(&near(b)))
    };
    let Some((asked, each)) =
        per_node.and_then(|asked| Some((asked, same(asked).or_else(|| nearest(asked))?)))
    else {
        return at(&columns(tables, op), op, procs, bytes);
    };
    let mut estimate = estimate_at(&columns_of(tables, op, Some(each)), op, procs, bytes)?;
    if same(asked).is_none() {
        let [least, a_doubling] = ERROR_ASSUMED;
        estimate.error += sqrt(least * least + a_doubling * a_doubling * apart(asked, each));
        estimate.basis = Basis::Extrapolated;
        estimate.doubts.push(Doubt::PerNode(each));
    }
    Some(estimate.reading())
}

/// The operation's time on p ranks; `None` without a table.
#[must_use]
pub fn at(columns: &Columns, op: Operation, procs: Procs, bytes: Bytes) -> Option<MeasuredTime> {
    estimate_at(columns, op, procs, bytes).map(Estimate::reading)
}

fn estimate_at(columns: &Columns, op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let above = columns.partition_point(|(of, _)| *of < procs);
    match (columns.get(above), columns.len()) {
        (_, 0) => None,
        (Some((of, points)), _) if *of == procs => estimate(points, bytes),
        (_, 1) => from_one(&columns[0], op, procs, bytes),
        (None, _) => beyond(columns, op, procs, bytes),
        (Some(_), _) if above == 0 => below(columns, op, procs, bytes),
        (Some(_), _) => between(&columns[above - 1], &columns[above], op, procs, bytes),
    }
}

type Column<'a> = (Procs, &'a [Point]);

fn between(a: &Column, b: &Column, op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let [low, high] = [estimate(a.1, bytes)?, estimate(b.1, bytes)?];
    let log = Shape::of(op).through((a.0, low.log()), (b.0, high.log()), procs);
    let doublings = log2(f64::from(b.0.0) / f64::from(a.0.0));
    let basis = Basis::Interpolated.max(low.basis).max(high.basis);
    let mut doubts = low.doubts;
    doubts.extend(
        high.doubts.into_iter().filter(|doubt| !doubts.contains(doubt)).collect::<Vec<_>>(),
    );
    let error = low.error.max(high.error) + ERROR_BETWEEN * doublings;
    Some(Estimate { time: exp2(log), error, basis, doubts })
}

/// Logarithm of the growth from one number of ranks to another at a size: the median of this size
/// and its neighbours.
fn growth(from: &[Point], to: &[Point], bytes: Bytes) -> Option<(f64, f64)> {
    let place = to.partition_point(|point| point.bytes < bytes);
    let is_there = to.get(place).is_some_and(|point| point.bytes == bytes);
    let beside = [place.checked_sub(1), Some(place + usize::from(is_there))];
    let beside = beside.into_iter().flatten().filter_map(|place| to.get(place)).map(|p| p.bytes);
    let covered = |bytes: &Bytes| {
        from.first().is_some_and(|p| p.bytes <= *bytes)
            && from.last().is_some_and(|p| *bytes <= p.bytes)
    };
    let grows = |bytes: Bytes| Some(log_at(to, bytes)? - log_at(from, bytes)?);
    let all: Vec<f64> = beside.chain([bytes]).filter(covered).filter_map(grows).collect();
    let usual = median(&all).or_else(|| grows(bytes))?.max(0.0);
    let scatter = all.iter().map(|own| (own - usual).abs()).fold(0.0, f64::max);
    Some((usual, scatter))
}

/// The column to measure the growth of the last one from: half as many ranks or fewer.
fn earlier<'c, 'a>(columns: &'c Columns<'a>) -> Option<&'c Column<'a>> {
    let last = columns.last()?.0.0;
    let others = &columns[..columns.len() - 1];
    others.iter().rev().find(|(procs, _)| procs.0 <= last / 2).or(others.first())
}

/// The logarithm of the time of the last column's size beyond its ranks, and the scatter of the
/// growth.
fn follow(columns: &Columns, shape: Shape, procs: Procs, bytes: Bytes) -> Option<(f64, f64)> {
    let (last, before) = (columns.last()?, earlier(columns)?);
    let anchor = log_at(last.1, bytes)?;
    let (grows, scatter) = growth(before.1, last.1, bytes)?;
    Some((shape.through((before.0, anchor - grows), (last.0, anchor), procs), scatter))
}

/// Error of a shape if the largest number of ranks is left out: the median over its sizes.
fn error_of(columns: &Columns, shape: Shape) -> Option<f64> {
    let (last, others) = columns.split_last()?;
    if others.len() < 2 {
        return None;
    }
    let others = others.to_vec();
    let miss = |point: &Point| {
        let (log, _) = follow(&others, shape, last.0, point.bytes)?;
        Some((log - log_time(point)).abs())
    };
    median(&last.1.iter().filter_map(miss).collect::<Vec<_>>())
}

/// The operation's shape, or one that the measurements follow clearly better; and how far it was off
/// on the largest number of ranks, where that could be checked.
fn shape(columns: &Columns, op: Operation) -> (Shape, Option<f64>) {
    let usual = Shape::of(op);
    let Some(error) = error_of(columns, usual) else { return (usual, None) };
    let others = [Shape::Rounds, Shape::Blocks, Shape::Power].into_iter().filter(|s| *s != usual);
    let others = others.filter_map(|shape| Some((shape, error_of(columns, shape)?)));
    match others.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((shape, other)) if error > BAD && error > WORSE * other => (shape, Some(other)),
        _ => (usual, Some(error)),
    }
}

fn beyond(columns: &Columns, op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let (shape, checked) = shape(columns, op);
    let (log, scatter) = follow(columns, shape, procs, bytes)?;
    let (last, points) = columns.last()?;
    let mut estimate = Estimate { time: exp2(log), ..estimate(points, bytes)? };
    let doublings = log2(f64::from(procs.0) / f64::from(last.0));
    let of_shape = checked.map_or(ERROR_OF_SHAPE, |error| (2.0 * error).clamp(0.1, 0.6));
    let squares = [
        estimate.error.max(0.5 * usual_error(points)),
        of_shape,
        ERROR_A_DOUBLING * sqrt(doublings),
        scatter * sqrt(doublings.min(2.0)),
    ];
    estimate.error = sqrt(squares.iter().map(|error| error * error).sum());
    estimate.basis = Basis::Extrapolated;
    estimate.doubts.push(Doubt::AboveRanks(*last));
    Some(estimate)
}

fn below(columns: &Columns, op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let (first, next) = (columns.first()?, columns.get(1)?);
    let anchor = estimate(first.1, bytes)?;
    let (grows, scatter) = growth(first.1, next.1, bytes)?;
    let log = Shape::of(op).through((first.0, anchor.log()), (next.0, anchor.log() + grows), procs);
    let doublings = log2(f64::from(first.0.0) / f64::from(procs.0.max(1)));
    let error = anchor.error + ERROR_OF_SHAPE + ERROR_A_DOUBLING * doublings + scatter;
    let mut doubts = anchor.doubts;
    doubts.push(Doubt::BelowRanks(first.0));
    Some(Estimate { time: exp2(log), error, basis: Basis::Extrapolated, doubts })
}

fn from_one(column: &Column, op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let anchor = estimate(column.1, bytes)?;
    let log = Shape::of(op).through_one((column.0, anchor.log()), procs);
    let doublings = log2(f64::from(procs.0.max(1)) / f64::from(column.0.0)).abs();
    let [least, a_doubling] = ERROR_ASSUMED;
    let error = anchor.error + sqrt(least * least + a_doubling * a_doubling * doublings);
    let mut doubts = anchor.doubts;
    doubts.push(Doubt::OneNumberOfRanks(column.0));
    Some(Estimate { time: exp2(log), error, basis: Basis::Extrapolated, doubts })
}

/// Sizes at which the last column changes its algorithm.
pub fn steps(columns: &Columns) -> Vec<(Bytes, Bytes)> {
    columns.last().map(|(_, points)| sizes::steps(points).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Statistic;
    use crate::units::Micros;

    const ONE_SIZE: Bytes = Bytes(8);

    fn table((procs, per_node, time): (u32, Option<u32>, f64)) -> Table {
        let value = Micros(time);
        Table {
            op: Some(Operation::Bcast),
            tier: None,
            style: None,
            procs: Some(Procs(procs)),
            per_node,
            pairs: None,
            statistic: Statistic::Median,
            points: vec![Point { bytes: ONE_SIZE, value, low: None, high: None }],
            source: String::new(),
        }
    }

    #[test]
    fn ranks_on_nodes_are_answered_as_they_were_measured() {
        let measured =
            [(2, Some(1), 20.0), (4, Some(1), 40.0), (4, Some(4), 2.0), (8, Some(4), 22.0)];
        let tables = measured.map(table);
        let answer = |procs, per_node| {
            on_nodes(&tables, Operation::Bcast, Procs(procs), per_node, ONE_SIZE).unwrap()
        };
        for (procs, per_node, time) in measured {
            let found = answer(procs, per_node);
            assert_eq!((found.time.value, found.basis), (Micros(time), Basis::Measured));
        }
        assert_eq!(answer(8, None).time.value, Micros(22.0), "as on the most ranks");
        // Four ranks fit on one node, however many would.
        assert_eq!(answer(4, Some(16)).time.value, Micros(2.0));
        let other = answer(4, Some(2));
        assert_eq!(other.basis, Basis::Extrapolated);
        assert!(matches!(other.doubts.as_slice(), [Doubt::PerNode(1 | 4)]), "{:?}", other.doubts);
        assert!(other.time.low < Micros(0.7 * other.time.value.0));
        let unknown = [(4, None, 3.0)].map(table);
        let found = on_nodes(&unknown, Operation::Bcast, Procs(4), Some(2), ONE_SIZE).unwrap();
        assert_eq!((found.basis, found.doubts.len()), (Basis::Measured, 0));
    }
}
