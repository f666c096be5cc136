//! Traced runs of MPI programs: the calls of every rank with their times.
//!
//! | file | content |
//! |---|---|
//! | [`loggia`] | reader of traces of `loggia trace` |
//! | [`liballprof`] | reader of liballprof's traces, and inference of what they leave out |
//! | [`simgrid`] | reader of SimGrid's time-independent traces |
//! | [`error`] | mistakes in traces |
//! | `text` | lines and numbers of text files |
//!
//! Every reader produces the same result: for each rank, the records of [`loggia_trace`] in memory.

pub mod error;
pub mod liballprof;
pub mod loggia;
pub mod simgrid;
#[cfg(test)]
pub(crate) mod testing;
mod text;

use error::TraceError;
use loggia_files::{Bytes, File};
use loggia_model::Error;
use loggia_schedule::goal;
use loggia_simulate::program::Program;
use loggia_trace::file::{End, Records};
use loggia_trace::header;
use loggia_trace::record::Record;

/// A traced run.
#[derive(Clone, Debug)]
pub struct Trace {
    pub name: String,
    /// The tool that wrote it.
    pub source: Source,
    /// Name of the run's MPI library, if known.
    pub library: Option<String>,
    pub ranks: Vec<Rank>,
    /// Warnings of the reader.
    pub warnings: Vec<String>,
}

/// The tool that wrote a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `loggia trace`
    Loggia,
    /// liballprof, whose traces LogGOPSim's `schedgen` reads
    Liballprof,
    /// SimGrid: time-independent traces, with amounts of computation instead of times
    SimGrid,
}

impl Source {
    /// Whether such a trace holds the times of calls.
    pub fn is_timed(self) -> bool {
        self != Source::SimGrid
    }
}

impl Trace {
    /// Start of the first rank, on the common clock.
    pub fn start(&self) -> i64 {
        self.ranks.iter().map(|rank| rank.start).min().unwrap_or(0)
    }
}

/// One rank of a run.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Name of the rank's file.
    pub name: String,
    bytes: Bytes,
    /// Offset of the first record.
    skip: usize,
    /// Start of the first gap, in ns of the common clock.
    pub start: i64,
    /// Drift: ns by which the common clock runs ahead per second of this rank's clock.
    pub drift: f64,
    /// Cost of recording in each gap, in ns.
    pub record_cost: u64,
    /// The end of its records.
    pub end: End,
    /// Number of records.
    pub records: u64,
    /// The running call when the program ended early.
    pub inside: Option<String>,
    /// Host name of the rank's machine, if known.
    pub host: Option<String>,
}

impl Rank {
    /// A rank from records in memory, on the common clock.
    pub fn of_records(name: String, records: Vec<u8>, start: i64) -> Self {
        let (count, end) = Records::new(&records).read_all(0, |_| ());
        Rank {
            name,
            bytes: Bytes::new(records),
            skip: 0,
            start,
            drift: 0.0,
            record_cost: 0,
            end,
            records: count,
            inside: None,
            host: None,
        }
    }

    pub fn records(&self) -> Records<'_> {
        Records::new(&self.bytes[self.skip..])
    }

    /// The rank's calls with times since `first`, on the common clock.
    pub fn timed(&self, first: i64) -> impl Iterator<Item = Timed<'_>> {
        let mut now = self.start.saturating_sub(first).max(0) as u64;
        self.records().map(move |record| {
            let computes = now;
            let called = computes.saturating_add(record.gap);
            now = called.saturating_add(record.duration);
            Timed { computes, called, done: now, record }
        })
    }

    /// Length of its records, in bytes.
    pub fn length(&self) -> u64 {
        (self.bytes.len() - self.skip) as u64
    }
}

/// A call with its times in ns; in damaged files, times saturate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed<'a> {
    /// Start of the computation before the call: the end of the call before.
    pub computes: u64,
    /// Start of the call.
    pub called: u64,
    /// End of the call.
    pub done: u64,
    pub record: Record<'a>,
}

/// Whether a file begins like a rank's file of `loggia trace`.
pub fn is_loggia(begin: &[u8]) -> bool {
    begin.starts_with(&header::MAGIC)
}

/// The content of a file or folder.
#[derive(Clone, Debug)]
pub enum OpenedTrace {
    /// The calls of ranks.
    Calls(Trace),
    /// A schedule without calls: GOAL.
    Schedule(Box<Program>),
}

/// Default floating-point operations per µs: 1 GFLOP/s.
pub const SPEED: f64 = 1000.0;

/// Reads a trace; its format is detected from its content. `speed` is in floating-point operations
/// per µs, for traces that count them.
pub fn open(name: &str, files: Vec<File>, speed: f64) -> Result<OpenedTrace, Error> {
    let mut files = loggia_files::unpacked(files)?;
    if files.iter().any(|file| is_loggia(file.head())) {
        // Other files of the folder, such as the index, are ignored.
        files.retain(|file| is_loggia(file.head()) || loggia::is_rank_file(&file.name));
        return Ok(OpenedTrace::Calls(loggia::read(name, files)?));
    }
    let Some(first) = files.first() else {
        return Err(TraceError::Empty { trace: name.to_owned(), source: None }.into());
    };
    let begin = first.head();
    if let [file] = &files[..]
        && goal::is_goal(begin)
    {
        let program = Program::from_goal(&file.name, &file.bytes)?;
        return Ok(OpenedTrace::Schedule(Box::new(program)));
    }
    if liballprof::looks_like(begin) {
        return Ok(OpenedTrace::Calls(liballprof::read(name, files)?));
    }
    if files.iter().any(|file| simgrid::looks_like(file.head())) {
        return Ok(OpenedTrace::Calls(simgrid::read(name, files, speed)?));
    }
    Err(TraceError::UnknownFormat { file: first.name.clone() }.into())
}

/// Whether a file with this beginning belongs to a trace of any supported tool.
pub fn is_known(begin: &[u8]) -> bool {
    is_loggia(begin) || liballprof::looks_like(begin) || simgrid::looks_like(begin)
}

/// Whether a file with this beginning may belong to a trace; false for signatures, links and
/// schedules. [`open`] checks more closely.
pub fn may_be_trace(begin: &[u8]) -> bool {
    let first = begin.trim_ascii_start();
    is_loggia(begin)
        || loggia_files::is_archive(begin)
        || first.starts_with(b"MPI_")
        || first.starts_with(b"# ")
        || first.first().is_some_and(u8::is_ascii_digit)
}
