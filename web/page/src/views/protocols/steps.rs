//! Shows the messages of a protocol one by one.

use super::words as text;
use loggia_model::signature::Transfer;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) transfer: Transfer,
    pub(super) messages: Vec<&'static str>,
    /// Number of messages drawn.
    pub(super) shown: usize,
    /// Sets the number of messages drawn; `None` for all.
    pub(super) on_step: Callback<Option<usize>>,
}

#[component]
pub(super) fn Steps(props: &Props) -> Html {
    let Props { transfer, messages, shown, on_step } = props;
    let (shown, all) = (*shown, messages.len());
    let button = |words: &'static str, is_possible: bool, to: Option<usize>| {
        let on_step = on_step.clone();
        let onclick = move |_: MouseEvent| on_step.emit(to);
        html! { <button type="button" disabled={!is_possible} {onclick}>{ words }</button> }
    };
    let last = shown.checked_sub(1).filter(|_| shown < all).and_then(|i| messages.get(i));
    let purpose = last.map(|message| text::message(*transfer, message));
    html! {
        <figcaption class="steps">
            <span class="buttons">
                { button(text::PREVIOUS, shown > 0, Some(shown.saturating_sub(1))) }
                { button(text::NEXT, shown < all, Some(shown + 1).filter(|next| *next < all)) }
                { button(text::ALL, shown < all, None) }
            </span>
            <span role="status">
                { text::step(shown, all) }
                { purpose.map(|purpose| html! { <>{ ": " }{ purpose }</> }) }
            </span>
        </figcaption>
    }
}
