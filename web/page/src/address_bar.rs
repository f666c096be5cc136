//! Synchronises the address bar and the state.

use crate::state::{Action, Page, Session};
use crate::{browser, machines, text};
use gloo_timers::callback::Timeout;
use loggia_link::figures;
use loggia_link::state::{State, View};
use loggia_model::Error;
use std::cell::RefCell;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::platform::spawn_local;
use yew::{UseReducerHandle, hook, use_effect_with, use_mut_ref, use_state_eq};

/// Delay before the address is written, since browsers limit the rate. In ms.
const WRITE_DELAY: u32 = 300;

thread_local! {
    /// The public address of the page, as the reader has given it; lost when the page closes.
    static PUBLIC_ADDRESS: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The public address of the page, if the reader has given it.
pub(crate) fn public_address() -> Option<String> {
    PUBLIC_ADDRESS.with_borrow(Clone::clone)
}

/// Stores the public address of the page; a text that is no web address removes it.
pub(crate) fn set_public_address(address: &str) {
    let address = address.trim().split('#').next().unwrap_or_default();
    let is_web = address.starts_with("https://") || address.starts_with("http://");
    PUBLIC_ADDRESS.set(is_web.then(|| address.to_owned()));
}

/// The state in a link, or why it cannot be opened.
type OpenedTrace = Result<Box<State>, Error>;

/// A link to the current page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) address: String,
    /// Its length.
    pub(crate) characters: usize,
    /// Parts of the state that it leaves out.
    pub(crate) omitted: Vec<String>,
}

/// Encoding, decoding and embedded states are in a module loaded on demand, so that the page starts
/// sooner.
#[wasm_split(links, fallible)]
fn encode(page: Page, base: String) -> Result<Link, SplitLoaderError> {
    Ok(Link::to(&page, &base))
}

#[wasm_split(links, fallible)]
fn decode(link: String) -> Result<OpenedTrace, SplitLoaderError> {
    Ok(loggia_link::decode(&link).map(Box::new).map_err(Error::from))
}

#[wasm_split(links, fallible)]
fn decode_embedded(state: String) -> Result<OpenedTrace, SplitLoaderError> {
    Ok(loggia_link::single::read(&state).map(Box::new))
}

#[wasm_split(links, fallible)]
fn load_figure(name: String) -> Result<Action, SplitLoaderError> {
    Ok(figure(&name))
}

#[wasm_split(links, fallible)]
fn load_lesson(query: String) -> Result<Action, SplitLoaderError> {
    Ok(lesson(&query))
}

/// The action that opens a link.
pub(crate) async fn open(link: &str) -> Action {
    machines::load().await;
    Action::OpenLink(decode(link.to_owned()).await.unwrap_or_else(not_loaded))
}

fn not_loaded(_: SplitLoaderError) -> OpenedTrace {
    Err(Error::new(text::LINK_NOT_LOADED, "link", text::LINK_NOT_LOADED_HELP))
}

/// The link to a page; `None` if the encoder cannot be loaded.
pub(crate) async fn link_to(page: Page) -> Option<Link> {
    encode(page, browser::base()).await.ok()
}

impl Link {
    fn to(page: &Page, base: &str) -> Self {
        let (fragment, omitted) = loggia_link::encode(&page.state());
        let address = format!("{base}{fragment}");
        Link { characters: address.chars().count(), address, omitted }
    }

    /// Whether the link opens on this machine only.
    pub(crate) fn is_local(&self) -> bool {
        ["file:", "http://127.0.0.1", "http://localhost", "http://[::1]"]
            .iter()
            .any(|local| self.address.starts_with(local))
    }

    /// The link under the public address, if this one is local and the reader has given a public
    /// address.
    pub(crate) fn for_others(self) -> Self {
        let public = public_address().filter(|_| self.is_local());
        let moved = public.zip(self.address.split_once('#'));
        match moved.map(|(public, (_, fragment))| format!("{public}#{fragment}")) {
            Some(address) => {
                Link { characters: address.chars().count(), address, omitted: self.omitted }
            }
            None => self,
        }
    }

    /// Whether some programs would truncate the link.
    pub(crate) fn is_too_long(&self) -> bool {
        self.characters > loggia_link::RECOMMENDED_LENGTH
    }
}

/// The action for the fragment of an address; `None` without one. Figures of papers have short
/// fragments: `#figure=hwang-3`, and `#figures` for all.
async fn read_fragment(fragment: &str) -> Option<Action> {
    if fragment == figures::LIST {
        return Some(Action::Figures);
    }
    if let Some(query) = fragment.strip_prefix(LESSON) {
        let found = load_lesson(query.to_owned()).await;
        return Some(found.unwrap_or_else(|why| Action::OpenLink(not_loaded(why))));
    }
    match fragment.strip_prefix(figures::FRAGMENT) {
        Some(name) => {
            machines::load().await;
            let found = load_figure(name.to_owned()).await;
            Some(found.unwrap_or_else(|why| Action::OpenLink(not_loaded(why))))
        }
        None if fragment.len() > 1 => Some(open(fragment).await),
        None => None,
    }
}

/// Prefix of a lesson's short address: `#lesson=four-numbers&at=3`.
const LESSON: &str = "#lesson=";

/// The action of a lesson's short address: its name, and inputs such as `at`.
fn lesson(query: &str) -> Action {
    let mut state = State { view: View::Lessons, ..State::default() };
    let mut parts = query.split('&');
    let name = parts.next().unwrap_or_default();
    let inputs = parts.filter_map(|part| part.split_once('='));
    let done = std::iter::once(("lesson", name))
        .chain(inputs)
        .try_for_each(|(key, value)| state.inputs.set(key, value));
    Action::OpenLink(done.map(|()| Box::new(state)))
}

/// The action that opens a figure of a paper.
fn figure(name: &str) -> Action {
    figures::named(name).map_or_else(|why| Action::OpenLink(Err(why)), Action::Figure)
}

/// The action for the state in the address or, in a single-file page, for its embedded state.
pub(crate) async fn opening_action() -> Option<Action> {
    let action = read_fragment(&browser::fragment()).await;
    if action.is_some() {
        return action;
    }
    embedded().await
}

/// The action for the embedded state of a single-file page.
async fn embedded() -> Option<Action> {
    let embedded = browser::embedded_state()?;
    let state = loggia_link::single::embedded_state(&embedded)?.to_owned();
    machines::load().await;
    Some(Action::OpenLink(decode_embedded(state).await.unwrap_or_else(not_loaded)))
}

/// The initial page at an address without a fragment.
fn initial() -> Action {
    Action::OpenLink(Ok(Box::new(Page::new(None).state())))
}

/// Writes the address after a short delay, opens new fragments, and returns the current link.
#[hook]
pub(crate) fn use_link(session: &UseReducerHandle<Session>) -> Link {
    let link = use_state_eq(Link::default);
    let written = use_mut_ref(|| None::<String>);
    {
        let link = link.clone();
        use_effect_with(session.page.clone(), move |page| {
            let page = page.clone();
            let (link, written) = (link.clone(), written.clone());
            let timer = Timeout::new(WRITE_DELAY, move || {
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
                let action = match read_fragment(&fragment).await {
                    Some(action) => action,
                    None => embedded().await.unwrap_or_else(initial),
                };
                dispatcher.dispatch(action);
            });
        });
        move || drop(listener)
    });
    (*link).clone()
}

/// Writes a link to the address bar; `last` is the state of the previous one.
fn write(page: &Page, now: &Link, last: &mut Option<String>) {
    // The address is already right if the browser's back button has opened it.
    let is_there = now.address == format!("{}{}", browser::base(), browser::fragment());
    let fragment = browser::fragment();
    let is_initial = fragment.is_empty() && page.state() == Page::new(None).state();
    if page.changes == 0 || is_there || is_initial {
        return;
    }
    let before = last.take();
    *last = page.subject().map(str::to_owned);
    // A figure's short address already has a history entry.
    let is_short = fragment == figures::LIST || fragment.starts_with(figures::FRAGMENT);
    let is_new = !is_short && (last.is_none() || *last != before);
    browser::write_address(&now.address, is_new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_short_links() {
        let page = |action| Session::new(Some(action)).page;
        let shown = page(figure("hwang-3"));
        assert_eq!(shown.inputs.figure.as_deref(), Some("hwang-3"));
        assert_eq!((shown.machine.name.as_str(), shown.changes), ("ibm-sp2", 0));
        assert_eq!(shown.compared_explicitly().count(), 2);
        let all = page(Action::Figures);
        assert_eq!((all.view, all.inputs.figure), (View::Figures, None));
        assert!(page(figure("hwang-33")).problem.unwrap().help.to_string().contains("hwang-3"));
    }

    #[test]
    fn a_local_link_for_others_gets_the_public_address() {
        let link = |address: &str| Link { address: address.to_owned(), ..Link::default() };
        for local in ["file:///home/me/x.html#2.a", "http://127.0.0.1:7478/#2.a"] {
            assert!(link(local).is_local(), "{local}");
            assert_eq!(link(local).for_others().address, local);
            set_public_address(" https://example.org/loggia/#figures");
            assert_eq!(link(local).for_others().address, "https://example.org/loggia/#2.a");
            set_public_address("example");
        }
        set_public_address("https://example.org/");
        let public = link("https://loggia.example/#2.a");
        assert_eq!(public.clone().for_others(), public);
    }

    #[test]
    fn lessons_have_short_links() {
        let page = Session::new(Some(lesson("four-numbers&at=3"))).page;
        assert_eq!(page.inputs.lesson.as_deref(), Some("four-numbers"));
        assert_eq!((page.inputs.at, page.view), (Some(3), View::Lessons));
        let page = Session::new(Some(lesson("four-numbers&at=0"))).page;
        assert!(page.problem.is_some() && page.inputs.lesson.is_none());
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
