//! One rank's file: its header and its records.

use crate::call::Call;
use crate::header::{self, Header};
use crate::record::{self, Flaw, Record};

/// A rank's calls, one after the other.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    flaw: Option<Flaw>,
}

impl<'a> Records<'a> {
    /// The records in these bytes, which begin with the first one.
    pub fn new(bytes: &'a [u8]) -> Self {
        Records { bytes, at: 0, flaw: None }
    }

    /// Offset of the next record.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Why there is no next one, if it is not the end.
    pub fn flaw(&self) -> Option<Flaw> {
        self.flaw
    }

    /// Reads all of them, and says how many there are and how they end, as places in a file in which
    /// they begin at this byte.
    pub fn look_through(mut self, first: usize, mut each: impl FnMut(&Record<'a>)) -> (u64, End) {
        let (mut count, mut whole) = (0, false);
        for record in &mut self {
            count += 1;
            whole = record.call == Call::Finalize;
            each(&record);
        }
        let end = match self.flaw {
            Some(flaw) => End::Broken(first + self.at, flaw),
            None if whole => End::Whole,
            None => End::Early,
        };
        (count, end)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    #[inline]
    fn next(&mut self) -> Option<Record<'a>> {
        match record::read(self.bytes, &mut self.at) {
            Ok(record) => record,
            Err(flaw) => {
                self.flaw = Some(flaw);
                None
            }
        }
    }
}

/// A rank's file.
#[derive(Clone, Debug)]
pub struct File<'a> {
    pub header: Header,
    records: &'a [u8],
}

/// The end of a rank's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Complete, with `MPI_Finalize`.
    Whole,
    /// The program ended before it, or another file was taken for this one's end: what was called
    /// until then is there.
    Early,
    /// A record at this offset is damaged or cut off; those before it are intact.
    Broken(usize, Flaw),
}

impl<'a> File<'a> {
    /// Reads the head of a file.
    pub fn read(bytes: &'a [u8]) -> Result<Self, header::Flaw> {
        let header = Header::read(bytes)?;
        Ok(File { header, records: &bytes[header::LENGTH..] })
    }

    /// The file's calls.
    pub fn records(&self) -> Records<'a> {
        Records::new(self.records)
    }

    /// The bytes of its records.
    pub fn bytes(&self) -> &'a [u8] {
        self.records
    }

    /// Reads all calls, and says how many there are and how the file ends.
    pub fn look_through(&self, each: impl FnMut(&Record<'a>)) -> (u64, End) {
        self.records().look_through(header::LENGTH, each)
    }
}
