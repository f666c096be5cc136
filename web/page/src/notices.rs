//! Errors and warnings. Inputs are named as their fields.

use crate::text;
use loggia_model::Error;
use loggia_model::error::{Place, Worded};
use loggia_model::model::Warning;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

/// What is wrong and what to do about it.
pub(crate) fn explained(error: &Error) -> Html {
    let Worded { message, place, help } = error.worded(text::inputs::label);
    let place = (!place.is_empty()).then(|| html! { <b>{ format!("{place}: ") }</b> });
    let help = (!help.is_empty()).then(|| html! { <small>{ help }</small> });
    html! { <p class="explained">{ place }{ message }{ help }</p> }
}

/// The same where the page itself shows what it is about.
pub(crate) fn reason(error: &Error) -> Html {
    explained(&error.clone().at(Place::Nowhere))
}

/// What to know before trusting a number.
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

/// Something that the reader must be told, above everything else.
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
