//! Mistakes in traces and their lines.

use super::Source;
use super::text::{Line, few, show};
use loggia_model::Error;
use loggia_model::error::Place;
use loggia_trace::header::Flaw;
use std::fmt;

/// Why a trace cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceError {
    /// The trace has no rank; `source` is `None` if there is no file.
    Empty {
        trace: String,
        source: Option<Source>,
    },
    /// The format of no known tool.
    UnknownFormat {
        file: String,
    },
    /// Not a speed in floating-point operations per µs.
    Speed {
        trace: String,
        speed: f64,
    },
    /// The header of a rank file of `loggia trace` is invalid.
    InvalidHeader {
        file: String,
        is_rank_file: bool,
        flaw: Flaw,
    },
    /// Files of two runs.
    AnotherRun {
        file: String,
        first: String,
    },
    /// Two files of one rank.
    RepeatedRank {
        rank: u32,
        file: String,
        first: String,
        source: Source,
    },
    MissingRanks {
        trace: String,
        missing: MissingRanks,
        source: Source,
    },
    /// Neither the calls nor the name of a file determine its rank.
    UnknownRank {
        file: String,
    },
    /// The first communicators of two files differ in size.
    WorldSizes {
        file: String,
        line: u64,
        size: u32,
        other: String,
        other_size: u32,
    },
    Line {
        file: String,
        error: LineError,
    },
}

/// The ranks without a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRanks {
    pub count: u64,
    /// The first of them.
    pub first: Vec<u32>,
    /// Number of ranks of the run.
    pub of: u64,
}

impl MissingRanks {
    /// The missing ranks of `of` ranks, of which `found` are present.
    pub(super) fn among(of: u64, found: usize, is_present: impl Fn(u32) -> bool) -> Option<Self> {
        let count = of.checked_sub(found as u64).filter(|count| *count > 0)?;
        let absent =
            (0..).take_while(|rank| u64::from(*rank) < of).filter(|rank| !is_present(*rank));
        // One more than the error lists, so that it can add "and more".
        Some(MissingRanks { count, first: absent.take(9).collect(), of })
    }
}

/// A mistake in a line, and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct LineError {
    pub mistake: LineMistake,
    /// The tool that should have written the line.
    pub source: Source,
    /// From 1.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
}

/// A mistake in a line.
#[derive(Clone, Debug, PartialEq)]
pub enum LineMistake {
    /// The line ends too early.
    Ends {
        expected: &'static str,
    },
    Unexpected {
        found: String,
        expected: &'static str,
    },
    /// A number below zero.
    Negative {
        found: f64,
        expected: &'static str,
    },
    /// Text after the end of a call.
    TooLong {
        found: String,
    },
    /// Liballprof: a line that does not begin with the name of a function.
    NotACall {
        found: String,
    },
    /// SimGrid: a line that does not begin with a rank.
    NotARank {
        found: String,
    },
    /// SimGrid: an unknown name of an action.
    UnknownAction {
        word: String,
        known: Vec<&'static str>,
    },
    /// SimGrid: an unknown number of a datatype.
    UnknownDatatype(i64),
    /// SimGrid: a rank outside the run.
    RankOutside {
        rank: i64,
        ranks: u32,
    },
    /// SimGrid: a root outside the run.
    RootOutside {
        root: i64,
        ranks: u32,
    },
    /// Liballprof: a peer outside its communicator.
    PeerOutside {
        peer: i64,
        size: u32,
    },
    /// Liballprof: a root outside its communicator.
    RootOutsideComm {
        root: u32,
        size: u32,
    },
    NegativeTag(i64),
    /// A list of a collective operation whose length is not the number of ranks.
    ListLength {
        numbers: usize,
        size: u32,
    },
    /// The number of bytes exceeds the range.
    TooManyBytes,
    /// The time exceeds the range.
    TooMuchTime,
    /// SimGrid: a rank that also has lines in another file.
    InAnotherFile {
        rank: u32,
        file: String,
    },
    /// SimGrid: a file of the list is not given, or listed twice.
    NotListedOnce {
        path: String,
    },
}

impl Line<'_> {
    /// A mistake at a byte of the line.
    #[cold]
    pub(super) fn error(&self, source: Source, at: usize, mistake: LineMistake) -> LineError {
        let before = String::from_utf8_lossy(&self.bytes[..at.min(self.bytes.len())]);
        let column = before.chars().count() as u64 + 1;
        LineError { mistake, source, line: self.number as u64, column }
    }
}

impl LineMistake {
    pub(super) fn unexpected(found: &[u8], expected: &'static str) -> Self {
        LineMistake::Unexpected { found: show(found), expected }
    }

    fn help(&self, source: Source) -> &'static str {
        use LineMistake::*;
        match self {
            NotACall { .. } => "a liballprof trace has lines like `MPI_Barrier:100:0,0,4:101`",
            NotARank { .. } => {
                "a line is like `0 send 1 7 1000`: the rank, its action, and the arguments"
            }
            UnknownDatatype(_) => "known are SimGrid's predefined types from 0 (MPI_DOUBLE) to 39",
            RankOutside { .. } | RootOutside { .. } => "give the files of all ranks",
            PeerOutside { .. } => {
                "the line is damaged, or it is in an inter-communicator, which Loggia cannot \
                 replay"
            }
            TooManyBytes => "check the number of bytes",
            TooMuchTime => "check the speed and the amounts of computation",
            InAnotherFile { .. } => "give the files of one run, each once",
            NotListedOnce { .. } => {
                "give the list together with all traces that it names, each once"
            }
            _ if source == Source::SimGrid => {
                "see SimGrid's documentation of time-independent traces"
            }
            _ => "the line is damaged, or not written by liballprof: trace again",
        }
    }
}

impl fmt::Display for LineMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use LineMistake::*;
        let unexpected = |f: &mut fmt::Formatter<'_>, found: &str, expected: &str| match found {
            "" => write!(f, "nothing here, expected {expected}"),
            found => write!(f, "found `{found}`, expected {expected}"),
        };
        match self {
            Ends { expected } => write!(f, "the line ends here, expected {expected}"),
            Unexpected { found, expected } => unexpected(f, found, expected),
            Negative { found, expected } => write!(f, "found {found}, expected {expected}"),
            TooLong { found } => write!(f, "found `{found}` after the end of the call"),
            NotACall { found } => unexpected(f, found, "the name of an MPI function"),
            NotARank { found } => unexpected(f, found, "a rank"),
            UnknownAction { word, .. } => write!(f, "unknown action `{word}`"),
            UnknownDatatype(number) => write!(f, "unknown datatype {number}"),
            RankOutside { rank, ranks } => {
                write!(f, "found rank {rank}, but there are {ranks} ranks")
            }
            RootOutside { root, ranks } => {
                write!(f, "found root {root}, but there are {ranks} ranks")
            }
            PeerOutside { peer, size } => {
                write!(f, "found rank {peer} of a communicator of {size}")
            }
            RootOutsideComm { root, size } => {
                write!(f, "the root is rank {root} of a communicator of {size}")
            }
            NegativeTag(tag) => write!(f, "found tag {tag}, expected a tag of at least 0"),
            ListLength { numbers, size } => write!(f, "{numbers} numbers for {size} ranks"),
            TooManyBytes => f.write_str("the number of bytes exceeds Loggia's maximum"),
            TooMuchTime => f.write_str("this is longer than 200 years"),
            InAnotherFile { rank, file } => write!(f, "rank {rank} is also in {file}"),
            NotListedOnce { path } => {
                write!(f, "the list names `{path}`, but this file is missing or listed twice")
            }
        }
    }
}

impl LineError {
    pub(super) fn in_file(self, file: &str) -> TraceError {
        TraceError::Line { file: file.to_owned(), error: self }
    }
}

impl From<LineError> for Error {
    fn from(LineError { mistake, source, line, column }: LineError) -> Self {
        let place = Place::at(line, column);
        match mistake {
            LineMistake::UnknownAction { word, known } => {
                Error::unknown("action", &word, place, known)
            }
            mistake => Error::new(mistake.to_string(), place, mistake.help(source)),
        }
    }
}

const FORMATS: &str = "name a folder that `loggia trace` wrote, its rank files, a trace of \
    liballprof or SimGrid, or a GOAL file";
const RANK_FILES: &str = "name the folder that `loggia trace` wrote, or all rank files of one run";
const ONE_RUN: &str = "keep the files of one run, without other files, in their own folder";

impl From<TraceError> for Error {
    fn from(error: TraceError) -> Self {
        use TraceError::*;
        match error {
            Empty { trace, source } => {
                let (message, help) = match source {
                    None => ("there is no file", FORMATS),
                    Some(Source::Loggia) => ("there is no rank file here", RANK_FILES),
                    Some(Source::Liballprof) => ("there is no file", "give the files of all ranks"),
                    Some(Source::SimGrid) => {
                        ("no line begins with a rank", "a trace has lines like `0 send 1 7 1000`")
                    }
                };
                Error::new(message, trace, help)
            }
            UnknownFormat { file } => Error::new("unknown trace format", file, FORMATS),
            Speed { trace, speed } => Error::new(
                format!("found a speed of {speed}, expected a speed above 0"),
                trace,
                "give the floating-point operations per microsecond of a rank",
            ),
            InvalidHeader { file, is_rank_file, flaw } => {
                let help = match flaw {
                    Flaw::Newer(_) => "install a newer Loggia",
                    Flaw::NotATrace if !is_rank_file => RANK_FILES,
                    Flaw::NotATrace | Flaw::Cut | Flaw::Ranks => {
                        "the file is damaged: copy it again, or trace again"
                    }
                };
                Error::new(flaw.to_string(), file, help)
            }
            AnotherRun { file, first } => Error::new(
                format!("this file belongs to another run than {first}"),
                file,
                "keep the traces of each run in their own folder",
            ),
            RepeatedRank { rank, file, first, source } => {
                let help =
                    if source == Source::Loggia { "keep one of both files" } else { ONE_RUN };
                Error::new(format!("this is also rank {rank}, like {first}"), file, help)
            }
            MissingRanks { trace, missing, source } => {
                let self::MissingRanks { count, first, of } = missing;
                let file = |rank: &u32| match source {
                    Source::Loggia => format!("rank-{rank}.trace"),
                    Source::Liballprof | Source::SimGrid => rank.to_string(),
                };
                let help = match source {
                    Source::Loggia => "copy the files of all ranks into one folder",
                    Source::Liballprof => "give the files of all ranks",
                    Source::SimGrid => "give the traces of all ranks",
                };
                let first = few(first.iter().map(file));
                Error::new(format!("{count} of {of} ranks are missing: {first}"), trace, help)
            }
            UnknownRank { file } => Error::new(
                "the rank is unknown: neither the file's calls nor its name contain it",
                file,
                "name each file after its rank: trace-0.txt, trace-1.txt, …",
            ),
            WorldSizes { file, line, size, other, other_size } => {
                let message = format!(
                    "the first communicator here has {size} ranks, that in {other} has {other_size}"
                );
                Error::new(message, Place::line(line), ONE_RUN).in_file(&file)
            }
            Line { file, error } => Error::from(error).in_file(&file),
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Error::from(self.clone()).fmt(f)
    }
}
