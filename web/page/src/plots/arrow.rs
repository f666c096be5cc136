//! The head of an arrow.

use yew::{Html, html};

/// Defines the head; a path with `marker-end="url(#ID)"` ends with it.
pub(crate) fn head(id: &'static str) -> Html {
    html! {
        <defs>
            <marker {id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
                <path d="M0 0L8 4L0 8Z" />
            </marker>
        </defs>
    }
}
