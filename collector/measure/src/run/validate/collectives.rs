//! Checks of collective operations, at sizes and numbers of ranks that the closed forms
//! were not fitted to.

use super::rounds::{Part, Rounds};
use super::{Check, CheckKind, Predicted, Subject};
use crate::measure::Effort;
use crate::measure::clock_sync::CommonClock;
use crate::measure::collective::Procedure;
use crate::run::Failure;
use crate::run::commands::{GroupCommand, GroupStep, RankGroup, run_group};
use crate::transport::{Arithmetic, Rank, Transport};
use loggia_fit::Remeasured;
use loggia_fit::collective::procedure;
use loggia_model::model::collective::XU_HWANG;
use loggia_model::model::composition::Question;
use loggia_model::signature::{Clock, Collective, Operation, Samples, Signature};
use loggia_model::units::{Bytes, Micros, Procs};
use std::collections::BTreeMap;

/// Maximum effort of one condition in a round.
const EFFORT: Effort = Effort { warm_up: 4, min: 10, max: 40, precision: 0.03, seconds: 0.01 };

pub(super) struct CollectiveCheck<'a> {
    pub(super) signature: &'a Signature,
    pub(super) clock: &'a Clock,
    /// Usual time of a small message between the first two ranks.
    pub(super) usual_latency: Option<Micros>,
}

impl CollectiveCheck<'_> {
    pub(super) fn part(&self) -> Part<'static> {
        Part { tier: None, latency: self.usual_latency }
    }

    pub(super) fn checks(
        &self,
        transport: &mut dyn Transport,
        rounds: &mut Rounds,
    ) -> Result<Vec<Check>, Failure> {
        let mut common = CommonClock::default();
        let samples = rounds.samples(self.part(), |round, pulse| {
            let mut samples = Vec::new();
            for procs in procs(transport.ranks()) {
                let (clock, steps) = (self.clock.clone(), self.steps(procs));
                let group = RankGroup::first(procs);
                let command = GroupCommand { group, clock, round, pulse, steps };
                let found = run_group(transport, &mut common, command);
                samples.extend(found.map_err(Failure::Failed)?);
            }
            Ok(samples)
        })?;
        let remeasured = self.part().remeasured(&samples);
        let forms = self.signature.collectives.iter();
        Ok(forms.flat_map(|form| self.compared(form, &remeasured)).collect())
    }

    /// One step per closed form and size, with the procedure of its measurement.
    fn steps(&self, procs: Rank) -> Vec<GroupStep> {
        let forms = self.signature.collectives.iter();
        let covered = forms.filter(|form| form.procs.contains(Procs(procs)));
        let steps = covered.flat_map(|form| {
            let measured = procedure(form.op, &self.signature.samples);
            let procedure = measured.and_then(Procedure::named).unwrap_or(Procedure::Separated);
            let step = move |bytes| GroupStep {
                op: form.op,
                bytes,
                effort: EFFORT,
                procedure,
                arithmetic: Arithmetic::Sum,
            };
            self.sizes(form, procs).into_iter().map(step)
        });
        steps.collect()
    }

    /// Geometric means of consecutive sizes that the closed form was fitted to.
    fn sizes(&self, form: &Collective, procs: Rank) -> Vec<usize> {
        let Some(range) = form.bytes else { return vec![0] };
        let is_of_form = |samples: &&Samples| {
            samples.op.as_deref() == Some(form.op.name()) && samples.procs == Some(form.procs.high)
        };
        let of_signature = self.signature.samples.iter().filter(is_of_form).filter_map(|s| s.bytes);
        let mut seen: Vec<Bytes> = of_signature.chain([range.low, range.high]).collect();
        seen.sort_unstable();
        seen.dedup();
        let between = |ends: &[Bytes]| {
            let geometric_mean = (ends[0].count() * ends[1].count()).sqrt();
            // Each rank's block of a reduced vector has whole elements.
            let each = if form.op == Operation::ReduceScatter { 8 * procs as usize } else { 8 };
            (geometric_mean as usize).next_multiple_of(each)
        };
        let mut sizes: Vec<usize> = seen.windows(2).map(between).collect();
        sizes.retain(|size| !seen.contains(&Bytes(*size as u64)));
        sizes
    }

    fn compared(&self, form: &Collective, remeasured: &Remeasured) -> Vec<Check> {
        let op = form.op;
        let check = |(procs, bytes, measured_us): (Procs, Bytes, Micros)| {
            let question = Question { op, procs, bytes, bytes_are: op.bytes_are(), per_node: None };
            let time = question.by_formula(self.signature).ok().and_then(|method| method.time());
            let predicted = time.map(|time| (XU_HWANG, Predicted::of(time, measured_us)));
            Check {
                subject: Subject { tier: None, what: CheckKind::Collective, op: Some(op.name()) },
                procs: Some(procs),
                bytes,
                compute_us: None,
                measured_us,
                predictions: BTreeMap::from_iter(predicted),
            }
        };
        remeasured.collective(op).into_iter().map(check).collect()
    }
}

/// All ranks, and three quarters of them: not a power of two.
fn procs(ranks: Rank) -> Vec<Rank> {
    let between = (ranks > 3).then_some(3 * ranks / 4);
    between.into_iter().chain([ranks]).collect()
}
