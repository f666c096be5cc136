//! The predicted time, its terms, and its basis.

use super::{Question, words};
use crate::draw::figure::Ink;
use crate::machines::Machine;
use crate::tables::formula::{coloured, formula};
use crate::tables::scroll::Scroll;
use crate::tables::terms::{self, Part};
use crate::tables::{quantity, rich};
use crate::text;
use loggia_model::measured::Basis;
use loggia_model::model::collective;
use loggia_model::model::composition::{CollectiveMethod, OWN_FORM};
use loggia_model::model::metrics::of_collective;
use loggia_model::model::{MEASURED, Route};
use loggia_model::signature::Operation;
use loggia_model::units::words::{rate, size};
use loggia_model::units::{BytesPerMicro, Interval, Micros, Procs};
use loggia_simulate::collective::definitions;
use loggia_simulate::request::{ByAlgorithm, CollectivePrediction};
use yew::{Html, html};

const PATH: &str = "predict.collective";

/// Time, split and formula.
pub(super) fn answered(question: &Question, answer: &CollectivePrediction) -> Html {
    html! {
        <>
            { quantity::answer(PATH, answer.total()) }
            { quantity::basis(PATH, basis(answer), answer.time(), measured(question, answer)) }
            <p class="asked">{ headline(question, answer) }</p>
            { terms::bar(&split(question, answer)) }
            { why(question, answer) }
            { tail(question).unwrap_or_default() }
        </>
    }
}

/// The probability that the operation meets the tail of small messages.
fn tail(question: &Question) -> Option<Html> {
    let route = Route::of(&question.machine, question.collective.tier.as_deref(), None).ok()?;
    let tail = route.noise()?.tail(question.collective.procs)?;
    let path = format!("{PATH}.tail.probability");
    let value = quantity::number(&path, "", Some(tail.probability), "");
    Some(html! { <p class="aside noise">{ tail.words() }{ value }</p> })
}

fn basis(answer: &CollectivePrediction) -> Basis {
    match answer {
        CollectivePrediction::Forms(method) => method.shown_basis(),
        CollectivePrediction::Algorithm(found) => found.basis,
    }
}

/// The time from measurements, with its basis, if another method was selected.
fn measured(question: &Question, answer: &CollectivePrediction) -> Option<(Micros, Basis)> {
    if let CollectivePrediction::Forms(method) = answer
        && method.basis().is_of_table()
    {
        return None;
    }
    let request = question.collective.of(&question.machine).ok()?;
    request.question.measured(&question.machine)
}

/// "for bcast of 512 B in the vector on 64 ranks by binomial"
fn headline(question: &Question, answer: &CollectivePrediction) -> Html {
    let collective = &question.collective;
    let counted =
        collective.of(&question.machine).map(|request| request.question.bytes_are.words());
    let of = (collective.op != Operation::Barrier).then(|| {
        let counted = counted.unwrap_or_default();
        html! { <>{ " of " }<b>{ size(collective.bytes) }</b>{ format!(" {counted}") }</> }
    });
    let by = (![OWN_FORM, MEASURED].contains(&answer.name())).then(|| {
        let name = answer.name();
        let shown = quantity::words("predict.collective.algorithm", name, html! { { name } });
        html! { <>{ text::BY }<b>{ shown }</b></> }
    });
    html! {
        <>
            { "for " }<b>{ collective.op.name() }</b>{ of }{ " on " }
            <b>{ collective.procs.0.to_string() }</b>{ " ranks" }{ by }
        </>
    }
}

/// Startup, transmission and computation, as far as known.
fn split(question: &Question, answer: &CollectivePrediction) -> Vec<Part> {
    match answer {
        CollectivePrediction::Forms(method) => {
            if method.basis().is_of_table() {
                return parts_of_table(question, method);
            }
            let forms = || method.parts.iter().filter_map(|p| question.machine.collective(p.op));
            let source: Vec<&str> = forms().map(|form| form.source.as_str()).collect();
            let source = source.join("; ");
            let term = |symbol: &str| match method.parts.as_slice() {
                [one] => one.prediction.terms.iter().find(|term| term.symbol == symbol),
                _ => None,
            };
            let one = |symbol: &'static str, name, time| Part {
                counted: term(symbol).map(|term| (term.count, term.each)),
                ..part(symbol, name, time, &source)
            };
            let mut parts = vec![one("T0", "startup_us", method.share(|part| part.startup))];
            if forms().any(|form| form.per_byte.is_some()) {
                parts.push(one("t_b", "transmission_us", method.share(|part| part.transmission)));
            }
            if forms().any(|form| form.compute_per_byte.is_some()) {
                parts.push(one("t_c", "compute_us", method.share(|part| part.compute)));
            }
            parts
        }
        CollectivePrediction::Algorithm(found) => {
            let modelled = &found.modelled;
            let source = words::by_rules(found.rules.title());
            let mut parts = vec![part("T0", "startup_us", Some(modelled.startup), &source)];
            parts.push(part("t_b", "transmission_us", Some(found.transmission()), &source));
            if modelled.compute.0 > 0.0 {
                parts.push(part("t_c", "compute_us", Some(modelled.compute), &source));
            }
            parts
        }
    }
}

/// The time of the smallest message, and of the bytes.
fn parts_of_table(question: &Question, method: &CollectiveMethod) -> Vec<Part> {
    let source = question.machine.source_of_table(question.collective.op).unwrap_or_default();
    vec![
        part("T0", "startup_us", method.share(|part| part.startup), source),
        part("t_b", "transmission_us", method.share(|part| part.transmission), source),
    ]
}

/// A part of the predicted time, at this key of the command's JSON.
fn part(symbol: &'static str, key: &str, time: Option<Micros>, source: &str) -> Part {
    Part {
        symbol,
        ink: Ink::of(symbol),
        counted: None,
        time,
        path: format!("{PATH}.{key}"),
        source: source.to_owned(),
    }
}

/// The formula with values.
fn why(question: &Question, answer: &CollectivePrediction) -> Html {
    match answer {
        CollectivePrediction::Forms(method) => by_forms(question, method),
        CollectivePrediction::Algorithm(found) => by_algorithm(found),
    }
}

fn by_forms(question: &Question, method: &CollectiveMethod) -> Html {
    let whole = method.formula(&question.machine);
    if let [cost] = method.parts.as_slice()
        && let Some(form) = collective::evaluated_form(cost, &question.machine)
    {
        return formula(PATH, &whole, &cost.prediction, Some(&collective::words(form)));
    }
    let line = |part: &str| html! { <span class="line">{ rich::formula(part) }</span> };
    let shown = html! { { for whole.split("; ").map(line) } };
    html! {
        <p class="formula small">{ quantity::words("predict.collective.formula", &whole, shown) }</p>
    }
}

fn by_algorithm(found: &ByAlgorithm) -> Html {
    let modelled = &found.modelled;
    let terms: Vec<&str> = modelled.terms.iter().map(|term| term.symbol).collect();
    let substituted = modelled.substituted();
    let (values, sum) = substituted.rsplit_once(" = ").unwrap_or((&substituted, ""));
    let shown = html! {
        <>
            <span class="line">{ "T = " }{ rich::formula(modelled.formula) }</span>
            <span class="line">
                { "= " }{ coloured(values, &terms) }
                <span class="sum">{ format!(" = {sum}") }</span>
            </span>
        </>
    };
    html! {
        <>
            <p class="formula">
                { quantity::words("predict.collective.formula", modelled.formula, shown) }
            </p>
            <details class="aside">
                <summary>{ modelled.algorithm.summary }</summary>
                { words::exact_for(modelled.range) }{ " " }
                { rich::formula(&definitions(modelled.formula).join("; ")) }{ "." }
            </details>
        </>
    }
}

/// The table of terms, and warnings.
pub(super) fn below(question: &Question, answer: &CollectivePrediction) -> Html {
    let split = split(question, answer);
    match answer {
        CollectivePrediction::Forms(method) => {
            let notes = method.parts.iter().filter_map(|part| {
                question.machine.collective(part.op).and_then(|form| form.note.as_ref())
            });
            html! {
                <>
                    <Scroll>{ terms::table(&split) }</Scroll>
                    { warnings(&method.warnings()) }
                    { for notes.map(|note| html! { <p class="aside">{ note }</p> }) }
                </>
            }
        }
        CollectivePrediction::Algorithm(found) => {
            let terms = terms(found);
            html! {
                <>
                    <Scroll>{ terms::table(&split) }</Scroll>
                    <Scroll>{ terms::table(&terms) }</Scroll>
                    { warnings(&found.warnings) }
                </>
            }
        }
    }
}

/// The terms of the algorithm's critical path.
fn terms(found: &ByAlgorithm) -> Vec<Part> {
    let term = |(i, term): (usize, &loggia_simulate::algorithm::Term)| Part {
        symbol: term.symbol,
        ink: Ink::of(term.symbol),
        counted: Some((term.count, Interval::exact(term.each()))),
        time: Some(term.time),
        path: format!("{PATH}.terms[{i}].total_us"),
        source: words::by_rules(found.rules.title()),
    };
    found.modelled.terms.iter().enumerate().map(term).collect()
}

pub(super) fn warnings(all: &[String]) -> Html {
    if all.is_empty() {
        return html! {};
    }
    html! { <ul class="warnings">{ for all.iter().map(|words| html! { <li>{ words }</li> }) }</ul> }
}

/// Bandwidths of the closed form, and its n_1/2.
pub(super) fn metrics(machine: &Machine, op: Operation, procs: Procs) -> Html {
    let Some(form) = machine.collective(op) else {
        return html! { <p class="aside">{ words::no_form_here(&machine.title) }</p> };
    };
    let found = of_collective(form, procs);
    let fact = |name: &str, symbol: &str, value: Option<BytesPerMicro>, at: Option<Procs>| {
        let value = value?;
        let path = format!("metrics.{name}_bytes_per_us");
        let at = at.map(|procs| words::at_procs(procs.0)).unwrap_or_default();
        Some(html! {
            <div>
                <dt>{ rich::symbol(symbol) }{ " " }{ words::metric(name) }</dt>
                <dd>{ quantity::number(&path, "bytes/us", Some(value.0), rate(value)) }{ at }</dd>
            </div>
        })
    };
    let half = found.half_length.map(|length| {
        let shown = quantity::number("metrics.half_length_bytes", "bytes", Some(length.count()), size(length));
        html! { <div><dt>{ rich::symbol("n_1/2(p)") }{ " " }{ words::HALF }</dt><dd>{ shown }</dd></div> }
    });
    html! {
        <dl class="facts">
            { fact("aggregated_bandwidth", "R_inf(p)", found.aggregated_bandwidth, None) }
            { fact("peak_aggregated_bandwidth", "max R_inf", found.peak_bandwidth, found.peak_bandwidth_procs) }
            { half }
        </dl>
    }
}
