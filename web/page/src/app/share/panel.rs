//! The contents of the share dialog.

use super::Props;
use crate::address_bar::{Link, link_to, public_address, set_public_address};
use crate::browser::{self, saving};
use crate::sharing::{code, file_name, markdown, words};
use crate::state::Page;
use crate::text;
use loggia_exchange::export::{NODES, Target, export};
use loggia_link::single;
use loggia_link::state::Inputs;
use loggia_model::Error;
use loggia_model::json::to_json;
use loggia_model::signature::Defaults;
use yew::platform::spawn_local;
use yew::{
    AttrValue, Callback, Event, Html, NodeRef, UseStateHandle, component, hook, html,
    use_effect_with, use_node_ref, use_state, use_state_eq,
};

/// An action of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShareAction {
    Link,
    Markdown,
    OneFile,
    Json,
    Export(Target),
}

#[component]
pub(super) fn Panel(props: &Props) -> Html {
    let (dialog, field) = (use_node_ref(), use_node_ref());
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| browser::show_above(&dialog));
    }
    let link = use_own_link(&props.page);
    let status = use_state_eq(|| AttrValue::from(""));
    let on_close = props.on_close.reform(|_| ());
    // The component is drawn again when the public address is given.
    let public = use_state_eq(public_address);
    let on_public = {
        let public = public.clone();
        Callback::from(move |address: String| {
            set_public_address(&address);
            public.set(public_address());
        })
    };
    let content = (*link).clone().map(|link| {
        let is_local = link.is_local();
        let link = &link.for_others();
        let public_field = of_public(link, public.as_deref(), &on_public);
        let on_act = acting(&props.page, link, &field, &status);
        html! {
            <>
                { of_link(link, &field, &on_act, is_local.then_some(public_field)) }
                { as_text(&on_act) }
                { as_file(&on_act) }
                { for_others(&on_act) }
                { as_code(link) }
            </>
        }
    });
    html! {
        <dialog class="keys sharing" ref={dialog} aria-labelledby="share-title" onclose={on_close}>
            <header>
                <h2 id="share-title">{ words::TITLE }</h2>
                <small role="status">{ (*status).clone() }</small>
                <button type="button" onclick={props.on_close.reform(|_| ())}>{ text::CLOSE }</button>
            </header>
            { content.unwrap_or_default() }
        </dialog>
    }
}

/// The link to the current page, once it is encoded.
#[hook]
fn use_own_link(page: &Page) -> UseStateHandle<Option<Link>> {
    let link = use_state(|| None::<Link>);
    {
        let link = link.clone();
        use_effect_with(page.clone(), move |page| {
            let page = page.clone();
            spawn_local(async move { link.set(link_to(page).await) });
        });
    }
    link
}

/// A callback that runs an action and reports whether it succeeded.
fn acting(
    page: &Page,
    link: &Link,
    field: &NodeRef,
    status: &UseStateHandle<AttrValue>,
) -> Callback<ShareAction> {
    let (page, address) = (page.clone(), link.address.clone());
    let (field, status) = (field.clone(), status.clone());
    Callback::from(move |act| {
        let (page, address, field, status) =
            (page.clone(), address.clone(), field.clone(), status.clone());
        status.set(words::WAIT.into());
        spawn_local(async move {
            let is_done = match act {
                ShareAction::Link => browser::copy(address).await,
                ShareAction::Markdown => browser::copy(markdown(&page, &address)).await,
                ShareAction::OneFile => one_file(&page).await.is_some(),
                ShareAction::Json => json(&page).is_some(),
                ShareAction::Export(target) => match exported(&page, target) {
                    Ok(text) => {
                        let name = target.file_name(&page.machine);
                        saving::text(&name, target.media_type(), &text).is_some()
                    }
                    Err(error) => return status.set(error.to_string().into()),
                },
            };
            if act == ShareAction::Link && !is_done {
                saving::select(&field);
            }
            let message = match (act, is_done) {
                (ShareAction::Link | ShareAction::Markdown, true) => text::COPIED,
                (ShareAction::Link | ShareAction::Markdown, false) => text::NOT_COPIED,
                (_, true) => words::SAVED,
                (_, false) => words::NOT_SAVED,
            };
            status.set(message.into());
        });
    })
}

/// The Markdown of the page; hidden answers stay hidden.
fn markdown(page: &Page, address: &str) -> String {
    let mut outline = saving::outline().unwrap_or_default();
    if page.inputs.hidden {
        outline.lines = vec![text::HIDDEN.to_owned()];
        outline.tables.clear();
    }
    markdown::markdown(&outline, address, words::OPEN)
}

async fn one_file(page: &Page) -> Option<()> {
    let whole = single::with_state(&saving::one_file().await?, &page.state())?;
    saving::text(&file_name(&page.machine.name, "html"), "text/html", &whole)
}

fn json(page: &Page) -> Option<()> {
    let text = format!("{}\n", to_json(&page.machine).trim_end());
    saving::text(&file_name(&page.machine.name, "json"), "application/json", &text)
}

/// Exports the machine with the page's tier and send mode.
fn exported(page: &Page, target: Target) -> Result<String, Error> {
    let Inputs { tier, style, .. } = &page.inputs;
    let defaults = Defaults { tier: tier.as_deref(), style: style.as_deref() };
    export(&page.machine, target, defaults, NODES)
}

fn of_link(
    link: &Link,
    field: &NodeRef,
    on_act: &Callback<ShareAction>,
    public: Option<Html>,
) -> Html {
    let too_long = link.is_too_long();
    html! {
        <section>
            <h3>{ words::LINK }</h3>
            <div class="row">
                <input
                    ref={field}
                    readonly=true
                    aria-label={words::LINK_LABEL}
                    value={link.address.clone()}
                />
                <button type="button" onclick={on_act.reform(|_| ShareAction::Link)}>{ text::COPY }</button>
            </div>
            <p class={if too_long { "too-long" } else { "aside" }}>
                { text::link_length(link.characters, too_long) }
            </p>
            { left_out(&link.omitted).unwrap_or_default() }
            { public.unwrap_or_default() }
        </section>
    }
}

/// The field for the public address.
fn of_public(link: &Link, address: Option<&str>, on_public: &Callback<String>) -> Html {
    let on_change = on_public.reform(|event: Event| browser::changed_value(&event));
    html! {
        <div>
            <label for="public-address">{ words::PUBLIC }</label>
            <div class="row">
                <input
                    id="public-address"
                    type="text"
                    inputmode="url"
                    placeholder={words::PUBLIC_EXAMPLE}
                    value={address.map(str::to_owned)}
                    onchange={on_change}
                />
            </div>
            if link.is_local() { <p class="too-long">{ words::LOCAL }</p> }
        </div>
    }
}

fn left_out(omitted: &[String]) -> Option<Html> {
    let item = |what: &String| html! { <li>{ what }</li> };
    (!omitted.is_empty()).then(|| {
        html! {
            <div class="aside">
                <p>{ words::LEFT_OUT }</p>
                <ul>{ for omitted.iter().map(item) }</ul>
            </div>
        }
    })
}

fn as_code(link: &Link) -> Html {
    html! {
        <section>
            <h3>{ words::AS_CODE }</h3>
            { qr(&link.address) }
        </section>
    }
}

fn qr(address: &str) -> Html {
    let Some(code) = code::of(address) else {
        return html! { <p class="aside">{ words::NO_CODE }</p> };
    };
    html! {
        <svg class="qr" role="img" aria-label={words::CODE} viewBox={format!("0 0 {0} {0}", code.side)}>
            <rect width="100%" height="100%" fill="#ffffff" />
            <path fill="#000000" shape-rendering="crispEdges" d={code.path} />
        </svg>
    }
}

fn as_text(on_act: &Callback<ShareAction>) -> Html {
    html! {
        <section>
            <h3>{ words::AS_TEXT }</h3>
            { choice(words::MARKDOWN, words::MARKDOWN_HINT, on_act.reform(|()| ShareAction::Markdown)) }
        </section>
    }
}

fn as_file(on_act: &Callback<ShareAction>) -> Html {
    html! {
        <section>
            <h3>{ words::AS_FILE }</h3>
            { choice(words::ONE_FILE, words::ONE_FILE_HINT, on_act.reform(|()| ShareAction::OneFile)) }
            { choice(words::JSON, words::JSON_HINT, on_act.reform(|()| ShareAction::Json)) }
        </section>
    }
}

fn for_others(on_act: &Callback<ShareAction>) -> Html {
    let offer = |target: Target| {
        choice(target.title(), target.about(), on_act.reform(move |()| ShareAction::Export(target)))
    };
    html! {
        <section>
            <h3>{ words::FOR_OTHERS }</h3>
            { for Target::ALL.into_iter().map(offer) }
        </section>
    }
}

fn choice(name: &'static str, hint: &'static str, on_choose: Callback<()>) -> Html {
    html! {
        <p class="row">
            <button type="button" onclick={on_choose.reform(|_| ())}>{ name }</button>
            <small>{ hint }</small>
        </p>
    }
}
