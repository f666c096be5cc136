//! A line of a trace: `MPI_Function:begin:argument:…:end`.

use super::function::{CreationKind, Function, Returns};
use crate::trace::error::{LineError, LineMistake};
use crate::trace::text::{self, Line, show};
use loggia_trace::call::{Completion, Mode, OneSided, Operation, ReductionOperator};

mod collective;
mod fields;

use fields::Fields;

/// A communicator in a line. The handle is local to the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Comm {
    pub(super) handle: u64,
    pub(super) rank: u32,
    pub(super) size: u32,
}

/// A message in a line; the encoding of the peer depends on the MPI library.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) peer: i64,
    pub(super) tag: i64,
    pub(super) bytes: u64,
    pub(super) comm: Comm,
    /// Byte offset of the peer in the line.
    pub(super) at: usize,
}

/// Parts of different sizes in a collective operation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts<'a> {
    /// Number of elements for each rank; empty if not recorded.
    pub(super) counts: &'a [u8],
    /// Displacements of the parts.
    pub(super) places: &'a [u8],
    /// Bytes per element.
    pub(super) size: u64,
}

/// The fields of a line of a collective operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collective<'a> {
    pub(super) op: Operation,
    pub(super) comm: Comm,
    pub(super) root: Option<u32>,
    pub(super) bytes: u64,
    pub(super) sends: Parts<'a>,
    pub(super) receives: Parts<'a>,
    pub(super) combine: Option<ReductionOperator>,
    /// Address of the request.
    pub(super) request: Option<u64>,
}

/// The content of a line. Requests and variables of communicators and windows are identified by their
/// addresses.
#[derive(Clone, Copy, Debug)]
pub(super) enum LineContent<'a> {
    Init,
    Finalize,
    Send(Mode, Message),
    Recv(Message),
    Isend(Mode, Message, u64),
    Irecv(Message, u64),
    SendInit(Mode, Message, u64),
    RecvInit(Message, u64),
    Sendrecv(Message, Message),
    Start { count: u64, at: u64 },
    Complete { how: Completion, count: u64, at: u64 },
    Release(u64),
    Cancel(u64),
    Probe(Message),
    Iprobe(Message),
    Collective(Collective<'a>),
    Make { how: Creation, comm: Comm, at: u64 },
    CommFree(u64),
    Phase(i64),
    WindowNew { comm: Comm, bytes: u64, at: u64 },
    WindowFree(u64),
    Fence(u64),
    OneSided { how: OneSided, peer: i64, bytes: u64, window: u64 },
    CommQuery(Comm),
    Local,
    Other,
}

/// How a communicator is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Creation {
    Same,
    Split { colour: i64, key: i64 },
    Unknown,
}

/// The call of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallLine<'a> {
    /// Without `MPI_`.
    pub(super) name: &'a [u8],
    /// Start of the call, in ns of the rank's clock.
    pub(super) begin: Option<i64>,
    pub(super) end: Option<i64>,
    pub(super) content: LineContent<'a>,
}

/// Beginning of every line with a call.
pub(super) const BEGIN: &[u8] = b"MPI_";

/// Reads a line.
pub(super) fn read<'a>(line: Line<'a>) -> Result<CallLine<'a>, LineError> {
    let mut fields = Fields { line, at: 0, next: 0 };
    let name = fields.take("the name of an MPI function")?;
    let Some(name) = name.strip_prefix(BEGIN) else {
        return Err(fields.wrong(LineMistake::NotACall { found: show(name) }));
    };
    let begin = fields.time("the start of the call, in microseconds")?;
    let content = fields.content(Function::named(name), name)?;
    let end = match content {
        LineContent::Local | LineContent::Other | LineContent::CommQuery(_) => fields.last()?,
        _ => fields.time(END)?,
    };
    fields.end()?;
    Ok(CallLine { name, begin, end, content })
}

const END: &str = "the end of the call, in microseconds";

impl<'a> Fields<'a> {
    fn request(&mut self) -> Result<u64, LineError> {
        self.address("the address of a request")
    }

    fn content(&mut self, function: Function, name: &[u8]) -> Result<LineContent<'a>, LineError> {
        Ok(match function {
            Function::Init => {
                // `MPI_Init_thread` has two more fields.
                self.skip(if name == b"Init" { 2 } else { 4 })?;
                LineContent::Init
            }
            Function::Finalize => LineContent::Finalize,
            Function::Send(mode, returns) => {
                let message = self.message()?;
                match returns {
                    Returns::Done => LineContent::Send(mode, message),
                    Returns::Begun => LineContent::Isend(mode, message, self.request()?),
                    Returns::Prepared => LineContent::SendInit(mode, message, self.request()?),
                }
            }
            Function::Recv(returns) => {
                let message = self.message()?;
                let last = self.address("the address of a status or a request")?;
                match returns {
                    Returns::Done => LineContent::Recv(message),
                    Returns::Begun => LineContent::Irecv(message, last),
                    Returns::Prepared => LineContent::RecvInit(message, last),
                }
            }
            Function::Sendrecv | Function::SendrecvReplace => self.sendrecv(function)?,
            Function::Start => LineContent::Start { count: 1, at: self.request()? },
            Function::Startall => LineContent::Start { count: self.count()?, at: self.request()? },
            Function::CompleteOne(how) => {
                let at = self.request()?;
                self.skip(if how == Completion::Wait { 1 } else { 2 })?;
                LineContent::Complete { how, count: 1, at }
            }
            Function::CompleteMany(how) => self.complete_many(how)?,
            Function::Release => LineContent::Release(self.request()?),
            Function::Cancel => LineContent::Cancel(self.request()?),
            Function::Probe => {
                let message = self.envelope(0)?;
                self.skip(1)?;
                LineContent::Probe(message)
            }
            Function::Iprobe => {
                let message = self.envelope(0)?;
                self.skip(2)?;
                LineContent::Iprobe(message)
            }
            Function::Collective(op, waits) => self.collective(op, waits)?,
            Function::Make(making) => self.make(making)?,
            Function::CommFree => LineContent::CommFree(self.address("a communicator's address")?),
            Function::Phase => LineContent::Phase(self.integer("a level")?),
            Function::WindowNew | Function::WindowFree | Function::Fence => {
                self.window(function)?
            }
            Function::OneSided(how) => self.one_sided(how)?,
            Function::CommQuery => LineContent::CommQuery(self.comm()?),
            Function::Local => LineContent::Local,
            Function::Other => LineContent::Other,
        })
    }

    fn count(&mut self) -> Result<u64, LineError> {
        Ok(u64::try_from(self.integer("the number of requests")?).unwrap_or(0))
    }

    fn sendrecv(&mut self, function: Function) -> Result<LineContent<'a>, LineError> {
        self.skip(1)?;
        let sent = self.bytes()?;
        let (to, send_at) = (self.integer("the rank of the receiver")?, self.at);
        let send_tag = self.integer("a tag")?;
        let received = match function {
            Function::Sendrecv => {
                self.skip(1)?;
                self.bytes()?
            }
            _ => sent,
        };
        let recv = self.envelope(received)?;
        self.skip(1)?;
        let send = Message { peer: to, tag: send_tag, bytes: sent, comm: recv.comm, at: send_at };
        Ok(LineContent::Sendrecv(send, recv))
    }

    fn complete_many(&mut self, how: Completion) -> Result<LineContent<'a>, LineError> {
        let (count, at) = (self.count()?, self.request()?);
        self.skip(match how {
            Completion::Waitall => 1,
            Completion::Waitany | Completion::Testall => 2,
            _ => 3,
        })?;
        Ok(LineContent::Complete { how, count, at })
    }

    fn make(&mut self, making: CreationKind) -> Result<LineContent<'a>, LineError> {
        let comm = self.comm()?;
        let how = match making {
            CreationKind::Same => Creation::Same,
            CreationKind::Split => {
                Creation::Split { colour: self.integer("a colour")?, key: self.integer("a key")? }
            }
            CreationKind::Unknown => Creation::Unknown,
        };
        // The other arguments vary; the new communicator's address is the last one.
        let rest = self.line.bytes.get(self.next..).unwrap_or(&[]);
        let fields = 1 + rest.iter().filter(|byte| **byte == b':').count();
        self.skip(fields.saturating_sub(2))?;
        Ok(LineContent::Make { how, comm, at: self.address("a communicator's address")? })
    }

    fn window(&mut self, function: Function) -> Result<LineContent<'a>, LineError> {
        Ok(match function {
            Function::WindowNew => {
                self.skip(1)?;
                let bytes = u64::try_from(self.integer("a size")?).unwrap_or(0);
                self.skip(2)?;
                let comm = self.comm()?;
                LineContent::WindowNew { comm, bytes, at: self.address("a window's address")? }
            }
            Function::Fence => {
                self.skip(1)?;
                LineContent::Fence(self.address("a window")?)
            }
            _ => LineContent::WindowFree(self.address("a window's address")?),
        })
    }

    fn one_sided(&mut self, how: OneSided) -> Result<LineContent<'a>, LineError> {
        self.skip(1)?;
        let bytes = self.bytes()?;
        let peer = self.integer("the rank of the other end")?;
        // Displacement, count and datatype at the target; and the reduction operator.
        self.skip(if how == OneSided::Accumulate { 4 } else { 3 })?;
        Ok(LineContent::OneSided { how, peer, bytes, window: self.address("a window")? })
    }
}
