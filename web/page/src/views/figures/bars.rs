//! Bars of parts, on one scale.

use super::value::value;
use super::words as text;
use crate::draw::figure::Ink;
use crate::sharing::Data;
use crate::sharing::export::Whole;
use crate::tables::rich;
use loggia_link::figures::{Bar, Drawn, PanelUnit};
use std::rc::Rc;
use yew::{Html, html};

/// The bars of the panel with this index.
pub(super) fn bars(index: usize, drawn: &Rc<Drawn>) -> Html {
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
        <Whole title={drawn.title} data={Data::Bars(drawn.clone())}>
            <ul class="machine-bars">{ for drawn.bars.iter().enumerate().map(row) }</ul>
        </Whole>
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

/// The parts of a bar, as text.
fn parts(bar: &Bar, path: &str, unit: PanelUnit) -> Option<Html> {
    let part = |(i, part): (usize, &loggia_link::figures::Part)| {
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
