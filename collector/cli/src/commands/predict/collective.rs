//! `loggia predict collective`

use super::{algorithm, bounded, compared_with_measured, tail_line, terms};
use crate::cli::{Collective, OpOrComposition};
use crate::report::table::remarks;
use crate::report::{Failure, Output};
use crate::source::load_with;
use loggia_model::Error;
use loggia_model::model::composition::{OWN_FORM, Question};
use loggia_model::model::{MEASURED, Route};
use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, Signature};
use loggia_model::units::Bytes;
use loggia_model::units::words::size;
use loggia_report::collective::CollectiveReport;
use loggia_simulate::assumed::assume_missing_costs;
use loggia_simulate::request::{self, BEST, CollectiveRequest};
use std::fmt::Write;
use std::rc::Rc;

pub(crate) fn run(args: &Collective, output: &mut Output) -> Result<(), Failure> {
    let mut signature = load_with(&args.sig, args.route.defaults(), &args.assume.set)?;
    let (question, algorithm_name) = request(args, &signature)?;
    let place = |text: &String| Nodes::parse(text, question.procs.0);
    let nodes = args.nodes.as_ref().map(place).transpose()?.map(Rc::new);
    let (tier, style) = (args.route.tier.as_deref(), args.route.style.as_deref());
    let predicted = |signature: &Signature| {
        let request = CollectiveRequest {
            tier,
            style,
            compute: args.compute,
            ..CollectiveRequest::of(signature, question).on(nodes.clone())
        };
        let (found, best) = match algorithm_name {
            Some(BEST) => request.best().map(|(found, best)| (found, Some(best))),
            Some(name) => request.by(name).map(|found| (found, None)),
            None => request.by_best_basis().map(|found| (found, None)),
        }?;
        Ok::<_, Error>((request.with_interval(found), best))
    };
    let (found, best) = match predicted(&signature) {
        Ok(found) => found,
        // An algorithm needs the costs of messages.
        Err(error) => match assume_missing_costs(&mut signature, tier, style) {
            Ok(Some(warning)) => {
                let (mut found, best) = predicted(&signature)?;
                if let request::CollectivePrediction::Algorithm(found) = &mut found {
                    found.warnings.push(warning);
                }
                (found, best)
            }
            _ => return Err(error.into()),
        },
    };
    let noise = Route::of(&signature, tier, None).ok().and_then(|route| route.noise());
    let tail = noise.and_then(|noise| noise.tail(question.procs));
    let method = match found {
        request::CollectivePrediction::Forms(method) => method,
        request::CollectivePrediction::Algorithm(found) => {
            return algorithm::print(&signature, &question, found, (best, tail), output);
        }
    };
    let total = method.total();
    let report = CollectiveReport::by_forms(&signature, &question, &method, (best, tail));
    output.print(&report, || {
        let as_composed =
            if [OWN_FORM, MEASURED].contains(&method.name) { "" } else { method.name };
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
            compared_with_measured(
                method.time(),
                report.how.times.measured_us.zip(report.how.times.measured_basis),
            )
        );
        for (part, cost) in report.how.parts.iter().zip(&method.parts) {
            let rows = terms(&cost.prediction.terms, |_| Some(part.source));
            let _ = writeln!(text, "{}\n\n{rows}", part.formula);
        }
        for note in report.how.parts.iter().filter_map(|part| part.note) {
            let _ = writeln!(text, "* {note}");
        }
        text += &report.best.as_ref().map(algorithm::words).unwrap_or_default();
        text += &report.tail.as_ref().map(tail_line).unwrap_or_default();
        text + &remarks(&report.how.times.warnings)
    })
}

type Request<'a> = (Question, Option<&'a str>);

fn request<'a>(args: &'a Collective, signature: &Signature) -> Result<Request<'a>, Error> {
    let (op, algorithm) = match (args.op, args.algorithm.as_deref()) {
        (OpOrComposition::Op(op), algorithm_name) => (op, algorithm_name),
        (OpOrComposition::Composition(c), algorithm_name)
            if algorithm_name.is_none_or(|algorithm_name| algorithm_name == c.name) =>
        {
            (c.op, Some(c.name))
        }
        (OpOrComposition::Composition(c), _) => {
            return Err(Error::new(
                format!("{} already names its method", c.name),
                "--algorithm",
                format!("omit --algorithm, or give --op {}", c.op.name()),
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
                "set the size, such as --bytes 512 or --bytes 64KiB",
            ));
        }
    };
    let question = Question::of(signature, op, args.procs, bytes, args.bytes_are)?;
    Ok((question, algorithm))
}
