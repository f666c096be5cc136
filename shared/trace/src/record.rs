//! How a call is kept: its kind in one byte, then the time since the call before it ended and the
//! time that it took, both in nanoseconds, then what it was called with. All numbers are
//! varints; a typical call takes 10 to 15 bytes.

use crate::call::{
    ANY_TAG, Call, Collective, Combine, Completion, Dones, Envelope, List, Mode, OneSided,
    Operation, Packed, Peer,
};
use crate::varint::{fold, put, take, unfold};

/// A call and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// How long the program computed since the call before, in nanoseconds.
    pub gap: u64,
    /// How long the call took, in nanoseconds.
    pub duration: u64,
    /// What was called.
    pub call: Call<'a>,
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The bytes end in its middle.
    Cut,
    /// There is no kind of that number: a newer version has written it, or it is damaged.
    Kind(u8),
    /// Something in it has a value that it cannot have.
    Value,
}

/// The kinds' numbers, which never change their meaning. 0 is the end.
mod kind {
    pub(super) const SEND: u8 = 1;
    pub(super) const ISEND: u8 = 5;
    pub(super) const SEND_INIT: u8 = 9;
    pub(super) const RECV: u8 = 13;
    pub(super) const SENDRECV: u8 = 17;
    pub(super) const IRECV: u8 = 21;
    pub(super) const RECV_INIT: u8 = 22;
    pub(super) const START: u8 = 23;
    pub(super) const COMPLETE: u8 = 24;
    pub(super) const RELEASE: u8 = 32;
    pub(super) const CANCEL: u8 = 33;
    pub(super) const PROBE: u8 = 34;
    pub(super) const IPROBE: u8 = 38;
    pub(super) const POLLS: u8 = 42;
    pub(super) const COLLECTIVE: u8 = 43;
    pub(super) const ICOLLECTIVE: u8 = 44;
    pub(super) const COMM_NEW: u8 = 45;
    pub(super) const COMM_FREE: u8 = 46;
    pub(super) const WINDOW_NEW: u8 = 47;
    pub(super) const WINDOW_FREE: u8 = 48;
    pub(super) const ONE_SIDED: u8 = 49;
    pub(super) const FENCE: u8 = 52;
    pub(super) const OTHER: u8 = 53;
    pub(super) const NAMED: u8 = 54;
    pub(super) const PHASE: u8 = 55;
    pub(super) const FINALIZE: u8 = 56;
}

/// What a receive would have taken, in two bits.
fn wild(any_source: bool, any_tag: bool) -> u8 {
    u8::from(any_source) | u8::from(any_tag) << 1
}

/// Appends a call.
pub fn write(out: &mut Vec<u8>, record: &Record) {
    let mut begin = |kind: u8| {
        out.push(kind);
        put(out, record.gap);
        put(out, record.duration);
    };
    let number = |number: u32| u64::from(number);
    match record.call {
        Call::Send(mode, ref envelope) => {
            begin(kind::SEND + mode as u8);
            put_envelope(out, envelope);
        }
        Call::Isend(mode, ref envelope, request) => {
            begin(kind::ISEND + mode as u8);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::SendInit(mode, ref envelope, request) => {
            begin(kind::SEND_INIT + mode as u8);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::Recv { ref got, any_source, any_tag } => {
            begin(kind::RECV + wild(any_source, any_tag));
            put_envelope(out, got);
        }
        Call::Sendrecv { ref send, ref got, any_source, any_tag } => {
            begin(kind::SENDRECV + wild(any_source, any_tag));
            put_envelope(out, send);
            put_envelope(out, got);
        }
        Call::Irecv(ref envelope, request) => {
            begin(kind::IRECV);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::RecvInit(ref envelope, request) => {
            begin(kind::RECV_INIT);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::Start(requests) => {
            begin(kind::START);
            put_list(out, &requests);
        }
        Call::Complete { how, asked, done } => {
            begin(kind::COMPLETE + how as u8);
            put(out, number(asked));
            put_list(out, &done);
        }
        Call::Release(request) => {
            begin(kind::RELEASE);
            put(out, number(request));
        }
        Call::Cancel(request) => {
            begin(kind::CANCEL);
            put(out, number(request));
        }
        Call::Probe { ref met, any_source, any_tag, waits } => {
            begin(if waits { kind::PROBE } else { kind::IPROBE } + wild(any_source, any_tag));
            put_envelope(out, met);
        }
        Call::Polls(count) => {
            begin(kind::POLLS);
            put(out, count);
        }
        Call::Collective(ref collective) => {
            begin(match collective.request {
                None => kind::COLLECTIVE,
                Some(_) => kind::ICOLLECTIVE,
            });
            put_collective(out, collective);
        }
        Call::CommNew { comm, parent, name, rank, size } => {
            begin(kind::COMM_NEW);
            for number in [comm, parent, rank, size] {
                put(out, u64::from(number));
            }
            put(out, name);
        }
        Call::CommFree(comm) => {
            begin(kind::COMM_FREE);
            put(out, number(comm));
        }
        Call::WindowNew { window, comm, bytes } => {
            begin(kind::WINDOW_NEW);
            put(out, number(window));
            put(out, number(comm));
            put(out, bytes);
        }
        Call::WindowFree(window) => {
            begin(kind::WINDOW_FREE);
            put(out, number(window));
        }
        Call::OneSided { how, window, peer, bytes } => {
            begin(kind::ONE_SIDED + how as u8);
            put(out, number(window));
            put(out, peer_number(peer));
            put(out, bytes);
        }
        Call::Fence(window) => {
            begin(kind::FENCE);
            put(out, number(window));
        }
        Call::Other(other) => {
            begin(kind::OTHER);
            put(out, number(other));
        }
        Call::Named { other, name } => {
            begin(kind::NAMED);
            put(out, number(other));
            put(out, name.len() as u64);
            out.extend_from_slice(name.as_bytes());
        }
        Call::Phase(level) => {
            begin(kind::PHASE);
            put(out, fold(level));
        }
        Call::Finalize => begin(kind::FINALIZE),
    }
}

fn peer_number(peer: Peer) -> u64 {
    match peer {
        Peer::Nobody => 0,
        Peer::Any => 1,
        Peer::Rank(rank) => u64::from(rank) + 2,
    }
}

#[inline]
fn put_envelope(out: &mut Vec<u8>, envelope: &Envelope) {
    let Envelope { peer, tag, bytes, comm } = *envelope;
    put(out, peer_number(peer));
    put(out, if tag == ANY_TAG { 0 } else { u64::from(tag) + 1 });
    put(out, bytes);
    put(out, u64::from(comm));
}

fn put_list<T>(out: &mut Vec<u8>, list: &Packed<T>) {
    put(out, list.count as u64);
    out.extend_from_slice(list.bytes);
}

/// What a collective call has beside operation, communicator and bytes.
mod has {
    pub(super) const ROOT: u8 = 1;
    pub(super) const COMBINE: u8 = 2;
    pub(super) const SENDS: u8 = 4;
    pub(super) const RECEIVES: u8 = 8;
    pub(super) const SEND_PLACES: u8 = 16;
    pub(super) const RECEIVE_PLACES: u8 = 32;
}

fn put_collective(out: &mut Vec<u8>, call: &Collective) {
    let Collective { op, comm, root, bytes, combine, request, .. } = *call;
    let lists = [
        (has::SENDS, &call.sends),
        (has::RECEIVES, &call.receives),
        (has::SEND_PLACES, &call.send_places),
        (has::RECEIVE_PLACES, &call.receive_places),
    ];
    let mut parts = 0;
    for (part, there) in [(has::ROOT, root.is_some()), (has::COMBINE, combine.is_some())] {
        parts |= if there { part } else { 0 };
    }
    for (part, list) in lists {
        parts |= if list.is_empty() { 0 } else { part };
    }
    out.push(op as u8);
    out.push(parts);
    put(out, u64::from(comm));
    put(out, bytes);
    if let Some(root) = root {
        put(out, u64::from(root));
    }
    if let Some(combine) = combine {
        out.push(combine as u8);
    }
    for (_, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        put_list(out, list);
    }
    if let Some(request) = request {
        put(out, u64::from(request));
    }
}

/// Reads the call that begins at `at` and moves `at` behind it; nothing at the end.
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
            // Ten bytes without an end are no number, fewer are one that was cut off.
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

    /// So many of the following bytes.
    fn slice(&mut self, length: usize) -> Result<&'a [u8], Flaw> {
        let end = self.at.checked_add(length).ok_or(Flaw::Value)?;
        let slice = self.bytes.get(self.at..end).ok_or(Flaw::Cut)?;
        self.at = end;
        Ok(slice)
    }

    #[inline]
    fn peer(&mut self) -> Result<Peer, Flaw> {
        Ok(match self.number()? {
            0 => Peer::Nobody,
            1 => Peer::Any,
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

    fn dones(&mut self) -> Result<Dones<'a>, Flaw> {
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
        Ok(Dones::read(&self.bytes[begin..self.at], count as usize))
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
            let combine = Combine::ALL.get(usize::from(self.byte()?)).ok_or(Flaw::Value)?;
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
                asked: self.short()?,
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
