//! Errors and warnings. Inputs are named as their fields.

use crate::text;
use loggia_model::Error;
use loggia_model::error::{Place, Worded};
use loggia_model::model::Warning;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

/// An error with its place and remedy. Values to assume are in fields of their own.
pub(crate) fn explained(error: &Error) -> Html {
    let error = Error { help: error.help.without_assumptions(), ..error.clone() };
    let Worded { message, place, help } = error.worded(text::inputs::label);
    let place = (!place.is_empty()).then(|| html! { <b>{ format!("{place}: ") }</b> });
    let help = (!help.is_empty()).then(|| html! { <small>{ help }</small> });
    html! { <p class="explained">{ place }{ message }{ help }</p> }
}

/// An error without its place, which is visible in the page anyway.
pub(crate) fn reason(error: &Error) -> Html {
    explained(&error.clone().at(Place::Nowhere))
}

pub(crate) fn warnings(warnings: &[Warning]) -> Html {
    if warnings.is_empty() {
        return html! {};
    }
    let item = |warning: &Warning| html! { <li>{ warning.to_string() }</li> };
    html! { <ul class="warnings">{ for warnings.iter().map(item) }</ul> }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) error: Error,
    pub(crate) on_dismiss: Callback<()>,
}

/// An error above the page.
#[component]
pub(crate) fn Problem(props: &Props) -> Html {
    let on_dismiss = props.on_dismiss.clone();
    html! {
        <div class="problem" role="alert">
            { explained(&props.error) }
            <button type="button" onclick={move |_: MouseEvent| on_dismiss.emit(())}>
                { text::DISMISS }
            </button>
        </div>
    }
}
