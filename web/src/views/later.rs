//! The views that are loaded when one of them is first opened, in a module of their own: the page
//! must be alive before that.

use super::collective::Collective;
use super::compare::Compare;
use super::exchange::Exchange;
use super::plan::Plan;
use super::protocols::Protocols;
use super::signature::Signature;
use crate::state::{Action, Page};
use crate::text;
use loggia_model::state::View;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::platform::spawn_local;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state};

/// What every one of them gets.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
}

/// Shows the open view.
type Show = fn(Props) -> Html;

/// Loads them all; everything that only [`show`] needs is in their module.
#[wasm_split(views, fallible)]
fn load() -> Result<Show, SplitLoaderError> {
    Ok(show)
}

fn show(props: Props) -> Html {
    match props.page.view {
        View::Protocols => html! { <Protocols ..props /> },
        View::Overlap => html! { <Exchange ..props /> },
        View::Collectives => html! { <Collective ..props /> },
        View::Plan => html! { <Plan ..props /> },
        View::Compare => html! { <Compare ..props /> },
        _ => html! { <Signature ..props /> },
    }
}

/// The open view, as soon as it is there.
#[component]
pub(crate) fn Later(props: &Props) -> Html {
    let loaded = use_state(|| None::<Result<Show, ()>>);
    {
        let loaded = loaded.clone();
        use_effect_with((), move |()| {
            spawn_local(async move { loaded.set(Some(load().await.map_err(|_| ()))) });
        });
    }
    match *loaded {
        Some(Ok(show)) => show(props.clone()),
        Some(Err(())) => html! { <p role="alert">{ text::NOT_LOADED }</p> },
        None => html! { <p class="aside" role="status">{ text::LOADING }</p> },
    }
}
