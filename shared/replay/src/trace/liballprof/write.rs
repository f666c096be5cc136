//! The second reading of a rank's file: conversion of lines to records.

mod calls;
mod windows;

use super::communicators::{Meaning, NewComm};
use super::handles::{self, Handles};
use super::line::{self, CallLine, Comm, LineContent, Message};
use super::open_by_address::Requests;
use super::{ALONE, Notes, WORLD};
use crate::trace::Source;
use crate::trace::error::{LineError, LineMistake, TraceError};
use crate::trace::text::{Line, Lines, show};
use loggia_files::File;
use loggia_trace::call::{ANY_TAG, Call, Envelope, Peer};
use loggia_trace::record::{self, Record};
use rustc_hash::{FxHashMap, FxHashSet};
use windows::Windows;

/// Results of the first reading.
pub(super) struct Context<'a> {
    pub(super) requests: Requests,
    /// Meanings of this rank's events.
    pub(super) meanings: &'a [Meaning],
    pub(super) is_mpich: bool,
    /// Number of ranks of the run.
    pub(super) ranks: u32,
}

/// A rank's records.
pub(super) struct RankRecords {
    pub(super) records: Vec<u8>,
    /// Start of the first record, in ns of the rank's clock.
    pub(super) start: i64,
    /// Whether the program has reached `MPI_Finalize`.
    pub(super) is_whole: bool,
}

/// Consecutive failed tests.
struct Polls {
    count: u64,
    gap: u64,
    begin: i64,
}

/// Failed tests with shorter gaps than this are one wait, in ns.
const POLL: i64 = 1_000;

struct Writer<'a, 'n> {
    records: Vec<u8>,
    /// Storage for a record's lists.
    lists: [Vec<u8>; 4],
    start: Option<i64>,
    /// End of the call before.
    last: i64,
    polls: Option<Polls>,
    handles: Handles,
    known: Context<'a>,
    /// Requests of calls that cannot be replayed.
    unreplayed: FxHashSet<u32>,
    windows: Windows,
    /// Numbers and counts of the functions that cannot be replayed.
    others: FxHashMap<&'a [u8], (u32, u64)>,
    is_whole: bool,
    notes: &'n mut Notes,
}

/// Reads a file for the second time.
pub(super) fn write<'a>(
    file: &'a File,
    known: Context<'a>,
    notes: &mut Notes,
) -> Result<RankRecords, TraceError> {
    let mut writer = Writer {
        records: Vec::with_capacity(file.bytes.len() / 6),
        lists: Default::default(),
        start: None,
        last: 0,
        polls: None,
        handles: Handles::default(),
        known,
        unreplayed: FxHashSet::default(),
        windows: Windows::default(),
        others: FxHashMap::default(),
        is_whole: false,
        notes,
    };
    for line in Lines::new(&file.bytes).filter(|line| !line.is_silent()) {
        match line::read(line) {
            Ok(called) => {
                writer.line(&called, line).map_err(|error| error.in_file(&file.name))?;
            }
            // Reported by the first reading.
            Err(_) => break,
        }
    }
    Ok(writer.finish())
}

impl<'a> Writer<'a, '_> {
    fn finish(mut self) -> RankRecords {
        self.put_polls();
        self.notes.inferred += self.known.requests.inferred;
        self.notes.guessed_requests += self.known.requests.guessed;
        if self.is_whole {
            self.notes.open += self.known.requests.active() as u64;
        }
        for (name, (_, count)) in self.others {
            *self.notes.others.entry(show(name)).or_default() += count;
        }
        let start = self.start.unwrap_or(0);
        RankRecords { records: self.records, start, is_whole: self.is_whole }
    }

    fn line(&mut self, called: &CallLine<'a>, line: Line) -> Result<(), LineError> {
        let comm = handles::of(&called.content);
        let comm = comm.map(|comm| self.comm(comm));
        match called.content {
            LineContent::Init => {
                let end = called.end.or(called.begin).unwrap_or(0);
                if self.start.is_none() {
                    (self.start, self.last) = (Some(end), end);
                }
                Ok(())
            }
            LineContent::Local | LineContent::CommQuery(_) => Ok(()),
            _ => {
                if let Some(time) = called.begin.or(called.end)
                    && self.start.is_none()
                {
                    (self.start, self.last) = (Some(time), time);
                }
                if let Some(time) = called.begin
                    && time < self.last
                {
                    self.notes.backwards += 1;
                }
                self.call(called, comm, line)
            }
        }
    }

    /// Start and end of a call.
    fn span(&self, called: &CallLine) -> (i64, i64) {
        let begin = called.begin.unwrap_or(self.last);
        (begin, called.end.unwrap_or(begin))
    }

    fn put(&mut self, called: &CallLine, call: Call) {
        self.put_polls();
        let (begin, end) = self.span(called);
        let gap = between(self.last, begin);
        let duration = between(begin.max(self.last), end);
        self.last = self.last.max(end);
        record::write(&mut self.records, &Record { gap, duration, call });
    }

    /// Adds a record of zero duration.
    fn put_instant(&mut self, call: Call) {
        self.put_polls();
        record::write(&mut self.records, &Record { gap: 0, duration: 0, call });
    }

    /// Adds a failed test; consecutive failed tests become one record.
    fn poll(&mut self, called: &CallLine) {
        let (begin, end) = self.span(called);
        let gap = between(self.last, begin);
        match &mut self.polls {
            Some(polls) if begin.saturating_sub(self.last) < POLL => polls.count += 1,
            _ => {
                self.put_polls();
                self.polls = Some(Polls { count: 1, gap, begin: begin.max(self.last) });
            }
        }
        self.last = self.last.max(end);
    }

    fn put_polls(&mut self) {
        if let Some(Polls { count, gap, begin }) = self.polls.take() {
            let duration = between(begin, self.last);
            record::write(&mut self.records, &Record { gap, duration, call: Call::Polls(count) });
        }
    }

    /// Adds a call that cannot be replayed.
    fn other(&mut self, called: &CallLine<'a>) {
        let next = u32::try_from(self.others.len()).unwrap_or(u32::MAX);
        let (number, count) = self.others.entry(called.name).or_insert((next, 0));
        *count += 1;
        let (other, is_new) = (*number, *count == 1);
        if is_new {
            self.put_instant(Call::Named { other, name: &show(called.name) });
        }
        self.put(called, Call::Other(other));
    }

    /// A communicator's number, if its members are known.
    fn comm(&mut self, comm: Comm) -> Option<u32> {
        if comm.size == 1 {
            return Some(if self.known.ranks == 1 { WORLD } else { ALONE });
        }
        let (event, is_new) = self.handles.seen(comm);
        let meaning = self.meaning(event);
        if is_new && let Some(new) = meaning.new {
            self.put_instant(made(new));
        }
        meaning.comm
    }

    fn meaning(&self, event: usize) -> Meaning {
        self.known.meanings.get(event).copied().unwrap_or_default()
    }

    fn envelope(
        &self,
        message: Message,
        comm: u32,
        is_received: bool,
        line: Line,
    ) -> Result<Envelope, LineError> {
        let any = if self.known.is_mpich { -2 } else { -1 };
        let size = message.comm.size;
        let peer = match u32::try_from(message.peer) {
            Ok(rank) if rank < size => Peer::Rank(rank),
            Err(_) if is_received && message.peer == any => Peer::AnySource,
            Err(_) if message.peer < 0 => Peer::Null,
            _ => {
                let mistake = LineMistake::PeerOutside { peer: message.peer, size };
                return Err(line.error(Source::Liballprof, message.at, mistake));
            }
        };
        let tag = match u32::try_from(message.tag) {
            Ok(tag) if tag != ANY_TAG => tag,
            _ if peer == Peer::Null => 0,
            _ if is_received && message.tag < 0 => ANY_TAG,
            _ => {
                let mistake = LineMistake::NegativeTag(message.tag);
                return Err(line.error(Source::Liballprof, message.at, mistake));
            }
        };
        Ok(Envelope { peer, tag, bytes: message.bytes, comm })
    }
}

/// The time from `begin` to `end`; 0 if `end` is earlier.
fn between(begin: i64, end: i64) -> u64 {
    u64::try_from(end.saturating_sub(begin)).unwrap_or(0)
}

fn made(new: NewComm) -> Call<'static> {
    let NewComm { comm, parent, name, rank, size } = new;
    Call::CommNew { comm, parent, name, rank, size }
}
