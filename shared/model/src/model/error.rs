//! Errors of the models.

use crate::Error;
use crate::error::{Assumption, Input, Remedy};
use crate::signature::{BytesAre, Operation};
use crate::units::Procs;

/// The reason why a model gives no time.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelError {
    /// Zero messages, or 2^64 bytes or more in total.
    ImpossibleCount {
        messages: u64,
        bytes: u64,
    },
    /// A collective operation on fewer than two ranks.
    TooFewProcs(Procs),
    MeaninglessCount {
        bytes_are: BytesAre,
        op: Operation,
    },
    /// The signature has no closed form of the operation; `reported` lists the others.
    NoClosedForm {
        machine: String,
        op: Operation,
        reported: Vec<Operation>,
    },
    NotMeasured {
        machine: String,
        op: Operation,
    },
    /// The signature has neither times nor a closed form of the operation; `known` lists the
    /// others.
    NothingKnown {
        op: Operation,
        known: Vec<Operation>,
    },
    /// Parameters are unknown.
    Lacking {
        what: String,
        symbols: Vec<&'static str>,
        /// The measurement of each symbol.
        origins: Vec<&'static str>,
        /// An example value for each symbol, if all can be assumed.
        assumed: Option<Vec<Assumption>>,
        /// Models of one message that do not need these symbols.
        possible: Vec<&'static str>,
        place: String,
    },
    /// The measurement of the parameters gave no usable value.
    Unusable {
        what: String,
        symbols: Vec<&'static str>,
        reason: String,
        /// Example values to assume.
        assumed: Vec<Assumption>,
        place: String,
    },
    /// No model of one message is possible; `reported` lists the known parameters.
    NoModel {
        reported: Vec<&'static str>,
        /// Example values of LogP's unknown parameters.
        assumed: Vec<Assumption>,
        place: String,
    },
    /// No model of one message is possible: the measurement of the latency gave no usable value.
    NoUsableModel {
        reason: String,
        /// Example values of LogP's unknown parameters.
        assumed: Vec<Assumption>,
        place: String,
    },
    /// The overheads of a blocking send mode and its non-blocking twin are not both known;
    /// `reported` lists the modes with known overheads.
    NoBlockingPair {
        reported: Vec<String>,
        place: String,
    },
}

fn names(operations: &[Operation]) -> String {
    operations.iter().map(|op| op.name()).collect::<Vec<_>>().join(", ")
}

/// A remedy with examples of values to assume.
fn such_as(help: String, assumed: Vec<Assumption>) -> Remedy {
    Remedy::from(help).then(assumed)
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        use ModelError::*;
        match error {
            ImpossibleCount { messages, bytes } => Error::new(
                format!("{messages} messages of {bytes} bytes are out of range"),
                Input::Count,
                "give at least one message, and fewer than 2^64 bytes in total",
            ),
            TooFewProcs(procs) => Error::new(
                format!("a collective operation needs 2 ranks or more, not {}", procs.0),
                Input::Procs,
                "give the number of ranks that take part, such as 64",
            ),
            MeaninglessCount { bytes_are, op } => Error::new(
                format!("{} has no meaning for {}", bytes_are.name(), op.name()),
                Input::BytesAre,
                format!("use {}", op.counts_in_words()),
            ),
            NoClosedForm { machine, op, reported } => {
                let help = match reported.as_slice() {
                    [] => {
                        "it reports no collective operations; choose another signature".to_owned()
                    }
                    reported => format!(
                        "it reports {}: an algorithm, or a composition of these, may give a time",
                        names(reported)
                    ),
                };
                Error::new(
                    format!("{machine} reports no closed form of {}", op.name()),
                    Input::Operation,
                    help,
                )
            }
            NotMeasured { machine, op } => Error::new(
                format!("{} was not measured on {machine}", op.name()),
                Input::Algorithm,
                "choose an algorithm, or the default method",
            ),
            NothingKnown { op, known } => Error::new(
                format!("times of {} are unknown", op.name()),
                Input::Operation,
                match known.as_slice() {
                    [] => "choose another machine: this one reports no collective operations"
                        .to_owned(),
                    known => format!("known here: {}", names(known)),
                },
            ),
            Lacking { what, symbols, origins, assumed, possible, place } => {
                let (verb, them) = if symbols.len() == 1 { ("is", "it") } else { ("are", "them") };
                let mut help = Remedy::from(format!("measure {them} by {}", origins.join("; ")));
                if let Some(assumed) = assumed {
                    help = such_as(format!("{help}; or assume {them}"), assumed);
                }
                if !possible.is_empty() {
                    help = help.then(format!("; models possible here: {}", possible.join(", ")));
                }
                let symbols = symbols.join(", ");
                Error::new(format!("{what} needs {symbols}, which {verb} unknown"), place, help)
            }
            Unusable { what, symbols, reason, assumed, place } => {
                let (verb, them) = match symbols.len() {
                    1 => ("measurement is", "it"),
                    _ => ("measurements are", "them"),
                };
                Error::new(
                    format!("{what} needs {}, whose {verb} unusable", symbols.join(", ")),
                    place,
                    such_as(format!("{reason}; measure again, or assume {them}"), assumed),
                )
            }
            NoModel { reported, assumed, place } => {
                let reported = match reported.as_slice() {
                    [] => "none".to_owned(),
                    symbols => symbols.join(", "),
                };
                Error::new(
                    format!(
                        "no model of one message is possible here; its known parameters: {reported}"
                    ),
                    place,
                    such_as(
                        "LogP needs L, o_s and o_r: assume the unknown parameters".to_owned(),
                        assumed,
                    )
                    .then("; some metrics need none of them"),
                )
            }
            NoUsableModel { reason, assumed, place } => Error::new(
                "no model of one message is possible here: the measured values are unusable",
                place,
                such_as(
                    format!("{reason}; measure again, or assume the unknown parameters"),
                    assumed,
                ),
            ),
            NoBlockingPair { reported, place } => {
                let reported = match reported.as_slice() {
                    [] => "here".to_owned(),
                    modes => format!("here, except for {}", modes.join(", ")),
                };
                Error::new(
                    format!(
                        "the gain of a non-blocking call needs the overheads of a blocking send mode \
                         and of its non-blocking twin (such as send and isend), which are unknown \
                         {reported}"
                    ),
                    place,
                    Remedy::from(
                        "Al-Tawil & Moritz 2001 plot them in Figures 8–11 without numbers; measure \
                         both on this machine, or assume one (",
                    )
                    .then((Input::Set, "send.o_s=…"))
                    .then(")"),
                )
            }
        }
    }
}
