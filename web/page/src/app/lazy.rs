//! The views that are loaded when they are first opened, in modules of their own: the page must be
//! alive before that.

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
use loggia_link::state::View;
use std::future::Future;
use std::pin::Pin;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::{Callback, Html, Properties, component, html};

/// What every one of them gets.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
}

/// What is asked for.
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

/// A module that is loaded later. Views that share much are one: whatever two modules share is a
/// chunk of its own, and each chunk costs a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Module {
    /// Protocols, overlap, several models and machines of one message.
    Messages,
    Collectives,
    /// Schedules, traced programs, sketches.
    Programs,
    /// Compared, listed, and in the papers' figures.
    Machines,
}

/// What a module shows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shown {
    Part(Part),
    /// What is said of a figure above its view.
    Figure,
}

/// Shows what a module holds.
type Show = fn(Props, Shown) -> Html;
type Loading = Pin<Box<dyn Future<Output = Result<Show, SplitLoaderError>>>>;

/// What only that function needs is in the module.
#[wasm_split(messages, fallible)]
fn messages() -> Result<Show, SplitLoaderError> {
    Ok(|props, shown| match (shown, props.page.view) {
        (Shown::Part(Part::Models(unit)), _) => {
            html! { <Models page={props.page} on_action={props.on_action} {unit} /> }
        }
        (Shown::Part(Part::Beside), _) => html! { <Beside ..props /> },
        (_, View::Overlap) => html! { <Exchange ..props /> },
        _ => html! { <Protocols ..props /> },
    })
}

#[wasm_split(collectives, fallible)]
fn collectives() -> Result<Show, SplitLoaderError> {
    Ok(|props, _| html! { <Collective ..props /> })
}

#[wasm_split(programs, fallible)]
fn programs() -> Result<Show, SplitLoaderError> {
    Ok(|props, _| match props.page.view {
        View::Plan => html! { <Plan ..props /> },
        View::Replay => html! { <Simulate key="replay" ..props /> },
        _ => html! { <Simulate key="simulate" ..props /> },
    })
}

#[wasm_split(machines, fallible)]
fn machines() -> Result<Show, SplitLoaderError> {
    Ok(|props, shown| match (shown, props.page.view) {
        (Shown::Figure, _) => learn::beside(&props.page, &props.on_action).unwrap_or_default(),
        (_, View::Compare) => html! { <Compare ..props /> },
        (_, View::Learn) => html! { <Learn ..props /> },
        _ => html! { <Signature ..props /> },
    })
}

fn load(module: Module) -> Loading {
    match module {
        Module::Messages => Box::pin(messages()),
        Module::Collectives => Box::pin(collectives()),
        Module::Programs => Box::pin(programs()),
        Module::Machines => Box::pin(machines()),
    }
}

/// Where it is.
fn module(shown: Shown, view: View) -> Module {
    match (shown, view) {
        (Shown::Figure, _) => Module::Machines,
        (Shown::Part(Part::Models(_) | Part::Beside), _) => Module::Messages,
        (_, View::P2p | View::Protocols | View::Overlap) => Module::Messages,
        (_, View::Collectives) => Module::Collectives,
        (_, View::Simulate | View::Replay | View::Plan) => Module::Programs,
        (_, View::Compare | View::Signature | View::Learn) => Module::Machines,
    }
}

/// The open view, as soon as it is there, and above it the figure that it shows, if it is one.
#[component]
pub(crate) fn Later(asked: &Asked) -> Html {
    let Asked { page, on_action, part } = asked;
    let show = |shown: Shown| {
        let (page, on_action) = (page.clone(), on_action.clone());
        let module = module(shown, page.view);
        // Another module is another component: it is loaded anew.
        html! { <Loaded key={format!("{module:?} {shown:?}")} {module} {page} {on_action} {shown} /> }
    };
    let is_a_figure = *part == Part::View && page.inputs.figure.is_some();
    html! { <>{ for is_a_figure.then(|| show(Shown::Figure)) }{ show(Shown::Part(*part)) }</> }
}

#[derive(Properties, PartialEq)]
struct LoadedProps {
    module: Module,
    page: Page,
    on_action: Callback<Action>,
    shown: Shown,
}

/// What a module shows, as soon as it is there.
#[component]
fn Loaded(asked: &LoadedProps) -> Html {
    let module = asked.module;
    match use_loaded(move || load(module)) {
        Some(Some(show)) => {
            let LoadedProps { page, on_action, shown, .. } = asked;
            show(Props { page: page.clone(), on_action: on_action.clone() }, *shown)
        }
        Some(None) => html! { <p role="alert">{ text::NOT_LOADED }</p> },
        None => html! { <p class="aside" role="status">{ text::LOADING }</p> },
    }
}
