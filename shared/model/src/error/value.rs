//! Errors of values from the user.

use super::{Error, Input, Place, Remedy};

/// The reason why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// A text that does not match the expected kind.
    Malformed { text: String, expected: Expected },
    /// A number of ranks above the maximum.
    TooManyProcs { text: String, most: u32, expected: Expected },
    /// An empty list of numbers of ranks.
    NoProcs,
    /// A list with too many numbers of ranks.
    TooManyNumbersOfProcs { count: usize, most: usize },
    /// A single O with a simulation model that has no O.
    OverheadPerByte,
}

/// The expected kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Time,
    TimePerByte,
    /// A rate or a time per byte, with its unit.
    Rate,
    Size,
    Count,
    Procs,
    /// A number of ranks above 0.
    Ranks,
    /// Numbers of ranks above 0, with ranges.
    ListOfRanks,
    /// A factor from 0.
    Factor,
    /// A factor above 0.
    Divisor,
}

/// The reason why ranks cannot be placed on nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacementError {
    NotANumber(String),
    UnknownScheme(String),
    TooManyRanks(u32),
    /// The number of given nodes differs from the number of ranks.
    WrongNumberOfNodes {
        nodes: usize,
        ranks: u32,
    },
    /// Nodes without ranks.
    EmptyNodes,
    NoNodes,
}

impl Expected {
    /// Its name, and examples.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Expected::Time => (
                "a duration",
                "give a time that is not negative, such as 2500ns, 3.1us or 1ms; a bare number is \
                 µs",
            ),
            Expected::TimePerByte => (
                "a time per byte",
                "write, for example, 6ns, 0.006 (a bare number is µs/byte), 10GB/s or 100Gb/s (bits)",
            ),
            Expected::Rate => (
                "a rate",
                "write it with its unit, such as 10GB/s, 100Gb/s (bits) or 0.1ns (per byte)",
            ),
            Expected::Size => (
                "a size",
                "give whole bytes below 2^64, such as 512, 64KiB (binary) or 1M (SI, 10^6)",
            ),
            Expected::Count => ("a number", "give a whole number, such as 100, 1k or 1M"),
            Expected::Procs => ("a number of ranks", "give a whole number, such as 64, 4k or 1Mi"),
            Expected::Ranks => ("a number of ranks", "write, for example, 1 or 16"),
            Expected::ListOfRanks => {
                ("a number of ranks", "write, for example, 2,4,6, or 2..1M to double from 2")
            }
            Expected::Factor => ("a number of 0 or more", "write, for example, 0.5 or 2"),
            Expected::Divisor => ("a number above 0", "write, for example, 0.5 or 2"),
        }
    }
}

impl From<ValueError> for Error {
    fn from(error: ValueError) -> Self {
        use ValueError::*;
        match error {
            Malformed { text, expected } => {
                let (what, help) = expected.words();
                let text: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
                Error::new(format!("`{text}` is not {what}"), Place::Nowhere, help)
            }
            TooManyProcs { text, most, expected } => Error::new(
                format!("{text} ranks are more than any machine has"),
                Place::Nowhere,
                format!("use {most} or fewer; {}", expected.words().1),
            ),
            NoProcs => Error::new(
                "the range contains no number of ranks",
                Place::Nowhere,
                Expected::ListOfRanks.words().1,
            ),
            TooManyNumbersOfProcs { count, most } => Error::new(
                format!("{count} numbers of ranks are too many"),
                Place::Nowhere,
                format!("give {most} or fewer"),
            ),
            OverheadPerByte => Error::new(
                "O, an overhead per byte, is for the simulation model loggops only",
                Input::OverheadPerByte,
                Remedy::from("use ")
                    .then((Input::Rules, "loggops"))
                    .then("; in a signature, o_s and o_r may be curves over the size"),
            ),
        }
    }
}

impl From<PlacementError> for Error {
    fn from(error: PlacementError) -> Self {
        use PlacementError::*;
        const SCHEMES: &str = "write block:8, cyclic:4 or 0,0,1,1";
        let (message, help) = match error {
            NotANumber(word) => (format!("`{word}` is not a number"), SCHEMES),
            UnknownScheme(word) => (format!("`{word}` is not a placement of ranks"), SCHEMES),
            TooManyRanks(ranks) => (format!("{ranks} ranks are too many"), "use fewer ranks"),
            WrongNumberOfNodes { nodes, ranks } => {
                (format!("nodes are given for {nodes} of {ranks} ranks"), SCHEMES)
            }
            EmptyNodes => ("nodes of 0 ranks".to_owned(), "put 1 or more on a node"),
            NoNodes => ("ranks on 0 nodes".to_owned(), "use 1 or more"),
        };
        Error::new(message, Input::Nodes, help)
    }
}
