//! What-if factors, progress and eager limit.

use super::chips::{Chip, choice};
use super::route::chip;
use super::words as text;
use crate::browser;
use crate::state::{Action, Page};
use loggia_model::signature::ProgressKind;
use loggia_model::units::float;
use yew::{Callback, Html, InputEvent, html};

/// Steps of a slider to each side: from 1/16 to 16.
const STEPS: i32 = 40;
const STEPS_A_DOUBLING: f64 = 10.0;

/// Name, label and value of an input.
type Slider = (&'static str, &'static str, Option<f64>);

pub(crate) fn what_if(page: &Page, with_compute: bool, on_action: &Callback<Action>) -> Html {
    let inputs = &page.inputs;
    let sliders: [Slider; 4] = [
        ("scale_latency", text::LATENCY, inputs.scale_latency),
        ("scale_bandwidth", text::BANDWIDTH, inputs.scale_bandwidth),
        ("scale_overhead", text::OVERHEAD, inputs.scale_overhead),
        ("scale_compute", text::COMPUTE, inputs.scale_compute),
    ];
    let sliders = &sliders[..if with_compute { 4 } else { 3 }];
    let is_changed = sliders.iter().any(|(.., value)| value.is_some())
        || inputs.if_progress.is_some()
        || inputs.if_eager_limit.is_some();
    let on_reset = {
        let on_action = on_action.clone();
        let names: Vec<&'static str> = sliders.iter().map(|(name, ..)| *name).collect();
        move |_| {
            for name in names.iter().copied() {
                on_action.emit(Action::SetInput(name, "1".to_owned()));
            }
            for name in ["if_progress", "if_eager_limit"] {
                on_action.emit(Action::SetInput(name, String::new()));
            }
        }
    };
    html! {
        <fieldset class="what-if">
            <legend>{ text::WHAT_IF }</legend>
            { for sliders.iter().map(|of| slider(*of, on_action)) }
            { progress(inputs.if_progress, on_action) }
            { eager(page, on_action) }
            <button type="button" disabled={!is_changed} onclick={on_reset}>{ text::RESET }</button>
        </fieldset>
    }
}

fn slider((name, label, value): Slider, on_action: &Callback<Action>) -> Html {
    let times = value.unwrap_or(1.0);
    let place = (times.max(f64::MIN_POSITIVE).log2() * STEPS_A_DOUBLING).round();
    let on_slide = on_action.reform(move |event: InputEvent| {
        let place = float(&browser::input_value(&event)).unwrap_or_default();
        let times = (place / STEPS_A_DOUBLING).exp2();
        Action::SetInput(name, text::factor(times))
    });
    let shown = text::times(times);
    html! {
        <label class="factor">
            <span>{ label }</span>
            <input
                type="range"
                id={name}
                min={(-STEPS).to_string()}
                max={STEPS.to_string()}
                step="1"
                value={place.to_string()}
                aria-valuetext={shown.clone()}
                oninput={on_slide}
            />
            <output>{ shown }</output>
        </label>
    }
}

fn progress(chosen: Option<ProgressKind>, on_action: &Callback<Action>) -> Html {
    let all = [
        ("", text::AS_MEASURED, text::AS_MEASURED_HINT, None),
        ("dependent", "DCP", text::DEPENDENT, Some(ProgressKind::Dependent)),
        ("independent", "ICP", text::INDEPENDENT, Some(ProgressKind::Independent)),
    ];
    let chips: Vec<Chip> = all
        .into_iter()
        .map(|(value, label, hint, kind)| Chip {
            value: value.to_owned(),
            ..chip(label, label, hint, kind == chosen)
        })
        .collect();
    choice("if_progress", text::PROGRESS, chips, on_action, |kind| {
        Action::SetInput("if_progress", kind)
    })
}

fn eager(page: &Page, on_action: &Callback<Action>) -> Html {
    let on_change = on_action.reform(|event: yew::Event| {
        Action::SetInput("if_eager_limit", browser::changed_value(&event))
    });
    let value = page.inputs.if_eager_limit.map(|bytes| bytes.0.to_string()).unwrap_or_default();
    html! {
        <label class="factor">
            <span>{ text::EAGER_LIMIT }</span>
            <input
                class="field"
                type="text"
                id="if_eager_limit"
                {value}
                placeholder={text::AS_MEASURED}
                inputmode="numeric"
                onchange={on_change}
            />
        </label>
    }
}
