//! Mistakes in imports, exports and scores.

use loggia_model::Error;
use loggia_model::error::{Input, Place, Remedy};
use loggia_model::signature::Operation;

/// Why results of a benchmark cannot be imported.
#[derive(Clone, Debug, PartialEq)]
pub enum ImportError {
    /// No known tool wrote these files.
    UnknownFormat {
        file: String,
        tools: Vec<&'static str>,
    },
    /// The first line that is left out of files without a number.
    NothingRead {
        place: String,
        reason: String,
    },
    /// More different measurements than this.
    TooManyConditions {
        most: usize,
    },
    /// A run does not say how many ranks or which operation it timed.
    Incomplete(Incomplete),
    DecimalComma {
        word: String,
    },
    /// Neither `network`, `node` nor a name with its reach.
    UnknownReach {
        text: String,
    },
    /// Tiers of one name, one inside a node and the other between nodes.
    DifferentReach {
        tier: String,
    },
    /// A column of a plain table, or its cell in a row.
    Column {
        column: &'static str,
        mistake: ColumnMistake,
    },
    /// A row of a plain table.
    RowLength {
        cells: usize,
        columns: usize,
    },
    /// A row that is no CSV, in the words of its reader.
    InvalidRow {
        reason: String,
    },
}

/// A run that lacks information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    pub place: Place,
    pub benchmark: String,
    /// The missing information, as text.
    pub missing: &'static str,
    /// The input that gives it.
    pub input: Input,
    /// The value suggested by the file's name.
    pub guess: Option<String>,
    /// Number of further runs like this.
    pub more: usize,
}

/// A mistake in a column of a plain table.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnMistake {
    Repeated,
    Missing {
        known: Vec<&'static str>,
    },
    NotACount(String),
    NotATime(String),
    NoTime,
    OutsideInterval {
        time: f64,
    },
    NotASize(String),
    NoSize,
    NoOperation,
    UnknownOperation(String),
    /// A message between more or fewer ranks than its pairs have.
    RanksOfMessage {
        ranks: u32,
        pairs: Option<u32>,
    },
    NotASendMode(String),
    PairsOfCollective(Operation),
    ModeOfCollective {
        op: Operation,
        mode: String,
    },
    BytesOfCollective {
        op: Operation,
        count: String,
    },
}

impl From<ImportError> for Error {
    fn from(error: ImportError) -> Self {
        use ImportError::*;
        let nothing = "no benchmark's numbers are in these files";
        match error {
            UnknownFormat { file, tools } => {
                Error::new(nothing, file, format!("supported tools: {}", tools.join(", ")))
            }
            NothingRead { place, reason } => Error::new(nothing, place, reason),
            TooManyConditions { most } => Error::new(
                format!("more than {most} different measurements are in these files"),
                "",
                Remedy::from("import them in several parts, and join these with ")
                    .then(Input::Merge),
            ),
            Incomplete(incomplete) => incomplete.into(),
            DecimalComma { word } => Error::new(
                format!("`{word}` has a decimal comma, or one between thousands"),
                "",
                "run the benchmark with LC_ALL=C, or write the numbers with a point",
            ),
            UnknownReach { text } => Error::new(
                format!("`{text}` does not say whether these messages left the node"),
                Input::Tier,
                "say network, node, NAME:inter (between nodes) or NAME:intra (inside one)",
            ),
            DifferentReach { tier } => Error::new(
                format!(
                    "tier {tier} is inside a node in one signature, and between nodes in the other"
                ),
                Input::Tier,
                Remedy::from("give the imported one another name: ")
                    .then((Input::Tier, "NAME:inter"))
                    .then(" or ")
                    .then((Input::Tier, "NAME:intra")),
            ),
            Column { column, mistake } => mistake.in_column(column),
            RowLength { cells, columns } => Error::new(
                format!("this row has {cells} cells, and the header names {columns} columns"),
                format!("column {}", cells.min(columns) + 1),
                "leave a cell empty where nothing is known; write decimals with a point",
            ),
            InvalidRow { reason } => Error::new(reason, "", "write the row as CSV or TSV"),
        }
    }
}

impl From<Incomplete> for Error {
    fn from(incomplete: Incomplete) -> Self {
        let Incomplete { place, benchmark, missing, input, guess, more } = incomplete;
        let more = match more {
            0 => String::new(),
            more => format!(" ({more} more of the kind)"),
        };
        let value = guess.as_deref().unwrap_or("N");
        let guess = if guess.is_some() { "if the file's name is right, " } else { "" };
        Error::new(
            format!("{benchmark} does not say {missing}{more}"),
            place,
            Remedy::from(format!("{guess}say "))
                .then((input, value))
                .then(", or ")
                .then((input, format!("FILE={value}")))
                .then(" for one file; ")
                .then(Input::LeaveOut)
                .then(" imports only the rest"),
        )
    }
}

impl ColumnMistake {
    fn in_column(self, column: &str) -> Error {
        use ColumnMistake::*;
        let place = format!("column {column}");
        let (message, help) = match self {
            UnknownOperation(name) => {
                let known = Operation::ALL.iter().map(|op| op.name());
                return Error::unknown("operation", &name, place, ["p2p"].into_iter().chain(known));
            }
            Missing { known } => {
                let help = format!("add it to the header; known columns: {}", known.join(", "));
                return Error::new("the header lacks this column", place, help);
            }
            BytesOfCollective { op, count } => {
                let message = format!("`{count}` has no meaning for {}", op.name());
                return Error::new(message, place, format!("use {}", op.counts_in_words()));
            }
            Repeated => ("the header has this column twice".to_owned(), "rename one of them"),
            NotACount(cell) => (
                format!("`{cell}` is not a count"),
                "write a whole number such as 32, or leave the cell empty",
            ),
            NotATime(cell) => (
                format!("`{cell}` is not a time"),
                "write µs above 0 with a decimal point, such as 12.5",
            ),
            NoTime => ("this row has no time".to_owned(), "give it in µs, or delete the row"),
            OutsideInterval { time } => (
                format!("time_us ({time}) is outside its interval"),
                "low_us is at most time_us, and high_us at least",
            ),
            NotASize(cell) => {
                (format!("`{cell}` is not a size"), "write bytes such as 4096, or 4KiB")
            }
            NoSize => ("this row has no size".to_owned(), "give the number of bytes"),
            NoOperation => (
                "this row has no operation".to_owned(),
                "name the operation, such as allreduce, or p2p for RTT/2",
            ),
            RanksOfMessage { ranks, pairs: Some(pairs) } => (
                format!(
                    "p2p of {pairs} pairs is between {} ranks, not {ranks}",
                    2 * u64::from(pairs)
                ),
                "write twice the number of pairs, or leave the ranks out",
            ),
            RanksOfMessage { ranks, pairs: None } => (
                format!("p2p is between 2 ranks, not {ranks}"),
                "write 2, or give the number of pairs that exchange at once in column pairs",
            ),
            NotASendMode(mode) => (
                format!("`{mode}` is not a send mode"),
                "write MPI's call without MPI_, such as send, isend or ssend",
            ),
            PairsOfCollective(op) => (
                format!("{} has no pairs", op.name()),
                "leave the cell empty; ranks says how many take part",
            ),
            ModeOfCollective { op, mode } => (
                format!("`{mode}` is not a mode of {}", op.name()),
                "leave the cell empty, or write nonblocking or gpus",
            ),
        };
        Error::new(message, place, help)
    }
}

/// Why a signature cannot be exported. The place is a route: signature, tier and send mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// LogGOPSim: a parameter above this, in ns.
    ParameterTooLarge { place: String, most: i32 },
    /// SimGrid: a platform of 0 nodes.
    NoNodes,
    /// SimGrid: a message of this many bytes takes no finite time.
    NoTime { place: String, bytes: u64 },
}

impl From<ExportError> for Error {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::ParameterTooLarge { place, most } => Error::new(
                format!("LogGOPSim takes no more than {most} ns for a parameter"),
                place,
                "look at the signature's times: is one of them in another unit?",
            ),
            ExportError::NoNodes => Error::new(
                "a platform has a node or more, not 0",
                Input::Nodes,
                "give the number of nodes, such as 2",
            ),
            ExportError::NoTime { place, bytes } => Error::new(
                format!("the time of a message of {bytes} bytes is no number"),
                place,
                "look at the signature's parameters: is one of them in another unit?",
            ),
        }
    }
}

/// Why predictions cannot be compared with results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScoreError {
    /// A closed form gives no time above 0.
    NoTime,
    /// The signature has no tier of this name or reach.
    NoTier {
        name: String,
        known: Vec<String>,
    },
    NoSendMode {
        mode: String,
        tier: String,
        known: Vec<String>,
    },
    /// Not `OPERATION.STATISTIC>PERCENT`.
    NotACondition(String),
    UnknownStatistic {
        name: String,
        known: Vec<&'static str>,
    },
    UnknownOperation {
        name: String,
        known: Vec<&'static str>,
    },
    /// A condition about an operation that was not predicted.
    NoPoints {
        condition: String,
        predicted: Vec<&'static str>,
    },
}

impl From<ScoreError> for Error {
    fn from(error: ScoreError) -> Self {
        match error {
            ScoreError::NoTime => {
                Error::new("its closed form gives no time here", "", "use another algorithm")
            }
            ScoreError::NoTier { name, known } => {
                Error::unknown("tier", &name, Input::Tier, known.iter().map(String::as_str))
            }
            ScoreError::NoSendMode { mode, tier, known } => Error::unknown(
                &format!("send mode on tier {tier}"),
                &mode,
                Input::Style,
                known.iter().map(String::as_str),
            ),
            ScoreError::NotACondition(text) => Error::new(
                format!("`{text}` is not a condition"),
                Input::FailOn,
                "write such as allreduce.median>20%, p2p.maximum>50% or all.inside<85%",
            ),
            ScoreError::UnknownStatistic { name, known } => {
                Error::unknown("statistic", &name, Input::FailOn, known)
            }
            ScoreError::UnknownOperation { name, known } => {
                Error::unknown("operation", &name, Input::FailOn, known)
            }
            ScoreError::NoPoints { condition, predicted } => {
                let help = match predicted.as_slice() {
                    [] => "nothing in these results was predicted".to_owned(),
                    predicted => format!("predicted here: {}", predicted.join(", ")),
                };
                Error::new(format!("`{condition}` has no points"), Input::FailOn, help)
            }
        }
    }
}
