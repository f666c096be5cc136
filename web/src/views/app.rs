//! The page as a whole.

use super::amount::Amount;
use super::header::Header;
use super::later::Later;
use super::machines::Machines;
use super::message::Message;
use super::parameters::Parameters;
use super::problem::Problem;
use super::tabs::Tabs;
use crate::browser;
use crate::draw::steps::Axis;
use crate::link::{self, Link, use_link};
use crate::machines::Machine;
use crate::state::{Action, Desk, Page, set};
use crate::text;
use loggia_model::state::View;
use yew::{Callback, Html, component, html, use_effect_with, use_reducer};

#[component]
pub(crate) fn App() -> Html {
    let desk = use_reducer(|| Desk::new(link::read(&browser::fragment())));
    let link = use_link(&desk);
    let dispatcher = desk.dispatcher();
    let on_action = Callback::from(move |action| dispatcher.dispatch(action));
    {
        let on_action = on_action.clone();
        use_effect_with((), move |()| {
            let listener = browser::on_undo(move |again| {
                on_action.emit(if again { Action::Redo } else { Action::Undo });
            });
            move || drop(listener)
        });
    }
    let current = {
        let desk = desk.clone();
        Callback::from(move |()| Link::to(&desk.page, &browser::base()).address)
    };
    let page = &desk.page;
    let problem = page.problem.clone().map(|error| {
        html! { <Problem {error} on_dismiss={on_action.reform(|()| Action::Dismiss)} /> }
    });
    html! {
        <>
            <Header
                {link}
                {current}
                can_undo={desk.can_undo()}
                can_redo={desk.can_redo()}
                on_action={on_action.clone()}
            />
            { problem }
            <div class="page">
                <Machines
                    chosen={page.machine.clone()}
                    own={page.own().to_vec()}
                    on_choose={on_action.reform(Action::Choose)}
                />
                <main>
                    { about(&page.machine) }
                    <Tabs open={page.view} on_open={on_action.reform(Action::View)} />
                    { asks_for_size(page).then(|| size(page, &on_action)) }
                    <div class="panels">{ view(page, &on_action) }</div>
                    { notes(&page.machine) }
                </main>
                <Parameters page={page.clone()} {on_action} />
            </div>
        </>
    }
}

/// Whether the open view's answer can change with the size.
fn asks_for_size(page: &Page) -> bool {
    match page.view {
        View::Signature => false,
        View::Plan | View::Compare => true,
        _ => page.depends_on_size(),
    }
}

/// The open view.
fn view(page: &Page, on_action: &Callback<Action>) -> Html {
    let (page, on_action) = (page.clone(), on_action.clone());
    match page.view {
        View::P2p => html! { <Message {page} {on_action} /> },
        _ => html! { <Later {page} {on_action} /> },
    }
}

/// The size, which every panel asks about.
fn size(page: &Page, on_action: &Callback<Action>) -> Html {
    let on_change = on_action.reform(|bytes| set(Axis::Bytes, bytes));
    html! {
        <div class="size">
            <Amount axis={Axis::Bytes} id="bytes" value={page.bytes().0} {on_change} />
        </div>
    }
}

/// The machine's name and what it is.
fn about(machine: &Machine) -> Html {
    let known = &machine.machine;
    let nodes = known.nodes.map(text::nodes);
    let facts: Vec<&str> = [&known.processors, &nodes, &known.network, &known.library]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    html! {
        <div class="about">
            <h2>{ &machine.title }</h2>
            <p>{ facts.join(" · ") }</p>
        </div>
    }
}

fn notes(machine: &Machine) -> Html {
    let note = |note: &String| html! { <li>{ note }</li> };
    let list = (!machine.notes.is_empty())
        .then(|| html! { <ul>{ for machine.notes.iter().map(note) }</ul> });
    html! {
        <section class="notes" aria-labelledby="notes-title">
            <h2 id="notes-title">{ text::NOTES }</h2>
            { list }
            <p class="aside">{ text::SOURCE }{ ": " }{ machine.origin.summary() }</p>
        </section>
    }
}
