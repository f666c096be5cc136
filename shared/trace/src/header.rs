//! The header of a trace file: run, rank, and clock.

use std::fmt;

/// First bytes of every file.
pub const MAGIC: [u8; 8] = *b"LoggiaTr";
/// The version that this crate writes, and the newest that it reads.
pub const VERSION: u32 = 1;
/// Length of a header; records follow it.
pub const LENGTH: usize = 512;
/// Maximum length in bytes of the names of machine and library.
const NAME: usize = 64;

/// A comparison of this rank's clock with that of rank 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// Time of the comparison on this rank's clock, in ns.
    pub at: u64,
    /// Difference to add to this rank's clock to get rank 0's, in ns.
    pub add: i64,
    /// Uncertainty of the difference, in ns.
    pub uncertain: u64,
}

/// The header of a rank's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The same number in all files of a run.
    pub run: u128,
    pub rank: u32,
    /// Number of ranks of the run.
    pub ranks: u32,
    /// Time on this rank's clock when `MPI_Init` returned, in ns; the first record's gap begins
    /// here.
    pub start: u64,
    /// Comparison after `MPI_Init`.
    pub first_offset: Offset,
    /// Comparison in `MPI_Finalize`; `None` if the program did not reach it.
    pub last_offset: Option<Offset>,
    /// Time to write a record, outside the recorded call, in ns; part of each gap.
    pub record_cost: u32,
    /// Number of threads that made calls.
    pub threads: u32,
    /// The running call and its start on this rank's clock, in ns. Shows where a program ended
    /// without `MPI_Finalize`.
    pub inside: Option<(String, u64)>,
    /// Host name of the machine.
    pub host: String,
    /// The MPI library.
    pub library: String,
}

/// Byte offsets of the fields that change during a run; they are written one by one.
pub mod place {
    /// Start of the first gap.
    pub const START: usize = 40;
    /// Start of the running call.
    pub const INSIDE_SINCE: usize = 128;
    /// Name of the running call, padded with zeros; begins with 0 if there is none.
    pub const INSIDE: usize = 136;
    /// Maximum length of a call's name.
    pub const INSIDE_LENGTH: usize = 32;
    /// The last offset; its `at` is 0 if there is none.
    pub const LAST_OFFSET: usize = 80;
    /// Number of threads with calls.
    pub const THREADS: usize = 108;
    /// Cost of a record.
    pub const RECORD_COST: usize = 104;
}

/// Why a header cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The file does not begin with [`MAGIC`].
    NotATrace,
    /// The file ends inside the header.
    Cut,
    /// A newer version wrote the file.
    Newer(u32),
    /// The rank is not smaller than the number of ranks.
    Ranks,
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NotATrace => write!(out, "not a Loggia trace"),
            Flaw::Cut => write!(out, "the file ends inside its header"),
            Flaw::Newer(version) => write!(
                out,
                "a newer Loggia wrote this trace (version {version}; this Loggia reads up to {VERSION})"
            ),
            Flaw::Ranks => write!(out, "the header's rank is outside the run's ranks"),
        }
    }
}

impl Offset {
    /// Encodes it in little-endian order.
    pub fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.at.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.add.to_le_bytes());
        bytes[16..].copy_from_slice(&self.uncertain.to_le_bytes());
        bytes
    }
}

impl Header {
    /// Encodes it in little-endian order.
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        put(0, &MAGIC);
        put(8, &VERSION.to_le_bytes());
        put(12, &(LENGTH as u32).to_le_bytes());
        put(16, &self.run.to_le_bytes());
        put(32, &self.rank.to_le_bytes());
        put(36, &self.ranks.to_le_bytes());
        put(place::START, &self.start.to_le_bytes());
        put(56, &self.first_offset.to_bytes());
        put(place::LAST_OFFSET, &self.last_offset.unwrap_or_default().to_bytes());
        put(place::RECORD_COST, &self.record_cost.to_le_bytes());
        put(place::THREADS, &self.threads.to_le_bytes());
        if let Some((call, since)) = &self.inside {
            put(place::INSIDE_SINCE, &since.to_le_bytes());
            put(place::INSIDE, name(call, place::INSIDE_LENGTH).as_bytes());
        }
        put(192, name(&self.host, NAME).as_bytes());
        put(192 + NAME, name(&self.library, NAME).as_bytes());
        bytes
    }

    /// Reads the header of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, Flaw> {
        let known = bytes.len().min(MAGIC.len());
        if bytes[..known] != MAGIC[..known] || bytes.is_empty() {
            return Err(Flaw::NotATrace);
        }
        let word = |at: usize| {
            let word = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            word.map(u32::from_le_bytes).ok_or(Flaw::Cut)
        };
        let version = word(8)?;
        if version > VERSION {
            return Err(Flaw::Newer(version));
        }
        if bytes.len() < LENGTH {
            return Err(Flaw::Cut);
        }
        let long = |at: usize| {
            let mut long = [0; 8];
            long.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(long)
        };
        let offset =
            |at: usize| Offset { at: long(at), add: long(at + 8) as i64, uncertain: long(at + 16) };
        let text = |at: usize, max: usize| {
            let name = &bytes[at..at + max];
            let end = name.iter().position(|byte| *byte == 0).unwrap_or(max);
            String::from_utf8_lossy(&name[..end]).into_owned()
        };
        let inside = text(place::INSIDE, place::INSIDE_LENGTH);
        let last = offset(place::LAST_OFFSET);
        let header = Header {
            run: u128::from(long(16)) | u128::from(long(24)) << 64,
            rank: word(32)?,
            ranks: word(36)?,
            start: long(place::START),
            first_offset: offset(56),
            last_offset: (last.at > 0).then_some(last),
            record_cost: word(place::RECORD_COST)?,
            threads: word(place::THREADS)?,
            inside: (!inside.is_empty()).then(|| (inside, long(place::INSIDE_SINCE))),
            host: text(192, NAME),
            library: text(192 + NAME, NAME),
        };
        if header.rank >= header.ranks {
            return Err(Flaw::Ranks);
        }
        Ok(header)
    }

    /// Converts a time of this rank's clock to rank 0's clock, in ns. Between the two comparisons,
    /// the offset is interpolated linearly.
    pub fn on_clock_of_rank_0(&self, time: u64) -> i64 {
        let Offset { at, add, .. } = self.first_offset;
        let drift = self.last_offset.filter(|last| last.at > at).map_or(0.0, |last| {
            let part = (time as f64 - at as f64) / (last.at - at) as f64;
            part * last.add.saturating_sub(add) as f64
        });
        (time as i64).saturating_add(add).saturating_add(drift.round() as i64)
    }
}

/// A name, cut to the maximum length.
fn name(name: &str, max: usize) -> &str {
    let mut end = name.len().min(max);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn header() -> Header {
        Header {
            run: 7 << 70 | 3,
            rank: 2,
            ranks: 5,
            start: 1_000,
            first_offset: Offset { at: 1_000, add: -40, uncertain: 3 },
            last_offset: Some(Offset { at: 3_000, add: -20, uncertain: 4 }),
            record_cost: 55,
            threads: 1,
            inside: Some(("MPI_Recv".to_owned(), 2_500)),
            host: "knoten-7".to_owned(),
            library: "Open MPI v4.1.4".to_owned(),
        }
    }

    #[test]
    fn headers_survive_a_round_trip() {
        let header = header();
        assert_eq!(Header::read(&header.to_bytes()).unwrap(), header);
        assert_eq!(header.on_clock_of_rank_0(2_000), 1_970);
        let long = Header { host: "ä".repeat(40), ..header };
        assert_eq!(Header::read(&long.to_bytes()).unwrap().host, "ä".repeat(32));
    }

    #[test]
    fn invalid_headers_are_rejected() {
        let good = header().to_bytes();
        assert_eq!(Header::read(b"num_ranks 2"), Err(Flaw::NotATrace));
        assert_eq!(Header::read(b""), Err(Flaw::NotATrace));
        assert_eq!(Header::read(&good[..300]), Err(Flaw::Cut));
        let mut newer = good;
        newer[8] = 9;
        assert_eq!(Header::read(&newer), Err(Flaw::Newer(9)));
        let mut wrong = good;
        wrong[32] = 5;
        assert_eq!(Header::read(&wrong), Err(Flaw::Ranks));
    }
}
