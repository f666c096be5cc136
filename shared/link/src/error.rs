//! Errors in the state of the page and in figures; for links, see [`crate::LinkError`].

use loggia_model::Error;
use loggia_model::error::Place;

/// Why a state of the page is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateError {
    TooManySignatures {
        most: usize,
    },
    /// A text that is too long for a link.
    TextTooLong {
        most: usize,
    },
    NotAStep(String),
    NotADepth(String),
    NotYesOrNo(String),
    /// A figure that Loggia does not draw, with the reason.
    NotDrawn {
        figure: String,
        why: String,
    },
}

impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        use StateError::*;
        match error {
            TooManySignatures { most } => Error::new(
                format!("more than {most} signatures"),
                "signatures",
                "show fewer signatures at once",
            ),
            TextTooLong { most } => Error::new(
                "this text is too long",
                Place::Nowhere,
                format!("shorten it to at most {most} bytes"),
            ),
            NotAStep(text) => Error::new(
                format!("{text} is not a step of a lesson"),
                "at",
                "use a whole number of at least 1",
            ),
            NotADepth(text) => Error::new(
                format!("{text} is not a number of messages in flight"),
                "depth",
                "use a whole number of at least 1, such as 16",
            ),
            NotYesOrNo(text) => {
                Error::new(format!("{text} is neither yes nor no"), Place::Nowhere, "use yes or no")
            }
            NotDrawn { figure, why } => Error::new(
                format!("figure {figure} is not drawn: {why}"),
                "figure",
                "choose another figure",
            ),
        }
    }
}
