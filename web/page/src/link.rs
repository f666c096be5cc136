//! Keeps the address bar and the state in step.

use crate::state::{Action, Page, Session};
use crate::{browser, machines, text};
use gloo_timers::callback::Timeout;
use loggia_link::figures;
use loggia_link::state::State;
use loggia_model::Error;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::platform::spawn_local;
use yew::{UseReducerHandle, hook, use_effect_with, use_mut_ref, use_state_eq};

/// Browsers limit how often a page may write its address.
const QUIET: u32 = 300;

/// What is in a link, or why it cannot be opened.
type Opened = Result<Box<State>, Error>;

/// The link to the page as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    /// The whole address.
    pub(crate) address: String,
    /// Its length.
    pub(crate) characters: usize,
    /// What it leaves out.
    pub(crate) omitted: Vec<String>,
}

/// Reading and writing links, and finding what else an address or a page of one file asks for, is
/// loaded when there is one: the page must be alive before that.
#[wasm_split(links, fallible)]
fn encode(page: Page, base: String) -> Result<Link, SplitLoaderError> {
    Ok(Link::to(&page, &base))
}

#[wasm_split(links, fallible)]
fn decode(link: String) -> Result<Opened, SplitLoaderError> {
    Ok(loggia_link::decode(&link).map(Box::new))
}

#[wasm_split(links, fallible)]
fn unfold(state: String) -> Result<Opened, SplitLoaderError> {
    Ok(loggia_link::single::read(&state).map(Box::new))
}

#[wasm_split(links, fallible)]
fn look_up(name: String) -> Result<Action, SplitLoaderError> {
    Ok(figure(&name))
}

/// What a link asks for.
pub(crate) async fn open(link: &str) -> Action {
    machines::load().await;
    Action::OpenLink(decode(link.to_owned()).await.unwrap_or_else(not_loaded))
}

fn not_loaded(_: SplitLoaderError) -> Opened {
    Err(Error::new(text::LINK_NOT_LOADED, "link", text::LINK_NOT_LOADED_HELP))
}

/// The link to a page that stands at this address; none where its writer cannot be loaded.
pub(crate) async fn link_to(page: Page) -> Option<Link> {
    encode(page, browser::base()).await.ok()
}

impl Link {
    fn to(page: &Page, base: &str) -> Self {
        let (fragment, omitted) = loggia_link::encode(&page.state());
        let address = format!("{base}{fragment}");
        Link { characters: address.chars().count(), address, omitted }
    }

    /// Whether some programs would cut it.
    pub(crate) fn is_too_long(&self) -> bool {
        self.characters > loggia_link::DIGNIFIED_LENGTH
    }
}

/// What the fragment of an address asks for; nothing where there is none. Beside links there are
/// short ones to the papers' figures: `#figure=hwang-3`, and `#figures` for all.
async fn read(fragment: &str) -> Option<Action> {
    if fragment == figures::LIST {
        return Some(Action::Figures);
    }
    match fragment.strip_prefix(figures::FRAGMENT) {
        Some(name) => {
            machines::load().await;
            let found = look_up(name.to_owned()).await;
            Some(found.unwrap_or_else(|why| Action::OpenLink(not_loaded(why))))
        }
        None if fragment.len() > 1 => Some(open(fragment).await),
        None => None,
    }
}

/// What a paper's figure asks for.
fn figure(name: &str) -> Action {
    figures::named(name).map_or_else(|why| Action::OpenLink(Err(why)), Action::Figure)
}

/// What the page begins with: what its address holds or, where it is one file, that.
pub(crate) async fn first() -> Option<Action> {
    let asked = read(&browser::fragment()).await;
    if asked.is_some() {
        return asked;
    }
    held().await
}

/// What a page of one file holds.
async fn held() -> Option<Action> {
    let held = browser::held()?;
    let state = loggia_link::single::held(&held)?.to_owned();
    machines::load().await;
    Some(Action::OpenLink(unfold(state).await.unwrap_or_else(not_loaded)))
}

/// The page as it begins at an address without a fragment.
fn beginning() -> Action {
    Action::OpenLink(Ok(Box::new(Page::new(None).state())))
}

/// Writes the address a moment after the last change, opens what is put into it, and tells the
/// link as it is.
#[hook]
pub(crate) fn use_link(session: &UseReducerHandle<Session>) -> Link {
    let link = use_state_eq(Link::default);
    let written = use_mut_ref(|| None::<String>);
    {
        let link = link.clone();
        use_effect_with(session.page.clone(), move |page| {
            let page = page.clone();
            let (link, written) = (link.clone(), written.clone());
            let timer = Timeout::new(QUIET, move || {
                spawn_local(async move {
                    let Some(now) = link_to(page.clone()).await else { return };
                    write(&page, &now, &mut written.borrow_mut());
                    link.set(now);
                });
            });
            move || drop(timer)
        });
    }
    let dispatcher = session.dispatcher();
    use_effect_with((), move |()| {
        let listener = browser::on_hash_change(move |fragment| {
            let dispatcher = dispatcher.clone();
            spawn_local(async move {
                let action = match read(&fragment).await {
                    Some(action) => action,
                    None => held().await.unwrap_or_else(beginning),
                };
                dispatcher.dispatch(action);
            });
        });
        move || drop(listener)
    });
    (*link).clone()
}

/// Puts a link into the address bar; `last` is what the one there was about.
fn write(page: &Page, now: &Link, last: &mut Option<String>) {
    // What the browser's button has opened is there already.
    let is_there = now.address == format!("{}{}", browser::base(), browser::fragment());
    let fragment = browser::fragment();
    let is_beginning = fragment.is_empty() && page.state() == Page::new(None).state();
    if page.changes == 0 || is_there || is_beginning {
        return;
    }
    let before = last.take();
    *last = page.subject().map(str::to_owned);
    // The short address of a figure has its entry in the history already.
    let is_short = fragment == figures::LIST || fragment.starts_with(figures::FRAGMENT);
    let is_new = !is_short && (last.is_none() || *last != before);
    browser::write_address(&now.address, is_new);
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_link::state::View;

    #[test]
    fn figures_have_short_links() {
        let page = |action| Session::new(Some(action)).page;
        let shown = page(figure("hwang-3"));
        assert_eq!(shown.inputs.figure.as_deref(), Some("hwang-3"));
        assert_eq!((shown.machine.name.as_str(), shown.changes), ("ibm-sp2", 0));
        assert_eq!(shown.beside().count(), 2);
        let all = page(Action::Figures);
        assert_eq!((all.view, all.inputs.figure), (View::Figures, None));
        assert!(page(figure("hwang-33")).problem.unwrap().help.to_string().contains("hwang-3"));
    }

    #[test]
    fn a_link_is_read_as_it_was_written() {
        let t3d = crate::machines::named("cray-t3d");
        let page = Page::new(None).after(Action::SelectMachine(t3d));
        let link = Link::to(&page, "http://localhost/loggia/");
        assert!(!link.is_too_long());
        let fragment = &link.address["http://localhost/loggia/".len()..];
        assert_eq!(loggia_link::decode(fragment).unwrap().inputs, page.inputs);
        assert!(link.omitted[0].contains("samples"), "{:?}", link.omitted);
    }
}
