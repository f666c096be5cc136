//! The file of a rank, mapped into memory in pieces, so that all records are in the file even if the
//! program is killed.

use loggia_trace::header::{self, Header, place};
use memmap2::{MmapMut, MmapOptions};
use std::fs::{File, OpenOptions};
use std::io;
use std::mem;
use std::os::fd::AsRawFd;
use std::path::Path;

/// Size of a mapped piece of the file.
const PIECE: usize = 1 << 20;
/// Alignment of a mapping: no machine has larger pages for files.
const PAGE: u64 = 1 << 16;

/// The name of the running call, in the head of the file.
pub(crate) type Name = [u8; place::INSIDE_LENGTH];

/// `MPI_` and the name, padded with zeros.
pub(crate) const fn padded(name: &str) -> Name {
    let (prefix, name) = (b"MPI_", name.as_bytes());
    let mut padded = [0; place::INSIDE_LENGTH];
    let mut at = 0;
    while at < prefix.len() + name.len() && at < padded.len() {
        padded[at] = if at < prefix.len() { prefix[at] } else { name[at - prefix.len()] };
        at += 1;
    }
    padded
}

/// A rank's file.
pub(crate) struct Sink {
    file: File,
    head: MmapMut,
    piece: MmapMut,
    /// Offset of the piece in the file.
    begin: u64,
    /// Number of bytes used in the piece.
    used: usize,
}

impl Sink {
    /// Creates the file; an existing file belongs to another run, and is an error.
    pub(crate) fn create(path: &Path, header: &Header) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        reserve(&file, 0, PIECE)?;
        // SAFETY: only this process writes the file; readers do not change it.
        let (mut head, piece) = unsafe {
            let head = MmapOptions::new().len(header::LENGTH).map_mut(&file)?;
            (head, MmapOptions::new().len(PIECE).map_mut(&file)?)
        };
        head.copy_from_slice(&header.to_bytes());
        Ok(Sink { file, head, piece, begin: 0, used: header::LENGTH })
    }

    /// Writes bytes into the head.
    #[inline]
    pub(crate) fn set(&mut self, place: usize, bytes: &[u8]) {
        self.head[place..place + bytes.len()].copy_from_slice(bytes);
    }

    /// The head's bytes, for the values that change at every call.
    pub(crate) fn head(&mut self) -> *mut u8 {
        self.head.as_mut_ptr()
    }

    /// Appends a record.
    #[inline]
    pub(crate) fn append(&mut self, record: &[u8]) -> io::Result<()> {
        if self.used + record.len() >= self.piece.len() {
            self.map_next(record.len())?;
        }
        let Some(space) = self.piece.get_mut(self.used..self.used + record.len()) else {
            return Err(io::ErrorKind::OutOfMemory.into());
        };
        // Write the first byte last: until then, readers see the end of the file here.
        if let ([first, rest @ ..], [kind, payload @ ..]) = (space, record) {
            rest.copy_from_slice(payload);
            *first = *kind;
        }
        self.used += record.len();
        Ok(())
    }

    /// Maps the next piece, with space for this many bytes.
    #[cold]
    fn map_next(&mut self, space: usize) -> io::Result<()> {
        let at = self.begin + self.used as u64;
        let begin = at / PAGE * PAGE;
        let length = (space + PIECE).next_multiple_of(PAGE as usize);
        reserve(&self.file, begin, length)?;
        // SAFETY: as above.
        self.piece = unsafe { MmapOptions::new().offset(begin).len(length).map_mut(&self.file)? };
        self.begin = begin;
        self.used = (at - begin) as usize;
        Ok(())
    }

    /// Truncates the file to its records. The head stays mapped until the process ends, since another
    /// thread may be about to write its running call there.
    pub(crate) fn close(self) -> io::Result<()> {
        let Sink { file, head, begin, used, .. } = self;
        mem::forget(head);
        file.set_len(begin + used as u64)
    }
}

/// Reserves space on the disk: a write to a mapped file on a full disk would kill the program.
fn reserve(file: &File, begin: u64, length: usize) -> io::Result<()> {
    // SAFETY: the file is open.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), begin as i64, length as i64) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}
