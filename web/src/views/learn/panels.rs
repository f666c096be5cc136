//! A figure's panels beside each other, all asked about the same place on their axis.

use super::bars::bars;
use crate::draw::figure::{Figure, Ink, Unit, Weight};
use crate::draw::panel::{axis, figure, marks};
use crate::draw::steps::Axis;
use crate::machines::Machine;
use crate::state::{Action, Page, set};
use crate::text::learn as text;
use crate::views::amount::Amount;
use crate::views::plot::Plot;
use crate::views::{quantity, rich};
use loggia_model::Signature;
use loggia_model::figures::{Drawn, Line, Over, Panel};
use loggia_model::units::words::{rate, time};
use loggia_model::units::{BytesPerMicro, Micros};
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

#[derive(Properties)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
    pub(super) panels: &'static [Panel],
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        self.page == other.page && std::ptr::eq(self.panels, other.panels)
    }
}

#[component]
pub(super) fn Panels(props: &Props) -> Html {
    let &Props { ref page, ref on_action, panels } = props;
    let machines: Vec<Machine> =
        std::iter::once(page.machine.clone()).chain(page.beside()).collect();
    let machines: Vec<&Signature> = machines.iter().map(|machine| &**machine).collect();
    let at = panels.first().map_or(0, |panel| place(panel.over, page));
    let drawn: Vec<Drawn> = panels.iter().map(|panel| panel.draw(&machines, at as f64)).collect();
    let over = drawn.first().and_then(axis);
    let slider = over.map(|axis| {
        let on_change = on_action.reform(move |value| set(axis, value));
        html! { <div class="size"><Amount {axis} id="figure-at" value={at} {on_change} /></div> }
    });
    let one = |(i, drawn): (usize, &Drawn)| panel(i, drawn, at, on_action);
    html! {
        <>
            { slider }
            { legend(&drawn) }
            <div class="small-multiples">{ for drawn.iter().enumerate().map(one) }</div>
        </>
    }
}

/// Where on the axis the reader looks: what is asked, or the middle.
fn place(over: Over, page: &Page) -> u64 {
    match over {
        Over::Bytes(low, high) => page.bytes().0.clamp(low, high),
        Over::Procs(low, high) => {
            let asked = page.inputs.procs.map_or(over.usual() as u32, |procs| procs.0);
            u64::from(asked.clamp(low, high))
        }
        Over::Machines => 0,
    }
}

/// Which colour is which line, once for all panels: those of the first one that has most.
fn legend(drawn: &[Drawn]) -> Option<Html> {
    let fullest = drawn.iter().max_by_key(|drawn| drawn.lines.len())?;
    let marks = marks(&fullest.lines);
    let thin = |i: usize| marks[i].1 == Weight::Thin;
    let is_by_weight = marks.iter().any(|(_, weight)| *weight == Weight::Bold)
        && marks.iter().any(|(_, weight)| *weight == Weight::Thin);
    let item = |(i, line): (usize, &Line)| {
        let label = line.label.split(", ").next().unwrap_or_default().to_owned();
        (!(is_by_weight && thin(i))).then(|| {
            html! { <li key={i}>{ rich::swatch(marks[i].0) }{ label }</li> }
        })
    };
    let weights = is_by_weight.then(|| {
        let which = |i: usize| fullest.lines[i].label.rsplit(", ").next().unwrap_or_default();
        html! { <li class="aside">{ text::weights(which(0), which(1)) }</li> }
    });
    (fullest.lines.len() > 1).then(|| {
        html! {
            <ul class="keys-of-lines">
                { for fullest.lines.iter().enumerate().filter_map(item) }
                { weights }
            </ul>
        }
    })
}

fn panel(index: usize, drawn: &Drawn, at: u64, on_action: &Callback<Action>) -> Html {
    let body = match (figure(drawn), axis(drawn)) {
        (Some(figure), Some(axis)) => lines(index, drawn, Rc::new(figure), axis, at, on_action),
        _ => bars(index, drawn),
    };
    html! {
        <section class="panel-of-figure" key={index}>
            <h3>{ drawn.title }</h3>
            { body }
        </section>
    }
}

fn lines(
    index: usize,
    drawn: &Drawn,
    figure: Rc<Figure>,
    axis: Axis,
    at: u64,
    on_action: &Callback<Action>,
) -> Html {
    let dots = || {
        let marks = marks(&drawn.lines).into_iter();
        let dot = |((ink, _), line): ((Ink, Weight), &Line)| Some((ink, Micros(line.value?)));
        marks.zip(&drawn.lines).filter_map(dot).collect::<Vec<_>>()
    };
    // The handle speaks of times.
    let is_time = figure.unit == Unit::Time;
    let dots = if is_time { dots() } else { Vec::new() };
    let on_move = on_action.reform(move |value| set(axis, value));
    html! {
        <>
            <Plot
                title={drawn.title}
                {figure}
                at={is_time.then_some(at)}
                {dots}
                {on_move}
            />
            { ranked(index, drawn, axis, at) }
        </>
    }
}

/// The lines' values there, the best first.
fn ranked(index: usize, drawn: &Drawn, axis: Axis, at: u64) -> Html {
    let marks = marks(&drawn.lines);
    let is_time = drawn.unit == "us";
    let mut order: Vec<usize> = (0..drawn.lines.len()).collect();
    let key = |i: &usize| {
        let value = drawn.lines[*i].value.unwrap_or(f64::NAN);
        if is_time { value } else { -value }
    };
    order.sort_by(|a, b| key(a).total_cmp(&key(b)));
    let item = |i: usize| {
        let line = &drawn.lines[i];
        let path = format!("figure.panels.{index}.lines.{i}.value");
        html! {
            <li key={i}>
                { rich::swatch(marks[i].0) }{ &line.label }
                <b>{ value(&path, drawn.unit, line.value) }</b>
            </li>
        }
    };
    html! {
        <div class="ranked">
            <p class="aside">{ crate::text::place(axis, &axis.words(at)) }</p>
            <ol>{ for order.into_iter().map(item) }</ol>
        </div>
    }
}

/// A value in the panel's unit.
pub(super) fn value(path: &str, unit: &'static str, value: Option<f64>) -> Html {
    if unit == "us" {
        let shown = value.map_or(crate::text::NO_NUMBER.to_owned(), |us| time(Micros(us)));
        return quantity::micros(path, value.map(Micros), shown);
    }
    let shown = value.map_or(crate::text::NO_NUMBER.to_owned(), |v| rate(BytesPerMicro(v)));
    quantity::number(path, "bytes/us", value, shown)
}
