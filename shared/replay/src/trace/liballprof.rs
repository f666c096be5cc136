//! Traces of liballprof, which LogGOPSim's `schedgen` reads: a text file per rank, a line per call.
//!
//! ```text
//! # Init clockdiff: -12.5                            µs to add to have rank 0's clock
//! MPI_Init:-:140:141:1000                            name:begin:arguments:end, in µs
//! MPI_Comm_rank:1001:94,0,2:7:1002                   a communicator: handle,rank,size
//! MPI_Isend:1010:64:100:10,8,8:1:7:94,0,2:800:1012   buffer, count, datatype: name,size,extent,
//! MPI_Wait:1050:800:0:1060                             to, tag, communicator, request's address
//! MPI_Finalize:1100:-
//! ```
//!
//! A line holds the arguments of a call, not its results. Therefore:
//! - a receive from any source does not record the sender
//!   ([`Peer::AnySource`](loggia_trace::call::Peer::AnySource));
//! - a receive records the length of its buffer instead of the message's length;
//! - the result of a test is inferred from later calls; `MPI_Iprobe` counts as a failed test, since
//!   the later receive waits as well.
//!
//! Calls without communication count as computation.
//!
//! | file | content |
//! |---|---|
//! | `function`, `line` | parser of a line |
//! | `first_reading` | first pass: rank of the file, last call of each request |
//! | `ranks` | assignment of files to ranks |
//! | `handles`, `communicators` | members of communicators |
//! | `open_by_address` | requests that a call completes |
//! | `write` | second pass: the records |

mod communicators;
mod first_reading;
mod function;
mod handles;
mod line;
mod open_by_address;
mod ranks;
#[cfg(test)]
mod tests;
mod write;

use super::error::TraceError;
use super::text::{Lines, few};
use super::{File, Rank, Source, Trace};
use first_reading::FirstReading;
use loggia_trace::call::{ALONE, WORLD};
use std::collections::BTreeMap;
use write::{Context, RankRecords};

/// Whether a file with this beginning is a liballprof trace.
pub fn looks_like(begin: &[u8]) -> bool {
    let mut lines = Lines::new(begin).filter(|line| !line.bytes.trim_ascii().is_empty());
    if lines.next().is_some_and(|line| line.bytes.starts_with(b"# htor's PMPI Tracer")) {
        return true;
    }
    let first = Lines::new(begin).find(|line| !line.is_silent());
    first.is_some_and(|line| {
        let mut fields = line.bytes.split(|byte| *byte == b':');
        let is_name = |name: &[u8]| {
            let name = name.strip_prefix(line::BEGIN);
            name.is_some_and(|name| !name.is_empty() && name.iter().all(is_name_byte))
        };
        let is_time = |time: &[u8]| time == b"-" || super::text::nanoseconds(time).is_some();
        fields.next().is_some_and(is_name) && fields.next().is_some_and(is_time)
    })
}

fn is_name_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// Warnings about all files.
#[derive(Debug, Default)]
struct Notes {
    /// Calls that cannot be replayed, by name.
    others: BTreeMap<String, u64>,
    inferred: u64,
    guessed_requests: u64,
    /// Requests that no call completes.
    open: u64,
    /// Wildcard receives.
    wild: u64,
    iprobes: u64,
    /// Calls in communicators with unknown members.
    in_unknown: u64,
    /// Calls that begin before the end of the call before.
    backwards: u64,
}

/// Reads the files of all ranks of one run, in any order.
pub fn read(name: &str, files: Vec<File>) -> Result<Trace, TraceError> {
    if files.is_empty() {
        return Err(TraceError::Empty { trace: name.to_owned(), source: Some(Source::Liballprof) });
    }
    let first_readings =
        files.iter().map(first_reading::first_reading).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let (size, ranks) = ranks::ranks(name, &names, &first_readings)?;
    let mut all: Vec<(u32, File, FirstReading)> = Vec::with_capacity(files.len());
    for ((rank, file), first_reading) in ranks.into_iter().zip(files).zip(first_readings) {
        all.push((rank, file, first_reading));
    }
    all.sort_by_key(|(rank, ..)| *rank);
    let events =
        all.iter_mut().map(|(_, _, first_reading)| std::mem::take(&mut first_reading.events));
    let meanings = communicators::meanings(&events.collect::<Vec<_>>());

    let (mut notes, mut warnings, mut read) = (Notes::default(), Vec::new(), Vec::new());
    let is_clock_known = all.iter().all(|(_, _, first_reading)| first_reading.clock[0].is_some());
    for ((_, file, first_reading), meanings) in all.into_iter().zip(&meanings.of_ranks) {
        read.push(rank(file, first_reading, meanings, size, (&mut notes, &mut warnings))?);
    }
    if size > 1 && !is_clock_known {
        warnings.push(format!(
            "{name}: some files have no clock comparison (`# Init clockdiff:`): the clocks are \
             not corrected"
        ));
    }
    warnings.extend(notes.warnings(name, &meanings));
    let (name, source) = (name.to_owned(), Source::Liballprof);
    Ok(Trace { name, source, library: None, ranks: read, warnings })
}

/// Reads one file for the second time.
fn rank(
    file: File,
    first_reading: FirstReading,
    meanings: &[communicators::Meaning],
    ranks: u32,
    (notes, warnings): (&mut Notes, &mut Vec<String>),
) -> Result<Rank, TraceError> {
    let FirstReading { clock, span, is_mpich, requests, cut, .. } = first_reading;
    let requests = open_by_address::Requests::second(requests);
    let known = Context { requests, meanings, is_mpich, ranks };
    let RankRecords { records, start, is_whole } = write::write(&file, known, notes)?;
    if let Some(line) = cut {
        warnings.push(format!("{}:{line}: the file is cut off here", file.name));
    }
    if !is_whole {
        warnings.push(format!("{}: the program ended before MPI_Finalize", file.name));
    }
    let offset = clock[0].unwrap_or(0);
    let mut rank = Rank::of_records(file.name, records, start.saturating_add(offset));
    rank.drift = drift(clock, span);
    Ok(rank)
}

/// Drift of a clock against rank 0's, in ns per second, if plausible.
fn drift(clock: [Option<i64>; 2], span: Option<(i64, i64)>) -> f64 {
    const MAX: f64 = 1e6;
    let [Some(first), Some(last)] = clock else { return 0.0 };
    let Some((begin, end)) = span.filter(|(begin, end)| begin < end) else { return 0.0 };
    let drift = (last as f64 - first as f64) / (end as f64 - begin as f64) * 1e9;
    if drift.abs() <= MAX { drift } else { 0.0 }
}

impl Notes {
    fn warnings(&self, name: &str, meanings: &communicators::Meanings) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.others.is_empty() {
            let others = self.others.iter().map(|(other, count)| format!("MPI_{other} ({count})"));
            let others = few(others);
            warnings.push(format!("{name}: calls replayed only as time: {others}"));
        }
        let counts = [
            (self.wild, "receives from any source; the trace does not record the sender"),
            (
                self.inferred,
                "tests, and waits for one of many requests; their results are not recorded, but \
                 inferred from later calls",
            ),
            (
                self.iprobes,
                "calls of MPI_Iprobe; their results are not recorded, all count as failed",
            ),
            (
                self.guessed_requests,
                "waits and tests for requests that were copied in memory: assumed to be the oldest",
            ),
            (self.open, "requests that no call completes"),
            (
                meanings.guessed,
                "communicators without recorded members: those of the same size are assumed to \
                 divide the ranks evenly",
            ),
            (
                meanings.ambiguous,
                "handles that fit several communicators: assumed to be the oldest",
            ),
            (self.in_unknown, "calls in communicators with unknown members: not replayed"),
            (self.backwards, "calls that begin before the end of the call before"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        warnings.extend(counts.map(|(count, what)| format!("{name}: {count} × {what}")));
        warnings
    }
}
