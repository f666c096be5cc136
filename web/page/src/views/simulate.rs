//! The view Simulate: a collective algorithm or a GOAL file on this machine.

mod chooser;
mod words;

use super::Props;
use crate::runs::{Parts, Run};
use crate::text;
use loggia_link::state::View;
use yew::{Html, component, html};

const PARTS: Parts = Parts {
    title: text::view(View::Simulate),
    fields: chooser::chooser,
    answer: |_, _, _| None,
    calls: |_| html! {},
};

#[component]
pub(crate) fn Simulate(props: &Props) -> Html {
    let Props { page, on_action } = props;
    html! { <Run key="simulate" page={page.clone()} on_action={on_action.clone()} parts={PARTS} /> }
}
