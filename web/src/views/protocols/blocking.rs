//! Blocking and non-blocking: what the non-blocking styles leave to compute.

use crate::state::{Action, Page};
use yew::{Callback, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
}

#[component]
pub(super) fn Blocking(_props: &Props) -> Html {
    html! {}
}
