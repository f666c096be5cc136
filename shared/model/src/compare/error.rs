//! Mistakes in conditions and in the numbers that they select.

use crate::Error;
use crate::error::{Input, Place, Remedy};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Why a condition cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionError {
    /// Not a number's name with `<` or `>` and a limit, nor the name alone.
    NotACondition(String),
    /// A share that may be meant of the whole or as a difference.
    Ambiguous(String),
    /// The number is unknown on the first machine or on these, by index.
    Unknown { condition: String, machines: BTreeSet<usize> },
    /// A limit on what is a word.
    NotANumber { condition: String, symbol: String },
}

/// Why nothing of a comparison is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorError {
    /// No machine has it, but these.
    NotReported { word: String, known: Vec<String> },
    /// With that many messages in flight; known with these.
    NotAtDepth { known: BTreeSet<u32> },
    /// Of what has no size, at a size.
    WithoutSize,
    /// At that size; known at these.
    NotAtSize { known: BTreeSet<u64>, is_operation: bool },
}

impl From<ConditionError> for Error {
    fn from(error: ConditionError) -> Self {
        use ConditionError::*;
        match error {
            NotACondition(text) => Error::new(
                format!("`{text}` is not a condition"),
                Input::FailOn,
                "write such as L>+10%, isend.o_s@8>3us, allreduce>+20%, S<16KiB, or only G",
            ),
            Ambiguous(text) => Error::new(
                format!("`{text}` may mean two things, or nothing"),
                Input::FailOn,
                "write such as L>+10% for more by a tenth, L<-10% for less",
            ),
            Unknown { condition, machines } => {
                let machines = listed(machines.iter().map(|machine| machine + 1));
                Error::new(
                    format!(
                        "{condition} cannot be checked: the number is unknown on the first machine, \
                         or on number {machines}"
                    ),
                    (Input::FailOn, condition),
                    "measure it on these machines, or leave the condition out",
                )
            }
            NotANumber { condition, symbol } => Error::new(
                "this is a word, not a number",
                condition,
                format!("write only {symbol}: it fails where that has changed"),
            ),
        }
    }
}

impl From<SelectorError> for Error {
    fn from(error: SelectorError) -> Self {
        use SelectorError::*;
        let (message, help) = match error {
            NotReported { word, known } => (
                format!("no machine here reports {word}"),
                format!("known here: {}", known.join(", ")).into(),
            ),
            NotAtDepth { known } => (
                "it is not compared with this many messages in flight".to_owned(),
                format!("it is known with {} in flight", listed(known)).into(),
            ),
            WithoutSize => (AT_SIZE.to_owned(), "leave out the size: it has none".into()),
            NotAtSize { known, is_operation: true } => (
                AT_SIZE.to_owned(),
                Remedy::from("without ")
                    .then(Input::Procs)
                    .then(format!(" it is known at {} bytes", listed(known))),
            ),
            NotAtSize { known, is_operation: false } => {
                (AT_SIZE.to_owned(), format!("it is known at {} bytes", listed(known)).into())
            }
        };
        Error::new(message, Place::Nowhere, help)
    }
}

const AT_SIZE: &str = "it is not compared at that size";

fn listed(numbers: impl IntoIterator<Item = impl Display>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}
