//! The tabs of the views.

use crate::state::Action;
use crate::{browser, text};
use loggia_link::state::View;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_node_ref};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) open: View,
    pub(crate) on_action: Callback<Action>,
}

/// The views, in the order of their tabs.
pub(crate) const VIEWS: [View; 11] = [
    View::Message,
    View::Protocols,
    View::Overlap,
    View::Collectives,
    View::Simulate,
    View::Replay,
    View::Plan,
    View::Compare,
    View::Signature,
    View::Figures,
    View::Lessons,
];

/// Radio buttons styled as tabs: arrow keys move between them.
#[component]
pub(crate) fn Tabs(props: &Props) -> Html {
    let tabs = use_node_ref();
    {
        let tabs = tabs.clone();
        // On phones, the row scrolls.
        use_effect_with(props.open, move |_| browser::show_in_list(&tabs, ".tab:has(:checked)"));
    }
    let tab = |view: View| {
        let on_action = props.on_action.clone();
        html! {
            <label class="tab" key={text::view(view)}>
                <input
                    type="radio"
                    name="view"
                    value={view.name()}
                    checked={view == props.open}
                    onchange={move |_| on_action.emit(Action::View(view))}
                />
                <span>{ text::view(view) }</span>
            </label>
        }
    };
    html! {
        <fieldset ref={tabs} class="tabs">
            <legend class="unseen">{ text::VIEWS }</legend>
            { for VIEWS.into_iter().map(tab) }
        </fieldset>
    }
}
