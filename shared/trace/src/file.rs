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

    /// Why the next record cannot be read; `None` at the end.
    pub fn flaw(&self) -> Option<Flaw> {
        self.flaw
    }

    /// Reads all records; returns their number and how they end. `first` is the file offset of the
    /// first record.
    pub fn read_all(mut self, first: usize, mut each: impl FnMut(&Record<'a>)) -> (u64, End) {
        let (mut count, mut is_finalized) = (0, false);
        for record in &mut self {
            count += 1;
            is_finalized = record.call == Call::Finalize;
            each(&record);
        }
        let end = match self.flaw {
            Some(flaw) => End::Broken(first + self.at, flaw),
            None if is_finalized => End::Whole,
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
    /// Without `MPI_Finalize`: the program ended early, or the file's end belongs to another file.
    /// All records before are intact.
    Early,
    /// The record at this offset is damaged or cut off; all records before it are intact.
    Broken(usize, Flaw),
}

impl<'a> File<'a> {
    /// Reads the header of a file.
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

    /// Reads all records; returns their number and how the file ends.
    pub fn read_all(&self, each: impl FnMut(&Record<'a>)) -> (u64, End) {
        self.records().read_all(header::LENGTH, each)
    }
}
