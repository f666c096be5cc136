//! Labels of lines.

use crate::draw::figure::Ink;
use crate::tables::rich;
use yew::{Html, html};

/// The label of a line: a machine's name, or words with symbols.
pub(crate) fn label(ink: Ink, label: &str) -> Html {
    // Terms without a colour of their own, such as the rest, are symbols, too.
    match ink.is_named_in_words() && ink != Ink::Other {
        true => html! { { label } },
        false => rich::symbol_in_svg(label),
    }
}
