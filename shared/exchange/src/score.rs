//! Errors of a signature's predictions compared with measurements.
//!
//! Each point of the measured tables is predicted as by `predict` with its defaults. The error is a
//! ratio minus 1: 20% is a prediction of 1.2 times the measurement, or of the measurement divided
//! by 1.2. Half the time and twice the time have the same error.
//!
//! A measurement that the signature itself holds is predicted without this measurement: otherwise
//! the prediction is the measurement, and its error is 0.

mod condition;

pub use condition::{Condition, ConditionResult};

use crate::error::ScoreError;
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::model::composition::Question;
use loggia_model::model::{self, Route};
use loggia_model::signature::{Mode, Operation, Point, Quality, Signature, StyleName, Table, Tier};
use loggia_model::stats::quantile::median;
use loggia_model::units::{Bytes, Interval, Micros, Procs};
use serde::Serialize;

/// Number of listed worst points.
const WORST: usize = 5;

/// Name of point-to-point messages in scores.
pub const MESSAGE: &str = "p2p";
/// Name of all points in scores.
pub const ALL: &str = "all";

/// The errors of all predictions, together and by operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    pub all: Errors,
    pub operations: Vec<Errors>,
    /// Points that the signature cannot predict.
    pub unanswered: Vec<Unanswered>,
    /// Number of all points.
    pub points: usize,
    /// Number of points that are measurements of the signature itself.
    pub in_signature: usize,
}

/// The errors of the predictions of one operation. Errors and shares are fractions: 0.2 is 20%.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Errors {
    pub op: &'static str,
    pub points: usize,
    pub median: Option<f64>,
    /// The 95th percentile: the smallest error that 95% of the points do not exceed.
    pub p95: Option<f64>,
    pub maximum: Option<f64>,
    /// Fraction of measurements inside the interval of their prediction, among predictions with
    /// one.
    pub inside: Option<f64>,
    /// The points with the largest errors, the worst first.
    pub worst: Vec<Compared>,
}

/// A measurement and its prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    pub op: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_node: Option<u32>,
    /// Concurrent pairs between two nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u32>,
    /// For a collective operation, with Loggia's meaning of bytes.
    pub bytes: Bytes,
    pub measured_us: Micros,
    pub predicted_us: Micros,
    pub low_us: Micros,
    pub high_us: Micros,
    pub basis: Basis,
    pub error: f64,
    /// Whether the measurement is inside the prediction's interval; `None` without an interval.
    pub is_inside: Option<bool>,
}

/// Points without a prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unanswered {
    pub op: &'static str,
    pub points: usize,
    pub why: String,
}

/// The points of a table of measured times with their predictions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    pub compared: Vec<Compared>,
    /// Points that the signature cannot predict.
    pub unanswered: Vec<Unanswered>,
}

impl Points {
    /// The points of a table of `measured`, predicted by `signature`.
    #[must_use]
    pub fn of(signature: &Signature, measured: &Signature, table: &Table) -> Self {
        let mut points = Points::default();
        for point in &table.points {
            points.add(table, point, predicted(signature, measured, table, point.bytes));
        }
        points
    }

    /// The points of a signature's own table, each predicted without this point.
    #[must_use]
    pub fn left_out(signature: &Signature, index: usize) -> Self {
        let mut points = Points::default();
        let Some(table) = signature.tables.get(index) else { return points };
        let mut others = Others::of(signature);
        for (removed, point) in table.points.iter().enumerate() {
            points.add(table, point, others.predicted(signature, table, index, removed));
        }
        points
    }

    /// The points of a table of `measured`. A point that the signature holds is predicted without
    /// this point. Returns also the number of these points.
    fn independent(
        signature: &Signature,
        others: &mut Others,
        measured: &Signature,
        table: &Table,
    ) -> (Self, usize) {
        let mut points = Points::default();
        let known = same_conditions(signature, measured, table);
        let mut held = 0;
        for point in &table.points {
            let same = known.and_then(|index| {
                let all = &signature.tables[index].points;
                Some((index, all.iter().position(|known| is_same(known, point))?))
            });
            held += usize::from(same.is_some());
            let prediction = match same {
                Some((index, removed)) => others.predicted(measured, table, index, removed),
                None => predicted(signature, measured, table, point.bytes),
            };
            points.add(table, point, prediction);
        }
        (points, held)
    }

    fn add(
        &mut self,
        table: &Table,
        point: &Point,
        prediction: Result<(Interval<Micros>, Basis), Error>,
    ) {
        match prediction {
            Ok(prediction) => self.compared.push(Compared::of(table, point, prediction)),
            Err(error) => count(&mut self.unanswered, name(table), 1, error.message),
        }
    }

    fn append(mut self, other: Points) -> Self {
        self.compared.extend(other.compared);
        for Unanswered { op, points, why } in other.unanswered {
            count(&mut self.unanswered, op, points, why);
        }
        self
    }
}

/// Predicts measurements of a signature from its other measurements.
struct Others(Signature);

impl Others {
    /// Fitted closed forms are left out: they are fitted to the removed points, too.
    fn of(signature: &Signature) -> Self {
        let mut others = Signature { samples: Vec::new(), ..signature.clone() };
        others
            .collectives
            .retain(|form| !matches!(form.quality, Quality::Good | Quality::Uncertain));
        Others(others)
    }

    /// The prediction of a point of the signature's table `index`, without this point.
    fn predicted(
        &mut self,
        measured: &Signature,
        table: &Table,
        index: usize,
        removed: usize,
    ) -> Result<(Interval<Micros>, Basis), Error> {
        let point = self.0.tables[index].points.remove(removed);
        let prediction = predicted(&self.0, measured, table, point.bytes);
        self.0.tables[index].points.insert(removed, point);
        prediction
    }
}

/// The index of the signature's table that was measured under the same conditions.
fn same_conditions(signature: &Signature, measured: &Signature, table: &Table) -> Option<usize> {
    let tier = match (table.op, &table.tier) {
        (None, Some(_)) => Some(tier(signature, measured, table).ok()?.name.as_str()),
        _ => table.tier.as_deref(),
    };
    let conditions =
        |table: &Table| (table.op, table.style.clone(), table.procs, table.per_node, table.pairs);
    signature
        .tables
        .iter()
        .position(|known| known.tier.as_deref() == tier && conditions(known) == conditions(table))
}

/// Whether two points are the same measurement: a repeated measurement has another time.
fn is_same(known: &Point, point: &Point) -> bool {
    let difference = (known.value.0 - point.value.0).abs();
    known.bytes == point.bytes && difference <= 1e-9 * point.value.0
}

/// The operation of a table, or `p2p`.
#[must_use]
pub fn name(table: &Table) -> &'static str {
    table.op.map_or(MESSAGE, Operation::name)
}

/// Conditions of a table: "inter-node, send" or "p = 8, 4 per node".
#[must_use]
pub fn place_of(table: &Table) -> String {
    place([&table.tier, &table.style], table.procs, [table.per_node, table.pairs])
}

fn place(
    names: [&Option<String>; 2],
    procs: Option<Procs>,
    [per_node, pairs]: [Option<u32>; 2],
) -> String {
    let names = names.into_iter().flatten().cloned();
    let procs = procs.map(|procs| format!("p = {}", procs.0));
    let per_node = per_node.map(|ranks| format!("{ranks} per node"));
    let pairs = pairs.map(|pairs| format!("{pairs} concurrent pairs"));
    names.chain(procs).chain(per_node).chain(pairs).collect::<Vec<_>>().join(", ")
}

impl Score {
    /// Errors of a signature's predictions compared with the tables of another. Points that the
    /// signature holds, too, are predicted without themselves.
    #[must_use]
    pub fn of(signature: &Signature, measured: &Signature) -> Self {
        let mut others = Others::of(signature);
        let mut in_signature = 0;
        let score = Score::from(measured.tables.iter().map(|table| {
            let (points, held) = Points::independent(signature, &mut others, measured, table);
            in_signature += held;
            points
        }));
        Score { in_signature, ..score }
    }

    /// Cross-validation: each point of a signature's tables is predicted without this point, on the
    /// machine before a change.
    #[must_use]
    pub fn left_out(signature: &Signature) -> Self {
        let before = signature.before_change();
        let signature = before.as_ref().unwrap_or(signature);
        let tables = 0..signature.tables.len();
        let score = Score::from(tables.map(|index| Points::left_out(signature, index)));
        Score { in_signature: score.points, ..score }
    }

    fn from(tables: impl Iterator<Item = Points>) -> Self {
        let Points { compared, unanswered } = tables.fold(Points::default(), Points::append);
        let mut operations: Vec<&'static str> = Vec::new();
        for point in &compared {
            if !operations.contains(&point.op) {
                operations.push(point.op);
            }
        }
        let errors = |op| Errors::of(op, compared.iter().filter(|point| point.op == op));
        Score {
            operations: operations.into_iter().map(errors).collect(),
            all: Errors::of(ALL, compared.iter()),
            points: compared.len() + unanswered.iter().map(|missing| missing.points).sum::<usize>(),
            unanswered,
            in_signature: 0,
        }
    }

    /// The errors of an operation, of `p2p`, or of `all`.
    #[must_use]
    pub fn errors(&self, op: &str) -> Option<&Errors> {
        std::iter::once(&self.all).chain(&self.operations).find(|errors| errors.op == op)
    }
}

fn count(unanswered: &mut Vec<Unanswered>, op: &'static str, points: usize, why: String) {
    match unanswered.iter_mut().find(|known| known.op == op && known.why == why) {
        Some(known) => known.points += points,
        None => unanswered.push(Unanswered { op, points, why }),
    }
}

/// The time that `predict` gives by default for a table's conditions, and its basis.
pub fn predicted(
    signature: &Signature,
    measured: &Signature,
    table: &Table,
    bytes: Bytes,
) -> Result<(Interval<Micros>, Basis), Error> {
    let (time, basis) = match (table.op, table.procs) {
        (None, _) => {
            let tier = tier(signature, measured, table)?;
            let style = style(tier, table.style.as_deref())?;
            let route = Route::of(signature, Some(&tier.name), style)?;
            let prediction = match table.pairs {
                Some(pairs) => model::pairs::predict(&route, None, bytes, pairs)?.prediction,
                None => model::predict(&route, None, bytes)?,
            };
            (prediction.total, prediction.basis)
        }
        (Some(op), Some(procs)) => {
            let question = Question::of(signature, op, procs, bytes, Some(op.bytes_are()))?;
            let question = Question { per_node: table.per_node, ..question };
            let prediction = question.by_best_basis(signature)?;
            (prediction.total(), prediction.basis())
        }
        (Some(_), None) => (None, Basis::Modelled),
    };
    let time = time.filter(|time| time.value.0 > 0.0);
    Ok((time.ok_or(ScoreError::NoTime)?, basis))
}

/// The tier of a table's messages in the signature: by name, or the first with the same reach.
fn tier<'a>(
    signature: &'a Signature,
    measured: &Signature,
    table: &Table,
) -> Result<&'a Tier, Error> {
    let Some(name) = table.tier.as_deref() else { return signature.tier(None) };
    let reach = measured.tiers.iter().find(|tier| tier.name == name).map(|tier| tier.reach);
    let named = signature.tiers.iter().find(|tier| tier.name == name);
    let same_reach = || signature.tiers.iter().find(|tier| Some(tier.reach) == reach);
    named.or_else(same_reach).ok_or_else(|| {
        let known = signature.tiers.iter().map(|tier| tier.name.clone()).collect();
        ScoreError::NoTier { name: name.to_owned(), known }.into()
    })
}

/// The send mode for a table's messages. A standard mode that the tier lacks gives `None`, which
/// selects the tier's first mode.
fn style<'a>(tier: &Tier, style: Option<&'a str>) -> Result<Option<&'a str>, ScoreError> {
    let Some(name) = style else { return Ok(None) };
    if tier.styles.iter().any(|known| known.name.0 == name) {
        return Ok(style);
    }
    match StyleName(name.to_owned()).mpi() {
        Some((Mode::Standard, _)) => Ok(None),
        _ => {
            let known = tier.styles.iter().map(|style| style.name.0.clone()).collect();
            let (mode, tier) = (name.to_owned(), tier.name.clone());
            Err(ScoreError::NoSendMode { mode, tier, known })
        }
    }
}

impl Compared {
    /// Conditions of the measurement: "inter-node, send" or "p = 8, 4 per node".
    #[must_use]
    pub fn place(&self) -> String {
        let Compared { tier, style, procs, per_node, pairs, .. } = self;
        place([tier, style], *procs, [*per_node, *pairs])
    }

    fn of(table: &Table, point: &Point, (time, basis): (Interval<Micros>, Basis)) -> Self {
        let measured = point.value;
        let is_inside = || (time.low.0..=time.high.0).contains(&measured.0);
        Compared {
            op: name(table),
            tier: table.tier.clone(),
            style: table.style.clone(),
            procs: table.procs,
            per_node: table.per_node,
            pairs: table.pairs,
            bytes: point.bytes,
            measured_us: measured,
            predicted_us: time.value,
            low_us: time.low,
            high_us: time.high,
            basis,
            error: (time.value.0 / measured.0).max(measured.0 / time.value.0) - 1.0,
            is_inside: time.is_bounded().then(is_inside),
        }
    }
}

impl Errors {
    /// The errors of an operation's points.
    #[must_use]
    pub fn of<'a>(op: &'static str, points: impl Iterator<Item = &'a Compared>) -> Self {
        let mut points: Vec<&Compared> = points.collect();
        points.sort_by(|a, b| b.error.total_cmp(&a.error));
        let errors: Vec<f64> = points.iter().map(|point| point.error).collect();
        // Index of the 95th percentile in decreasing order.
        let p95_index = errors.len() / 20;
        let inside: Vec<bool> = points.iter().filter_map(|point| point.is_inside).collect();
        let inside_count = inside.iter().filter(|is_inside| **is_inside).count();
        Errors {
            op,
            points: points.len(),
            median: median(&errors),
            p95: errors.get(p95_index).copied(),
            maximum: errors.first().copied(),
            inside: (!inside.is_empty()).then(|| inside_count as f64 / inside.len() as f64),
            worst: points.into_iter().take(WORST).cloned().collect(),
        }
    }
}
