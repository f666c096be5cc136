//! Files of `loggia trace`: one per rank, and the index of the folder.

use super::error::{MissingRanks, TraceError};
use super::{File, Rank, Source, Trace};
use loggia_trace::file::{self, End};
use loggia_trace::header::Header;
use loggia_trace::record;
use serde::{Deserialize, Serialize};

/// The name of the index in a folder of a trace.
pub const INDEX: &str = "trace.json";

/// The index of a trace folder, for information only: a replay needs only the rank files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Version of this format.
    pub loggia_trace: u32,
    /// The traced command.
    pub command: Vec<String>,
    /// Start of the command, in UTC.
    pub started: String,
    /// Duration of the whole command with its launcher, in seconds; `None` while it runs.
    pub seconds: Option<f64>,
    /// Exit code; `None` while it runs, or if a signal ended it.
    pub exit_code: Option<i32>,
    /// Number of ranks with a file.
    pub ranks: u32,
    /// Number of recorded calls.
    pub records: u64,
}

impl Index {
    /// The version that is written.
    pub const VERSION: u32 = 1;
}

/// In ns.
const SECOND: i64 = 1_000_000_000;

/// Whether a path has the name of a rank's file.
pub fn is_rank_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.starts_with("rank-") && name.ends_with(".trace")
}

/// Reads the rank files of one run, in any order.
pub fn read(name: &str, files: Vec<File>) -> Result<Trace, TraceError> {
    let mut warnings = Vec::new();
    let mut read: Vec<(Header, Rank)> = Vec::with_capacity(files.len());
    for file in files {
        read.push(rank(file, &mut warnings)?);
    }
    read.sort_by_key(|(header, _)| header.rank);
    let Some((first, of_first)) = read.first() else {
        return Err(TraceError::Empty { trace: name.to_owned(), source: Some(Source::Loggia) });
    };
    let (run, ranks) = (first.run, first.ranks);
    for (header, rank) in &read {
        if header.run != run || header.ranks != ranks {
            let (file, first) = (rank.name.clone(), of_first.name.clone());
            return Err(TraceError::AnotherRun { file, first });
        }
    }
    for pair in read.windows(2) {
        let [(header, first), (next, file)] = pair else { continue };
        if header.rank == next.rank {
            let (file, first) = (file.name.clone(), first.name.clone());
            let (rank, source) = (header.rank, Source::Loggia);
            return Err(TraceError::RepeatedRank { rank, file, first, source });
        }
    }
    let library = read.first().map(|(header, _)| header.library.clone());
    // All files are distinct ranks of the run.
    let is_present = |rank| read.binary_search_by_key(&rank, |(header, _)| header.rank).is_ok();
    if let Some(missing) = MissingRanks::among(u64::from(ranks), read.len(), is_present) {
        let (trace, source) = (name.to_owned(), Source::Loggia);
        return Err(TraceError::MissingRanks { trace, missing, source });
    }
    let ranks = read.into_iter().map(|(_, rank)| rank).collect();
    let (name, source) = (name.to_owned(), Source::Loggia);
    Ok(Trace { name, source, library, ranks, warnings })
}

fn rank(file: File, warnings: &mut Vec<String>) -> Result<(Header, Rank), TraceError> {
    let File { name, bytes } = file;
    let invalid = |flaw| {
        let is_rank_file = is_rank_file(&name);
        TraceError::InvalidHeader { file: name.clone(), is_rank_file, flaw }
    };
    let read = file::File::read(&bytes).map_err(invalid)?;
    let header = read.header.clone();
    let (records, end) = read.read_all(|_| ());
    let inside = header.inside.as_ref().map(|(call, _)| call.clone());
    match end {
        End::Whole => {}
        End::Early => warnings.push(match &inside {
            Some(call) => format!("{name}: the program ended in {call}, before MPI_Finalize"),
            None => format!("{name}: the program ended before MPI_Finalize"),
        }),
        End::Broken(at, flaw) => warnings.push(format!(
            "{name}: byte {at}: {}; the {records} calls before it are used",
            match flaw {
                record::Flaw::Cut => "the file is cut off here",
                record::Flaw::Kind(_) | record::Flaw::Value => "damaged from here on",
            }
        )),
    }
    if header.threads > 1 {
        warnings.push(format!(
            "{name}: {} threads made calls; they are replayed as one thread, in the order of their calls",
            header.threads
        ));
    }
    let start = header.on_clock_of_rank_0(header.start);
    let later = header.on_clock_of_rank_0(header.start.saturating_add(SECOND as u64));
    let rank = Rank {
        start,
        drift: later.saturating_sub(start).saturating_sub(SECOND) as f64,
        record_cost: u64::from(header.record_cost),
        end,
        records,
        inside: inside.filter(|_| end != End::Whole),
        host: Some(header.host.clone()).filter(|host| !host.is_empty()),
        skip: loggia_trace::header::LENGTH,
        name,
        bytes,
    };
    Ok((header, rank))
}
