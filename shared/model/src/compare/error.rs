//! Errors of conditions and of their selectors.

use crate::Error;
use crate::error::{Input, Place, Remedy};
use std::collections::BTreeSet;
use std::fmt::Display;

/// The reason why a condition cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionError {
    /// Neither a name with `<` or `>` and a limit, nor a name alone.
    NotACondition(String),
    /// A percentage that may mean a part of the number or a difference.
    Ambiguous(String),
    /// The number is unknown on the first machine or on these, by index.
    Unknown { condition: String, machines: BTreeSet<usize> },
    /// A limit on a word.
    NotANumber { condition: String, symbol: String },
}

/// The reason why a selector matches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorError {
    /// No machine reports the word; `known` lists the reported ones.
    NotReported { word: String, known: Vec<String> },
    /// The number is unknown at this queue depth; `known` lists the known depths.
    NotAtDepth { known: BTreeSet<u32> },
    /// A size was given, but the number does not depend on the size.
    WithoutSize,
    /// The number is unknown at this size; `known` lists the known sizes.
    NotAtSize { known: BTreeSet<u64>, is_operation: bool },
}

impl From<ConditionError> for Error {
    fn from(error: ConditionError) -> Self {
        use ConditionError::*;
        match error {
            NotACondition(text) => Error::new(
                format!("`{text}` is not a condition"),
                Input::FailOn,
                "write, for example, L>+10%, isend.o_s@8>3us, allreduce>+20%, S<16KiB, or only G",
            ),
            Ambiguous(text) => Error::new(
                format!("`{text}` is ambiguous"),
                Input::FailOn,
                "write L>+10% for an increase by more than 10%, L<-10% for a decrease",
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
                format!("write only {symbol}: the condition fails if {symbol} has changed"),
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
                "the number is unknown with this many messages in flight".to_owned(),
                format!("it is known with {} in flight", listed(known)).into(),
            ),
            WithoutSize => {
                (AT_SIZE.to_owned(), "leave out the size: the number does not depend on it".into())
            }
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

const AT_SIZE: &str = "the number is unknown at this size";

fn listed(numbers: impl IntoIterator<Item = impl Display>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}
