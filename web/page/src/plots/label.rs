//! Labels of lines.

use crate::draw::figure::Ink;
use crate::tables::rich;
use yew::{Html, html};

/// The label of a line: a symbol, or words.
pub(crate) fn label(ink: Ink, label: &str) -> Html {
    match ink.is_named_in_words() || Ink::of(label) == Ink::Other {
        true => html! { { label } },
        false => rich::symbol_in_svg(label),
    }
}
