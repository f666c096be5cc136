//! The comparison of two or more machines: all known numbers, and times of messages and operations.

use super::labels;
use crate::cli::Compare;
use crate::report::with_options;
use loggia_model::compare::{
    self, Comparison, Condition, Limit, LimitResult, Overtaking, RankedTime, Row, Strictness,
    Subject, SubjectKind, SubjectTimes, Verdict,
};
use loggia_model::model::Route;
use loggia_model::model::composition::Question;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::{Bytes, Procs};
use loggia_model::{Error, Signature};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) machines: Vec<String>,
    /// The machines' labels in the text.
    #[serde(skip)]
    pub(super) labels: Vec<String>,
    /// The verdict over all numbers.
    pub(super) verdict: Verdict,
    pub(super) strictness: Strictness,
    pub(super) conditions: Vec<Condition>,
    pub(super) parameters: Vec<Row>,
    pub(super) p2p: Vec<MessageTimes>,
    pub(super) collectives: Vec<CollectiveTimes>,
    pub(super) fail_on: Vec<LimitResult>,
}

/// A message of one size on each machine.
#[derive(Serialize)]
pub(super) struct MessageTimes {
    pub(super) bytes: Bytes,
    pub(super) standings: Vec<RankedTime>,
}

/// An operation on each machine.
#[derive(Serialize)]
pub(super) struct CollectiveTimes {
    pub(super) op: &'static str,
    #[serde(skip)]
    operation: Operation,
    pub(super) procs: Procs,
    pub(super) bytes: Bytes,
    pub(super) bytes_are: BytesAre,
    pub(super) standings: Vec<RankedTime>,
    pub(super) overtakings: Vec<Overtaking>,
}

impl Report {
    pub(super) fn of(args: &Compare, machines: &[&Signature]) -> Result<Self, Error> {
        let comparison = Comparison::of(machines, args.at_least);
        let query = Query { machines, comparison: &comparison, args };
        let p2p: Vec<MessageTimes> = match args.op {
            None => query.messages(&compare::sizes(args.bytes)),
            Some(_) => Vec::new(),
        };
        let collectives: Vec<CollectiveTimes> = match args.procs {
            None => Vec::new(),
            Some(procs) => operations(args.op, machines)
                .map(|op| query.operation(op, procs, args.bytes))
                .collect::<Result<_, _>>()?,
        };
        let fail_on = query.check(args, &collectives)?;
        let is_empty = comparison.is_empty();
        let mut report = Report {
            verdict: Verdict::Unknown,
            machines: machines.iter().map(|machine| machine.name.clone()).collect(),
            labels: labels(&args.sigs, machines),
            strictness: comparison.strictness,
            conditions: compare::conditions(machines),
            p2p,
            collectives,
            fail_on,
            parameters: Vec::new(),
        };
        let times = report.times().flat_map(|(_, all)| all).filter_map(|s| s.judged.as_ref());
        let verdicts = times.map(|judged| judged.verdict);
        report.verdict = match args.op {
            Some(_) => compare::together(verdicts),
            // A time is unknown only if a parameter is unknown.
            None => {
                let known = verdicts.filter(|verdict| *verdict != Verdict::Unknown);
                compare::together(known.chain([comparison.verdict()]))
            }
        };
        if args.op.is_none() {
            report.parameters = comparison.parameters;
        }
        let is_compared = |time: &RankedTime| time.ratio.is_some() && time.judged.is_some();
        if is_empty && !report.times().any(|(_, all)| all.iter().any(is_compared)) {
            return Err(nothing_shared(&report.labels));
        }
        Ok(report)
    }

    /// All times: the subject, and the values on each machine.
    pub(super) fn times(&self) -> impl Iterator<Item = (Subject, &[RankedTime])> {
        let messages =
            self.p2p.iter().map(|row| (Subject::message(row.bytes), row.standings.as_slice()));
        let operations =
            self.collectives.iter().map(|row| (row.subject(), row.standings.as_slice()));
        messages.chain(operations)
    }
}

/// Computes times on all machines, with the same confidence level as all other numbers.
struct Query<'a> {
    machines: &'a [&'a Signature],
    comparison: &'a Comparison,
    args: &'a Compare,
}

impl Query<'_> {
    fn judged(&self, mut standings: Vec<RankedTime>) -> Vec<RankedTime> {
        self.comparison.judge(&mut standings);
        for standing in &mut standings {
            standing.error = standing.error.as_ref().map(with_options);
        }
        standings
    }

    fn messages(&self, sizes: &[Bytes]) -> Vec<MessageTimes> {
        let routes: Vec<_> = self.machines.iter().map(|m| (*m, Route::of(m, None, None))).collect();
        let of = |bytes: &Bytes| {
            let standings = self.judged(compare::message(&routes, *bytes));
            MessageTimes { bytes: *bytes, standings }
        };
        sizes.iter().map(of).collect()
    }

    fn operation(
        &self,
        op: Operation,
        procs: Procs,
        bytes: Bytes,
    ) -> Result<CollectiveTimes, Error> {
        let bytes = if op == Operation::Barrier { Bytes(0) } else { bytes };
        // A count without meaning is an error only for the selected operation.
        let is_selected = self.args.op.is_some();
        let has_meaning = |count: &BytesAre| is_selected || op.counts().contains(count);
        let bytes_are = self.args.bytes_are.filter(has_meaning);
        let question = Question::of(self.machines[0], op, procs, bytes, bytes_are)?;
        let standings = self.judged(compare::operation(self.machines, &question));
        Ok(CollectiveTimes {
            op: op.name(),
            operation: op,
            procs,
            bytes,
            bytes_are: question.bytes_are,
            standings,
            overtakings: compare::overtakings(self.machines, &question),
        })
    }

    /// Checks the conditions; a condition with a size is checked at that size.
    fn check(
        &self,
        args: &Compare,
        collectives: &[CollectiveTimes],
    ) -> Result<Vec<LimitResult>, Error> {
        let check = |limit: &Limit| {
            let size = limit.selector.bytes;
            let messages = match (&limit.selector.what, size) {
                (SubjectKind::Message | SubjectKind::Any, None) => compare::sizes(args.bytes),
                (SubjectKind::Message, Some(size)) => vec![size],
                _ => Vec::new(),
            };
            let messages = self.messages(&messages);
            let own: Vec<CollectiveTimes> = match (&limit.selector.what, args.procs, size) {
                (SubjectKind::Operation(op), Some(procs), size) => {
                    vec![self.operation(*op, procs, size.unwrap_or(args.bytes))?]
                }
                _ => Vec::new(),
            };
            let of_message =
                |row: &'_ MessageTimes| (Subject::message(row.bytes), row.standings.clone());
            let of_operation = |row: &'_ CollectiveTimes| (row.subject(), row.standings.clone());
            let times: Vec<(Subject, Vec<RankedTime>)> = messages
                .iter()
                .map(of_message)
                .chain(collectives.iter().chain(&own).map(of_operation))
                .collect();
            let times: Vec<SubjectTimes> = times
                .iter()
                .map(|(subject, standings)| (subject.clone(), standings.as_slice()))
                .collect();
            limit.check(self.comparison, &times)
        };
        args.fail_on.iter().map(check).collect()
    }
}

impl CollectiveTimes {
    fn subject(&self) -> Subject {
        Subject::operation(self.operation, self.procs, self.bytes)
    }
}

/// The given operation, or each operation of which a machine has a closed form.
fn operations<'a>(
    op: Option<Operation>,
    machines: &'a [&'a Signature],
) -> impl Iterator<Item = Operation> + use<'a> {
    let is_compared = move |candidate: &Operation| {
        op.map_or_else(
            || machines.iter().any(|machine| machine.collective(*candidate).is_some()),
            |op| op == *candidate,
        )
    };
    Operation::ALL.into_iter().filter(is_compared)
}

fn nothing_shared(names: &[String]) -> Error {
    Error::new(
        format!("{} has no number in common with {}", names[0], names[1..].join(" or ")),
        "SIG",
        "only tiers, send modes and operations with the same names are compared; list them with \
         `loggia show SIG`",
    )
}
