//! Traced runs of MPI programs: what every rank called, and when.
//!
//! | file | question |
//! |---|---|
//! | [`loggia`] | how are the files read that `loggia trace` has written |
//! | [`liballprof`] | how are those of liballprof read, and what do they leave unsaid |
//! | [`simgrid`] | how are SimGrid's time-independent traces read |
//! | [`error`] | what is wrong with a trace |
//! | `text` | what do the lines of a text hold, and where |
//!
//! Whoever has written a trace, what is read becomes the same: for each rank the records of
//! [`loggia_trace`], one after the other in memory.

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
    /// SimGrid: time-independent traces, which say how much was computed, and not how long
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
    /// The call that it was in when its program ended early.
    pub inside: Option<String>,
    /// The machine it ran on, if that is known.
    pub host: Option<String>,
}

impl Rank {
    /// Records that a reader has written into memory, on a clock that all ranks share.
    pub fn of_records(name: String, records: Vec<u8>, start: i64) -> Self {
        let (count, end) = Records::new(&records).look_through(0, |_| ());
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

    /// Its calls with times since `first`, on the common clock.
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

/// A call and when it was, in nanoseconds; in damaged files no later than these can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed<'a> {
    /// Since when its rank computed: when the call before was done.
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
pub enum Opened {
    /// The calls of ranks.
    Calls(Trace),
    /// A schedule without calls: GOAL.
    Schedule(Box<Program>),
}

/// Default floating-point operations per µs: 1 GFLOP/s.
pub const SPEED: f64 = 1000.0;

/// Reads a trace, by whomever it was written: that is seen by its content. `speed` is in floating
/// point operations a µs, for traces that count them.
pub fn open(name: &str, files: Vec<File>, speed: f64) -> Result<Opened, Error> {
    let mut files = loggia_files::unpacked(files)?;
    if files.iter().any(|file| is_loggia(file.head())) {
        // Other files, such as the index, are for people.
        files.retain(|file| is_loggia(file.head()) || loggia::is_rank_file(&file.name));
        return Ok(Opened::Calls(loggia::read(name, files)?));
    }
    let Some(first) = files.first() else {
        return Err(TraceError::Empty { trace: name.to_owned(), source: None }.into());
    };
    let begin = first.head();
    if let [file] = &files[..]
        && goal::is_goal(begin)
    {
        let program = Program::from_goal(&file.name, &file.bytes)?;
        return Ok(Opened::Schedule(Box::new(program)));
    }
    if liballprof::looks_like(begin) {
        return Ok(Opened::Calls(liballprof::read(name, files)?));
    }
    if files.iter().any(|file| simgrid::looks_like(file.head())) {
        return Ok(Opened::Calls(simgrid::read(name, files, speed)?));
    }
    Err(TraceError::UnknownFormat { file: first.name.clone() }.into())
}

/// Whether a file that begins so is one of a trace, by whomever it was written.
pub fn is_known(begin: &[u8]) -> bool {
    is_loggia(begin) || liballprof::looks_like(begin) || simgrid::looks_like(begin)
}

/// Whether a file that begins so may be a trace, or one of its files: no signature, link or schedule
/// does. [`open`] looks more closely.
pub fn may_be_trace(begin: &[u8]) -> bool {
    let first = begin.trim_ascii_start();
    is_loggia(begin)
        || loggia_files::is_archive(begin)
        || first.starts_with(b"MPI_")
        || first.starts_with(b"# ")
        || first.first().is_some_and(u8::is_ascii_digit)
}
