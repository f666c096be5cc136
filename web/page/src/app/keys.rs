//! The dialog with keyboard shortcuts.

use super::tabs::VIEWS;
use crate::{browser, text};
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_node_ref};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) on_close: Callback<()>,
}

#[component]
pub(crate) fn Keys(props: &Props) -> Html {
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| browser::show_above(&dialog));
    }
    // Only the first ten views have a digit.
    let views =
        (1..=10).zip(VIEWS).map(|(place, view)| ((place % 10).to_string(), text::view(view)));
    let others = text::KEYS.into_iter().map(|(key, words)| (key.to_owned(), words));
    let row = |(key, words): (String, &'static str)| {
        html! { <><dt><kbd>{ key }</kbd></dt><dd>{ words }</dd></> }
    };
    let on_close = props.on_close.reform(|_| ());
    html! {
        <dialog class="keys" ref={dialog} aria-labelledby="keys-title" onclose={on_close.clone()}>
            <header>
                <h2 id="keys-title">{ text::KEYS_TITLE }</h2>
                <button type="button" onclick={props.on_close.reform(|_| ())}>{ text::CLOSE }</button>
            </header>
            <dl>{ for views.chain(others).map(row) }</dl>
        </dialog>
    }
}
