//! The page as a whole.

use super::amount::Amount;
use super::collective::Collective;
use super::header::Header;
use super::machines::Machines;
use super::message::Message;
use super::problem::Problem;
use crate::browser;
use crate::draw::steps::Axis;
use crate::link::{self, Link, use_link};
use crate::machines::Machine;
use crate::state::{Action, Page, set};
use crate::text;
use loggia_model::state::View;
use yew::{Callback, Html, component, html, use_effect_with, use_reducer};

#[component]
pub(crate) fn App() -> Html {
    let page = use_reducer(|| Page::new(link::read(&browser::fragment())));
    let link = use_link(&page);
    use_effect_with(page.view, |view| {
        if *view == View::Collectives {
            browser::scroll_to("collectives");
        }
    });
    let dispatcher = page.dispatcher();
    let on_action = Callback::from(move |action| dispatcher.dispatch(action));
    let current = {
        let page = page.clone();
        Callback::from(move |()| Link::to(&page, &browser::base()).address)
    };
    let problem = page.problem.clone().map(|error| {
        html! { <Problem {error} on_dismiss={on_action.reform(|()| Action::Dismiss)} /> }
    });
    let snapshot = (*page).clone();
    html! {
        <>
            <Header {link} {current} />
            { problem }
            <div class="page">
                <Machines
                    chosen={page.machine.clone()}
                    own={page.own().to_vec()}
                    on_choose={on_action.reform(Action::Choose)}
                />
                <main>
                    { about(&page.machine) }
                    { page.depends_on_size().then(|| size(&page, &on_action)) }
                    <div class="panels">
                        <Message page={snapshot.clone()} on_action={on_action.clone()} />
                        <Collective page={snapshot} {on_action} />
                    </div>
                    { notes(&page.machine) }
                </main>
            </div>
        </>
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
