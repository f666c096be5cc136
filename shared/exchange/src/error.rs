//! Errors of imports, exports and scores.

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
    /// No number was read; place and reason of the first line left out.
    NothingRead {
        place: String,
        reason: String,
    },
    /// A value for the files with this name, of which there is none.
    NoFile {
        input: Input,
        pattern: String,
        /// The files with results.
        files: Vec<String>,
    },
    /// More distinct conditions than the limit.
    TooManyConditions {
        most: usize,
    },
    /// A run lacks its number of ranks or its operation.
    Incomplete(Incomplete),
    DecimalComma {
        word: String,
    },
    /// Not `network`, `node`, `NAME:inter` or `NAME:intra`.
    UnknownReach {
        text: String,
    },
    /// Two tiers of the same name, one inside a node, one between nodes.
    DifferentReach {
        tier: String,
    },
    /// A wrong column of a plain table, or a wrong cell in the column.
    Column {
        column: &'static str,
        mistake: ColumnMistake,
    },
    /// A row of a plain table with too many or too few cells.
    RowLength {
        cells: usize,
        columns: usize,
    },
    /// A row that is not CSV, with the message of the CSV parser.
    InvalidRow {
        reason: String,
    },
}

/// A run that lacks information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    pub place: Place,
    pub benchmark: String,
    /// The missing information, as user-visible text.
    pub missing: &'static str,
    /// The input that gives it.
    pub input: Input,
    /// The value suggested by the file's name.
    pub guess: Option<String>,
    /// Number of further incomplete runs.
    pub similar: usize,
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
    /// The number of ranks is not twice the number of pairs.
    RanksOfMessage {
        ranks: u32,
        pairs: Option<u32>,
    },
    /// A collective operation of one rank.
    OneRank(Operation),
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
        let no_results = "no benchmark results were found in these files";
        match error {
            UnknownFormat { file, tools } => {
                Error::new(no_results, file, format!("supported tools: {}", tools.join(", ")))
            }
            NothingRead { place, reason } => Error::new(no_results, place, reason),
            NoFile { input, pattern, files } => {
                let place = (input, format!("{pattern}=…"));
                let known = files.iter().map(String::as_str);
                Error {
                    message: format!("no file with results has `{pattern}` in its name"),
                    ..Error::unknown("file", &pattern, place, known)
                }
            }
            TooManyConditions { most } => Error::new(
                format!("these files contain more than {most} different measurements"),
                "",
                Remedy::from("import the files in several parts, and join the parts with ")
                    .then(Input::Merge),
            ),
            Incomplete(incomplete) => incomplete.into(),
            DecimalComma { word } => Error::new(
                format!("`{word}` contains a decimal comma or a thousands separator"),
                "",
                "run the benchmark with LC_ALL=C, or write the numbers with a decimal point",
            ),
            UnknownReach { text } => Error::new(
                format!("`{text}` does not state whether messages leave the node"),
                Input::Tier,
                "use network, node, NAME:inter (between nodes) or NAME:intra (inside a node)",
            ),
            DifferentReach { tier } => Error::new(
                format!(
                    "tier {tier} is inside a node in one signature, but between nodes in the other"
                ),
                Input::Tier,
                Remedy::from("give the imported tier another name: ")
                    .then((Input::Tier, "NAME:inter"))
                    .then(" or ")
                    .then((Input::Tier, "NAME:intra")),
            ),
            Column { column, mistake } => mistake.in_column(column),
            RowLength { cells, columns } => Error::new(
                format!("this row has {cells} cells, but the header has {columns} columns"),
                format!("column {}", cells.min(columns) + 1),
                "leave unknown cells empty; write decimals with a point",
            ),
            InvalidRow { reason } => Error::new(reason, "", "write the row as CSV or TSV"),
        }
    }
}

impl From<Incomplete> for Error {
    fn from(incomplete: Incomplete) -> Self {
        let Incomplete { place, benchmark, missing, input, guess, similar } = incomplete;
        let similar = match similar {
            0 => String::new(),
            count => format!(" ({count} similar errors)"),
        };
        let value = guess.as_deref().unwrap_or("N");
        let guess = if guess.is_some() { "if the file name is right, " } else { "" };
        Error::new(
            format!("{benchmark} does not state {missing}{similar}"),
            place,
            Remedy::from(format!("{guess}set "))
                .then((input, value))
                .then(", or ")
                .then((input, format!("FILE={value}")))
                .then(" for one file; ")
                .then(Input::LeaveOut)
                .then(" imports only the complete runs"),
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
                "low_us must not exceed time_us, and high_us must not be below it",
            ),
            NotASize(cell) => {
                (format!("`{cell}` is not a size"), "write a number of bytes, such as 4096 or 4KiB")
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
                "write twice the number of pairs, or leave the cell empty",
            ),
            RanksOfMessage { ranks, pairs: None } => (
                format!("p2p is between 2 ranks, not {ranks}"),
                "write 2, or give the number of concurrent pairs in column pairs",
            ),
            OneRank(op) => (
                format!("ranks is 1; {} needs 2 ranks or more", op.name()),
                "delete the row, or put # in front of it",
            ),
            NotASendMode(mode) => (
                format!("`{mode}` is not a send mode"),
                "write the MPI call without MPI_, such as send, isend or ssend",
            ),
            PairsOfCollective(op) => (
                format!("{} has no pairs", op.name()),
                "leave the cell empty; column ranks gives the number of ranks",
            ),
            ModeOfCollective { op, mode } => (
                format!("`{mode}` is not a mode of {}", op.name()),
                "leave the cell empty, or write nonblocking or gpus",
            ),
        };
        Error::new(message, place, help)
    }
}

/// Why a signature cannot be exported. The place names signature, tier and send mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// LogGOPSim: a parameter exceeds this maximum, in ns.
    ParameterTooLarge { place: String, most: i32 },
    /// SimGrid: a platform of 0 nodes.
    NoNodes,
    /// SimGrid: the predicted time of a message of this size is not finite.
    NoTime { place: String, bytes: u64 },
}

impl From<ExportError> for Error {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::ParameterTooLarge { place, most } => Error::new(
                format!("a parameter exceeds LogGOPSim's maximum of {most} ns"),
                place,
                "check the units of the signature's times",
            ),
            ExportError::NoNodes => Error::new(
                "a platform needs at least 1 node",
                Input::Nodes,
                "give the number of nodes, such as 2",
            ),
            ExportError::NoTime { place, bytes } => Error::new(
                format!("the predicted time of a message of {bytes} bytes is not a number"),
                place,
                "check the units of the signature's parameters",
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
    /// Conditions, but the signature holds all results.
    NothingIndependent {
        results: usize,
    },
}

impl From<ScoreError> for Error {
    fn from(error: ScoreError) -> Self {
        match error {
            ScoreError::NoTime => {
                Error::new("the closed form gives no time here", "", "use another algorithm")
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
                "write a condition such as allreduce.median>20%, p2p.maximum>50% or all.inside<85%",
            ),
            ScoreError::UnknownStatistic { name, known } => {
                Error::unknown("statistic", &name, Input::FailOn, known)
            }
            ScoreError::UnknownOperation { name, known } => {
                Error::unknown("operation", &name, Input::FailOn, known)
            }
            ScoreError::NoPoints { condition, predicted } => {
                let help = match predicted.as_slice() {
                    [] => "none of these results could be predicted".to_owned(),
                    predicted => format!("predicted operations: {}", predicted.join(", ")),
                };
                Error::new(format!("no results match `{condition}`"), Input::FailOn, help)
            }
            ScoreError::NothingIndependent { results } => Error::new(
                format!("all {results} results are measurements of the signature itself"),
                Input::FailOn,
                "give other results; without results, each measurement is predicted from the others",
            ),
        }
    }
}
