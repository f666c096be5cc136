//! Reader of a line's fields.

use super::{Comm, END, Message};
use crate::trace::Source;
use crate::trace::error::{LineError, LineMistake};
use crate::trace::text::{self, Line, show};

/// A line, field by field.
pub(super) struct Fields<'a> {
    pub(super) line: Line<'a>,
    /// Byte offset of the field that was read last.
    pub(super) at: usize,
    pub(super) next: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn take(&mut self, expected: &'static str) -> Result<&'a [u8], LineError> {
        let Some(rest) = self.line.bytes.get(self.next..) else {
            self.at = self.line.bytes.len();
            return Err(self.wrong(LineMistake::Ends { expected }));
        };
        let length = rest.iter().position(|byte| *byte == b':').unwrap_or(rest.len());
        self.at = self.next;
        self.next += length + 1;
        Ok(&rest[..length])
    }

    #[cold]
    pub(super) fn wrong(&self, mistake: LineMistake) -> LineError {
        self.line.error(Source::Liballprof, self.at, mistake)
    }

    pub(super) fn skip(&mut self, fields: usize) -> Result<(), LineError> {
        for _ in 0..fields {
            self.take("another argument of the call")?;
        }
        Ok(())
    }

    /// `None` before MPI has a clock, and after its end.
    pub(super) fn time(&mut self, expected: &'static str) -> Result<Option<i64>, LineError> {
        match self.take(expected)? {
            b"-" => Ok(None),
            time => match text::nanoseconds(time) {
                Some(time) => Ok(Some(time)),
                None => Err(self.wrong(LineMistake::unexpected(time, expected))),
            },
        }
    }

    /// Skips to the last field: the end of the call.
    pub(super) fn last(&mut self) -> Result<Option<i64>, LineError> {
        if let Some(colon) = self.line.bytes.iter().rposition(|byte| *byte == b':') {
            self.next = self.next.max(colon + 1);
        }
        self.time(END)
    }

    pub(super) fn end(&self) -> Result<(), LineError> {
        match self.line.bytes.get(self.next..) {
            None => Ok(()),
            Some(more) => {
                let mistake = LineMistake::TooLong { found: show(more) };
                Err(self.line.error(Source::Liballprof, self.next, mistake))
            }
        }
    }

    pub(super) fn integer(&mut self, expected: &'static str) -> Result<i64, LineError> {
        let field = self.take(expected)?;
        text::signed(field).ok_or_else(|| self.wrong(LineMistake::unexpected(field, expected)))
    }

    /// An address or a handle.
    pub(super) fn address(&mut self, expected: &'static str) -> Result<u64, LineError> {
        let field = self.take(expected)?;
        address(field).ok_or_else(|| self.wrong(LineMistake::unexpected(field, expected)))
    }

    /// Number of bytes: a count times the size of the type that follows.
    pub(super) fn bytes(&mut self) -> Result<u64, LineError> {
        let count = self.integer("a count")?;
        Ok(self.size()?.saturating_mul(u64::try_from(count).unwrap_or(0)))
    }

    /// Bytes per element of a datatype.
    pub(super) fn size(&mut self) -> Result<u64, LineError> {
        let expected = "a datatype: its name, size and extent";
        let field = self.take(expected)?;
        let mut parts = field.split(|byte| *byte == b',');
        let size = parts.nth(1).and_then(text::signed);
        match (size, parts.count()) {
            (Some(size), 1) => Ok(u64::try_from(size).unwrap_or(0)),
            _ => Err(self.wrong(LineMistake::unexpected(field, expected))),
        }
    }

    pub(super) fn comm(&mut self) -> Result<Comm, LineError> {
        let expected = "a communicator: its handle, this rank in it, and its size";
        let field = self.take(expected)?;
        comm(field).ok_or_else(|| self.wrong(LineMistake::unexpected(field, expected)))
    }

    pub(super) fn message(&mut self) -> Result<Message, LineError> {
        self.skip(1)?;
        let bytes = self.bytes()?;
        self.envelope(bytes)
    }

    pub(super) fn envelope(&mut self, bytes: u64) -> Result<Message, LineError> {
        let peer = self.integer("the rank of the peer")?;
        let at = self.at;
        let tag = self.integer("a tag")?;
        Ok(Message { peer, tag, bytes, comm: self.comm()?, at })
    }
}

/// An unsigned number that may have been printed with a sign.
fn address(field: &[u8]) -> Option<u64> {
    match field.first() {
        Some(b'-') => text::signed(field).map(i64::cast_unsigned),
        _ => text::unsigned(field),
    }
}

fn comm(field: &[u8]) -> Option<Comm> {
    let mut parts = field.split(|byte| *byte == b',');
    let handle = address(parts.next()?)?;
    let mut short = || u32::try_from(text::unsigned(parts.next()?)?).ok();
    let comm = Comm { handle, rank: short()?, size: short()? };
    (comm.rank < comm.size && parts.next().is_none()).then_some(comm)
}
