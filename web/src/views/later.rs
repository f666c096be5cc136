//! The views that are loaded when they are opened, in a module of their own.

use super::collective::Collective;
use super::signature::Signature;
use crate::state::{Action, Page};
use loggia_model::state::View;
use wasm_split_helpers::wasm_split;
use yew::{Callback, Html, html};

/// Shows a view.
pub(crate) type Show = fn(&Page, &Callback<Action>) -> Html;

/// Loads them.
#[wasm_split(views)]
pub(crate) fn load() -> Show {
    show
}

fn show(page: &Page, on_action: &Callback<Action>) -> Html {
    let (page, on_action) = (page.clone(), on_action.clone());
    match page.view {
        View::Signature => html! { <Signature {page} /> },
        View::Collectives => html! { <Collective {page} {on_action} /> },
        _ => html! {},
    }
}
