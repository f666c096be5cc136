//! A field with a slider for a time.

use super::typed::{Typed, use_typed};
use crate::browser;
use crate::notices::explained;
use crate::state::Action;
use loggia_model::units::Micros;
use loggia_model::units::float;
use loggia_model::units::words::{number, time};
use yew::{Callback, Html, InputEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Name of the input, as in a link: `send_at`.
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) value: Micros,
    /// Maximum of the slider.
    pub(crate) most: Micros,
    pub(crate) on_action: Callback<Action>,
}

/// Steps of the slider.
const STEPS: f64 = 200.0;

/// A time rounded to the resolution of the slider.
pub(crate) fn rounded(value: Micros, most: Micros) -> Micros {
    let step = 10_f64.powf((most.0.max(1e-6) / STEPS).log10().floor());
    Micros((value.0 / step).round() * step)
}

/// The action that sets the input.
pub(crate) fn set_time(name: &'static str, value: Micros) -> Action {
    Action::SetInput(name, format!("{}us", number(value.0, 12)))
}

/// A field with a slider.
#[component]
pub(crate) fn Moment(props: &Props) -> Html {
    let &Props { name, label, value, most, ref on_action } = props;
    let on_set = on_action.reform(move |value| set_time(name, value));
    let typed = use_typed(Some(value), str::parse::<Micros>, on_set);
    let Typed { problem, on_type, on_leave, .. } = &typed;
    let on_slide = {
        let on_action = on_action.clone();
        move |event: InputEvent| {
            if let Some(step) = float(&browser::input_value(&event)) {
                on_action.emit(set_time(name, rounded(Micros(most.0 * step / STEPS), most)));
            }
        }
    };
    let problem_id = format!("{name}-problem");
    let step = (value.0 / most.0 * STEPS).clamp(0.0, STEPS).round();
    html! {
        <div class="amount">
            <label for={name}>{ label }</label>
            <input
                id={name}
                class="field"
                type="text"
                autocomplete="off"
                spellcheck="false"
                value={typed.shown(|| time(value))}
                aria-invalid={problem.is_some().to_string()}
                aria-describedby={problem_id.clone()}
                oninput={on_type.clone()}
                onblur={on_leave.clone()}
            />
            <input
                id={format!("{name}-slider")}
                class="slider"
                type="range"
                min="0"
                max={STEPS.to_string()}
                value={step.to_string()}
                aria-label={label}
                aria-valuetext={time(value)}
                oninput={on_slide}
            />
            <div id={problem_id} class="field-problem" role="status">
                { problem.as_ref().map(explained) }
            </div>
        </div>
    }
}
