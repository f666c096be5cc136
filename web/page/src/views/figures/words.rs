//! Texts of the view Figures. Titles and conclusions of figures are in `loggia_link`.

pub(crate) const TITLE: &str = "The papers' figures";
pub(crate) const ABOUT: &str = "Each is redrawn from its paper's tables. Drag it, change a parameter, or \
    compare it with your own machine.";
pub(crate) const ALL: &str = "All figures";
pub(crate) const CONCLUDED: &str = "The paper's conclusion";
pub(crate) const PREVIOUS: &str = "Previous";
pub(crate) const NEXT: &str = "Next";
pub(crate) const NOT_DRAWN: &str = "not drawn";
pub(crate) const LEAVE: &str = "Close the figure";
pub(crate) const NONE: &str = "none";
pub(crate) const LACKING: &str = "has none of these numbers";

/// Number of a figure in its paper.
pub(crate) fn figure(number: &str) -> String {
    match number.starts_with('§') {
        true => format!("Section {}", number.trim_start_matches('§')),
        false => format!("Figure {number}"),
    }
}

/// Meaning of the two weights of lines.
pub(crate) fn weights(thin: &str, bold: &str) -> String {
    format!("thin: {thin}; bold: {bold}")
}
