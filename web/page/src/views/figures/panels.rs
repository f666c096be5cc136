//! The panels of a figure, with one handle for all.

pub(crate) mod figure;

use super::bars::bars;
use super::value::value;
use super::words as text;
use crate::draw::figure::{Figure, Ink, Unit, Weight};
use crate::draw::steps::Axis;
use crate::fields::amount::Amount;
use crate::machines::Machine;
use crate::plots::plot::Plot;
use crate::state::{Action, Page, set};
use crate::tables::rich;
use figure::{axis, figure, marks};
use loggia_link::figures::{Drawn, Line, Over, Panel, PanelUnit};
use loggia_model::Signature;
use loggia_model::units::Micros;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_memo};

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
        std::iter::once(page.machine.clone()).chain(page.compared_explicitly()).collect();
    // Computed once per machine and panel, not during a drag.
    let pictures = use_memo((machines.clone(), panels.as_ptr()), |(machines, _)| {
        let machines = signatures(machines);
        panels.iter().map(|panel| Picture::of(panel.lines(&machines))).collect::<Vec<_>>()
    });
    let machines = signatures(&machines);
    let at = panels.first().map_or(0, |panel| place(panel.over, page));
    let over = pictures.first().and_then(|picture| axis(&picture.drawn));
    let slider = over.map(|axis| {
        let on_action = on_action.clone();
        html! { <div class="size"><Amount {axis} id="figure-at" value={at} {on_action} /></div> }
    });
    let one = |(i, picture): (usize, &Picture)| {
        let values = picture.drawn.at(&machines, at as f64);
        panel(i, picture, &Readout { at, values }, on_action)
    };
    html! {
        <>
            { slider }
            { legend(&pictures) }
            <div class="small-multiples">{ for pictures.iter().enumerate().map(one) }</div>
        </>
    }
}

fn signatures(machines: &[Machine]) -> Vec<&Signature> {
    machines.iter().map(|machine| &**machine).collect()
}

/// The lines of a panel, without a handle.
struct Picture {
    drawn: Rc<Drawn>,
    marks: Vec<(Ink, Weight)>,
    /// `None` for bars, or if no value is known.
    figure: Option<Rc<Figure>>,
}

impl Picture {
    fn of(drawn: Drawn) -> Self {
        let (marks, figure) = (marks(&drawn.lines), figure(&drawn).map(Rc::new));
        Picture { drawn: Rc::new(drawn), marks, figure }
    }
}

/// The handle's position, and the values of the lines there.
struct Readout {
    at: u64,
    values: Vec<Option<f64>>,
}

/// Position of the handle: the page's input, or the middle of the axis.
fn place(over: Over, page: &Page) -> u64 {
    match over {
        Over::Bytes(low, high) => page.bytes().0.clamp(low, high),
        Over::Procs(low, high) => {
            let procs = page.inputs.procs.map_or(over.usual() as u32, |procs| procs.0);
            u64::from(procs.clamp(low, high))
        }
        Over::Machines => 0,
    }
}

/// One legend for all panels: that of the panel with most lines.
fn legend(pictures: &[Picture]) -> Option<Html> {
    let Picture { drawn: fullest, marks, .. } =
        pictures.iter().max_by_key(|picture| picture.drawn.lines.len())?;
    let thin = |i: usize| marks[i].1 == Weight::Thin;
    let is_by_weight = marks.iter().any(|(_, weight)| *weight == Weight::Bold)
        && marks.iter().any(|(_, weight)| *weight == Weight::Thin);
    let item = |(i, line): (usize, &Line)| {
        // Bold and thin lines differ in the last part, such as the size.
        let label = match line.label.rsplit_once(", ") {
            Some((label, _)) if is_by_weight => label.to_owned(),
            _ => line.label.clone(),
        };
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

fn panel(index: usize, picture: &Picture, readout: &Readout, on_action: &Callback<Action>) -> Html {
    let drawn = &picture.drawn;
    let body = match (&picture.figure, axis(drawn)) {
        (Some(figure), Some(axis)) => {
            lines(index, picture, figure.clone(), axis, readout, on_action)
        }
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
    picture: &Picture,
    figure: Rc<Figure>,
    axis: Axis,
    readout: &Readout,
    on_action: &Callback<Action>,
) -> Html {
    let dots = || {
        let dot =
            |((ink, _), value): (&(Ink, Weight), &Option<f64>)| Some((*ink, Micros((*value)?)));
        picture.marks.iter().zip(&readout.values).filter_map(dot).collect::<Vec<_>>()
    };
    // The handle shows times only.
    let is_time = figure.unit == Unit::Time;
    let dots = if is_time { dots() } else { Vec::new() };
    let on_move = on_action.reform(move |value| set(axis, value));
    html! {
        <>
            <Plot
                title={picture.drawn.title}
                {figure}
                at={is_time.then_some(readout.at)}
                {dots}
                {on_move}
            />
            { ranked(index, picture, axis, readout) }
        </>
    }
}

/// The lines' values at the handle, the best first.
fn ranked(index: usize, picture: &Picture, axis: Axis, readout: &Readout) -> Html {
    let Picture { drawn, marks, .. } = picture;
    let is_time = drawn.unit == PanelUnit::Micros;
    let mut order: Vec<usize> = (0..drawn.lines.len()).collect();
    let key = |i: &usize| {
        let value = readout.values[*i].unwrap_or(f64::NAN);
        if is_time { value } else { -value }
    };
    order.sort_by(|a, b| key(a).total_cmp(&key(b)));
    let item = |i: usize| {
        let path = format!("figure.panels.{index}.lines.{i}.value");
        html! {
            <li key={i}>
                { rich::swatch(marks[i].0) }{ &drawn.lines[i].label }
                <b>{ value(&path, drawn.unit, readout.values[i]) }</b>
            </li>
        }
    };
    html! {
        <div class="ranked">
            <p class="aside">{ crate::draw::words::place(axis, &axis.words(readout.at)) }</p>
            <ol>{ for order.into_iter().map(item) }</ol>
        </div>
    }
}
