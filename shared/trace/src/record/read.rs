//! Decoding of a record.

use super::{Flaw, Record, has, kind};
use crate::call::{
    ANY_TAG, Call, Collective, CompletedRequests, Completion, Envelope, List, Mode, OneSided,
    Operation, Peer, ReductionOperator,
};
use crate::varint::{take, unfold};

/// Reads the record at `at` and moves `at` behind it; `None` at the end.
#[inline]
pub fn read<'a>(bytes: &'a [u8], at: &mut usize) -> Result<Option<Record<'a>>, Flaw> {
    let Some(&kind) = bytes.get(*at) else { return Ok(None) };
    if kind == 0 {
        return Ok(None);
    }
    let mut reader = Reader { bytes, at: *at + 1 };
    let (gap, duration) = (reader.number()?, reader.number()?);
    let call = reader.call(kind)?;
    *at = reader.at;
    Ok(Some(Record { gap, duration, call }))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    #[inline]
    fn number(&mut self) -> Result<u64, Flaw> {
        let begin = self.at;
        take(self.bytes, &mut self.at).ok_or({
            // A varint has at most ten bytes; with fewer left, it is cut off.
            if self.bytes.len() - begin >= 10 { Flaw::Value } else { Flaw::Cut }
        })
    }

    #[inline]
    fn short(&mut self) -> Result<u32, Flaw> {
        u32::try_from(self.number()?).map_err(|_| Flaw::Value)
    }

    fn byte(&mut self) -> Result<u8, Flaw> {
        let byte = *self.bytes.get(self.at).ok_or(Flaw::Cut)?;
        self.at += 1;
        Ok(byte)
    }

    fn slice(&mut self, length: usize) -> Result<&'a [u8], Flaw> {
        let end = self.at.checked_add(length).ok_or(Flaw::Value)?;
        let slice = self.bytes.get(self.at..end).ok_or(Flaw::Cut)?;
        self.at = end;
        Ok(slice)
    }

    #[inline]
    fn peer(&mut self) -> Result<Peer, Flaw> {
        Ok(match self.number()? {
            0 => Peer::Null,
            1 => Peer::AnySource,
            rank => Peer::Rank(u32::try_from(rank - 2).map_err(|_| Flaw::Value)?),
        })
    }

    #[inline]
    fn envelope(&mut self) -> Result<Envelope, Flaw> {
        let peer = self.peer()?;
        let tag = match self.number()? {
            0 => ANY_TAG,
            tag => u32::try_from(tag - 1).map_err(|_| Flaw::Value)?,
        };
        Ok(Envelope { peer, tag, bytes: self.number()?, comm: self.short()? })
    }

    fn list(&mut self) -> Result<List<'a>, Flaw> {
        let count = self.number()?;
        let begin = self.at;
        for _ in 0..count {
            self.number()?;
        }
        Ok(List::read(&self.bytes[begin..self.at], count as usize))
    }

    fn dones(&mut self) -> Result<CompletedRequests<'a>, Flaw> {
        let count = self.number()?;
        let begin = self.at;
        for _ in 0..count {
            let number = self.number()?;
            if number >> 1 > u64::from(u32::MAX) {
                return Err(Flaw::Value);
            }
            if number & 1 == 1 {
                for _ in 0..2 {
                    self.short()?;
                }
                self.number()?;
            }
        }
        Ok(CompletedRequests::read(&self.bytes[begin..self.at], count as usize))
    }

    fn collective(&mut self, waits: bool) -> Result<Collective<'a>, Flaw> {
        let op = *Operation::ALL.get(usize::from(self.byte()?)).ok_or(Flaw::Value)?;
        let parts = self.byte()?;
        let has = |part: u8| parts & part != 0;
        let mut call = Collective::new(op, self.short()?, self.number()?);
        if has(has::ROOT) {
            call.root = Some(self.short()?);
        }
        if has(has::COMBINE) {
            let combine =
                ReductionOperator::ALL.get(usize::from(self.byte()?)).ok_or(Flaw::Value)?;
            call.combine = Some(*combine);
        }
        for (part, list) in [
            (has::SENDS, &mut call.sends),
            (has::RECEIVES, &mut call.receives),
            (has::SEND_PLACES, &mut call.send_places),
            (has::RECEIVE_PLACES, &mut call.receive_places),
        ] {
            if has(part) {
                *list = self.list()?;
            }
        }
        if !waits {
            call.request = Some(self.short()?);
        }
        Ok(call)
    }

    #[inline]
    fn call(&mut self, kind: u8) -> Result<Call<'a>, Flaw> {
        let wild = |base: u8| {
            let bits = kind - base;
            (bits & 1 != 0, bits & 2 != 0)
        };
        let mode = |base: u8| Mode::ALL[usize::from(kind - base)];
        Ok(match kind {
            kind::SEND..kind::ISEND => Call::Send(mode(kind::SEND), self.envelope()?),
            kind::ISEND..kind::SEND_INIT => {
                Call::Isend(mode(kind::ISEND), self.envelope()?, self.short()?)
            }
            kind::SEND_INIT..kind::RECV => {
                Call::SendInit(mode(kind::SEND_INIT), self.envelope()?, self.short()?)
            }
            kind::RECV..kind::SENDRECV => {
                let (any_source, any_tag) = wild(kind::RECV);
                Call::Recv { got: self.envelope()?, any_source, any_tag }
            }
            kind::SENDRECV..kind::IRECV => {
                let (any_source, any_tag) = wild(kind::SENDRECV);
                let (send, got) = (self.envelope()?, self.envelope()?);
                Call::Sendrecv { send, got, any_source, any_tag }
            }
            kind::IRECV => Call::Irecv(self.envelope()?, self.short()?),
            kind::RECV_INIT => Call::RecvInit(self.envelope()?, self.short()?),
            kind::START => Call::Start(self.list()?),
            kind::COMPLETE..kind::RELEASE => Call::Complete {
                how: Completion::ALL[usize::from(kind - kind::COMPLETE)],
                requested: self.short()?,
                done: self.dones()?,
            },
            kind::RELEASE => Call::Release(self.short()?),
            kind::CANCEL => Call::Cancel(self.short()?),
            kind::PROBE..kind::IPROBE => {
                let (any_source, any_tag) = wild(kind::PROBE);
                Call::Probe { met: self.envelope()?, any_source, any_tag, waits: true }
            }
            kind::IPROBE..kind::POLLS => {
                let (any_source, any_tag) = wild(kind::IPROBE);
                Call::Probe { met: self.envelope()?, any_source, any_tag, waits: false }
            }
            kind::POLLS => Call::Polls(self.number()?),
            kind::COLLECTIVE => Call::Collective(self.collective(true)?),
            kind::ICOLLECTIVE => Call::Collective(self.collective(false)?),
            kind::COMM_NEW => {
                let [comm, parent, rank, size] =
                    [self.short()?, self.short()?, self.short()?, self.short()?];
                Call::CommNew { comm, parent, rank, size, name: self.number()? }
            }
            kind::COLLECTIVE_INIT => Call::CollectiveInit(self.collective(false)?),
            kind::COMM_IDUP => {
                let [comm, parent, rank, size, request] =
                    [self.short()?, self.short()?, self.short()?, self.short()?, self.short()?];
                Call::CommIdup { comm, parent, rank, size, request, name: self.number()? }
            }
            kind::COMM_FREE => Call::CommFree(self.short()?),
            kind::WINDOW_NEW => {
                let [window, comm] = [self.short()?, self.short()?];
                Call::WindowNew { window, comm, bytes: self.number()? }
            }
            kind::WINDOW_FREE => Call::WindowFree(self.short()?),
            kind::ONE_SIDED..kind::FENCE => Call::OneSided {
                how: OneSided::ALL[usize::from(kind - kind::ONE_SIDED)],
                window: self.short()?,
                peer: self.peer()?,
                bytes: self.number()?,
            },
            kind::FENCE => Call::Fence(self.short()?),
            kind::OTHER => Call::Other(self.short()?),
            kind::NAMED => {
                let other = self.short()?;
                let length = usize::try_from(self.number()?).map_err(|_| Flaw::Value)?;
                let name = std::str::from_utf8(self.slice(length)?).map_err(|_| Flaw::Value)?;
                Call::Named { other, name }
            }
            kind::PHASE => Call::Phase(unfold(self.number()?)),
            kind::FINALIZE => Call::Finalize,
            other => return Err(Flaw::Kind(other)),
        })
    }
}
