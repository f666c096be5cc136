//! Mistakes in questions to models.

use crate::Error;
use crate::error::{Assumption, Input, Remedy};
use crate::signature::{BytesAre, Operation};
use crate::units::Procs;

/// Why a model gives no time.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelError {
    /// No messages, or more bytes than can be counted.
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
    /// The signature has no closed form of the operation, but of these.
    NoClosedForm {
        machine: String,
        op: Operation,
        reported: Vec<Operation>,
    },
    NotMeasured {
        machine: String,
        op: Operation,
    },
    /// The signature has neither times nor a closed form of the operation, but of these.
    NothingKnown {
        op: Operation,
        known: Vec<Operation>,
    },
    /// Parameters are unknown.
    Lacking {
        what: String,
        symbols: Vec<&'static str>,
        /// What reports each of them.
        origins: Vec<&'static str>,
        /// A value for each, where all can be assumed.
        assumed: Option<Vec<Assumption>>,
        /// Models of one message that do without.
        possible: Vec<&'static str>,
        place: String,
    },
    /// Parameters were measured, without a usable value.
    Unusable {
        what: String,
        symbols: Vec<&'static str>,
        reason: String,
        /// Values that can be assumed.
        assumed: Vec<Assumption>,
        place: String,
    },
    /// No model of one message is possible: these parameters are known.
    NoModel {
        reported: Vec<&'static str>,
        /// Values of what LogP lacks.
        assumed: Vec<Assumption>,
        place: String,
    },
    /// No model of one message is possible: its latency was measured, without a usable value.
    NoUsableModel {
        reason: String,
        /// Values of what LogP lacks.
        assumed: Vec<Assumption>,
        place: String,
    },
    /// The overheads of a blocking send mode and its non-blocking twin are not both known, but
    /// those of these modes.
    NoBlockingPair {
        reported: Vec<String>,
        place: String,
    },
}

fn names(operations: &[Operation]) -> String {
    operations.iter().map(|op| op.name()).collect::<Vec<_>>().join(", ")
}

/// A remedy with examples of values to assume, in parentheses.
fn such_as(help: String, assumed: Vec<Assumption>) -> Remedy {
    Remedy::from(format!("{help} (such as ")).then(assumed).then(")")
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        use ModelError::*;
        match error {
            ImpossibleCount { messages, bytes } => Error::new(
                format!("{messages} messages of {bytes} bytes cannot be"),
                Input::Count,
                "give at least one message, and fewer than 2^64 bytes in all",
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
                "leave the choice out, or name an algorithm",
            ),
            NothingKnown { op, known } => Error::new(
                format!("nothing is known of {}", op.name()),
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
            Unusable { what, symbols, reason, assumed, place } => Error::new(
                format!("{what} needs {}, which was found unusable", symbols.join(", ")),
                place,
                such_as(format!("{reason}; measure again, or assume it"), assumed),
            ),
            NoModel { reported, assumed, place } => {
                let reported = match reported.as_slice() {
                    [] => "nothing".to_owned(),
                    symbols => symbols.join(", "),
                };
                Error::new(
                    format!(
                        "no model of one message is possible here: of its parameters {reported} is \
                         all that is reported"
                    ),
                    place,
                    such_as(
                        "LogP needs L, o_s and o_r: assume what is missing".to_owned(),
                        assumed,
                    )
                    .then("; what can be said without is among the metrics"),
                )
            }
            NoUsableModel { reason, assumed, place } => Error::new(
                "no model of one message is possible here: what was measured is unusable",
                place,
                such_as(format!("{reason}; measure again, or assume what is missing"), assumed),
            ),
            NoBlockingPair { reported, place } => {
                let reported = match reported.as_slice() {
                    [] => "of none".to_owned(),
                    modes => format!("of {} alone", modes.join(", ")),
                };
                Error::new(
                    format!(
                        "the chance to overlap needs the overheads of a blocking send mode and of \
                         its non-blocking twin (such as send and isend); here they are reported \
                         {reported}"
                    ),
                    place,
                    Remedy::from(
                        "Al-Tawil & Moritz 2001 draw them in Figures 8–11 without numbers; a \
                         measurement of this machine has both, or assume one (",
                    )
                    .then((Input::Set, "send.o_s=…"))
                    .then(")"),
                )
            }
        }
    }
}
