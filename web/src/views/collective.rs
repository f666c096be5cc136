//! A collective operation by its closed form: its time, its parts, and how it grows with p.

use super::amount::Amount;
use super::chips::{Chip, Chips};
use super::formula::formula;
use super::later::Props;
use super::parts::{self, Part};
use super::plot::Plot;
use super::problem::{reason, warnings};
use super::quantity;
use crate::draw::figure::{Figure, Ink};
use crate::draw::operation::figure;
use crate::draw::steps::Axis;
use crate::state::{Action, Page, set};
use crate::text;
use loggia_model::model::collective::{self, Cost, check_procs, cost};
use loggia_model::signature::{Collective as Form, Operation};
use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Micros, Procs};
use std::rc::Rc;
use yew::{Callback, Html, component, html, use_memo};

#[component]
pub(crate) fn Collective(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let picture = use_picture(page);
    let Some(op) = page.operation() else { return html! {} };
    let body = match collective::form_of(&page.machine, op) {
        Err(why) => reason(&why),
        Ok(form) => {
            let procs = page.procs(form);
            let on_procs = on_action.reform(|procs| set(Axis::Procs, procs));
            let answer = match check_procs(procs) {
                Ok(()) => answered(form, procs, page, picture, on_action),
                Err(why) => reason(&why),
            };
            html! {
                <>
                    <Amount
                        axis={Axis::Procs}
                        id="procs"
                        value={u64::from(procs.0)}
                        on_change={on_procs}
                    />
                    { answer }
                </>
            }
        }
    };
    html! {
        <section class="panel" id="collectives" aria-labelledby="collectives-title">
            <h2 id="collectives-title">{ text::COLLECTIVE }</h2>
            { operations(page, op, on_action) }
            { body }
        </section>
    }
}

/// A barrier carries no bytes.
fn bytes(op: Operation, page: &Page) -> Bytes {
    if op == Operation::Barrier { Bytes(0) } else { page.bytes() }
}

/// The picture, drawn anew only when something other than p has changed.
#[yew::hook]
fn use_picture(page: &Page) -> Option<Rc<Figure>> {
    let op = page.operation();
    let bytes = op.map(|op| bytes(op, page));
    let beyond = page.inputs.procs.filter(|procs| u64::from(procs.0) > Axis::Procs.high());
    let depends = (page.machine.clone(), op, bytes, beyond);
    let figure = use_memo(depends, |(machine, op, bytes, beyond)| {
        let form = machine.collective((*op)?)?;
        figure(form, bytes.unwrap_or_default().count(), beyond.unwrap_or(Procs(2))).map(Rc::new)
    });
    (*figure).clone()
}

fn operations(page: &Page, chosen: Operation, on_action: &Callback<Action>) -> Html {
    let chip = |form: &Form| Chip {
        value: form.op.name().to_owned(),
        label: form.op.name().to_owned(),
        hint: text::operation(form.op).to_owned(),
        is_chosen: form.op == chosen,
        is_possible: true,
    };
    let chips: Vec<Chip> = page.machine.collectives.iter().map(chip).collect();
    let on_choose = {
        let on_action = on_action.clone();
        Callback::from(move |name: String| {
            if let Ok(chosen) = Operation::named(&name) {
                on_action.emit(Action::Operation(chosen));
            }
        })
    };
    html! { <Chips name="op" legend={text::OPERATION} {chips} {on_choose} /> }
}

fn answered(
    form: &Form,
    procs: Procs,
    page: &Page,
    picture: Option<Rc<Figure>>,
    on_action: &Callback<Action>,
) -> Html {
    let cost = cost(form, procs, bytes(form.op, page).count());
    let parts = parts_of(form, &cost);
    let prediction = &cost.prediction;
    let words = collective::words(form);
    let plot = picture.map(|figure| {
        let dots = parts.iter().filter_map(|part| Some((part.ink, part.time?)));
        let total = prediction.time().map(|time| (Ink::Total, time));
        let on_move = on_action.reform(|procs| set(Axis::Procs, procs));
        html! {
            <Plot
                title={text::COLLECTIVE}
                {figure}
                at={u64::from(procs.0)}
                dots={dots.chain(total).collect::<Vec<_>>()}
                answer={prediction.time()}
                {on_move}
            />
        }
    });
    html! {
        <div class="spread">
            <div class="answered">
                { quantity::answer("predict.collective", prediction.total) }
                <p class="asked">{ asked(form, procs, page) }</p>
                { parts::bar(&parts) }
                { formula("predict.collective", &collective::formula(&cost, form), prediction, Some(&words)) }
            </div>
            { plot }
            <div class="below">
                { parts::table(&parts) }
                { warnings(&prediction.warnings) }
                { form.note.as_ref().map(|note| html! { <p class="aside">{ note }</p> }) }
            </div>
        </div>
    }
}

fn asked(form: &Form, procs: Procs, page: &Page) -> Html {
    let of = (form.op != Operation::Barrier).then(|| {
        html! { <>{ " of " }<b>{ size(page.bytes()) }</b>{ format!(" {}", form.bytes_are.words()) }</> }
    });
    html! {
        <>
            { "for " }<b>{ form.op.name() }</b>{ of }{ " on " }
            <b>{ procs.0.to_string() }</b>{ " processes" }
        </>
    }
}

/// Startup, transmission and arithmetic, as far as the form has them.
fn parts_of(form: &Form, cost: &Cost) -> Vec<Part> {
    let part = |symbol: &'static str, name: &str, time: Option<Micros>| {
        let term = cost.prediction.terms.iter().find(|term| term.symbol == symbol);
        Part {
            symbol,
            ink: Ink::of(symbol),
            counted: term.map(|term| (term.count, term.each)),
            time,
            path: format!("predict.collective.{name}"),
            source: form.source.clone(),
        }
    };
    let mut parts = vec![part("T0", "startup_us", cost.startup)];
    if form.per_byte.is_some() {
        parts.push(part("t_b", "transmission_us", cost.transmission));
    }
    if form.compute_per_byte.is_some() {
        parts.push(part("t_c", "compute_us", cost.compute));
    }
    parts
}
