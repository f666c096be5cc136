//! Machines side by side: one message, collective operations, and who is the fastest where.

mod chooser;
mod grid;
mod messages;
mod operations;
mod standing;

use super::later::Props;
use crate::machines::Machine;
use crate::state::Page;
use crate::text;
use chooser::chooser;
use messages::Messages;
use operations::operations;
use yew::{Html, component, html};

/// The machines that are compared, the one in question first, each with its name in full.
pub(crate) struct Side {
    pub(crate) machines: Vec<Machine>,
    pub(crate) titles: Vec<String>,
}

impl Side {
    fn of(page: &Page) -> Self {
        let machines: Vec<Machine> =
            std::iter::once(page.machine.clone()).chain(page.compared()).collect();
        let titles = machines.iter().map(title).collect();
        Side { machines, titles }
    }
}

/// A machine's title, and that it is changed where it is.
fn title(machine: &Machine) -> String {
    match machine.original() == *machine {
        true => machine.title.clone(),
        false => text::compare::changed(&machine.title),
    }
}

#[component]
pub(crate) fn Compare(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let side = Side::of(page);
    let shown = match side.machines.len() {
        1 => html! { <p>{ text::compare::NONE }</p> },
        _ => html! {},
    };
    let is_alone = side.machines.len() == 1;
    html! {
        <>
            <section class="panel whole" id="compare" aria-labelledby="compare-title">
                <h2 id="compare-title">{ text::compare::TITLE }</h2>
                { chooser(page, on_action) }
                { shown }
            </section>
            { (!is_alone).then(|| html! { <Messages page={page.clone()} on_action={on_action.clone()} /> }) }
            { (!is_alone).then(|| operations(page, &side, on_action)) }
        </>
    }
}
