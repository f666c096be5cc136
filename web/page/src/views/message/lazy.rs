//! Parts of this view that are loaded on demand, in the module of Protocols and Overlap.

use super::comparison::OtherMachines;
use super::introduction::Introduction;
use super::models::Models;
use super::pairs::Pairs;
use super::potential;
use crate::draw::figure::Unit;
use crate::loaded::{loaded, use_loaded};
use crate::state::{Action, Page};
use crate::views::Props;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::{Callback, Html, Properties, component, html};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// The plot of several models in a unit.
    Models(Unit),
    /// Comparison with other machines.
    Machines,
    /// LogGP in one picture.
    Introduction,
    /// Known parameters, if no time can be predicted.
    Potential,
    /// Several pairs of two nodes.
    Pairs,
}

#[derive(Properties, PartialEq)]
pub(super) struct LazyProps {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
    pub(super) part: Part,
}

type Show = fn(Props, Part) -> Html;

#[wasm_split(messages, fallible)]
fn message_parts() -> Result<Show, SplitLoaderError> {
    Ok(|props, part| match part {
        Part::Models(unit) => {
            html! { <Models page={props.page} on_action={props.on_action} {unit} /> }
        }
        Part::Introduction => html! { <Introduction ..props /> },
        Part::Machines => html! { <OtherMachines ..props /> },
        Part::Potential => potential::overlap(&props),
        Part::Pairs => html! { <Pairs ..props /> },
    })
}

/// The part, once its module is loaded.
#[component]
pub(super) fn Lazy(props: &LazyProps) -> Html {
    let LazyProps { page, on_action, part } = props;
    loaded(use_loaded(message_parts), |show| {
        show(Props { page: page.clone(), on_action: on_action.clone() }, *part)
    })
}
