//! Machines beside each other, each a bar of its parts, on one scale.

use super::panels::value;
use crate::draw::figure::Ink;
use crate::sharing::Data;
use crate::text::learn as text;
use crate::views::export::Export;
use crate::views::rich;
use loggia_model::figures::{Bar, Drawn};
use std::rc::Rc;
use yew::{Html, Properties, component, html, use_node_ref};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// Its place among the figure's panels.
    pub(super) index: usize,
    pub(super) drawn: Rc<Drawn>,
}

#[component]
pub(super) fn Bars(props: &Props) -> Html {
    let &Props { index, ref drawn } = props;
    let area = use_node_ref();
    let longest = drawn.bars.iter().filter_map(Bar::total).fold(0.0, f64::max);
    if longest <= 0.0 {
        return html! { <p class="aside">{ text::LACKING }</p> };
    }
    let row = |(i, one): (usize, &Bar)| {
        let total = format!("figure.panels.{index}.bars.{i}");
        html! {
            <li key={i}>
                <span>{ &one.label }</span>
                { bar(one, longest) }
                <b>{ value(&total, drawn.unit, one.total()) }</b>
                { parts(one, &total, drawn.unit) }
            </li>
        }
    };
    html! {
        <>
            <ul class="machine-bars" ref={area.clone()}>
                { for drawn.bars.iter().enumerate().map(row) }
            </ul>
            <Export title={drawn.title} {area} data={Data::Bars(drawn.clone())} />
        </>
    }
}

fn bar(bar: &Bar, longest: f64) -> Html {
    let mut start = 0.0;
    let segments = bar.parts.iter().map(|part| {
        let share = part.value.unwrap_or(0.0) / longest;
        let from = start;
        start += share;
        let percent = |share: f64| format!("{:.2}%", share * 100.0);
        let ink = if part.symbol.is_empty() { Ink::PerByte } else { Ink::of(part.symbol) };
        html! {
            <rect
                class={format!("ink-{}", ink.name())}
                x={percent(from)}
                width={percent(share)}
                height="100%"
            />
        }
    });
    html! { <svg class="machine-bar" aria-hidden="true">{ for segments }</svg> }
}

/// What a bar is made of, in words.
fn parts(bar: &Bar, path: &str, unit: &'static str) -> Option<Html> {
    let part = |(i, part): (usize, &loggia_model::figures::Part)| {
        html! {
            <span key={i}>
                { rich::swatch(Ink::of(part.symbol)) }{ rich::symbol(part.symbol) }{ " " }
                { value(&format!("{path}.parts.{i}.value"), unit, part.value) }
            </span>
        }
    };
    (bar.parts.len() > 1)
        .then(|| html! { <small>{ for bar.parts.iter().enumerate().map(part) }</small> })
}
