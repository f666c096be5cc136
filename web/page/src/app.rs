//! The page as a whole.

pub(crate) mod drops;
pub(crate) mod header;
pub(crate) mod importing;
pub(crate) mod keys;
pub(crate) mod lazy;
pub(crate) mod machines;
pub(crate) mod new;
pub(crate) mod open;
pub(crate) mod parameters;
pub(crate) mod share;
pub(crate) mod tabs;
pub(crate) mod watching;

use crate::address_bar::use_link;
use crate::draw::steps::Axis;
use crate::fields::amount::Amount;
use crate::machines::{Machine, load};
use crate::memo::memoized;
use crate::notices::Problem;
use crate::state::{Action, Page, Session};
use crate::views::message::Message;
use crate::{browser, text};
use drops::{ImportChange, use_drops};
use header::Header;
use importing::Import;
use keys::Keys;
use lazy::{Lazy, Lesson, Question};
use loggia_link::state::{State, View};
use loggia_model::units::words::counted;
use machines::Machines;
use new::NewMachine;
use parameters::Parameters;
use share::Share;
use tabs::{Tabs, VIEWS};
use watching::Watching;
use yew::platform::spawn_local;
use yew::{
    Callback, Html, NodeRef, Properties, UseReducerHandle, UseStateHandle, classes, component,
    hook, html, use_callback, use_effect_with, use_node_ref, use_reducer, use_state_eq,
};

/// The state that the page starts with.
#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) first: Option<Action>,
}

#[component]
pub(crate) fn App(props: &Props) -> Html {
    let session = use_reducer(|| Session::new(props.first.clone()));
    let link = use_link(&session);
    // Created once: a new callback would draw every component again.
    let on_action = use_callback(session.dispatcher(), |action, session| session.dispatch(action));
    let (keys, shares, makes) =
        (use_state_eq(|| false), use_state_eq(|| false), use_state_eq(|| false));
    use_library(&on_action);
    use_keys(&session, &keys);
    let main = use_title(&session.page);
    let on_keys = use_callback(keys.setter(), |(), keys| keys.set(true));
    let (on_drop, importing) = use_drops(&on_action);
    let page = &session.page;
    let problem = page.problem.clone().map(|error| {
        html! { <Problem {error} on_dismiss={on_action.reform(|()| Action::Dismiss)} /> }
    });
    let import = importing.0.clone().map(|files| {
        let importing = importing.dispatcher();
        let on_files = move |files| importing.dispatch(ImportChange::Only(files));
        html! {
            <Import {files} own={page.own_first()} on_action={on_action.clone()} {on_files} />
        }
    });
    let classes = classes!(page.projector.then_some("projector"));
    // In every list of the page, an absent element is an empty node: if the number of nodes changed,
    // those before it would be created again and lose the focus.
    html! {
        <div class={classes}>
            <Header
                {link}
                shown={session.page.clone()}
                can_undo={session.can_undo()}
                can_redo={session.can_redo()}
                {on_keys}
                on_share={let shares = shares.clone(); move |()| shares.set(true)}
                on_action={on_action.clone()}
            />
            <Watching on_drop={on_drop.clone()} />
            { problem.unwrap_or_default() }
            { import.unwrap_or_default() }
            <div class="page">
                <Machines
                    chosen={page.machine.clone()}
                    own={page.own().to_vec()}
                    can_remove={page.inputs.lesson.is_none()}
                    on_action={on_action.clone()}
                    {on_drop}
                    on_new={let makes = makes.clone(); move |()| makes.set(true)}
                />
                <main ref={main}>
                    { memoized(page.machine.clone(), about) }
                    { begin(page, &on_action) }
                    <Tabs open={page.view} on_action={on_action.clone()} />
                    { size(page, &on_action) }
                    { lesson(page, &on_action).unwrap_or_default() }
                    { reveal(page, &on_action).unwrap_or_default() }
                    <div class="panels">{ view(page, &on_action) }</div>
                    { memoized(page.machine.clone(), notes) }
                </main>
                <Parameters page={page.clone()} on_action={on_action.clone()} />
            </div>
            if *makes {
                <NewMachine {on_action} on_close={let makes = makes.clone(); move |()| makes.set(false)} />
            }
            if *shares {
                <Share page={session.page.clone()} on_close={let shares = shares.clone(); move |()| shares.set(false)} />
            }
            if *keys {
                <Keys on_close={move |()| keys.set(false)} />
            }
        </div>
    }
}

/// Loads the numbers of the built-in machines after the page is shown.
#[hook]
fn use_library(on_action: &Callback<Action>) {
    let on_action = on_action.clone();
    use_effect_with((), move |()| {
        spawn_local(async move {
            if load().await {
                on_action.emit(Action::Library);
            }
        });
    });
}

/// The tab's title names number, view and machine. Returns the reference for the element with the
/// number.
#[hook]
fn use_title(page: &Page) -> NodeRef {
    let main = use_node_ref();
    let watched = main.clone();
    let names = [text::view(page.view).to_owned(), page.machine.title.clone()];
    use_effect_with(names, move |[view, machine]| {
        let (view, machine) = (view.clone(), machine.clone());
        let watcher = browser::watch_title(&watched, move |number| {
            text::tab_title(number.as_deref(), &view, &machine)
        });
        move || drop(watcher)
    });
    main
}

/// Keyboard shortcuts of the whole page.
#[hook]
fn use_keys(session: &UseReducerHandle<Session>, keys: &UseStateHandle<bool>) {
    let (session, keys) = (session.clone(), keys.clone());
    use_effect_with((session.page.clone(), *keys), move |_| {
        let listener = browser::on_key(move |key| {
            if key.name == "?" && !key.in_field {
                keys.set(!*keys);
                return true;
            }
            let action = Action::of_key(&key, &session.page, &VIEWS);
            action.map(|action| session.dispatch(action)).is_some()
        });
        move || drop(listener)
    });
}

/// The link to the first lesson, shown at the first visit.
fn begin(page: &Page, on_action: &Callback<Action>) -> Html {
    if page.view != View::Message || page.inputs.lesson.is_some() {
        return Html::default();
    }
    let mut first = State { view: View::Lessons, ..State::default() };
    first.inputs.lesson = Some(text::FIRST_LESSON.to_owned());
    let on_click = on_action.reform(move |_| Action::OpenLink(Ok(Box::new(first.clone()))));
    html! { <button type="button" class="begin" onclick={on_click}>{ text::BEGIN }</button> }
}

/// The list of lessons, or the open step of one.
fn lesson(page: &Page, on_action: &Callback<Action>) -> Option<Html> {
    let is_open = page.view == View::Lessons || page.inputs.lesson.is_some();
    is_open.then(|| html! { <Lesson page={page.clone()} on_action={on_action.clone()} /> })
}

/// The button that reveals hidden answers. In a lesson, answering reveals them.
fn reveal(page: &Page, on_action: &Callback<Action>) -> Option<Html> {
    let on_click = on_action.reform(|_| Action::SetInput("hidden", "no".to_owned()));
    (page.inputs.hidden && page.inputs.lesson.is_none()).then(|| {
        html! {
            <p class="reveal" role="status">
                { text::HIDDEN }
                <button type="button" onclick={on_click}>{ text::REVEAL }</button>
            </p>
        }
    })
}

/// Whether the answer of the open view depends on the message size.
fn shows_size_field(page: &Page) -> bool {
    match page.view {
        View::Signature | View::Figures | View::Lessons | View::Plan => false,
        View::Overlap | View::Compare => true,
        View::Simulate => page.program.is_none(),
        View::Replay => false,
        _ => page.depends_on_size(),
    }
}

/// The open view. While answers are hidden, only its question is built, so that the document
/// contains no part of an answer.
fn view(page: &Page, on_action: &Callback<Action>) -> Html {
    if page.view == View::Lessons {
        return html! {};
    }
    if page.inputs.hidden {
        let (page, on_action) = (page.clone(), on_action.clone());
        return html! { <Question {page} {on_action} /> };
    }
    let (page, on_action) = (page.clone(), on_action.clone());
    match page.view {
        View::Message => html! { <Message {page} {on_action} /> },
        _ => html! { <Lazy {page} {on_action} /> },
    }
}

/// The field for the message size, where the answer depends on it.
fn size(page: &Page, on_action: &Callback<Action>) -> Html {
    if !shows_size_field(page) {
        return Html::default();
    }
    html! {
        <div class="size">
            <Amount axis={Axis::Bytes} id="bytes" value={page.bytes().0} on_action={on_action.clone()} />
        </div>
    }
}

/// The machine's title and description.
fn about(machine: &Machine) -> Html {
    let known = &machine.machine;
    let nodes = known.nodes.map(|count| counted(count, "node"));
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
