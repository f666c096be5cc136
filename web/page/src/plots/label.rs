//! Labels of lines.

use crate::draw::figure::Ink;
use crate::tables::rich;
use yew::{Html, html};

/// The label of a line: a machine's name, or words with symbols.
pub(crate) fn label(ink: Ink, label: &str) -> Html {
    match ink.is_named_in_words() {
        true => html! { { label } },
        false => rich::symbol_in_svg(label),
    }
}
