//! The import dialog for outputs of other benchmarks.

mod answers;
mod naming;
mod panel;
mod preview;
mod questions;
mod samples;
pub(crate) mod words;

use crate::browser::Files;
use crate::loaded::{loaded_dialog, use_loaded};
use crate::machines::Machine;
use crate::state::Action;
use panel::Panel;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::{Callback, Html, Properties, component, html};

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    /// The files to import.
    pub(crate) files: Files,
    /// The reader's machines, to one of which the result can be added; the selected one is first.
    pub(crate) own: Vec<Machine>,
    pub(crate) on_action: Callback<Action>,
    /// Keeps only these files; `None` ends the import.
    pub(crate) on_files: Callback<Option<Files>>,
}

type Show = fn(Props) -> Html;

/// Loads the dialog's module.
#[wasm_split(importing, fallible)]
fn load() -> Result<Show, SplitLoaderError> {
    Ok(show)
}

fn show(props: Props) -> Html {
    html! { <Panel ..props /> }
}

/// The dialog, once its module is loaded.
#[component]
pub(crate) fn Import(props: &Props) -> Html {
    loaded_dialog(use_loaded(load), |show| show(props.clone()))
}
