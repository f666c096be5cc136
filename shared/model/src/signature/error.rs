//! Errors of signatures and of changes to them.

use super::{BytesAre, Operation};
use crate::Error;
use crate::error::Place;

/// The reason why a signature gives no time, or is not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// The signature has no point-to-point parameters.
    NoTiers { title: String },
    /// A protocol without a handshake above the eager limit.
    NoHandshake(String),
    /// Not `size:time`.
    NotAPoint(String),
    /// A new signature without values.
    NoParameter,
}

impl From<SignatureError> for Error {
    fn from(error: SignatureError) -> Self {
        use SignatureError::*;
        match error {
            NoTiers { title } => Error::new(
                format!("{title} reports no point-to-point parameters"),
                "tiers",
                "predict its collective operations, or choose another signature",
            ),
            NoHandshake(protocol) => Error::new(
                format!("{protocol} has no handshake"),
                Place::Nowhere,
                "use rat or rta above the eager limit",
            ),
            NotAPoint(text) => Error::new(
                format!("`{text}` is not a point"),
                Place::Nowhere,
                "write size:time, such as 64KiB:12us",
            ),
            NoParameter => Error::new(
                "no parameter is given",
                "L",
                "give at least one, such as L = 2 µs; the other parameters are unknown",
            ),
        }
    }
}

/// The reason why a field of a signature is invalid.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldError {
    TooManyEntries(usize),
    /// A duplicate name in a list.
    Duplicate(String),
    Negative(f64),
    MeaninglessCount {
        bytes_are: BytesAre,
        op: Operation,
    },
    /// Rounds whose counts do not add up to the number of times.
    WrongRoundCounts {
        in_rounds: u64,
        times: usize,
    },
    Empty,
    ControlCharacter,
    TooLong,
    NotFinite,
    NotOrdered,
    NoValue,
    PointsAndFixed,
    EmptyCurve,
    PerByteAlone,
    TooManyPoints,
    BytesNotRising,
    NotAName,
    NoProcs,
    TimeNotAbove0,
    NotPairs,
    DepthNotRising,
    Depth0,
    PercentilesNotOrdered,
    CardInsideNode,
    NotAbove0,
    Zero,
    FromNotRising,
    ProcsNotOrdered,
    BytesNotOrdered,
    NoTerms,
    TermNotFinite,
    TimesNotFinite,
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        use FieldError::*;
        let (message, help) = match error {
            TooManyEntries(count) => {
                return Error::new(format!("has {count} entries"), "", "at most 256 are read");
            }
            Duplicate(name) => {
                return Error::new(format!("`{name}` occurs twice"), "", "keep one of them");
            }
            Negative(value) => {
                return Error::new(
                    format!("must not be negative, but is {value}"),
                    "",
                    "a time is 0 or more; leave the parameter out if it is unknown",
                );
            }
            MeaninglessCount { bytes_are, op } => {
                return Error::new(
                    format!("{} has no meaning for {}", bytes_are.name(), op.name()),
                    "",
                    format!("use {}", op.counts_in_words()),
                );
            }
            WrongRoundCounts { in_rounds, times } => {
                let help = format!("make the round counts add up to {times}, not {in_rounds}");
                return Error::new("must count all samples", "", help);
            }
            Empty => ("must not be empty", "give a text"),
            ControlCharacter => ("has a control character", "write plain text"),
            TooLong => ("is too long", "at most 20,000 bytes of text"),
            NotFinite => ("must be finite", "leave the parameter out if it is unknown"),
            NotOrdered => ("low ≤ value ≤ high does not hold", "check the three numbers"),
            NoValue => (
                "has no value",
                "give one: only a parameter with the verdict `unusable` may lack it",
            ),
            PointsAndFixed => ("has both points and a fixed part", "keep one of them"),
            EmptyCurve => ("is empty", "give points, or a fixed part, or leave it out"),
            PerByteAlone => {
                ("has per_byte without fixed", "add `fixed`; use 0 if there is no fixed part")
            }
            TooManyPoints => ("has too many points", "at most 4096 are read: thin them out"),
            BytesNotRising => ("must rise strictly in bytes", "sort them, one per size"),
            NotAName => (
                "is not a short name",
                "use lowercase letters, digits and hyphens, such as `our-cluster-2`",
            ),
            NoProcs => ("has no number of ranks", "give `procs`"),
            TimeNotAbove0 => ("has a time that is not above 0", "leave such points out"),
            NotPairs => (
                "must be 2 or more, for messages only",
                "leave it out for one pair and for a collective operation",
            ),
            DepthNotRising => ("must rise strictly in depth", "sort them, one per depth"),
            Depth0 => ("must be at least 1", "it counts messages in flight"),
            PercentilesNotOrdered => {
                ("median ≤ 95th ≤ 99th percentile does not hold", "check the numbers")
            }
            CardInsideNode => (
                "belongs to a network card, but this tier is inside a node",
                "move it to a tier between nodes",
            ),
            NotAbove0 => ("must be above 0", "leave it out if no limit is known"),
            Zero => ("must not be 0", "leave it out"),
            FromNotRising => ("must rise strictly in `from`", "sort them, one per size"),
            ProcsNotOrdered => {
                ("must have 2 ≤ low ≤ high", "give the smallest and the largest number of ranks")
            }
            BytesNotOrdered => ("must have low ≤ high", "give the smallest and the largest size"),
            NoTerms => ("has no terms", "give at least one"),
            TermNotFinite => ("must be finite", "check value, low, high and power"),
            TimesNotFinite => ("must be finite and not negative", "leave unknown times out"),
        };
        Error::new(message, Place::Nowhere, help)
    }
}
