//! A field with a slider: a size, a number of processes.

use super::typed::{Typed, use_typed};
use crate::browser;
use crate::draw::steps::Axis;
use crate::draw::words;
use crate::notices::explained;
use crate::state::{Action, set};
use loggia_model::Error;
use loggia_model::error::Place;
use loggia_model::model::collective::check_procs;
use loggia_model::units::{Bytes, Count, Micros, Procs};
use yew::{Callback, Html, InputEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) axis: Axis,
    /// The `id` of the field.
    pub(crate) id: &'static str,
    pub(crate) value: u64,
    pub(crate) on_action: Callback<Action>,
}

/// Reads the typed value by the unit's type.
fn parse(axis: Axis, typed: &str) -> Result<u64, Error> {
    match axis {
        Axis::Bytes => typed.parse::<Bytes>().map(|bytes| bytes.0),
        Axis::Ranks => typed.parse::<Procs>().map(|procs| procs.0.into()),
        Axis::Procs => {
            let procs: Procs = typed.parse()?;
            check_procs(procs).map_err(|error| error.at(Place::Nowhere))?;
            Ok(u64::from(procs.0))
        }
        Axis::Count | Axis::Depth => typed.parse::<Count>().map(|count| count.0),
        Axis::Compute => typed.parse::<Micros>().map(Axis::nanoseconds),
    }
}

/// A field with a slider.
#[component]
pub(crate) fn Amount(props: &Props) -> Html {
    let &Props { axis, id, value, ref on_action } = props;
    let on_set = on_action.reform(move |value| set(axis, value));
    let typed = use_typed(Some(value), move |text: &str| parse(axis, text), on_set);
    let on_slide = {
        let on_action = on_action.clone();
        move |event: InputEvent| {
            if let Ok(step) = browser::input_value(&event).parse() {
                on_action.emit(set(axis, axis.value(step)));
            }
        }
    };
    let slider = format!("{id}-slider");
    let problem_id = format!("{id}-problem");
    let shown = typed.shown(|| axis.words(value));
    let Typed { problem, on_type, on_leave, .. } = typed;
    html! {
        <div class="amount">
            <label for={id}>{ words::quantity(axis) }</label>
            <input
                {id}
                class="field"
                type="text"
                inputmode={match axis {
                    Axis::Bytes | Axis::Compute => "text",
                    _ => "numeric",
                }}
                autocomplete="off"
                spellcheck="false"
                value={shown}
                aria-invalid={problem.is_some().to_string()}
                aria-describedby={problem_id.clone()}
                oninput={on_type}
                onblur={on_leave}
            />
            <input
                id={slider}
                class="slider"
                type="range"
                min="0"
                max={axis.steps().to_string()}
                step="1"
                value={axis.nearest(value).to_string()}
                aria-label={words::quantity(axis)}
                aria-valuetext={axis.words(value)}
                oninput={on_slide}
            />
            <div id={problem_id} class="field-problem" role="status">
                { problem.as_ref().map(explained) }
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_values_parse_as_in_the_command() {
        assert_eq!(parse(Axis::Bytes, "64KiB"), Ok(65536));
        assert_eq!(parse(Axis::Bytes, "0"), Ok(0));
        assert!(parse(Axis::Bytes, "64kb").unwrap_err().help.to_string().contains("64KiB"));
        assert_eq!(parse(Axis::Procs, "1Ki"), Ok(1024));
        assert_eq!(parse(Axis::Count, "100"), Ok(100));
        assert_eq!(parse(Axis::Compute, "1.5us"), Ok(1500));
        assert!(parse(Axis::Procs, "1").unwrap_err().message.contains("2 ranks"));
    }
}
