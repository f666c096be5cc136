//! The tables of a collective operation over the number of ranks.
//!
//! Two or three values of p cannot distinguish log p from p, but the operation can. An allreduce of
//! a given vector takes rounds, so it grows with log p; an allgather or alltoall of a given block
//! moves p − 1 blocks. Beyond the measured p, each size is extrapolated from its last measurement
//! in this shape. Its slope is the median over the neighbouring sizes, so one outlier has no
//! effect. If three or more values of p were measured, the shape is validated on the largest.
//! Growth inside a node is not extrapolated across nodes.
//!
//! From a single p, the growth is assumed, and the interval is wider. A table of few sizes is not
//! used outside its sizes if a wider table gives a smaller error.

use super::sizes::{self, SMALL, estimate, log_at, log_time, usual_error};
use super::{Basis, Doubt, Estimate, MeasuredTime};
use crate::signature::{BytesAre, Operation, Point, Table};
use crate::stats::quantile::median;
use crate::units::{Bytes, Procs};
use libm::{exp2, log2, sqrt};
use std::collections::BTreeSet;

/// The tables of an operation with the same number of ranks per node, by p. If p is smaller, all
/// ranks share a node.
#[derive(Clone, Debug)]
pub struct Columns<'a> {
    per_node: Option<u32>,
    by_ranks: Vec<Column<'a>>,
}

/// p, and the times measured on p ranks.
type Column<'a> = (Procs, &'a [Point]);

/// The growth of an operation with p, at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// With log p: each round doubles the number of finished ranks.
    Rounds,
    /// With p: each rank's block is moved.
    Blocks,
    /// With a power of p.
    Power,
}

/// Least ratio of a time to a measured time on more ranks.
const LEAST: f64 = 0.01;
/// Error of an extrapolation over ranks, if the operation determines the shape.
const ERROR_OF_SHAPE: f64 = 0.3;
/// Additional error per doubling of p, added in squares.
const ERROR_PER_DOUBLING: f64 = 0.14;
/// Base error and error per doubling if the growth is assumed: a single p or number of ranks per
/// node was measured.
const ERROR_ASSUMED: [f64; 2] = [0.6, 0.4];
/// A growth below this, as a logarithm to base 2, is a fall by more than noise of a quiet machine: 24%.
const FALL: f64 = 0.4;
/// The error between two measured p, per doubling between them.
const ERROR_BETWEEN: f64 = 0.08;
/// Another shape is considered if the error of the operation's own shape on the largest p exceeds
/// this.
const BAD: f64 = 0.14;
/// The other shape is taken if its error is smaller by more than this factor.
const WORSE: f64 = 1.5;

impl Shape {
    /// The shape of an operation, with bytes counted as in its algorithms.
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

    /// The time at `procs` on the curve of this shape through two points; all times are logarithms.
    fn through(self, a: (Procs, f64), b: (Procs, f64), procs: Procs) -> f64 {
        let [x, xa, xb] = [procs, a.0, b.0].map(|procs| self.coordinate(procs));
        let share = (x - xa) / (xb - xa);
        if self == Shape::Power {
            return a.1 + (b.1 - a.1) * share;
        }
        let [ta, tb] = [a.1, b.1].map(exp2);
        let time = ta + (tb - ta) * share;
        if x > xa.min(xb) {
            return log2(time.max(ta.min(tb) * LEAST));
        }
        // Below the measured p, the time falls at most in proportion to the shape.
        let (least, of) = if xa < xb { (xa, ta) } else { (xb, tb) };
        log2(time.max(of * (x / least).max(LEAST)))
    }

    /// Growth from one p to another: 0 on one rank.
    fn ratio(self, from: Procs, to: Procs) -> f64 {
        (self.coordinate(to) / self.coordinate(from)).max(LEAST)
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
    let on_fullest = |per_node: Option<u32>, procs: Procs| per_node.map(|each| each.min(procs.0));
    let own = of_op(tables, op).filter_map(|table| Some((table.procs.filter(|p| p.0 > 1)?, table)));
    let own = own.filter(|(procs, table)| {
        on_fullest(table.per_node, *procs) == on_fullest(per_node, *procs)
    });
    let mut by_ranks: Vec<Column> =
        own.map(|(procs, table)| (procs, table.points.as_slice())).collect();
    by_ranks.sort_by_key(|(procs, points)| (*procs, std::cmp::Reverse(points.len())));
    by_ranks.dedup_by_key(|(procs, _)| *procs);
    Columns { per_node, by_ranks }
}

impl<'a> Columns<'a> {
    /// The columns by ascending p.
    #[must_use]
    pub fn by_ranks(&self) -> &[(Procs, &'a [Point])] {
        &self.by_ranks
    }

    /// The column of the largest p, and all others.
    #[must_use]
    pub fn split_last(&self) -> Option<(Column<'a>, Columns<'a>)> {
        let (last, others) = self.by_ranks.split_last()?;
        Some((*last, self.with(others.to_vec())))
    }

    fn with(&self, by_ranks: Vec<Column<'a>>) -> Self {
        Columns { per_node: self.per_node, by_ranks }
    }

    /// Without the columns inside one node, unless there are no others: their growth is not
    /// extrapolated across nodes.
    fn across_nodes(&self) -> Self {
        let Some(per_node) = self.per_node else { return self.clone() };
        let across = self.by_ranks.partition_point(|(procs, _)| procs.0 <= per_node);
        match self.by_ranks.get(across..) {
            Some(across) if !across.is_empty() => self.with(across.to_vec()),
            _ => self.clone(),
        }
    }

    /// The columns whose range of sizes includes this size.
    fn covering(&self, bytes: Bytes) -> Self {
        let covers = |(_, points): &&Column| {
            let ends = points.first().zip(points.last());
            ends.is_some_and(|(first, last)| (first.bytes..=last.bytes).contains(&bytes))
        };
        self.with(self.by_ranks.iter().filter(covers).copied().collect())
    }
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
    let same = |requested: u32| match measured.contains(&requested) {
        true => Some(requested),
        false => measured.iter().copied().find(|each| all_on_one(&requested) && all_on_one(each)),
    };
    let log_ratio =
        |requested: u32, each: u32| log2(f64::from(each) / f64::from(requested.max(1))).abs();
    let nearest = |requested: u32| {
        let near = |each: &u32| log_ratio(requested, *each);
        measured.iter().copied().min_by(|a, b| near(a).total_cmp(&near(b)))
    };
    let Some((requested, each)) = per_node
        .and_then(|requested| Some((requested, same(requested).or_else(|| nearest(requested))?)))
    else {
        return at(&columns(tables, op), op, procs, bytes);
    };
    let mut estimate = estimate_at(&columns_of(tables, op, Some(each)), op, procs, bytes)?;
    if same(requested).is_none() {
        let [least, per_doubling] = ERROR_ASSUMED;
        estimate.error +=
            sqrt(least * least + per_doubling * per_doubling * log_ratio(requested, each));
        (estimate.basis, estimate.bounds) = (Basis::Extrapolated, None);
        estimate.doubts.push(Doubt::PerNode(each));
    }
    Some(estimate.reading())
}

/// The operation's time on p ranks; `None` without a table.
#[must_use]
pub fn at(columns: &Columns, op: Operation, procs: Procs, bytes: Bytes) -> Option<MeasuredTime> {
    estimate_at(columns, op, procs, bytes).map(Estimate::reading)
}

/// The estimate from all tables, or only from those whose range includes the size, if that has a
/// smaller error. So a table of few sizes does not affect other sizes.
fn estimate_at(columns: &Columns, op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let covering = columns.covering(bytes);
    let of_all = estimate_of(columns, op, procs, bytes)?;
    if covering.by_ranks.len() == columns.by_ranks.len() {
        return Some(of_all);
    }
    let of_covering = estimate_of(&covering, op, procs, bytes);
    Some(of_covering.filter(|other| other.error < of_all.error).unwrap_or(of_all))
}

fn estimate_of(columns: &Columns, op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let by_ranks = &columns.by_ranks;
    let above = by_ranks.partition_point(|(of, _)| *of < procs);
    match (by_ranks.get(above), by_ranks.len()) {
        (_, 0) => None,
        (Some((of, points)), _) if *of == procs => estimate(points, bytes),
        (_, 1) => {
            let one = &by_ranks[0];
            from_one(one, op, procs, bytes, Doubt::OneNumberOfRanks(one.0))
        }
        (None, _) => beyond(&columns.across_nodes().by_ranks, op, procs, bytes),
        (Some(_), _) if above == 0 => below(by_ranks, op, procs, bytes),
        (Some(_), _) => between(&by_ranks[above - 1], &by_ranks[above], op, procs, bytes),
    }
}

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
    Some(Estimate { time: exp2(log), error, bounds: None, basis, doubts })
}

/// The growth from one p to another at a size, as logarithms.
#[derive(Clone, Copy)]
struct Growth {
    /// The median of the size and its neighbours; 0 if the time falls.
    usual: f64,
    scatter: f64,
    /// Whether more ranks needed clearly less time: such noise says nothing about the growth.
    is_fall: bool,
}

fn growth(from: &[Point], to: &[Point], bytes: Bytes) -> Option<Growth> {
    let place = to.partition_point(|point| point.bytes < bytes);
    let is_there = to.get(place).is_some_and(|point| point.bytes == bytes);
    let neighbours = [place.checked_sub(1), Some(place + usize::from(is_there))];
    let neighbours =
        neighbours.into_iter().flatten().filter_map(|place| to.get(place)).map(|p| p.bytes);
    let covered = |bytes: &Bytes| {
        from.first().is_some_and(|p| p.bytes <= *bytes)
            && from.last().is_some_and(|p| *bytes <= p.bytes)
    };
    let grows = |bytes: Bytes| Some(log_at(to, bytes)? - log_at(from, bytes)?);
    let all: Vec<f64> = neighbours.chain([bytes]).filter(covered).filter_map(grows).collect();
    let median = median(&all).or_else(|| grows(bytes))?;
    let usual = median.max(0.0);
    let scatter = all.iter().map(|own| (own - usual).abs()).fold(0.0, f64::max);
    Some(Growth { usual, scatter, is_fall: median < -FALL })
}

/// The reference column for the growth up to the last one: at most half of its p.
fn earlier<'c, 'a>(columns: &'c [Column<'a>]) -> Option<&'c Column<'a>> {
    let last = columns.last()?.0.0;
    let others = &columns[..columns.len() - 1];
    others.iter().rev().find(|(procs, _)| procs.0 <= last / 2).or(others.first())
}

/// The logarithm of the time beyond the last column, and the growth up to it.
fn extrapolate(
    columns: &[Column],
    shape: Shape,
    procs: Procs,
    bytes: Bytes,
) -> Option<(f64, Growth)> {
    let (last, before) = (columns.last()?, earlier(columns)?);
    let anchor = log_at(last.1, bytes)?;
    let growth = growth(before.1, last.1, bytes)?;
    Some((shape.through((before.0, anchor - growth.usual), (last.0, anchor), procs), growth))
}

/// Error of a shape if the largest p is left out: the median over its sizes.
fn error_of(columns: &[Column], shape: Shape) -> Option<f64> {
    let (last, others) = columns.split_last()?;
    if others.len() < 2 {
        return None;
    }
    let error = |point: &Point| {
        let (log, _) = extrapolate(others, shape, last.0, point.bytes)?;
        Some((log - log_time(point)).abs())
    };
    median(&last.1.iter().filter_map(error).collect::<Vec<_>>())
}

/// The operation's shape, or another with a clearly smaller error; and its error on the largest p,
/// if known.
fn shape(columns: &[Column], op: Operation) -> (Shape, Option<f64>) {
    let usual = Shape::of(op);
    let Some(error) = error_of(columns, usual) else { return (usual, None) };
    let others = [Shape::Rounds, Shape::Blocks, Shape::Power].into_iter().filter(|s| *s != usual);
    let others = others.filter_map(|shape| Some((shape, error_of(columns, shape)?)));
    match others.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((shape, other)) if error > BAD && error > WORSE * other => (shape, Some(other)),
        _ => (usual, Some(error)),
    }
}

fn beyond(columns: &[Column], op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    if let [one] = columns {
        return from_one(one, op, procs, bytes, Doubt::OneNumberOfRanks(one.0));
    }
    let (shape, checked) = shape(columns, op);
    let (log, Growth { scatter, is_fall, .. }) = extrapolate(columns, shape, procs, bytes)?;
    let column = columns.last()?;
    let (last, points) = column;
    if is_fall {
        return from_one(column, op, procs, bytes, Doubt::AboveRanks(*last));
    }
    let mut estimate = Estimate { time: exp2(log), bounds: None, ..estimate(points, bytes)? };
    let doublings = log2(f64::from(procs.0) / f64::from(last.0));
    let of_shape = checked.map_or(ERROR_OF_SHAPE, |error| (2.0 * error).clamp(0.1, 0.6));
    let squares = [
        estimate.error.max(0.5 * usual_error(points)),
        of_shape,
        ERROR_PER_DOUBLING * sqrt(doublings),
        scatter * sqrt(doublings.min(2.0)),
    ];
    estimate.error = sqrt(squares.iter().map(|error| error * error).sum());
    estimate.basis = Basis::Extrapolated;
    estimate.doubts.push(Doubt::AboveRanks(*last));
    Some(estimate)
}

fn below(columns: &[Column], op: Operation, procs: Procs, bytes: Bytes) -> Option<Estimate> {
    let (first, next) = (columns.first()?, columns.get(1)?);
    let anchor = estimate(first.1, bytes)?;
    let Growth { usual, scatter, .. } = growth(first.1, next.1, bytes)?;
    let at = |shape: Shape| {
        shape.through((first.0, anchor.log()), (next.0, anchor.log() + usual), procs)
    };
    let log = at(Shape::of(op));
    let shapes = (at(Shape::Rounds) - at(Shape::Blocks)).abs();
    let doublings = log2(f64::from(first.0.0) / f64::from(procs.0.max(1)));
    let error =
        anchor.error + ERROR_OF_SHAPE.max(shapes) + ERROR_PER_DOUBLING * doublings + scatter;
    let mut doubts = anchor.doubts;
    doubts.push(Doubt::BelowRanks(first.0));
    Some(Estimate { time: exp2(log), error, bounds: None, basis: Basis::Extrapolated, doubts })
}

/// From a single p, between two assumptions. One: startup grows with the rounds, and the time of
/// the bytes in the operation's shape. The other: all grows in the operation's shape.
fn from_one(
    column: &Column,
    op: Operation,
    procs: Procs,
    bytes: Bytes,
    doubt: Doubt,
) -> Option<Estimate> {
    let (of, points) = column;
    let anchor = estimate(points, bytes)?;
    let startup = points.first().filter(|point| point.bytes <= SMALL);
    let startup = startup.map_or(0.0, |point| point.value.0.min(anchor.time));
    let own = Shape::of(op).ratio(*of, procs);
    let by_parts = startup * Shape::Rounds.ratio(*of, procs) + (anchor.time - startup) * own;
    let [by_parts, own_shape] = [log2(by_parts), anchor.log() + log2(own)];
    let log = 0.3 * by_parts + 0.7 * own_shape;
    let doublings = log2(f64::from(procs.0.max(1)) / f64::from(of.0)).abs();
    let [least, per_doubling] = ERROR_ASSUMED;
    let assumed = sqrt(least * least + per_doubling * per_doubling * doublings);
    let error = anchor.error + assumed + 0.5 * (by_parts - own_shape).abs();
    let mut doubts = anchor.doubts;
    doubts.push(doubt);
    Some(Estimate { time: exp2(log), error, bounds: None, basis: Basis::Extrapolated, doubts })
}

/// Sizes at which the last column changes its algorithm.
pub fn steps(columns: &Columns) -> Vec<(Bytes, Bytes)> {
    columns.by_ranks.last().map(|(_, points)| sizes::steps(points).collect()).unwrap_or_default()
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

    /// `../shared/fixtures`, OSU allreduce of 8 bytes: 88.94 µs on 4 ranks, 23.98 µs on 8.
    #[test]
    fn a_fall_with_more_ranks_is_no_constant_time() {
        let time = |first: f64, procs: u32| {
            let tables = [(4, None, first), (8, None, 23.98)].map(table);
            let columns = columns(&tables, Operation::Bcast);
            at(&columns, Operation::Bcast, Procs(procs), ONE_SIZE).unwrap().time.value.0
        };
        assert!(time(88.94, 1024) > 2.0 * 23.98);
        assert!((time(25.0, 1024) - 23.98).abs() < 1e-9, "a fall within the noise");
    }

    #[test]
    fn measured_ranks_per_node_are_reproduced() {
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
        assert_eq!(answer(8, None).time.value, Micros(22.0), "as with the most ranks");
        // Four ranks fit on one node, whatever its capacity.
        assert_eq!(answer(4, Some(16)).time.value, Micros(2.0));
        let other = answer(4, Some(2));
        assert_eq!(other.basis, Basis::Extrapolated);
        assert!(matches!(other.doubts.as_slice(), [Doubt::PerNode(1 | 4)]), "{:?}", other.doubts);
        assert!(other.time.low < Micros(0.7 * other.time.value.0));
        let unknown = [(4, None, 3.0)].map(table);
        let found = on_nodes(&unknown, Operation::Bcast, Procs(4), Some(2), ONE_SIZE).unwrap();
        assert_eq!((found.basis, found.doubts.len()), (Basis::Measured, 0));
    }

    fn sizes(procs: u32, per_node: u32, times: &[(u64, f64)]) -> Table {
        let points = sizes::table(times);
        Table { points, ..table((procs, Some(per_node), 1.0)) }
    }

    /// A sweep that starts on one node: 2, 4 and 8 ranks are all on one node.
    #[test]
    fn ranks_on_a_partial_node_belong_to_the_sweep() {
        let sweep = [(2, 2, 0.5), (4, 4, 1.0), (8, 8, 1.5), (16, 8, 20.0), (32, 8, 25.0)];
        let tables = sweep.map(|(procs, each, time)| table((procs, Some(each), time)));
        for (procs, _, time) in sweep {
            for per_node in [None, Some(8)] {
                let found = on_nodes(&tables, Operation::Bcast, Procs(procs), per_node, ONE_SIZE);
                let found = found.unwrap();
                assert_eq!((found.time.value, found.basis), (Micros(time), Basis::Measured));
            }
        }
        // Growth across nodes is extrapolated, growth inside a node is not.
        let more = on_nodes(&tables, Operation::Bcast, Procs(64), None, ONE_SIZE).unwrap();
        assert!((more.time.value.0 - 30.0).abs() < 1e-9, "{:?}", more.time);
    }

    /// One size on more ranks must not affect other sizes.
    #[test]
    fn a_column_of_one_size_affects_no_other_size() {
        let times =
            |rounds: f64| [8u64, 4096, 1 << 20].map(|m| (m, rounds * (1.0 + 0.001 * m as f64)));
        let mut tables = vec![sizes(8, 8, &times(3.0)), sizes(32, 8, &times(5.0))];
        let ask = |tables: &[Table]| {
            at(&columns(tables, Operation::Bcast), Operation::Bcast, Procs(64), Bytes(512 << 10))
        };
        let without = ask(&tables).unwrap().time.value.0;
        tables.push(sizes(64, 8, &times(6.0)[..1]));
        let with = ask(&tables).unwrap().time.value.0;
        assert!((with / without - 1.0).abs() < 1e-9, "{with} and {without}");
    }

    /// Below the measured p, the time falls at most in proportion to the shape.
    #[test]
    fn below_the_measured_ranks_a_time_falls_no_faster_than_its_shape() {
        let tables = [(8, Some(1), 10.0), (16, Some(1), 100.0)].map(table);
        let found = on_nodes(&tables, Operation::Bcast, Procs(4), None, ONE_SIZE).unwrap().time;
        assert!(found.value.0 > 6.0 && found.low.0 < 6.7 && found.high.0 > 6.7, "{found:?}");
    }
}
