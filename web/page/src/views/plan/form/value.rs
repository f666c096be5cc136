//! A value of a sketch: a text field, and a slider for each number in it.

use super::SketchEdit;
use super::slider::NumberSlider;
use crate::browser;
use crate::views::plan::words as text;
use loggia_plan::expression::Kind;
use loggia_plan::sketch::edit::{Field, Handle, ValueKind, written};
use yew::{Callback, Event, Html, InputEvent, MouseEvent, html};

/// Key in the form, name, field, callback for edits, and callback to remove it.
type Shown = (String, String, Field, Callback<SketchEdit>, Option<Callback<()>>);

pub(super) fn value((id, label, field, on_put, on_remove): &Shown) -> Html {
    let remove = on_remove.as_ref().map(|on_remove| {
        let on_click = on_remove.reform(|_: MouseEvent| ());
        let words = text::slid(label, text::REMOVE);
        html! {
            <button type="button" class="away" onclick={on_click} title={text::REMOVE} aria-label={words}>
                { "×" }
            </button>
        }
    });
    let class = if field.handles.is_empty() { "value words" } else { "value" };
    html! {
        <div {class}>
            <label for={id.clone()}>{ label }</label>
            { text_field(id, field, on_put) }
            <div class="slides">
                { for field.handles.iter().enumerate().map(|(i, handle)| slider(&format!("{id}-{i}"), label, field, handle, on_put)) }
            </div>
            { remove.unwrap_or_default() }
        </div>
    }
}

fn text_field(id: &str, field: &Field, on_put: &Callback<SketchEdit>) -> Html {
    let put = {
        let (what, at, holds) = (id.to_owned(), field.at.clone(), field.holds);
        move |value: &str| SketchEdit {
            what: what.clone(),
            at: at.clone(),
            new: written(value, holds),
        }
    };
    if field.holds == ValueKind::Truth {
        let is_true = field.value == "true";
        let on_change = on_put.reform(move |_: Event| put(if is_true { "false" } else { "true" }));
        return html! { <input id={id.to_owned()} type="checkbox" checked={is_true} onchange={on_change} /> };
    }
    let on_change = on_put.reform(move |event: Event| put(&browser::changed_value(&event)));
    html! {
        <input
            id={id.to_owned()}
            class="field"
            type="text"
            autocomplete="off"
            spellcheck="false"
            value={field.value.clone()}
            onchange={on_change}
        />
    }
}

fn slider(
    id: &str,
    label: &str,
    field: &Field,
    handle: &Handle,
    on_put: &Callback<SketchEdit>,
) -> Html {
    let slide = slider_of(field, handle);
    let on_slide = {
        let (what, at, has_unit) = (id.to_owned(), handle.at.clone(), handle.has_unit);
        on_put.filter_reform(move |event: InputEvent| {
            let step: u32 = browser::input_value(&event).parse().ok()?;
            let new = slide.written(slide.value(step), has_unit);
            Some(SketchEdit { what: what.clone(), at: at.clone(), new })
        })
    };
    let now = slide.written(handle.value, handle.has_unit);
    html! {
        <input
            id={id.to_owned()}
            class="slider"
            type="range"
            min="0"
            max={slide.steps().to_string()}
            value={slide.nearest(handle.value).to_string()}
            aria-label={text::slid(label, &now)}
            aria-valuetext={now}
            oninput={move |event| { on_slide.emit(event); }}
        />
    }
}

/// A whole number stays whole.
fn slider_of(field: &Field, handle: &Handle) -> NumberSlider {
    let is_whole = handle.value >= 1.0 && handle.value.fract() == 0.0;
    NumberSlider::of(
        handle.kind,
        field.holds == ValueKind::Whole || handle.kind == Kind::Number && is_whole,
    )
}
