//! A line of a trace: the rank, its action, and the arguments.

use super::datatype;
use crate::trace::Source;
use crate::trace::error::{LineError, LineMistake};
use crate::trace::text::{self, Line, show};
use loggia_trace::call::{ANY_TAG, Envelope, Operation, Peer, WORLD};

/// The request of a wait or a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitTarget {
    /// The request with these ranks and this tag; older traces have no tag.
    From { source: i64, to: i64, tag: Option<i64> },
    /// The request that began last, in the oldest traces.
    Last,
}

/// Source, destination and tag of a message in a trace.
pub(super) type Key = (i64, i64, i64);

/// The line's rank, the number of ranks, and the size of the default datatype in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineContext {
    pub(super) rank: u32,
    pub(super) ranks: u32,
    pub(super) default: u64,
}

/// The action of a line.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// With the size of the default datatype in bytes.
    Init(u64),
    Finalize,
    /// In ns at one operation per µs.
    Compute(f64),
    /// In ns.
    Sleep(f64),
    Send(Envelope),
    Recv(Envelope),
    Isend(Envelope, Key),
    Irecv(Envelope, Key),
    Sendrecv(Envelope, Envelope),
    Wait(WaitTarget),
    Test(WaitTarget),
    Waitall,
    Collective(CollectiveAction),
    /// A communicator is created.
    Communicator,
    Nothing,
    /// A call that cannot be replayed.
    Other(&'static str),
}

/// A collective operation.
#[derive(Clone, Debug)]
pub(super) struct CollectiveAction {
    pub(super) op: Operation,
    pub(super) root: Option<u32>,
    pub(super) bytes: u64,
    pub(super) sends: Vec<u64>,
    pub(super) receives: Vec<u64>,
    /// Computation of a rank in the operation, in ns at one operation per µs.
    pub(super) compute: f64,
}

/// The first word of a line, after its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyword {
    Init,
    Finalize,
    Compute,
    Sleep,
    /// Creates a communicator.
    Communicator,
    /// Without effect here.
    Nothing,
    Send,
    Isend,
    Recv,
    Irecv,
    Sendrecv,
    Wait,
    Waitall,
    Test,
    Collective(Operation),
    /// Written by newer versions; Loggia cannot replay it.
    Unsupported,
}

/// Keywords in lower case.
const KEYWORDS: [(&str, Keyword); 43] = [
    ("init", Keyword::Init),
    ("finalize", Keyword::Finalize),
    ("compute", Keyword::Compute),
    ("sleep", Keyword::Sleep),
    ("location", Keyword::Nothing),
    ("comm_size", Keyword::Nothing),
    ("comm_split", Keyword::Communicator),
    ("comm_dup", Keyword::Communicator),
    ("send", Keyword::Send),
    ("isend", Keyword::Isend),
    ("recv", Keyword::Recv),
    ("irecv", Keyword::Irecv),
    ("sendrecv", Keyword::Sendrecv),
    ("wait", Keyword::Wait),
    ("waitall", Keyword::Waitall),
    ("test", Keyword::Test),
    ("barrier", Keyword::Collective(Operation::Barrier)),
    ("bcast", Keyword::Collective(Operation::Bcast)),
    ("reduce", Keyword::Collective(Operation::Reduce)),
    ("allreduce", Keyword::Collective(Operation::Allreduce)),
    ("alltoall", Keyword::Collective(Operation::Alltoall)),
    ("alltoallv", Keyword::Collective(Operation::Alltoallv)),
    ("gather", Keyword::Collective(Operation::Gather)),
    ("gatherv", Keyword::Collective(Operation::Gatherv)),
    ("allgather", Keyword::Collective(Operation::Allgather)),
    ("allgatherv", Keyword::Collective(Operation::Allgatherv)),
    ("scatter", Keyword::Collective(Operation::Scatter)),
    ("scatterv", Keyword::Collective(Operation::Scatterv)),
    ("reducescatter", Keyword::Collective(Operation::ReduceScatter)),
    ("scan", Keyword::Collective(Operation::Scan)),
    ("exscan", Keyword::Collective(Operation::Exscan)),
    ("waitany", Keyword::Unsupported),
    ("waitsome", Keyword::Unsupported),
    ("testall", Keyword::Unsupported),
    ("testany", Keyword::Unsupported),
    ("testsome", Keyword::Unsupported),
    ("probe", Keyword::Unsupported),
    ("iprobe", Keyword::Unsupported),
    ("put", Keyword::Unsupported),
    ("get", Keyword::Unsupported),
    ("accumulate", Keyword::Unsupported),
    ("win_fence", Keyword::Unsupported),
    ("comm_free", Keyword::Unsupported),
];

const LONGEST: usize = 16;

/// Case is ignored: older traces write some keywords in upper case.
fn keyword(word: &[u8]) -> Option<(&'static str, Keyword)> {
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..word.len())?;
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    KEYWORDS.into_iter().find(|(name, _)| name.as_bytes() == lower)
}

/// Whether a line begins with a rank and a known keyword.
pub(super) fn is_action_line(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| text::unsigned(word).is_some())
        && words.next().is_some_and(|word| keyword(word).is_some())
}

/// The words of a line.
pub(super) struct Tokens<'a> {
    pub(super) line: Line<'a>,
    /// Begin and end of the last word.
    at: usize,
    end: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(line: Line<'a>) -> Self {
        Tokens { line, at: 0, end: 0 }
    }

    /// The next word, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.line.bytes.get(self.end..)?;
        let begin = self.end + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let word = &self.line.bytes[begin..];
        let length = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        (self.at, self.end) = (begin, begin + length);
        Some(&word[..length])
    }

    /// Number of words left.
    pub(super) fn left(&self) -> usize {
        let rest = self.line.bytes.get(self.end..).unwrap_or(&[]);
        rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count()
    }

    #[cold]
    pub(super) fn wrong(&self, mistake: LineMistake) -> LineError {
        self.line.error(Source::SimGrid, self.at, mistake)
    }

    fn word(&mut self, expected: &'static str) -> Result<&'a [u8], LineError> {
        match self.next() {
            Some(word) => Ok(word),
            None => {
                let (at, mistake) = (self.line.bytes.len(), LineMistake::Ends { expected });
                Err(self.line.error(Source::SimGrid, at, mistake))
            }
        }
    }

    /// The rank of the line.
    pub(super) fn rank(&mut self) -> Result<u32, LineError> {
        let word = self.word("a rank")?;
        let rank = text::unsigned(word).and_then(|rank| u32::try_from(rank).ok());
        rank.filter(|rank| *rank < u32::MAX)
            .ok_or_else(|| self.wrong(LineMistake::NotARank { found: show(word) }))
    }

    pub(super) fn number(&mut self, expected: &'static str) -> Result<f64, LineError> {
        let word = self.word(expected)?;
        text::number(word).ok_or_else(|| self.wrong(LineMistake::unexpected(word, expected)))
    }

    /// A number of at least 0.
    pub(super) fn amount(&mut self, expected: &'static str) -> Result<f64, LineError> {
        let amount = self.number(expected)?;
        match amount >= 0.0 {
            true => Ok(amount),
            false => Err(self.wrong(LineMistake::Negative { found: amount, expected })),
        }
    }

    pub(super) fn integer(&mut self, expected: &'static str) -> Result<i64, LineError> {
        let word = self.word(expected)?;
        text::signed(word).ok_or_else(|| self.wrong(LineMistake::unexpected(word, expected)))
    }

    /// The size of the datatype in the line, else `default`.
    pub(super) fn size(&mut self, default: u64) -> Result<u64, LineError> {
        let Some(word) = self.next() else { return Ok(default) };
        let expected = "the number of a datatype";
        let number = text::signed(word);
        let number = number.ok_or_else(|| self.wrong(LineMistake::unexpected(word, expected)))?;
        datatype::size(number).ok_or_else(|| self.wrong(LineMistake::UnknownDatatype(number)))
    }

    /// Bytes of `count` elements.
    pub(super) fn bytes(&self, count: f64, size: u64) -> Result<u64, LineError> {
        let bytes = text::rounded(count * size as f64).and_then(|bytes| u64::try_from(bytes).ok());
        bytes.ok_or_else(|| self.wrong(LineMistake::TooManyBytes))
    }

    /// Parses the action.
    pub(super) fn action(&mut self, of: LineContext) -> Result<Action, LineError> {
        let word = self.word("an action")?;
        let Some((name, keyword)) = keyword(word) else {
            let supported = KEYWORDS.into_iter().filter(|(_, of)| *of != Keyword::Unsupported);
            let known = supported.map(|(name, _)| name).collect();
            return Err(self.wrong(LineMistake::UnknownAction { word: show(word), known }));
        };
        Ok(match keyword {
            // An argument marks traces of the tool MPE, whose default is MPI_DOUBLE.
            Keyword::Init => Action::Init(if self.next().is_some() { 8 } else { 1 }),
            Keyword::Finalize => Action::Finalize,
            Keyword::Compute => Action::Compute(1e3 * self.amount("a number of operations")?),
            Keyword::Sleep => Action::Sleep(1e9 * self.amount("a time in seconds")?),
            Keyword::Communicator => Action::Communicator,
            Keyword::Nothing => Action::Nothing,
            Keyword::Send => Action::Send(self.message(of, false)?.0),
            Keyword::Recv => Action::Recv(self.message(of, true)?.0),
            Keyword::Isend => {
                let (envelope, peer, tag) = self.message(of, false)?;
                Action::Isend(envelope, (i64::from(of.rank), peer, tag))
            }
            Keyword::Irecv => {
                let (envelope, peer, tag) = self.message(of, true)?;
                Action::Irecv(envelope, (peer, i64::from(of.rank), tag))
            }
            Keyword::Sendrecv => self.sendrecv(of)?,
            Keyword::Wait => Action::Wait(self.target()?),
            Keyword::Test => Action::Test(self.target()?),
            Keyword::Waitall => Action::Waitall,
            Keyword::Collective(op) => Action::Collective(self.collective(op, of)?),
            Keyword::Unsupported => Action::Other(name),
        })
    }

    /// Peer, tag, count and datatype; the oldest traces have no tags.
    fn message(
        &mut self,
        of: LineContext,
        is_received: bool,
    ) -> Result<(Envelope, i64, i64), LineError> {
        let (peer, raw) = self.peer(of, is_received)?;
        let has_tag = self.left() > 1;
        let tag = if has_tag { self.integer("a tag")? } else { 0 };
        let number = match u32::try_from(tag) {
            Ok(tag) if tag != ANY_TAG => tag,
            _ if is_received && tag < 0 => ANY_TAG,
            _ if peer == Peer::Null => 0,
            _ => {
                return Err(self.wrong(LineMistake::NegativeTag(tag)));
            }
        };
        let count = match is_received {
            // A negative count is an unknown size.
            true => self.number("a count")?.max(0.0),
            false => self.amount("a count")?,
        };
        let size = self.size(of.default)?;
        let envelope = Envelope { peer, tag: number, bytes: self.bytes(count, size)?, comm: WORLD };
        Ok((envelope, raw, tag))
    }

    fn peer(&mut self, of: LineContext, is_received: bool) -> Result<(Peer, i64), LineError> {
        /// `MPI_PROC_NULL`
        const PROC_NULL: i64 = -666;
        let raw = self.integer("a rank")?;
        let peer = match u32::try_from(raw) {
            Ok(rank) if rank < of.ranks => Peer::Rank(rank),
            Err(_) if raw < 0 && (raw == PROC_NULL || !is_received) => Peer::Null,
            Err(_) if raw < 0 => Peer::AnySource,
            _ => {
                return Err(self.wrong(LineMistake::RankOutside { rank: raw, ranks: of.ranks }));
            }
        };
        Ok((peer, raw))
    }

    /// Count, receiver, count, sender and two datatypes, without tags.
    fn sendrecv(&mut self, of: LineContext) -> Result<Action, LineError> {
        let sent = self.amount("a count")?;
        let to = self.peer(of, false)?.0;
        let received = self.number("a count")?.max(0.0);
        let from = self.peer(of, true)?.0;
        let (send_size, recv_size) = (self.size(of.default)?, self.size(of.default)?);
        let end = |peer, bytes| Envelope { peer, tag: 0, bytes, comm: WORLD };
        let sent = end(to, self.bytes(sent, send_size)?);
        let received = end(from, self.bytes(received, recv_size)?);
        Ok(Action::Sendrecv(sent, received))
    }

    fn target(&mut self) -> Result<WaitTarget, LineError> {
        if self.left() == 0 {
            return Ok(WaitTarget::Last);
        }
        let (source, to) = (self.integer("a rank")?, self.integer("a rank")?);
        let tag = if self.left() > 0 { Some(self.integer("a tag")?) } else { None };
        Ok(WaitTarget::From { source, to, tag })
    }
}
