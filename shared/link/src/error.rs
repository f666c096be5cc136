//! Mistakes in the state of the page and in figures; those in links are
//! [`crate::LinkError`].

use loggia_model::Error;
use loggia_model::error::Place;

/// Why the page cannot have this state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateError {
    TooManySignatures {
        most: usize,
    },
    /// A text longer than a link holds.
    TextTooLong {
        most: usize,
    },
    NotAStep(String),
    NotADepth(String),
    /// Neither yes nor no.
    NotYesOrNo(String),
    /// A figure that Loggia does not draw, and why.
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
                "show fewer at once",
            ),
            TextTooLong { most } => Error::new(
                "this is longer than any sketch",
                Place::Nowhere,
                format!("{most} bytes at most"),
            ),
            NotAStep(text) => Error::new(
                format!("{text} is not a step of a lesson"),
                "at",
                "give a whole number from 1 on",
            ),
            NotADepth(text) => Error::new(
                format!("{text} is not a number of messages in flight"),
                "depth",
                "give a whole number from 1 on, such as 16",
            ),
            NotYesOrNo(text) => {
                Error::new(format!("{text} is neither yes nor no"), Place::Nowhere, "say yes or no")
            }
            NotDrawn { figure, why } => Error::new(
                format!("figure {figure} is not drawn: {why}"),
                "figure",
                "choose another figure",
            ),
        }
    }
}
