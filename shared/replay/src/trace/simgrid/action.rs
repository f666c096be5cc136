//! A line of a trace: the rank, what it does, and with what.

use super::datatype;
use crate::trace::Source;
use crate::trace::error::{LineError, LineMistake};
use crate::trace::text::{self, Line, show};
use loggia_trace::call::{ANY_TAG, Envelope, Operation, Peer, WORLD};

/// Which request a wait or a test asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitTarget {
    /// Between these ranks, with this tag, if the trace is new enough to say so.
    From { source: i64, to: i64, tag: Option<i64> },
    /// The one that was begun last: the oldest traces do not say.
    Last,
}

/// A message, as a trace calls it.
pub(super) type Key = (i64, i64, i64);

/// Whose line it is, among how many, and how long a datatype is that is not named.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineContext {
    pub(super) rank: u32,
    pub(super) ranks: u32,
    pub(super) default: u64,
}

/// What a line says.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// And the size of a datatype that is not named.
    Init(u64),
    Finalize,
    /// In nanoseconds, at one operation a microsecond.
    Compute(f64),
    /// In nanoseconds.
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
    /// Another communicator is made.
    Communicator,
    Nothing,
    /// Something that cannot be replayed.
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
    /// What a rank computes in it, in nanoseconds at one operation a microsecond.
    pub(super) compute: f64,
}

/// Names of what is read, in small letters.
const KNOWN: [&str; 31] = [
    "init",
    "finalize",
    "compute",
    "sleep",
    "location",
    "comm_size",
    "comm_split",
    "comm_dup",
    "send",
    "isend",
    "recv",
    "irecv",
    "sendrecv",
    "wait",
    "waitall",
    "test",
    "barrier",
    "bcast",
    "reduce",
    "allreduce",
    "alltoall",
    "alltoallv",
    "gather",
    "gatherv",
    "allgather",
    "allgatherv",
    "scatter",
    "scatterv",
    "reducescatter",
    "scan",
    "exscan",
];

/// Names of what newer versions write and Loggia cannot replay.
const OTHERS: [&str; 12] = [
    "waitany",
    "waitsome",
    "testall",
    "testany",
    "testsome",
    "probe",
    "iprobe",
    "put",
    "get",
    "accumulate",
    "win_fence",
    "comm_free",
];

const LONGEST: usize = 16;

/// A name in small letters: older traces write some of them large.
fn name_of(word: &[u8]) -> Option<&'static str> {
    let mut small = [0; LONGEST];
    let small = small.get_mut(..word.len())?;
    small.copy_from_slice(word);
    small.make_ascii_lowercase();
    KNOWN.iter().chain(&OTHERS).copied().find(|name| name.as_bytes() == small)
}

/// Whether a line begins with a rank and something known.
pub(super) fn is_one(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| text::unsigned(word).is_some())
        && words.next().is_some_and(|word| name_of(word).is_some())
}

/// The words of a line, one after the other.
pub(super) struct Tokens<'a> {
    pub(super) line: Line<'a>,
    /// Where the word begins that was read last, and where it ends.
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

    /// How many words are left.
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

    /// Whose line it is.
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

    /// A number that is not below zero.
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

    /// The size of a datatype, if one is named.
    pub(super) fn size(&mut self, default: u64) -> Result<u64, LineError> {
        let Some(word) = self.next() else { return Ok(default) };
        let expected = "the number of a datatype";
        let number = text::signed(word);
        let number = number.ok_or_else(|| self.wrong(LineMistake::unexpected(word, expected)))?;
        datatype::size(number).ok_or_else(|| self.wrong(LineMistake::UnknownDatatype(number)))
    }

    /// So many things of a size.
    pub(super) fn bytes(&self, count: f64, size: u64) -> Result<u64, LineError> {
        let bytes = text::rounded(count * size as f64).and_then(|bytes| u64::try_from(bytes).ok());
        bytes.ok_or_else(|| self.wrong(LineMistake::TooManyBytes))
    }

    /// What the line says.
    pub(super) fn action(&mut self, of: LineContext) -> Result<Action, LineError> {
        let word = self.word("what the rank does")?;
        let Some(name) = name_of(word) else {
            let word = show(word);
            return Err(self.wrong(LineMistake::UnknownAction { word, known: &KNOWN }));
        };
        Ok(match name {
            // The tool MPE, whose default this is, names itself.
            "init" => Action::Init(if self.next().is_some() { 8 } else { 1 }),
            "finalize" => Action::Finalize,
            "compute" => Action::Compute(1e3 * self.amount("a number of operations")?),
            "sleep" => Action::Sleep(1e9 * self.amount("a time in seconds")?),
            "comm_split" | "comm_dup" => Action::Communicator,
            "comm_size" | "location" => Action::Nothing,
            "send" => Action::Send(self.message(of, false)?.0),
            "recv" => Action::Recv(self.message(of, true)?.0),
            "isend" => {
                let (envelope, peer, tag) = self.message(of, false)?;
                Action::Isend(envelope, (i64::from(of.rank), peer, tag))
            }
            "irecv" => {
                let (envelope, peer, tag) = self.message(of, true)?;
                Action::Irecv(envelope, (peer, i64::from(of.rank), tag))
            }
            "sendrecv" => self.sendrecv(of)?,
            "wait" => Action::Wait(self.asked()?),
            "test" => Action::Test(self.asked()?),
            "waitall" => Action::Waitall,
            _ if KNOWN.contains(&name) => Action::Collective(self.collective(name, of)?),
            _ => Action::Other(name),
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
            _ if peer == Peer::Nobody => 0,
            _ => {
                return Err(self.wrong(LineMistake::NegativeTag(tag)));
            }
        };
        let count = match is_received {
            // Below zero, the trace does not know how much came.
            true => self.number("a count")?.max(0.0),
            false => self.amount("a count")?,
        };
        let size = self.size(of.default)?;
        let envelope = Envelope { peer, tag: number, bytes: self.bytes(count, size)?, comm: WORLD };
        Ok((envelope, raw, tag))
    }

    fn peer(&mut self, of: LineContext, is_received: bool) -> Result<(Peer, i64), LineError> {
        /// `MPI_PROC_NULL`
        const NOBODY: i64 = -666;
        let raw = self.integer("a rank")?;
        let peer = match u32::try_from(raw) {
            Ok(rank) if rank < of.ranks => Peer::Rank(rank),
            Err(_) if raw < 0 && (raw == NOBODY || !is_received) => Peer::Nobody,
            Err(_) if raw < 0 => Peer::Any,
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

    fn asked(&mut self) -> Result<WaitTarget, LineError> {
        if self.left() == 0 {
            return Ok(WaitTarget::Last);
        }
        let (source, to) = (self.integer("a rank")?, self.integer("a rank")?);
        let tag = if self.left() > 0 { Some(self.integer("a tag")?) } else { None };
        Ok(WaitTarget::From { source, to, tag })
    }
}
