//! Compositions: sequences of other operations with the same result, ranked.

use super::prediction::warnings;
use super::{Question, words};
use crate::draw::algorithms::{self, ink};
use crate::notices::reason;
use crate::tables::scroll::Scroll;
use crate::tables::table::{bar_cell, folded};
use crate::tables::{quantity, rich};
use crate::text;
use loggia_model::Error;
use loggia_model::model::composition::CollectiveMethod;
use loggia_model::model::crossover::{Crossover, crossovers_in_bytes, crossovers_in_procs};
use loggia_model::signature::Operation;
use loggia_model::units::Micros;
use loggia_model::units::words::{size, time};
use yew::{Html, html};

/// The panel; nothing if the operation has no composition.
pub(super) fn compositions(question: &Question) -> Html {
    let (body, more) = match content(question) {
        Ok(body) => (body, words::CHOOSE_SUMMARY.to_owned()),
        Err(why) => (reason(&why), why.message.clone()),
    };
    let inside = html! { <><p class="aside">{ words::CHOOSE_SHOWS }</p>{ body }</> };
    folded("choose", html! { { words::CHOOSE } }, more, inside)
}

fn content(question: &Question) -> Result<Html, Error> {
    let machine = &*question.machine;
    let collective = question.collective.of(machine)?.question;
    let methods = collective.ranking(machine)?;
    let best = methods.first().and_then(CollectiveMethod::time);
    let times = methods.iter().filter_map(CollectiveMethod::time);
    let longest = times.fold(Micros(0.0), Micros::max);
    let rows = methods
        .iter()
        .enumerate()
        .map(|(i, method)| row(question.collective.op, i, method, best, longest));
    let crossings = match methods.len() {
        1 => html! { <p class="aside">{ words::NOTHING_ELSE }</p> },
        _ => {
            let over_bytes = crossovers_in_bytes(machine, &collective)?;
            let (tried, over_procs) = crossovers_in_procs(machine, &collective)?;
            let tried = words::searched_range(tried.low.0, tried.high.0);
            html! {
                <div class="why overtaking">
                    { list("bytes", words::OVER_SIZE, &over_bytes, |at| (size(*at), at.count())) }
                    { list("procs", &tried, &over_procs, |at| (format!("p = {}", at.0), at.count())) }
                </div>
            }
        }
    };
    let mut notes: Vec<String> = methods
        .iter()
        .flat_map(|method| {
            method.warnings().into_iter().map(|w| format!("{}: {w}", algorithms::name(method.name)))
        })
        .collect();
    notes.dedup();
    let [name, shown, ratio] = words::CHOOSE_COLUMNS;
    Ok(html! {
        <>
            <Scroll>
                <table class="parts ranking">
                    <caption class="unseen">{ words::CHOOSE }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ name }</th>
                            <td class="bar-cell" />
                            <th scope="col" class="number">{ shown }</th>
                            <th scope="col" class="number">{ ratio }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </Scroll>
            { crossings }
            { warnings(&notes) }
        </>
    })
}

fn row(
    op: Operation,
    i: usize,
    method: &CollectiveMethod,
    best: Option<Micros>,
    longest: Micros,
) -> Html {
    let duration = method.time();
    let path = |name: &str| format!("choose.ranking.{i}.{name}");
    let ratio = duration.zip(best).map(|(time, best)| time.0 / best.0);
    let shown = duration.map_or(text::NO_NUMBER.to_owned(), time);
    let class = (i == 0 && duration.is_some()).then_some("best");
    let parts: Vec<&str> = method.parts.iter().map(|part| part.op.name()).collect();
    let parts = (parts.len() > 1).then(|| html! { <small>{ parts.join(", then ") }</small> });
    html! {
        <tr {class} key={method.name}>
            <th scope="row">{ rich::swatch(ink(op, method.name)) }{ algorithms::name(method.name) }{ parts }</th>
            { bar_cell(duration, longest, i == 0) }
            <td class="number">{ quantity::micros(&path("time_us"), duration, shown) }</td>
            <td class="number">
                { quantity::number(&path("ratio"), "1", ratio, ratio.map_or("—".to_owned(), crate::comparison::words::ratio)) }
            </td>
        </tr>
    }
}

/// The changes of the fastest.
fn list<U>(
    name: &str,
    over: &str,
    all: &[Crossover<U>],
    words_of: impl Fn(&U) -> (String, f64),
) -> Html {
    if all.is_empty() {
        return html! { <p class="quiet">{ words::same_everywhere(over) }</p> };
    }
    let item = |(i, found): (usize, &Crossover<U>)| {
        let (at, value) = words_of(&found.at);
        let path = format!("choose.crossovers_{name}.{i}.at");
        let (to, from) = (algorithms::name(found.to), algorithms::name(found.from));
        let text = words::overtakes(&at, to, from);
        let beyond = found.extrapolated.then_some(words::BEYOND);
        html! { <li key={i}>{ quantity::number(&path, "1", Some(value), text) }{ beyond }</li> }
    };
    html! { <ul>{ for all.iter().enumerate().map(item) }</ul> }
}
