//! Cross-validation of predictions from tables: each size is left out and predicted from the
//! others, and the largest p from the smaller ones. Also the measurements that would narrow the
//! intervals most.

use super::ranks::{self, Columns};
use super::sizes;
use crate::signature::{Operation, Point, Signature, Table};
use crate::stats::quantile::median;
use crate::units::{Bytes, Micros, Procs};
use serde::Serialize;

/// Relative errors of predictions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Number of points left out.
    pub points: usize,
    /// The median error.
    pub median: f64,
    /// The largest error.
    pub maximum: f64,
    /// Coverage: the share of the intervals that contain the measured time.
    pub held: f64,
}

/// The cross-validated errors of one operation, or of messages.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// The operation; none for messages.
    pub op: Option<Operation>,
    /// The tier of messages.
    pub tier: Option<String>,
    /// Errors of each size predicted from the others.
    pub sizes: Option<Errors>,
    /// Errors of the largest p predicted from the smaller ones.
    pub ranks: Option<Errors>,
}

/// A measurement that would narrow an interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// The operation; none for a message.
    pub op: Option<Operation>,
    /// The tier of a message.
    pub tier: Option<String>,
    /// Number of ranks.
    pub procs: Option<Procs>,
    pub bytes: Bytes,
    /// Ratio of the upper to the lower end of the interval.
    pub width: f64,
}

/// A prediction compared with the measured time.
#[derive(Clone, Copy)]
struct Comparison {
    error: f64,
    held: bool,
}

impl Comparison {
    fn of(reading: &super::MeasuredTime, measured: Micros) -> Self {
        let time = reading.time;
        Comparison {
            error: (time.value.0 / measured.0 - 1.0).abs(),
            held: (time.low.0..=time.high.0).contains(&measured.0),
        }
    }
}

impl Errors {
    fn of(comparisons: &[Comparison]) -> Option<Self> {
        let errors: Vec<f64> = comparisons.iter().map(|comparison| comparison.error).collect();
        let held = comparisons.iter().filter(|comparison| comparison.held).count();
        Some(Errors {
            points: comparisons.len(),
            median: median(&errors)?,
            maximum: errors.iter().copied().fold(0.0, f64::max),
            held: held as f64 / comparisons.len() as f64,
        })
    }
}

/// Predicts each inner size of a table from the others.
fn over_sizes(points: &[Point]) -> Vec<Comparison> {
    let inner = 1..points.len().saturating_sub(1);
    let comparisons = inner.filter_map(|place| {
        let mut others = points.to_vec();
        let left_out = others.remove(place);
        Some(Comparison::of(&sizes::at(&others, left_out.bytes)?, left_out.value))
    });
    comparisons.collect()
}

/// Predicts the largest p from the others.
fn over_ranks(columns: &Columns, op: Operation) -> Vec<Comparison> {
    let Some(((procs, points), others)) = columns.split_last() else { return Vec::new() };
    let comparisons = points.iter().filter_map(|point| {
        Some(Comparison::of(&ranks::at(&others, op, procs, point.bytes)?, point.value))
    });
    comparisons.collect()
}

impl Signature {
    /// The cross-validated errors of each table of messages and of each operation.
    #[must_use]
    pub fn validations(&self) -> Vec<Validation> {
        let is_of_one = |table: &&Table| table.op.is_none() && table.pairs.is_none();
        let of_messages = self.tables.iter().filter(is_of_one);
        let messages = of_messages.map(|table| Validation {
            op: None,
            tier: table.tier.clone(),
            sizes: Errors::of(&over_sizes(&table.points)),
            ranks: None,
        });
        let operations = self.measured_operations().map(|op| {
            let columns = ranks::columns(&self.tables, op);
            let by_size = columns.by_ranks().iter().flat_map(|(_, points)| over_sizes(points));
            Validation {
                op: Some(op),
                tier: None,
                sizes: Errors::of(&by_size.collect::<Vec<_>>()),
                ranks: Errors::of(&over_ranks(&columns, op)),
            }
        });
        messages
            .chain(operations)
            .filter(|one| one.sizes.is_some() || one.ranks.is_some())
            .collect()
    }

    fn measured_operations(&self) -> impl Iterator<Item = Operation> {
        Operation::ALL
            .into_iter()
            .filter(|op| self.tables.iter().any(|table| table.op == Some(*op)))
    }

    /// Measurements that would narrow the widest intervals, one per table: between two of its
    /// sizes, or on twice the largest p.
    #[must_use]
    pub fn proposals(&self, most: usize) -> Vec<Proposal> {
        let of_one = self.tables.iter().filter(|table| table.pairs.is_none());
        let between = of_one.filter_map(|table| self.between_sizes(table));
        let further = self.measured_operations().filter_map(|op| {
            let columns = ranks::columns(&self.tables, op);
            let ((procs, points), _) = columns.split_last()?;
            let procs = Procs(procs.0.checked_mul(2)?);
            let of = |point: &Point| {
                let time = ranks::at(&columns, op, procs, point.bytes)?.time;
                let (procs, width) = (Some(procs), time.high.0 / time.low.0);
                Some(Proposal { op: Some(op), tier: None, procs, bytes: point.bytes, width })
            };
            widest(points.iter().filter_map(of))
        });
        let mut all: Vec<Proposal> = between.chain(further).collect();
        all.sort_by(|a, b| b.width.total_cmp(&a.width));
        all.truncate(most);
        all
    }

    /// The geometric mean of the two sizes with the widest interval between them.
    fn between_sizes(&self, table: &Table) -> Option<Proposal> {
        let middle = |pair: &[Point]| {
            let [low, high] = [pair[0].bytes.0.max(1), pair[1].bytes.0];
            let bytes = Bytes(libm::sqrt(low as f64 * high as f64) as u64);
            let is_between = bytes > pair[0].bytes && bytes < pair[1].bytes;
            let time = sizes::at(&table.points, bytes).filter(|_| is_between)?.time;
            Some(Proposal {
                op: table.op,
                tier: table.tier.clone(),
                procs: table.procs,
                bytes,
                width: time.high.0 / time.low.0,
            })
        };
        widest(table.points.windows(2).filter_map(middle))
    }
}

fn widest(proposals: impl Iterator<Item = Proposal>) -> Option<Proposal> {
    proposals.max_by(|a, b| a.width.total_cmp(&b.width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::Statistic;

    fn table(op: Operation, procs: u32, time: impl Fn(u64) -> f64) -> Table {
        let point = |power: u32| Point {
            bytes: Bytes(1 << power),
            value: Micros(time(1 << power)),
            low: None,
            high: None,
        };
        Table {
            op: Some(op),
            tier: None,
            style: None,
            procs: Some(Procs(procs)),
            per_node: None,
            pairs: None,
            statistic: Statistic::Mean,
            points: (3..16).map(point).collect(),
            source: String::new(),
        }
    }

    /// A broadcast of log p rounds, each a line over the size, is predicted; the size near its step
    /// is proposed first.
    #[test]
    fn errors_are_validated_and_the_step_is_proposed() {
        let mut machine = library::load("cray-t3d").unwrap();
        let step = |bytes: u64| if bytes > 4096 { 40.0 } else { 4.0 };
        machine.tables = [4u32, 8, 16]
            .map(|p| {
                let rounds = f64::from(p.ilog2());
                table(Operation::Bcast, p, |bytes| rounds * (step(bytes) + 0.001 * bytes as f64))
            })
            .to_vec();
        let [validation] = machine.validations().try_into().unwrap();
        let (sizes, ranks) = (validation.sizes.unwrap(), validation.ranks.unwrap());
        assert_eq!((sizes.points, ranks.points), (33, 13));
        assert!(sizes.median < 0.03 && sizes.maximum > 0.2, "{sizes:?}");
        assert!(ranks.maximum < 1e-9 && ranks.held == 1.0, "{ranks:?}");
        let proposals = machine.proposals(3);
        assert_eq!(proposals.len(), 3);
        assert!((4096..16384).contains(&proposals[0].bytes.0), "{proposals:?}");
        assert!(library::load("cray-t3d").unwrap().proposals(3).is_empty());
    }
}
