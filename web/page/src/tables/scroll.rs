//! A wide table that scrolls sideways, also by the keyboard.

use crate::text;
use yew::{Html, Properties, function_component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    #[prop_or(text::TABLE)]
    pub(crate) label: &'static str,
    pub(crate) children: Html,
}

#[function_component]
pub(crate) fn Scroll(props: &Props) -> Html {
    html! {
        <div class="scroll" role="group" tabindex="0" aria-label={props.label}>
            { props.children.clone() }
        </div>
    }
}
