//! The views that are loaded when one of them is first opened, in a module of their own: the page
//! must be alive before that.

use super::collective::Collective;
use super::compare::Compare;
use super::exchange::Exchange;
use super::learn::{self, Learn};
use super::loaded::use_loaded;
use super::models::{Beside, Models};
use super::plan::Plan;
use super::protocols::Protocols;
use super::signature::Signature;
use super::simulate::Simulate;
use crate::draw::figure::Unit;
use crate::state::{Action, Page};
use crate::text;
use loggia_model::state::View;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::{Callback, Html, Properties, component, html};

/// What every one of them gets.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
}

/// What is asked of them.
#[derive(Properties, PartialEq)]
pub(crate) struct Asked {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
    #[prop_or_default]
    pub(crate) part: Part,
}

/// The open view, or a part of the view of one message.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Part {
    #[default]
    View,
    /// The picture of several models, in this unit.
    Models(Unit),
    /// Other machines.
    Beside,
}

/// Shows it.
type Show = fn(Props, Part) -> Html;

/// Loads them all; everything that only [`show`] needs is in their module.
#[wasm_split(views, fallible)]
fn load() -> Result<Show, SplitLoaderError> {
    Ok(show)
}

fn show(props: Props, part: Part) -> Html {
    match part {
        Part::View => view(props),
        Part::Models(unit) => {
            html! { <Models page={props.page} on_action={props.on_action} {unit} /> }
        }
        Part::Beside => html! { <Beside ..props /> },
    }
}

fn view(props: Props) -> Html {
    let figure = learn::beside(&props.page, &props.on_action);
    let view = match props.page.view {
        View::Protocols => html! { <Protocols ..props /> },
        View::Overlap => html! { <Exchange ..props /> },
        View::Collectives => html! { <Collective ..props /> },
        View::Simulate => html! { <Simulate key="simulate" ..props /> },
        View::Replay => html! { <Simulate key="replay" ..props /> },
        View::Plan => html! { <Plan ..props /> },
        View::Compare => html! { <Compare ..props /> },
        View::Learn => html! { <Learn ..props /> },
        _ => html! { <Signature ..props /> },
    };
    html! { <>{ figure }{ view }</> }
}

/// The open view, as soon as it is there.
#[component]
pub(crate) fn Later(asked: &Asked) -> Html {
    match use_loaded(load) {
        Some(Some(show)) => {
            let Asked { page, on_action, part } = asked;
            show(Props { page: page.clone(), on_action: on_action.clone() }, *part)
        }
        Some(None) => html! { <p role="alert">{ text::NOT_LOADED }</p> },
        None => html! { <p class="aside" role="status">{ text::LOADING }</p> },
    }
}
