//! The fields of a line, one after the other.

use super::{Comm, DAMAGED, Message};
use crate::trace::text::{self, Line, instead, show};
use loggia_model::Error;

/// A line, field by field.
pub(super) struct Fields<'a> {
    pub(super) line: Line<'a>,
    /// Where the field begins that was read last.
    pub(super) at: usize,
    pub(super) next: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn take(&mut self, expected: &str) -> Result<&'a [u8], Error> {
        let Some(rest) = self.line.bytes.get(self.next..) else {
            let message = format!("the line ends here, expected {expected}");
            return Err(self.line.error(self.line.bytes.len(), message, DAMAGED));
        };
        let length = rest.iter().position(|byte| *byte == b':').unwrap_or(rest.len());
        self.at = self.next;
        self.next += length + 1;
        Ok(&rest[..length])
    }

    #[cold]
    pub(super) fn wrong(&self, found: &[u8], expected: &str) -> Error {
        self.line.error(self.at, instead(found, expected), DAMAGED)
    }

    pub(super) fn skip(&mut self, fields: usize) -> Result<(), Error> {
        for _ in 0..fields {
            self.take("another argument of the call")?;
        }
        Ok(())
    }

    /// None where MPI has no clock yet, or no more.
    pub(super) fn time(&mut self, expected: &str) -> Result<Option<i64>, Error> {
        match self.take(expected)? {
            b"-" => Ok(None),
            time => match text::nanoseconds(time) {
                Some(time) => Ok(Some(time)),
                None => Err(self.wrong(time, &format!("{expected}, in microseconds"))),
            },
        }
    }

    /// The last field of a line whose other fields are of no interest: when the call ended.
    pub(super) fn last(&mut self) -> Result<Option<i64>, Error> {
        if let Some(colon) = self.line.bytes.iter().rposition(|byte| *byte == b':') {
            self.next = self.next.max(colon + 1);
        }
        self.time("when the call ended")
    }

    pub(super) fn end(&self) -> Result<(), Error> {
        match self.line.bytes.get(self.next..) {
            None => Ok(()),
            Some(more) => {
                let message = format!("found `{}` behind the end of the call", show(more));
                Err(self.line.error(self.next, message, DAMAGED))
            }
        }
    }

    pub(super) fn integer(&mut self, expected: &str) -> Result<i64, Error> {
        let field = self.take(expected)?;
        text::signed(field).ok_or_else(|| self.wrong(field, expected))
    }

    /// An address or a handle.
    pub(super) fn address(&mut self, expected: &str) -> Result<u64, Error> {
        let field = self.take(expected)?;
        address(field).ok_or_else(|| self.wrong(field, expected))
    }

    /// How many bytes so many things are of the type that follows.
    pub(super) fn bytes(&mut self) -> Result<u64, Error> {
        let count = self.integer("a count")?;
        Ok(self.size()?.saturating_mul(u64::try_from(count).unwrap_or(0)))
    }

    /// How many bytes a thing of this type is.
    pub(super) fn size(&mut self) -> Result<u64, Error> {
        let expected = "a datatype: its name, size and extent";
        let field = self.take(expected)?;
        let mut parts = field.split(|byte| *byte == b',');
        let size = parts.nth(1).and_then(text::signed);
        match (size, parts.count()) {
            (Some(size), 1) => Ok(u64::try_from(size).unwrap_or(0)),
            _ => Err(self.wrong(field, expected)),
        }
    }

    pub(super) fn comm(&mut self) -> Result<Comm, Error> {
        let expected = "a communicator: its handle, this rank in it, and its size";
        let field = self.take(expected)?;
        comm(field).ok_or_else(|| self.wrong(field, expected))
    }

    pub(super) fn message(&mut self) -> Result<Message, Error> {
        self.skip(1)?;
        let bytes = self.bytes()?;
        self.envelope(bytes)
    }

    pub(super) fn envelope(&mut self, bytes: u64) -> Result<Message, Error> {
        let peer = self.integer("the rank of the other end")?;
        let at = self.at;
        let tag = self.integer("a tag")?;
        Ok(Message { peer, tag, bytes, comm: self.comm()?, at })
    }
}

/// A number that may have been printed as one with a sign.
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
