//! The title of the browser's tab.

use super::{text_of, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MutationObserver, MutationObserverInit};
use yew::NodeRef;

/// The number of the open view; hidden answers are not in the document.
const NUMBER: &str = ".panels .answer output";

/// Keeps the title in step with the number of the open view, until it is dropped.
pub(crate) struct TitleWatcher {
    observer: MutationObserver,
    _call: Closure<dyn FnMut()>,
}

impl Drop for TitleWatcher {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Sets the title of the tab, now and after each change of `node`. `title` gets the number.
pub(crate) fn watch_title(
    node: &NodeRef,
    title: impl Fn(Option<String>) -> String + 'static,
) -> Option<TitleWatcher> {
    let document = window()?.document()?;
    let set = move || {
        let new = title(text_of(NUMBER).map(|number| number.replace('\u{a0}', " ")));
        if document.title() != new {
            document.set_title(&new);
        }
    };
    set();
    let call = Closure::<dyn FnMut()>::new(set);
    let observer = MutationObserver::new(call.as_ref().unchecked_ref()).ok()?;
    let changes = MutationObserverInit::new();
    changes.set_child_list(true);
    changes.set_character_data(true);
    changes.set_subtree(true);
    observer.observe_with_options(&node.get()?, &changes).ok()?;
    Some(TitleWatcher { observer, _call: call })
}
