//! `loggia predict collective`

use super::{algorithm, beside_measured, bounded, terms};
use crate::cli::{Collective, OpOrComposition};
use crate::commands::collective_times::{CollectiveQuery, Times};
use crate::report::table::remarks;
use crate::report::{Failure, Output};
use crate::source::load_with;
use loggia_model::Error;
use loggia_model::model::composition::{MEASURED, OWN_FORM, Question};
use loggia_model::model::{Term, collective};
use loggia_model::placement::Nodes;
use loggia_model::signature::{BytesAre, Operation, Signature, Tail};
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Micros};
use loggia_simulate::request::{self, BEST, Best, CollectiveRequest};
use serde::Serialize;
use std::fmt::Write;
use std::rc::Rc;

/// The common part of a report, and `how`, which depends on the method.
#[derive(Serialize)]
pub(super) struct Report<'a, How> {
    #[serde(flatten)]
    pub(super) query: CollectiveQuery<'a>,
    pub(super) model: &'static str,
    pub(super) algorithm: &'static str,
    #[serde(flatten)]
    pub(super) how: How,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<Best>,
    /// How likely it meets the tail of small messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tail: Option<Tail>,
}

/// The part of the report that only fitted formulas have.
#[derive(Serialize)]
struct ByForms<'a> {
    #[serde(flatten)]
    times: Times,
    bounded_by: Vec<&'static str>,
    /// f(m, p) of Hwang, Wang & Wang 1997, where it is defined.
    aggregated_message_bytes: Option<f64>,
    terms: Vec<TermOf>,
    formula: String,
    parts: Vec<Part<'a>>,
}

/// A term, and the operation of the composition that it belongs to.
#[derive(Serialize)]
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
#[derive(Serialize)]
struct Part<'a> {
    op: &'static str,
    bytes: f64,
    bytes_are: BytesAre,
    time_us: Option<Micros>,
    startup_us: Option<Micros>,
    transmission_us: Option<Micros>,
    compute_us: Option<Micros>,
    formula: String,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

pub(crate) fn run(args: &Collective, output: &mut Output) -> Result<(), Failure> {
    let signature = load_with(&args.sig, args.route.defaults(), &args.assume.set)?;
    let (question, how) = request(args, &signature)?;
    let place = |text: &String| Nodes::parse(text, question.procs.0);
    let ask = CollectiveRequest {
        signature: &signature,
        question,
        tier: args.route.tier.as_deref(),
        style: args.route.style.as_deref(),
        nodes: args.nodes.as_ref().map(place).transpose()?.map(Rc::new),
        compute: args.compute,
    };
    let (found, best) = match how {
        Some(BEST) => ask.best().map(|(report, best)| (report, Some(best)))?,
        Some(name) => (ask.by(name)?, None),
        None => (ask.by_best_basis()?, None),
    };
    let noise = signature.tier(ask.tier).ok().and_then(|tier| tier.noise.as_ref());
    let tail = noise.and_then(|noise| noise.tail(question.procs));
    let way = match found {
        request::CollectivePrediction::Forms(way) => way,
        request::CollectivePrediction::Algorithm(found) => {
            return algorithm::say(&signature, &question, found, (best, tail), output);
        }
    };
    let total = way.total();
    let is_of_table = way.basis().is_of_table();
    let parts: Vec<Part> = way.parts.iter().map(|cost| Part::of(cost, &signature)).collect();
    let report = Report {
        query: CollectiveQuery::of(&signature, &question),
        model: if is_of_table { MEASURED } else { collective::XU_HWANG },
        algorithm: way.name,
        how: ByForms {
            times: Times::of(&way),
            bounded_by: way.parts.iter().flat_map(|p| p.prediction.bounded_by()).collect(),
            aggregated_message_bytes: question.aggregated_message_bytes(),
            terms: way.parts.iter().flat_map(TermOf::all).collect(),
            formula: way.formula(&signature),
            parts,
        },
        best,
        tail,
    };
    output.answer(&report, || {
        let as_composed = if [OWN_FORM, MEASURED].contains(&way.name) { "" } else { way.name };
        let mut text = format!(
            "{} · {}{}{as_composed} · p = {} · {} {}\n{} · {}\n{}\n",
            signature.title,
            question.op.name(),
            if as_composed.is_empty() { "" } else { " as " },
            question.procs.0,
            size(question.bytes),
            question.bytes_are.words(),
            bounded(total),
            report.how.times.basis.name(),
            beside_measured(way.time(), report.how.times.measured_us)
        );
        for (part, cost) in report.how.parts.iter().zip(&way.parts) {
            let rows = terms(&cost.prediction.terms, |_| Some(part.source));
            let _ = writeln!(text, "{}\n\n{rows}", part.formula);
        }
        for note in report.how.parts.iter().filter_map(|part| part.note) {
            let _ = writeln!(text, "* {note}");
        }
        text += &report.best.as_ref().map(algorithm::words).unwrap_or_default();
        text += &report.tail.as_ref().map(in_tail).unwrap_or_default();
        text + &remarks(&report.how.times.warnings)
    })
}

/// The tail, as a line of text.
pub(super) fn in_tail(tail: &Tail) -> String {
    format!("{}\n", tail.words())
}

type Request<'a> = (Question, Option<&'a str>);

fn request<'a>(args: &'a Collective, signature: &Signature) -> Result<Request<'a>, Error> {
    let (op, algorithm) = match (args.op, args.algorithm.as_deref()) {
        (OpOrComposition::Op(op), how) => (op, how),
        (OpOrComposition::Composition(c), how) if how.is_none_or(|how| how == c.name) => {
            (c.op, Some(c.name))
        }
        (OpOrComposition::Composition(c), _) => {
            return Err(Error::new(
                format!("{} already names its method", c.name),
                "--algorithm",
                format!("leave it out, or ask with --op {}", c.op.name()),
            ));
        }
    };
    let bytes = match (args.bytes, op) {
        (Some(bytes), _) => bytes,
        (None, Operation::Barrier) => Bytes(0),
        (None, _) => {
            return Err(Error::new(
                format!("{} needs a size", op.name()),
                "--bytes",
                "give it, such as --bytes 512 or --bytes 64KiB",
            ));
        }
    };
    let question = Question::of(signature, op, args.procs, bytes, args.bytes_are)?;
    Ok((question, algorithm))
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
