//! The words of this view. What the figures show and conclude comes from `loggia_model`.

pub(crate) const TITLE: &str = "The papers' figures";
pub(crate) const ABOUT: &str = "Each is drawn again from its paper's own tables, and is alive: \
    drag it, change a parameter, put your machine beside theirs.";
pub(crate) const ALL: &str = "All figures";
pub(crate) const CONCLUDED: &str = "What the paper concluded";
pub(crate) const PREVIOUS: &str = "Previous";
pub(crate) const NEXT: &str = "Next";
pub(crate) const NOT_DRAWN: &str = "not drawn";
pub(crate) const LEAVE: &str = "Leave the figure";
pub(crate) const NONE: &str = "none";
pub(crate) const LACKING: &str = "reports none of it";

/// A figure's place in its paper.
pub(crate) fn figure(number: &str) -> String {
    match number.starts_with('§') {
        true => format!("Section {}", number.trim_start_matches('§')),
        false => format!("Figure {number}"),
    }
}

/// What the two weights of line mean.
pub(crate) fn weights(thin: &str, bold: &str) -> String {
    format!("thin: {thin}; bold: {bold}")
}
