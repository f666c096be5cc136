//! Methods of a collective operation, and their ranking.
//!
//! The case study of Touriño & Doallo 2001 (Sections 4.3 and 5): Reduce+Scatter equals
//! Reduce_scatter, and Gather+Broadcast equals Allgather; the composition is often faster. The time
//! of a composition is the sum of the closed forms of its parts, each with its own count of bytes.

use super::collective::{self, Cost, check_procs, form_of};
use super::error::ModelError;
use super::{MEASURED, Warning};
use crate::Error;
use crate::error::Input;
use crate::measured::Basis;
use crate::placement::Nodes;
use crate::signature::{BytesAre, Collective, Operation, Signature};
use crate::units::words::number;
use crate::units::{Bytes, BytesPerMicro, Interval, Micros, Procs};
use std::cmp::Ordering;

/// A sequence of operations with the result of another operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composition {
    /// The operation with the same result.
    pub op: Operation,
    /// The names of the parts, joined by `+`.
    pub name: &'static str,
    /// The parts, in order.
    pub parts: &'static [Operation],
}

/// All compositions.
pub const COMPOSITIONS: [Composition; 6] = [
    composed(Operation::ReduceScatter, "reduce+scatter", &[Operation::Reduce, Operation::Scatter]),
    composed(Operation::Allgather, "gather+bcast", &[Operation::Gather, Operation::Bcast]),
    composed(Operation::Allreduce, "reduce+bcast", &[Operation::Reduce, Operation::Bcast]),
    composed(
        Operation::Allreduce,
        "reduce_scatter+allgather",
        &[Operation::ReduceScatter, Operation::Allgather],
    ),
    composed(Operation::Bcast, "scatter+allgather", &[Operation::Scatter, Operation::Allgather]),
    composed(
        Operation::Reduce,
        "reduce_scatter+gather",
        &[Operation::ReduceScatter, Operation::Gather],
    ),
];

const fn composed(op: Operation, name: &'static str, parts: &'static [Operation]) -> Composition {
    Composition { op, name, parts }
}

/// A question: an operation on p processes with m bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The operation.
    pub op: Operation,
    /// p
    pub procs: Procs,
    /// m
    pub bytes: Bytes,
    pub bytes_are: BytesAre,
    /// Ranks per node; measurements with this number are preferred.
    pub per_node: Option<u32>,
}

/// A method of the operation.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveMethod {
    /// [`OWN_FORM`], or the composition's name.
    pub name: &'static str,
    /// The cost of each part.
    pub parts: Vec<Cost>,
}

/// The warning about a closed form of a changed machine.
const BEFORE_CHANGE: Warning = Warning::Remark(
    "a parameter was changed, and the closed form describes the machine before the change",
);

/// The name of the method by the operation's own closed form.
pub const OWN_FORM: &str = "closed-form";

impl Question {
    /// The question, with bytes counted as in the signature's form; without a form, as in
    /// algorithms.
    pub fn of(
        signature: &Signature,
        op: Operation,
        procs: Procs,
        bytes: Bytes,
        bytes_are: Option<BytesAre>,
    ) -> Result<Self, Error> {
        check_procs(procs)?;
        if let Some(bytes_are) = bytes_are.filter(|count| !op.counts().contains(count)) {
            return Err(ModelError::MeaninglessCount { bytes_are, op }.into());
        }
        let usual = || signature.collective(op).map_or(op.bytes_are(), |form| form.bytes_are);
        let bytes_are = bytes_are.unwrap_or_else(usual);
        Ok(Question { op, procs, bytes, bytes_are, per_node: None })
    }

    /// The question, with its ranks on these nodes.
    #[must_use]
    pub fn on(self, nodes: &Nodes) -> Self {
        Question { per_node: Some(nodes.largest()), ..self }
    }

    /// The cost of one part, with its own count of bytes: measured, or by its closed form.
    fn part(&self, signature: &Signature, op: Operation) -> Result<Cost, Error> {
        match self.measured_cost(signature, op) {
            Some(cost) => Ok(cost),
            None => self.formula_cost(signature, op),
        }
    }

    fn formula_cost(&self, signature: &Signature, op: Operation) -> Result<Cost, Error> {
        let mut cost = self.cost_by(form_of(signature, op)?);
        cost.prediction.basis = Basis::of_model(signature);
        cost.prediction.warnings.extend(signature.is_changed().then_some(BEFORE_CHANGE));
        cost.prediction.measured = self.measured_as(signature, op);
        Ok(cost)
    }

    /// The time of the operation from measurements, and whether it was measured itself, interpolated or
    /// extrapolated.
    pub fn measured(&self, signature: &Signature) -> Option<(Micros, Basis)> {
        self.measured_as(signature, self.op)
    }

    fn measured_as(&self, signature: &Signature, op: Operation) -> Option<(Micros, Basis)> {
        let measured = self.measured_cost(signature, op)?.prediction;
        Some((measured.time()?, measured.basis))
    }

    fn measured_cost(&self, signature: &Signature, op: Operation) -> Option<Cost> {
        let whole = self.bytes_are.to_whole(self.op, self.procs, self.bytes.count());
        let bytes = op.bytes_are().of_whole(op, self.procs, whole);
        collective::measured_cost(signature, op, (self.procs, self.per_node), bytes)
    }

    /// The cost by a closed form of this operation or of a part.
    pub(crate) fn cost_by(&self, form: &Collective) -> Cost {
        let bytes = if (form.op, form.bytes_are) == (self.op, self.bytes_are) {
            self.bytes.count()
        } else {
            let whole = self.bytes_are.to_whole(self.op, self.procs, self.bytes.count());
            form.bytes_are.of_whole(form.op, self.procs, whole)
        };
        collective::cost(form, self.procs, bytes)
    }

    /// f(m, p) of Hwang, Wang & Wang 1997, Section 3, where defined: all bytes that move between
    /// ranks. There m counts bytes as algorithms do, so the question's bytes are converted first.
    pub fn aggregated_message_bytes(&self) -> Option<f64> {
        let whole = self.bytes_are.to_whole(self.op, self.procs, self.bytes.count());
        let each = self.op.bytes_are().of_whole(self.op, self.procs, whole);
        self.op.aggregated_messages(self.procs).map(|messages| messages * each)
    }

    /// Aggregated rate of an operation that takes this time.
    pub fn aggregated_rate(&self, time: Micros) -> Option<BytesPerMicro> {
        self.aggregated_message_bytes().map(|bytes| BytesPerMicro::of(bytes, time))
    }

    /// The operation's own form.
    pub fn by_formula(&self, signature: &Signature) -> Result<CollectiveMethod, Error> {
        Ok(CollectiveMethod { name: OWN_FORM, parts: vec![self.formula_cost(signature, self.op)?] })
    }

    /// The method by measured times.
    pub fn by_measurement(&self, signature: &Signature) -> Result<CollectiveMethod, Error> {
        let cost = self.measured_cost(signature, self.op).ok_or_else(|| {
            ModelError::NotMeasured { machine: signature.title.clone(), op: self.op }
        })?;
        Ok(CollectiveMethod { name: MEASURED, parts: vec![cost] })
    }

    /// The method by measured times, else by the operation's own form if that says something about
    /// p.
    pub fn by_best_basis(&self, signature: &Signature) -> Result<CollectiveMethod, Error> {
        self.by_measurement(signature).or_else(|_| match signature.collective(self.op) {
            Some(form) if !form.is_known_at(self.procs) => Err(self.nothing_known(signature)),
            _ => self.by_formula(signature),
        })
    }

    /// The method by a composition.
    pub fn by_composition(
        &self,
        signature: &Signature,
        composition: &Composition,
    ) -> Result<CollectiveMethod, Error> {
        let parts: Result<Vec<Cost>, Error> =
            composition.parts.iter().map(|op| self.part(signature, *op)).collect();
        Ok(CollectiveMethod { name: composition.name, parts: parts? })
    }

    /// The method named [`OWN_FORM`], `best`, or as a composition.
    pub fn by(&self, signature: &Signature, algorithm: &str) -> Result<CollectiveMethod, Error> {
        match algorithm {
            MEASURED => self.by_measurement(signature),
            OWN_FORM => self.by_formula(signature),
            "best" => self
                .ranking(signature)?
                .into_iter()
                .next()
                .ok_or_else(|| self.nothing_known(signature)),
            name => {
                let here = COMPOSITIONS.iter().filter(|c| c.op == self.op);
                match here.clone().find(|c| c.name == name) {
                    Some(composition) => self.by_composition(signature, composition),
                    None => {
                        let known = [OWN_FORM, "best"].into_iter().chain(here.map(|c| c.name));
                        Err(Error::unknown("algorithm", name, Input::Algorithm, known))
                    }
                }
            }
        }
    }

    /// All methods that the signature can evaluate, fastest first; methods without a time last.
    pub fn ranking(&self, signature: &Signature) -> Result<Vec<CollectiveMethod>, Error> {
        let own = self.by_best_basis(signature);
        let composed = COMPOSITIONS
            .iter()
            .filter(|c| c.op == self.op)
            .filter_map(|c| self.by_composition(signature, c).ok());
        let mut methods: Vec<CollectiveMethod> = own.iter().cloned().chain(composed).collect();
        if methods.is_empty() {
            return Err(own.err().unwrap_or_else(|| self.nothing_known(signature)));
        }
        methods.sort_by(CollectiveMethod::compared);
        Ok(methods)
    }

    /// Whether any method is evaluated outside the range of its closed forms.
    pub(super) fn is_extrapolated(&self, signature: &Signature) -> bool {
        self.ranking(signature)
            .is_ok_and(|methods| methods.iter().any(CollectiveMethod::is_extrapolated))
    }

    /// The error if no method gives a time.
    pub fn nothing_known(&self, signature: &Signature) -> Error {
        let known = signature.collectives.iter().map(|form| form.op).collect();
        ModelError::NothingKnown { op: self.op, known }.into()
    }
}

impl CollectiveMethod {
    /// The whole time.
    pub fn total(&self) -> Option<Interval<Micros>> {
        self.parts.iter().map(|part| part.prediction.total).sum()
    }

    /// The weakest basis of its parts.
    pub fn basis(&self) -> Basis {
        self.parts.iter().map(|part| part.prediction.basis).max().unwrap_or(Basis::Modelled)
    }

    /// The basis for readers: beyond the range of a closed form, its time is extrapolated.
    pub fn shown_basis(&self) -> Basis {
        if self.is_extrapolated() { Basis::Extrapolated } else { self.basis() }
    }

    /// The time from measurements with its basis, if another method was chosen.
    pub fn measured(&self) -> Option<(Micros, Basis)> {
        match self.parts.as_slice() {
            [part] => part.prediction.measured,
            _ => None,
        }
    }

    /// The whole time, without bounds.
    pub fn time(&self) -> Option<Micros> {
        self.total().map(|total| total.value)
    }

    /// The order of methods: the fastest first, methods without a time last.
    pub fn compared(&self, other: &Self) -> Ordering {
        let key = |method: &Self| method.time().map_or(f64::INFINITY, |time| time.0);
        key(self).total_cmp(&key(other))
    }

    /// The sum of one share over all parts; none if a part lacks it.
    pub fn share(&self, of: impl Fn(&Cost) -> Option<Micros>) -> Option<Micros> {
        self.parts.iter().map(of).sum()
    }

    /// The formulas of the parts and, if there are several, their sum.
    pub fn formula(&self, signature: &Signature) -> String {
        let formulas: Vec<String> =
            self.parts.iter().map(|part| collective::formula(part, signature)).collect();
        let sum = self.time().filter(|_| formulas.len() > 1).map(|t| number(t.0, 8));
        let sum = sum.map(|sum| format!("; sum {sum} µs")).unwrap_or_default();
        formulas.join("; ") + &sum
    }

    /// Warnings of all parts; in a composition, each names its part.
    pub fn warnings(&self) -> Vec<String> {
        let name = |part: &Cost, warning: &Warning| match self.parts.len() {
            1 => warning.to_string(),
            _ => format!("{}: {warning}", part.op.name()),
        };
        self.parts
            .iter()
            .flat_map(|part| part.prediction.warnings.iter().map(move |w| name(part, w)))
            .collect()
    }

    /// Whether any part is extrapolated.
    pub fn is_extrapolated(&self) -> bool {
        self.parts.iter().any(|part| part.prediction.is_extrapolated())
    }

    /// The time as a line over bytes, counted as in the question: T = start + slope·m.
    pub(super) fn line(&self, question: &Question) -> Option<(f64, f64)> {
        let start = self.share(|part| part.startup)?.0;
        let at = self.time()?.0;
        let bytes = question.bytes.count();
        if bytes > 0.0 {
            return Some((start, (at - start) / bytes));
        }
        Some((start, 0.0))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::library;

    /// A question about the AP3000.
    pub(in crate::model) fn question_to_ap3000(
        op: Operation,
        p: u32,
        bytes: u64,
    ) -> (Signature, Question) {
        let ap3000 = library::load("ap3000-mpi").unwrap();
        let question = Question::of(&ap3000, op, Procs(p), Bytes(bytes), None).unwrap();
        (ap3000, question)
    }

    fn time(op: Operation, p: u32, bytes: u64, algorithm: &str) -> f64 {
        let (ap3000, question) = question_to_ap3000(op, p, bytes);
        question.by(&ap3000, algorithm).unwrap().time().unwrap().0
    }

    /// Touriño & Doallo 2001, Table 5: all estimated columns, to the printed digits.
    #[test]
    fn table_5() {
        for (p, reduce_scatter, composed, allgather, gather_bcast) in [
            (2, 24414.0, 20927.0, 166.43, 164.54),
            (4, 33957.0, 29440.0, 356.94, 271.69),
            (8, 43500.0, 39291.0, 738.07, 427.93),
            (12, 49082.0, 45355.0, 1119.25, 601.14),
        ] {
            let close = |got: f64, printed: f64, half_unit: f64| {
                assert!((got - printed).abs() <= half_unit, "p = {p}: {got} against {printed}");
            };
            close(time(Operation::ReduceScatter, p, 480_000, OWN_FORM), reduce_scatter, 0.5);
            close(time(Operation::ReduceScatter, p, 480_000, "reduce+scatter"), composed, 0.5);
            let bytes = u64::from(8 * p);
            close(time(Operation::Allgather, p, bytes, OWN_FORM), allgather, 0.005);
            close(time(Operation::Allgather, p, bytes, "gather+bcast"), gather_bcast, 0.005);
        }
    }

    /// Touriño & Doallo 2001, Section 5: the composition is faster in both cases.
    #[test]
    fn the_case_study_chooses_as_the_paper_does() {
        let (ap3000, question) = question_to_ap3000(Operation::ReduceScatter, 2, 480_000);
        assert_eq!(question.ranking(&ap3000).unwrap()[0].name, "reduce+scatter");
        let (ap3000, question) = question_to_ap3000(Operation::Allgather, 8, 64);
        assert_eq!(question.ranking(&ap3000).unwrap()[0].name, "gather+bcast");
    }

    #[test]
    fn bytes_are_converted_before_anything_is_compared() {
        let (ap3000, question) = question_to_ap3000(Operation::Allgather, 4, 400);
        let per_rank = Question { bytes: Bytes(100), bytes_are: BytesAre::PerRank, ..question };
        let times = |q: &Question| {
            q.ranking(&ap3000).unwrap().iter().map(|w| w.time().unwrap().0).collect::<Vec<_>>()
        };
        for (a, b) in times(&question).into_iter().zip(times(&per_rank)) {
            assert!((a - b).abs() < 1e-9);
        }
    }

    #[test]
    fn the_aggregated_length_does_not_depend_on_the_count() {
        let t3d = library::load("cray-t3d").unwrap();
        let aggregated_bytes = |bytes, bytes_are| {
            let p = Procs(64);
            let all = Operation::Alltoall;
            let question = Question::of(&t3d, all, p, Bytes(bytes), Some(bytes_are)).unwrap();
            question.aggregated_message_bytes()
        };
        let per_pair = Some(512.0 * 64.0 * 63.0);
        assert_eq!(aggregated_bytes(512, BytesAre::PerPair), per_pair);
        assert_eq!(aggregated_bytes(512 * 64, BytesAre::PerRank), per_pair);
        assert_eq!(aggregated_bytes(512 * 64 * 64, BytesAre::Total), per_pair);
    }

    #[test]
    fn a_machine_without_the_form_still_has_the_composition() {
        let sp2 = library::load("ibm-sp2").unwrap();
        let question =
            Question::of(&sp2, Operation::Allgather, Procs(8), Bytes(100), None).unwrap();
        assert_eq!(question.bytes_are, BytesAre::PerRank);
        let ranking = question.ranking(&sp2).unwrap();
        assert_eq!(ranking.len(), 1);
        // gather of 100 bytes per rank, then broadcast of the vector of 800 bytes
        let gather = (3.7 * 8.0 + 128.0) + (0.022 * 8.0 - 0.011) * 100.0;
        let bcast = (55.0 * 3.0 + 30.0) + (0.014 * 3.0 + 0.053) * 800.0;
        assert!((ranking[0].time().unwrap().0 - gather - bcast).abs() < 1e-9);
    }

    #[test]
    fn an_operation_without_any_form_is_an_error() {
        let quadrics = library::load("quadrics-shmem").unwrap();
        let question = Question::of(&quadrics, Operation::Bcast, Procs(8), Bytes(1), None).unwrap();
        assert!(question.ranking(&quadrics).unwrap_err().message.contains("no closed form"));
        let unknown = question.by(&quadrics, "gather+bcast").unwrap_err();
        assert!(unknown.help.to_string().contains(OWN_FORM), "{unknown}");
    }
}
