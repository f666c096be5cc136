//! Messages over a connection: a header of eight bytes, then the data.

use super::{at_once, failed};
use crate::transport::threads::too_long;
use crate::transport::{Request, Result};
use loggia_model::Error;
use std::collections::VecDeque;
use std::io::{self, IoSlice, Read, Write};
use std::net::TcpStream;

const HEADER: usize = 8;

/// Maximum size of a frame; a header with a larger size is invalid.
const LONGEST: u64 = 1 << 34;

/// Kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    /// A message that requires an acknowledgement when its receive begins.
    Synchronous,
    /// The acknowledgement: the receive of a synchronous send has begun.
    Begun,
}

#[derive(Clone, Copy)]
struct Header {
    kind: Kind,
    bytes: usize,
}

impl Header {
    fn to_wire(self) -> [u8; HEADER] {
        (self.bytes as u64 * 4 + self.kind as u64).to_le_bytes()
    }

    fn from_wire(wire: [u8; HEADER]) -> Result<Self> {
        let number = u64::from_le_bytes(wire);
        let kind = match number % 4 {
            0 => Some(Kind::Message),
            1 => Some(Kind::Synchronous),
            2 => Some(Kind::Begun),
            _ => None,
        };
        let bytes = Some(number / 4).filter(|bytes| *bytes <= LONGEST);
        let (Some(kind), Some(Ok(bytes))) = (kind, bytes.map(usize::try_from)) else {
            return Err(Error::new(
                "the other rank sent an invalid frame",
                "transport tcp",
                "both ranks must run the same version of loggia",
            ));
        };
        Ok(Header { kind, bytes })
    }
}

/// A frame being written, and the number of bytes written.
struct Outgoing {
    header: Header,
    taken: usize,
}

/// Completion of an operation. Messages keep their order, so a count suffices.
pub(super) enum Completion {
    /// The kernel has accepted this many messages.
    Written(usize),
    /// The receives of this many synchronous sends have begun, and the kernel has accepted the
    /// sends.
    Begun(usize),
    /// This many messages were received.
    Received(usize),
}

impl Completion {
    pub(super) fn request(&self) -> Request {
        Request(match self {
            Completion::Written(count) => 3 * count,
            Completion::Begun(count) => 3 * count + 1,
            Completion::Received(count) => 3 * count + 2,
        })
    }

    pub(super) fn of(Request(request): Request) -> Self {
        let count = request / 3;
        match request % 3 {
            0 => Completion::Written(count),
            1 => Completion::Begun(count),
            _ => Completion::Received(count),
        }
    }
}

/// One end of the connection.
pub(super) struct Frames {
    stream: TcpStream,
    unsent: VecDeque<Outgoing>,
    /// Number of acknowledgements among the unsent frames; a sender waits for them.
    acknowledgements: usize,
    /// Data of every message.
    source: Vec<u8>,
    /// Numbers of messages sent, and of synchronous messages, and their progress.
    sends: usize,
    synchronous: usize,
    written: usize,
    synchronous_written: usize,
    begun: usize,
    /// Received bytes that are not processed: at most one message.
    inbox: Vec<u8>,
    held: usize,
    /// Whether the begin of the front message's receive was acknowledged.
    acknowledged: bool,
    /// Messages without a receive, removed from the inbox to make room.
    early: VecDeque<Header>,
    /// The sizes of receives without a complete message.
    posted: VecDeque<usize>,
    receives: usize,
    received: usize,
}

impl Frames {
    pub(super) fn new(stream: TcpStream) -> Self {
        Frames {
            stream,
            unsent: VecDeque::new(),
            acknowledgements: 0,
            source: Vec::new(),
            sends: 0,
            synchronous: 0,
            written: 0,
            synchronous_written: 0,
            begun: 0,
            inbox: vec![0; 1 << 10],
            held: 0,
            acknowledged: false,
            early: VecDeque::new(),
            posted: VecDeque::new(),
            receives: 0,
            received: 0,
        }
    }

    /// Number of received bytes without a receive.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// Begins a message, and writes as much as the kernel accepts.
    pub(super) fn send(&mut self, bytes: usize, synchronous: bool) -> io::Result<Completion> {
        if self.source.len() < bytes {
            self.source.resize(bytes, 1);
        }
        self.sends += 1;
        self.synchronous += usize::from(synchronous);
        let kind = if synchronous { Kind::Synchronous } else { Kind::Message };
        self.unsent.push_back(Outgoing { header: Header { kind, bytes }, taken: 0 });
        self.write()?;
        Ok(if synchronous {
            Completion::Begun(self.synchronous)
        } else {
            Completion::Written(self.sends)
        })
    }

    /// Posts a receive.
    pub(super) fn post(&mut self, bytes: usize) -> Result<Completion> {
        if self.inbox.len() < HEADER + bytes {
            self.inbox.resize(HEADER + bytes, 0);
        }
        self.receives += 1;
        self.posted.push_back(bytes);
        if let Some(header) = self.early.pop_front() {
            self.begin_receive(header)?;
            self.finish();
        }
        Ok(Completion::Received(self.receives))
    }

    /// Makes progress; returns whether the operation is complete.
    pub(super) fn test(&mut self, completion: &Completion) -> Result<bool> {
        let io = |error: io::Error| failed(&error);
        if !self.unsent.is_empty() {
            self.write().map_err(io)?;
        }
        // A rank that waits for a send must read, because the other rank may wait for a send, too.
        let must_read = match completion {
            Completion::Received(_) => self.acknowledgements > 0,
            Completion::Begun(_) => true,
            Completion::Written(_) => !self.unsent.is_empty(),
        };
        while !self.is_done(completion) && (must_read || !self.posted.is_empty()) {
            let has_read = self.read().map_err(io)?;
            if !self.process_front(must_read)? && !has_read {
                break;
            }
        }
        Ok(self.is_done(completion))
    }

    fn is_done(&self, completion: &Completion) -> bool {
        match *completion {
            Completion::Written(count) => self.written >= count,
            // A receive begins with the first bytes; the last bytes may still be in flight.
            Completion::Begun(count) => self.begun >= count && self.synchronous_written >= count,
            // Send acknowledgements first: the rank may not call again for a long time.
            Completion::Received(count) => self.received >= count && self.acknowledgements == 0,
        }
    }

    /// Writes as much as the kernel accepts.
    fn write(&mut self) -> io::Result<()> {
        while let Some(frame) = self.unsent.front_mut() {
            let header = frame.header.to_wire();
            let of_header = header.get(frame.taken..).unwrap_or_default();
            let whole = HEADER + frame.header.bytes;
            let of_bytes = &self.source[frame.taken.saturating_sub(HEADER)..frame.header.bytes];
            let both = [IoSlice::new(of_header), IoSlice::new(of_bytes)];
            match at_once(self.stream.write_vectored(&both))? {
                None => break,
                Some(taken) => frame.taken += taken,
            }
            if frame.taken == whole {
                let kind = frame.header.kind;
                self.acknowledgements -= usize::from(kind == Kind::Begun);
                self.written += usize::from(kind != Kind::Begun);
                self.synchronous_written += usize::from(kind == Kind::Synchronous);
                self.unsent.pop_front();
            }
        }
        Ok(())
    }

    /// The header of the front message.
    fn header(&self) -> Result<Option<Header>> {
        let wire = self.inbox[..self.held].first_chunk();
        wire.map(|wire| Header::from_wire(*wire)).transpose()
    }

    /// Reads the missing bytes of the front frame. If its header has not arrived, reads at most the
    /// size of the posted receive. Returns whether bytes arrived.
    fn read(&mut self) -> io::Result<bool> {
        let bytes = match self.header() {
            Ok(Some(header)) => header.bytes,
            _ => self.posted.front().copied().unwrap_or(0),
        };
        let whole = HEADER + bytes;
        if self.inbox.len() < whole {
            self.inbox.resize(whole, 0);
        }
        if self.held >= whole {
            return Ok(false);
        }
        let read = at_once((&self.stream).read(&mut self.inbox[self.held..whole]))?;
        self.held += read.unwrap_or(0);
        Ok(read.is_some())
    }

    /// Processes the front frame; returns whether it is finished.
    fn process_front(&mut self, must_read: bool) -> Result<bool> {
        let Some(header) = self.header()? else { return Ok(false) };
        if header.kind == Kind::Begun {
            self.begun += 1;
            self.drop_front(HEADER);
            return Ok(true);
        }
        if !self.posted.is_empty() && !self.acknowledged {
            self.begin_receive(header)?;
            self.acknowledged = true;
        }
        if self.held < HEADER + header.bytes {
            return Ok(false);
        }
        match self.posted.is_empty() {
            false => self.finish(),
            true if must_read => self.early.push_back(header),
            true => return Ok(false),
        }
        self.acknowledged = false;
        self.drop_front(HEADER + header.bytes);
        Ok(true)
    }

    /// Begins the first posted receive with this message.
    fn begin_receive(&mut self, header: Header) -> Result<()> {
        let buffer_size = self.posted.front().copied().unwrap_or(0);
        if header.bytes > buffer_size {
            return Err(too_long("tcp", header.bytes, buffer_size));
        }
        if header.kind == Kind::Synchronous {
            let begun = Header { kind: Kind::Begun, bytes: 0 };
            self.unsent.push_back(Outgoing { header: begun, taken: 0 });
            self.acknowledgements += 1;
            self.write().map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    fn finish(&mut self) {
        self.posted.pop_front();
        self.received += 1;
    }

    fn drop_front(&mut self, bytes: usize) {
        self.inbox.copy_within(bytes..self.held, 0);
        self.held -= bytes;
    }
}
