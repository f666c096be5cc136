//! The header: name, link, undo, sharing.

use crate::address_bar::{Link, link_to};
use crate::memo::memoized;
use crate::state::{Action, Page};
use crate::{browser, text};
use yew::platform::spawn_local;
use yew::{Callback, Html, MouseEvent, Properties, component, html, use_state};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) link: Link,
    /// The page that the link encodes; it follows `page` with a short delay.
    pub(crate) shown: Page,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    pub(crate) on_keys: Callback<()>,
    pub(crate) on_share: Callback<()>,
    pub(crate) on_action: Callback<Action>,
}

#[derive(Properties, PartialEq)]
struct CopyProps {
    link: Link,
    shown: Page,
    /// Elements next to the title.
    children: Html,
}

#[component]
pub(crate) fn Header(props: &Props) -> Html {
    html! {
        <header class="masthead">
            <svg class="mark" viewBox="0 0 46 30" aria-hidden="true">
                <path d="M2 29V13a7 7 0 0 1 14 0v16M16 13a7 7 0 0 1 14 0v16M30 13a7 7 0 0 1 14 0v16M0 2h46" />
            </svg>
            <h1>{ text::NAME }</h1>
            <p>{ text::QUESTION }</p>
            { memoized(
                (props.can_undo, props.can_redo, props.on_keys.clone(), props.on_action.clone()),
                |(can_undo, can_redo, on_keys, on_action)| {
                    signs(*can_undo, *can_redo, on_keys, on_action)
                },
            ) }
            <CopyLink link={props.link.clone()} shown={props.shown.clone()}>
                <button type="button" onclick={props.on_share.reform(|_| ())}>
                    { text::SHARE }
                </button>
            </CopyLink>
        </header>
    }
}

/// Undo, redo, and projector mode, with their keys.
fn signs(
    can_undo: bool,
    can_redo: bool,
    on_keys: &Callback<()>,
    on_action: &Callback<Action>,
) -> Html {
    let button = |sign: Html, label: &'static str, action: Action, is_possible: bool| {
        let on_click = on_action.reform(move |_| action.clone());
        html! {
            <button
                type="button"
                class="sign"
                aria-label={label}
                title={label}
                disabled={!is_possible}
                onclick={on_click}
            >
                { sign }
            </button>
        }
    };
    let on_keys = on_keys.reform(|_| ());
    html! {
        <div class="undo">
            { button(html! { "↶" }, text::UNDO, Action::Undo, can_undo) }
            { button(html! { "↷" }, text::REDO, Action::Redo, can_redo) }
            { button(screen(), text::PROJECTOR, Action::ProjectorMode, true) }
            <button
                type="button"
                class="sign"
                aria-label={text::KEYS_LABEL}
                title={text::KEYS_LABEL}
                onclick={on_keys}
            >
                { "?" }
            </button>
        </div>
    }
}

/// An icon: a screen on its stand.
fn screen() -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M1 2h14v9H1zM8 11v3M5 14h6" />
        </svg>
    }
}

/// Copies the link to the page; returns its local address and a message for the user.
async fn copy(page: Page) -> Option<(String, &'static str)> {
    let link = link_to(page).await?;
    let address = link.address.clone();
    let link = link.for_others();
    let is_local = link.is_local();
    let outcome = match browser::copy(link.address).await {
        true if is_local => text::COPIED_LOCAL,
        true => text::COPIED,
        false => text::NOT_COPIED,
    };
    Some((address, outcome))
}

#[component]
fn CopyLink(props: &CopyProps) -> Html {
    // The link next to the button may follow the page later than the copied one.
    let copied = use_state(|| None::<(String, &'static str)>);
    let on_click = {
        let (copied, shown) = (copied.clone(), props.shown.clone());
        let address = props.link.address.clone();
        move |_: MouseEvent| {
            let (copied, shown, address) = (copied.clone(), shown.clone(), address.clone());
            spawn_local(async move {
                copied.set(Some(copy(shown).await.unwrap_or((address, text::NOT_COPIED))));
            });
        }
    };
    let too_long = props.link.is_too_long();
    let length = match props.link.characters {
        0 => String::new(),
        characters => text::link_length(characters, too_long),
    };
    let outcome = copied.as_ref().filter(|(address, _)| *address == props.link.address);
    let status = outcome.map_or(length, |(_, outcome)| (*outcome).to_owned());
    html! {
        <div class="share">
            <small role="status" class={too_long.then_some("too-long")}>{ status }</small>
            <button type="button" onclick={on_click}>{ text::COPY }</button>
            { props.children.clone() }
        </div>
    }
}
