//! The view Compare: changes, history, one message, collective operations.

mod cells;
mod changes;
mod grid;
mod history;
mod messages;
mod operations;
mod question;
pub(crate) mod words;

use super::Props;
use crate::comparison::{chooser_of, short_names, shown, titles};
use crate::fields::assume::assume;
use crate::machines::Machine;
use crate::memo::Shared;
use crate::notices::reason;
use crate::state::{Action, Page, by_date};
use changes::changes;
use history::history;
use loggia_link::state::View;
use loggia_model::Signature;
use loggia_model::compare::Comparison;
use loggia_model::model;
use messages::Messages;
use operations::operations;
use yew::{Callback, Html, component, html, use_memo};

/// The compared machines with their titles, and their differences from the first: the selected
/// machine, or the oldest run.
#[derive(Clone, PartialEq)]
struct Side {
    machines: Vec<Machine>,
    titles: Vec<String>,
    numbers: Shared<Comparison>,
}

impl Side {
    fn of(machines: &[Machine]) -> Self {
        let all: Vec<&Signature> = machines.iter().map(|machine| &**machine).collect();
        let numbers = Shared::new(Comparison::of(&all, 0.0));
        Side { machines: machines.to_vec(), titles: titles(machines), numbers }
    }

    /// Whether they are runs of one machine.
    fn is_one_machine(&self) -> bool {
        is_one_machine(&self.machines)
    }

    /// Titles for a headline; dates in them do not break.
    fn headings(&self) -> Vec<String> {
        if !self.is_one_machine() {
            return self.titles.clone();
        }
        short_names(&self.machines).into_iter().map(|day| day.replace('-', "\u{2011}")).collect()
    }
}

fn is_one_machine(machines: &[Machine]) -> bool {
    machines.windows(2).all(|pair| pair[0].name == pair[1].name)
}

/// The selected machine and the others; runs of one machine by their dates.
fn ordered(page: &Page) -> Vec<Machine> {
    let mut machines: Vec<Machine> =
        std::iter::once(page.machine.clone()).chain(page.compared()).collect();
    if is_one_machine(&machines) {
        by_date(&mut machines);
    }
    machines
}

#[component]
pub(crate) fn Compare(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let machines = ordered(page);
    let choice = chooser_of(page, shown(&machines), on_action);
    // A drag changes the question, not the machines.
    let side = use_memo(machines, |machines| Side::of(machines));
    let is_alone = side.machines.len() == 1;
    html! {
        <>
            <section class="panel whole" id="compare" aria-labelledby="compare-title">
                <h2 id="compare-title">{ crate::text::view(View::Compare) }</h2>
                { choice }
                if is_alone { { nothing_to_compare(page, on_action) } }
            </section>
            if !is_alone { { panels(page, &side, on_action) } }
        </>
    }
}

fn panels(page: &Page, side: &Side, on_action: &Callback<Action>) -> Html {
    let messages =
        messages::Props { page: page.clone(), on_action: on_action.clone(), side: side.clone() };
    let of_times = html! { <><Messages ..messages />{ operations(page, side, on_action) }</> };
    let numbers = changes(page, side);
    let runs = page.runs();
    // For runs, changes come first; for machines, the fastest.
    match side.is_one_machine() {
        true => html! { <>{ numbers }{ history(runs) }{ of_times }</> },
        false => html! { <>{ of_times }{ numbers }{ history(runs) }</> },
    }
}

/// Shown if there is no machine to compare with.
fn nothing_to_compare(page: &Page, on_action: &Callback<Action>) -> Html {
    let why = page.route().and_then(|route| model::predict(&route, None, page.bytes())).err();
    let why = why.map(|why| html! { <>{ reason(&why) }{ assume(&why, on_action) }</> });
    html! { <><p>{ words::NONE }</p>{ why }</> }
}
