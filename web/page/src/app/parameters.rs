//! The machine's parameters as fields and sliders.

use crate::draw::slider::ParameterSlider;
use crate::machines::Machine;
use crate::notices::explained;
use crate::state::{Action, Page};
use crate::tables::rich;
use crate::{browser, text};
use loggia_model::model::Route;
use loggia_model::model::editable::{Editable, Unit};
use loggia_model::signature::Defaults;
use loggia_model::units::float;
use loggia_model::units::words::{number, per_byte_unit, size};
use loggia_model::units::{Bytes, Interval, MicrosPerByte};
use loggia_model::{Error, Signature};
use yew::{
    Callback, Html, InputEvent, Properties, classes, component, html, use_effect_with, use_state,
};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
}

#[component]
pub(crate) fn Parameters(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let Ok(route) = page.route() else { return html! {} };
    let inputs = &page.inputs;
    let original = Route::of(&page.original, inputs.tier.as_deref(), inputs.style.as_deref());
    let originals = original.map(|route| route.editable(page.bytes())).unwrap_or_default();
    let entry = |parameter: Editable| {
        let was = originals.iter().find(|other| other.symbol == parameter.symbol);
        let on_action = on_action.clone();
        let source = route.source(parameter.symbol).unwrap_or_default().to_owned();
        html! {
            <Entry
                key={parameter.symbol}
                {parameter}
                original={was.map(|was| was.value.value)}
                is_changed={page.is_changed(parameter.symbol)}
                at={parameter.by_size.then_some(page.bytes())}
                {source}
                machine={page.machine.clone()}
                tier={inputs.tier.clone()}
                style={inputs.style.clone()}
                {on_action}
            />
        }
    };
    let all = route.editable(page.bytes());
    if all.is_empty() {
        return html! {};
    }
    let reset = (page.machine != page.original).then(|| {
        let on_click = on_action.reform(|_| Action::Reset(None));
        html! { <button type="button" onclick={on_click}>{ text::RESET_ALL }</button> }
    });
    html! {
        <aside class="parameters" aria-labelledby="parameters-title">
            <header>
                <h2 id="parameters-title">{ text::PARAMETERS }</h2>
                { reset.unwrap_or_default() }
                if page.machine.is_changed() {
                    <p class="aside" role="status">{ text::SCALED_TIMES }</p>
                }
            </header>
            { for all.into_iter().map(entry) }
        </aside>
    }
}

#[derive(Clone, Properties, PartialEq)]
struct EntryProps {
    parameter: Editable,
    /// The value before the reader changed it; `None` if it was unknown.
    original: Option<f64>,
    is_changed: bool,
    /// The size at which a size-dependent parameter is edited.
    at: Option<Bytes>,
    source: String,
    machine: Machine,
    tier: Option<String>,
    style: Option<String>,
    on_action: Callback<Action>,
}

/// Characters that `.parameter .number` in parameters.css has room for.
const FIELD_LENGTH: usize = 8;

/// A unit of the field, and its size in that of the parameter.
#[derive(Clone, Copy)]
struct FieldUnit {
    size: f64,
    name: &'static str,
}

impl FieldUnit {
    /// The unit of a field; it stays the same while the value changes.
    fn of(parameter: &Editable, original: Option<f64>) -> Self {
        let (size, name) = match (parameter.unit, original) {
            (Unit::MicrosPerByte, Some(value)) => per_byte_unit(MicrosPerByte(value)),
            (Unit::MicrosPerByte, None) => (1e-3, "ns/byte"),
            (unit, _) => (1.0, unit.words()),
        };
        FieldUnit { size, name }
    }

    /// The value with as many digits as fit into the field.
    fn shown(self, value: f64) -> String {
        let with = |digits| number(value / self.size, digits);
        (4..=6).rev().map(with).find(|text| text.len() <= FIELD_LENGTH).unwrap_or_else(|| with(4))
    }

    /// The text for [`Signature::set`]: a number without a unit has the unit of the field.
    fn read(self, typed: &str) -> String {
        match float(typed) {
            Some(value) if self.size != 1.0 => (value * self.size).to_string(),
            _ => typed.to_owned(),
        }
    }
}

/// Checks a new value.
fn check_value(props: &EntryProps, text: &str) -> Result<(), Error> {
    let mut signature: Signature = (*props.machine).clone();
    let (tier, style) = (props.tier.as_deref(), props.style.as_deref());
    signature.set_within(Defaults { tier, style }, props.parameter.symbol, text)
}

/// A parameter: number, slider, and button to reset it.
#[component]
fn Entry(props: &EntryProps) -> Html {
    let EntryProps { parameter, on_action, .. } = props;
    let symbol = parameter.symbol;
    let typed = use_state(|| None::<String>);
    let unit = FieldUnit::of(parameter, props.original);
    {
        // Changes made elsewhere appear here, too.
        let typed = typed.clone();
        use_effect_with((parameter.value.value, props.machine.clone()), move |(value, _)| {
            let read = typed.as_deref().and_then(|text| float(&unit.read(text)));
            let is_it = read == Some(*value);
            if typed.is_some() && !is_it {
                typed.set(None);
            }
        });
    }
    let problem = typed.as_deref().and_then(|text| check_value(props, &unit.read(text)).err());
    let on_type = {
        let (typed, on_action, props) = (typed.clone(), on_action.clone(), props.clone());
        move |event: InputEvent| {
            let text = browser::input_value(&event);
            let read = unit.read(&text);
            if check_value(&props, &read).is_ok() {
                on_action.emit(Action::Set(symbol, read));
            }
            typed.set(Some(text));
        }
    };
    let on_leave = {
        let (typed, fits) = (typed.clone(), problem.is_none());
        move |_| {
            if fits {
                typed.set(None);
            }
        }
    };
    let turn = ParameterSlider(props.original.unwrap_or(parameter.value.value));
    let on_slide = {
        let on_action = on_action.clone();
        move |event: InputEvent| {
            if let Ok(step) = browser::input_value(&event).parse() {
                on_action.emit(Action::Set(symbol, turn.value(step)));
            }
        }
    };
    let id = format!("parameter-{}", text::plain(symbol));
    let shown = unit.shown(parameter.value.value);
    let words = format!("{shown} {}", unit.name);
    let reset = props.is_changed.then(|| {
        let on_click = on_action.reform(move |_| Action::Reset(Some(symbol)));
        let label = text::reset(symbol);
        html! {
            <button type="button" class="reset" aria-label={label.clone()} title={label} onclick={on_click}>
                { "↺" }
            </button>
        }
    });
    html! {
        <div class={classes!("parameter", props.is_changed.then_some("changed"))} title={props.source.clone()}>
            <label for={id.clone()}>
                { rich::symbol(symbol) }
                <small>{ text::parameter(symbol) }{ props.at.map(|at| text::at_size(&size(at))) }</small>
            </label>
            { reset.unwrap_or_default() }
            <span class="number">
                <input
                    id={id.clone()}
                    class="field"
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    value={(*typed).clone().unwrap_or(shown)}
                    aria-invalid={problem.is_some().to_string()}
                    oninput={on_type}
                    onblur={on_leave}
                />
                <small>{ unit.name }</small>
            </span>
            <input
                class="slider"
                type="range"
                min="0"
                max={turn.steps().to_string()}
                value={turn.nearest(parameter.value.value).to_string()}
                aria-label={text::parameter(symbol)}
                aria-valuetext={words}
                oninput={on_slide}
            />
            { bounds(parameter, unit) }
            <div class="field-problem" role="status">{ problem.as_ref().map(explained) }</div>
        </div>
    }
}

/// The source's range of the value. Always one node: otherwise the field would be created again and
/// lose the focus.
fn bounds(parameter: &Editable, unit: FieldUnit) -> Html {
    let Interval { low, high, .. } = parameter.value;
    let has_range = parameter.unit != Unit::Bytes && low < high;
    let range =
        has_range.then(|| text::range(&number(low / unit.size, 3), &number(high / unit.size, 3)));
    html! { <small class="bounds">{ range.unwrap_or_default() }</small> }
}
