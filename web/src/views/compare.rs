//! Machines side by side: one message, collective operations, and who is the fastest where.

mod grid;
mod messages;
mod operations;
mod standing;

use super::beside::{chooser, title};
use super::later::Props;
use super::problem::reason;
use crate::machines::Machine;
use crate::state::{Action, Page};
use crate::text;
use loggia_model::model;
use messages::Messages;
use operations::operations;
use yew::{Callback, Html, component, html};

/// The machines that are compared, the one in question first, each with its name in full.
#[derive(Clone, PartialEq)]
struct Side {
    machines: Vec<Machine>,
    titles: Vec<String>,
}

impl Side {
    fn of(page: &Page) -> Self {
        let machines: Vec<Machine> =
            std::iter::once(page.machine.clone()).chain(page.compared()).collect();
        let titles = machines.iter().map(title).collect();
        Side { machines, titles }
    }
}

#[component]
pub(crate) fn Compare(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let side = Side::of(page);
    let is_alone = side.machines.len() == 1;
    html! {
        <>
            <section class="panel whole" id="compare" aria-labelledby="compare-title">
                <h2 id="compare-title">{ text::compare::TITLE }</h2>
                { chooser(page, on_action) }
                { is_alone.then(|| alone(page)) }
            </section>
            { (!is_alone).then(|| panels(page, &side, on_action)) }
        </>
    }
}

fn panels(page: &Page, side: &Side, on_action: &Callback<Action>) -> Html {
    let messages = Props { page: page.clone(), on_action: on_action.clone() };
    html! { <><Messages ..messages />{ operations(page, side, on_action) }</> }
}

/// Nothing to compare with, and why.
fn alone(page: &Page) -> Html {
    let why = page.route().and_then(|route| model::predict(&route, None, page.bytes())).err();
    html! { <><p>{ text::compare::NONE }</p>{ why.as_ref().map(reason) }</> }
}
