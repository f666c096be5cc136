//! The dialog that makes a machine from a few numbers. It is loaded when it is first opened.

mod panel;
mod words;

use crate::loaded::{loaded_dialog, use_loaded};
use crate::state::Action;
use panel::Panel;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::{Callback, Html, Properties, component, html};

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) on_action: Callback<Action>,
    pub(crate) on_close: Callback<()>,
}

type Show = fn(Props) -> Html;

/// Loads the dialog's module.
#[wasm_split(making, fallible)]
fn load() -> Result<Show, SplitLoaderError> {
    Ok(show)
}

fn show(props: Props) -> Html {
    html! { <Panel ..props /> }
}

/// The dialog, once its module is loaded.
#[component]
pub(crate) fn NewMachine(props: &Props) -> Html {
    loaded_dialog(use_loaded(load), |show| show(props.clone()))
}
