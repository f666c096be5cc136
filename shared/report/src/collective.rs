//! A collective operation.

use loggia_model::measured::Basis;
use loggia_model::model::MEASURED;
use loggia_model::model::composition::{CollectiveMethod, Question};
use loggia_model::model::{Term, collective};
use loggia_model::signature::{BytesAre, Signature, Tail};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_simulate::algorithm::By;
use loggia_simulate::request::{self, Best};
use serde::Serialize;

/// Signature, operation, p and m: part of every report about a collective operation.
#[derive(Debug, Serialize)]
pub struct CollectiveQuery<'a> {
    signature: &'a str,
    op: &'static str,
    procs: Procs,
    bytes: Bytes,
    bytes_are: BytesAre,
}

impl<'a> CollectiveQuery<'a> {
    pub fn of(signature: &'a Signature, question: &Question) -> Self {
        CollectiveQuery {
            signature: &signature.name,
            op: question.op.name(),
            procs: question.procs,
            bytes: question.bytes,
            bytes_are: question.bytes_are,
        }
    }
}

/// The time of one method, with warnings.
#[derive(Debug, Serialize)]
pub struct Times {
    pub time_us: Option<Micros>,
    low_us: Option<Micros>,
    high_us: Option<Micros>,
    pub startup_us: Option<Micros>,
    pub transmission_us: Option<Micros>,
    pub compute_us: Option<Micros>,
    pub basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_us: Option<Micros>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_basis: Option<Basis>,
    extrapolated: bool,
    pub warnings: Vec<String>,
}

impl Times {
    pub fn of(method: &CollectiveMethod) -> Self {
        let (total, measured) = (method.total(), method.measured());
        Times {
            time_us: total.map(|t| t.value),
            low_us: total.map(|t| t.low),
            high_us: total.map(|t| t.high),
            startup_us: method.share(|part| part.startup),
            transmission_us: method.share(|part| part.transmission),
            compute_us: method.share(|part| part.compute),
            basis: method.shown_basis(),
            measured_us: measured.map(|(time, _)| time),
            measured_basis: measured.map(|(_, basis)| basis),
            extrapolated: method.is_extrapolated(),
            warnings: method.warnings(),
        }
    }
}

/// The report of `predict collective`: the common part, and `how`, which depends on the method.
#[derive(Debug, Serialize)]
pub struct CollectiveReport<'a, How> {
    #[serde(flatten)]
    query: CollectiveQuery<'a>,
    model: &'static str,
    algorithm: &'static str,
    #[serde(flatten)]
    pub how: How,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Best>,
    /// The probability of a message beyond the 99th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<Tail>,
}

/// The part of the report for closed forms only.
#[derive(Debug, Serialize)]
pub struct ByForms<'a> {
    #[serde(flatten)]
    pub times: Times,
    bounded_by: Vec<&'static str>,
    /// f(m, p) of Hwang, Wang & Wang 1997, where defined.
    aggregated_message_bytes: Option<f64>,
    terms: Vec<TermOf>,
    formula: String,
    pub parts: Vec<Part<'a>>,
}

/// A term, and its operation in the composition.
#[derive(Debug, Serialize)]
struct TermOf {
    op: &'static str,
    #[serde(flatten)]
    term: Term,
}

impl TermOf {
    fn all(cost: &collective::Cost) -> impl Iterator<Item = TermOf> {
        let op = cost.op.name();
        cost.prediction.terms.iter().map(move |term| TermOf { op, term: *term })
    }
}

/// The operation, or one operation of a composition.
#[derive(Debug, Serialize)]
pub struct Part<'a> {
    op: &'static str,
    bytes: f64,
    bytes_are: BytesAre,
    time_us: Option<Micros>,
    startup_us: Option<Micros>,
    transmission_us: Option<Micros>,
    compute_us: Option<Micros>,
    pub formula: String,
    pub source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
}

impl<'a> Part<'a> {
    fn of(cost: &collective::Cost, signature: &'a Signature) -> Self {
        let form = signature.collective(cost.op);
        Part {
            op: cost.op.name(),
            bytes: cost.bytes,
            bytes_are: cost.bytes_are,
            time_us: cost.prediction.time(),
            startup_us: cost.startup,
            transmission_us: cost.transmission,
            compute_us: cost.compute,
            formula: collective::formula(cost, signature),
            source: match form {
                Some(form) if !cost.prediction.basis.is_of_table() => &form.source,
                _ => signature.source_of_table(cost.op).unwrap_or_default(),
            },
            note: form.and_then(|form| form.note.as_deref()),
        }
    }
}

impl<'a> CollectiveReport<'a, ByForms<'a>> {
    pub fn by_forms(
        signature: &'a Signature,
        question: &Question,
        method: &CollectiveMethod,
        (best, tail): (Option<Best>, Option<Tail>),
    ) -> Self {
        let is_of_table = method.basis().is_of_table();
        CollectiveReport {
            query: CollectiveQuery::of(signature, question),
            model: if is_of_table { MEASURED } else { collective::XU_HWANG },
            algorithm: method.name,
            how: ByForms {
                times: Times::of(method),
                bounded_by: method.parts.iter().flat_map(|p| p.prediction.bounded_by()).collect(),
                aggregated_message_bytes: question.aggregated_message_bytes(),
                terms: method.parts.iter().flat_map(TermOf::all).collect(),
                formula: method.formula(signature),
                parts: method.parts.iter().map(|cost| Part::of(cost, signature)).collect(),
            },
            best,
            tail,
        }
    }
}

/// The part of the report for algorithms only.
#[derive(Debug, Serialize)]
pub struct ByAlgorithm {
    time_us: Micros,
    low_us: Micros,
    high_us: Micros,
    startup_us: Micros,
    transmission_us: Micros,
    compute_us: Micros,
    by: By,
    pub basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_us: Option<Micros>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_basis: Option<Basis>,
    terms: Vec<AlgorithmTerm>,
    formula: &'static str,
    formula_is_exact_for: &'static str,
    pub warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct AlgorithmTerm {
    symbol: &'static str,
    count: f64,
    value_us: f64,
}

impl<'a> CollectiveReport<'a, ByAlgorithm> {
    pub fn by_algorithm(
        signature: &'a Signature,
        question: &Question,
        found: &request::ByAlgorithm,
        (best, tail): (Option<Best>, Option<Tail>),
    ) -> Self {
        let modelled = &found.modelled;
        let measured = question.measured(signature);
        let terms = modelled.terms.iter().map(|term| AlgorithmTerm {
            symbol: term.symbol,
            count: term.count,
            value_us: term.time.0 / term.count,
        });
        CollectiveReport {
            query: CollectiveQuery::of(signature, question),
            model: found.rules.name(),
            algorithm: modelled.algorithm.name,
            how: ByAlgorithm {
                time_us: modelled.time.value,
                low_us: modelled.time.low,
                high_us: modelled.time.high,
                startup_us: modelled.startup,
                transmission_us: found.transmission(),
                compute_us: modelled.compute,
                by: modelled.by,
                basis: found.basis,
                measured_us: measured.map(|(time, _)| time),
                measured_basis: measured.map(|(_, basis)| basis),
                terms: terms.collect(),
                formula: modelled.formula,
                formula_is_exact_for: modelled.range,
                warnings: found.warnings.clone(),
            },
            best,
            tail,
        }
    }
}
