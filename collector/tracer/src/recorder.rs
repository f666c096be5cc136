//! Requests, communicators and windows of the program, and the recording of its calls.

mod requests;
mod run;

use crate::abi::{ANY_TAG as ABI_ANY_TAG, Abi, Handle};
use crate::clock::{self, Time};
use crate::language::{HandleKind, Language};
use crate::library::{Neighbors, broadcast, rank_in, size_of, type_size};
use crate::sink::Sink;
use loggia_trace::call::{ALONE, ANY_TAG, Call, Envelope, Peer, WORLD};
use loggia_trace::header::{Header, place};
use loggia_trace::record::{self, Record};
pub(crate) use requests::CallRequests;
use requests::Requests;
pub(crate) use run::{
    begin, end, f08_is_recorded, fortran_is_recorded, inside, is_on, outside, with,
};
use rustc_hash::FxHashMap;
use std::ffi::{c_int, c_void};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Calls that ask for something that is not there, no further apart than this, wait for it: in
/// nanoseconds.
const POLL: u64 = 1_000;

/// The state of the recording.
pub(crate) struct Recorder {
    pub(crate) abi: &'static Abi,
    sink: Sink,
    /// End of the previous call.
    last: u64,
    /// A record's bytes.
    bytes: Vec<u8>,
    /// Encoded lists of the current record.
    pub(crate) lists: [Vec<u8>; 4],
    pub(crate) requests: Requests,
    /// By handle.
    comms: FxHashMap<Handle, u32>,
    next_comm: u32,
    /// By the communicator's number: its name, and how often it was duplicated without waiting.
    duplicated: FxHashMap<u32, (u64, u64)>,
    /// By the communicator's number.
    neighbors: FxHashMap<u32, Arc<Neighbors>>,
    windows: FxHashMap<Handle, u32>,
    next_window: u32,
    others: FxHashMap<&'static str, u32>,
    /// Messages that were probed for and taken: whose they are.
    pub(crate) messages: FxHashMap<Handle, Envelope>,
    polls: Option<Polls>,
    threads: u32,
    failed: Option<io::Error>,
}

/// Consecutive failed tests.
struct Polls {
    count: u64,
    gap: u64,
    entry: u64,
}

impl Recorder {
    fn new(abi: &'static Abi, header: &Header, sink: Sink) -> Self {
        let comms = [(abi.world, WORLD), (abi.alone, ALONE)];
        Recorder {
            abi,
            sink,
            last: header.start,
            bytes: Vec::with_capacity(256),
            lists: Default::default(),
            requests: Requests::default(),
            comms: comms.into_iter().collect(),
            next_comm: ALONE + 1,
            duplicated: FxHashMap::default(),
            neighbors: FxHashMap::default(),
            windows: FxHashMap::default(),
            next_window: 0,
            others: FxHashMap::default(),
            messages: FxHashMap::default(),
            polls: None,
            threads: 0,
            failed: None,
        }
    }

    /// Measures what a record costs outside of its call: the time from the clock's reading at the
    /// end of a call to the reading at the beginning of the next one.
    fn calibrate(&mut self, rank: u32) {
        let mut costs: Vec<u64> = (0..200)
            .map(|_| {
                let before = clock::now();
                self.bytes.clear();
                let envelope =
                    Envelope { peer: Peer::Rank(rank), tag: 1, bytes: 1 << 14, comm: WORLD };
                let call = Call::Isend(Default::default(), envelope, 1);
                record::write(&mut self.bytes, &Record { gap: 1_000, duration: 500, call });
                clock::now() - before
            })
            .collect();
        costs.sort_unstable();
        let middle = costs[costs.len() / 2] as u32;
        self.sink.set(place::RECORD_COST, &middle.to_le_bytes());
    }

    /// Writes a call down.
    #[inline]
    pub(crate) fn write(&mut self, time: Time, call: Call) {
        if self.polls.is_some() {
            self.write_polls();
        }
        let gap = time.entry.saturating_sub(self.last);
        let duration = time.exit.saturating_sub(time.entry.max(self.last));
        self.last = self.last.max(time.exit);
        self.put(&Record { gap, duration, call });
    }

    #[inline]
    fn put(&mut self, record: &Record) {
        self.bytes.clear();
        record::write(&mut self.bytes, record);
        if let Err(error) = self.sink.append(&self.bytes) {
            self.failed = Some(error);
        }
    }

    /// A failed test. Consecutive ones become one record.
    pub(crate) fn poll(&mut self, time: Time) {
        let gap = time.entry.saturating_sub(self.last);
        match &mut self.polls {
            Some(polls) if gap < POLL => polls.count += 1,
            waiting => {
                let before = waiting.replace(Polls { count: 1, gap, entry: time.entry });
                if let Some(before) = before {
                    self.put_polls(before);
                }
            }
        }
        self.last = self.last.max(time.exit);
    }

    #[cold]
    fn write_polls(&mut self) {
        if let Some(polls) = self.polls.take() {
            self.put_polls(polls);
        }
    }

    fn put_polls(&mut self, polls: Polls) {
        let Polls { count, gap, entry } = polls;
        let duration = self.last.saturating_sub(entry);
        self.put(&Record { gap, duration, call: Call::Polls(count) });
    }

    /// Time spent here after a call is not the program's computation.
    fn resume(&mut self) {
        self.last = clock::now();
    }

    /// A call that cannot be replayed.
    pub(crate) fn other(&mut self, time: Time, name: &'static str) {
        let next = self.others.len() as u32;
        let other = match self.others.get(name) {
            Some(number) => *number,
            None => {
                self.others.insert(name, next);
                let at = Time { entry: self.last, exit: self.last };
                self.write(at, Call::Named { other: next, name });
                next
            }
        };
        self.write(time, Call::Other(other));
    }

    /// A communicator's number, if it is one of those that can be replayed.
    #[inline]
    pub(crate) fn comm(&self, comm: Handle) -> Option<u32> {
        match comm == self.abi.world {
            true => Some(WORLD),
            false => self.comms.get(&comm).copied(),
        }
    }

    /// Neighbours of this rank.
    pub(crate) fn neighbors(&mut self, number: u32, comm: Handle) -> Arc<Neighbors> {
        let abi = self.abi;
        let find = || Arc::new(Neighbors::of(abi, comm));
        Arc::clone(self.neighbors.entry(number).or_insert_with(find))
    }

    /// Bytes of `count` elements of a type.
    ///
    /// # Safety
    /// The type is one.
    #[inline]
    pub(crate) unsafe fn bytes<L: Language>(&self, count: L::Count, of: L::Handle) -> u64 {
        // SAFETY: the program has passed them.
        unsafe {
            let of = L::handle(self.abi, HandleKind::Type, of);
            type_size(of).saturating_mul(L::count(count).max(0) as u64)
        }
    }

    /// Envelope of a message; `None` in an unknown communicator.
    ///
    /// # Safety
    /// The arguments are a call's.
    #[inline]
    pub(crate) unsafe fn envelope<L: Language>(
        &self,
        bytes: u64,
        peer: L::Int,
        tag: L::Int,
        comm: L::Handle,
    ) -> Option<Envelope> {
        // SAFETY: the program has passed them.
        unsafe {
            let comm = self.comm(L::handle(self.abi, HandleKind::Comm, comm))?;
            Some(Envelope { peer: self.peer(L::int(peer)), tag: tag_of(L::int(tag)), bytes, comm })
        }
    }

    #[inline]
    pub(crate) fn peer(&self, passed: c_int) -> Peer {
        match passed {
            any if any == self.abi.any_source => Peer::AnySource,
            rank if rank >= 0 => Peer::Rank(rank as u32),
            _ => Peer::Null,
        }
    }

    /// What came, by the status of the receive; whether any source would have done, and any tag.
    ///
    /// # Safety
    /// The status has been set.
    #[inline]
    pub(crate) unsafe fn got(
        &self,
        asked: Envelope,
        status: *const c_void,
    ) -> (Envelope, bool, bool) {
        let (any_source, any_tag) = (asked.peer == Peer::AnySource, asked.tag == ANY_TAG);
        if asked.peer == Peer::Null {
            return (asked, any_source, any_tag);
        }
        // SAFETY: the caller guarantees it.
        let (source, tag, bytes) = unsafe { self.abi.status(status) };
        let got = Envelope { peer: self.peer(source), tag: tag_of(tag), bytes, ..asked };
        (got, any_source, any_tag)
    }

    /// A communicator has been made; none out of one that is not known.
    pub(crate) fn comm_made(
        &mut self,
        time: Time,
        made: Option<CreatedCommunicator>,
        what: &'static str,
    ) {
        let Some(CreatedCommunicator { parent, handle, name, rank, size }) = made else {
            return self.other(time, what);
        };
        let comm = match size {
            // This rank is not in the communicator.
            0 => 0,
            _ => self.number_comm(handle, name),
        };
        self.write(time, Call::CommNew { comm, parent, name, rank, size });
        self.resume();
    }

    fn number_comm(&mut self, handle: Handle, name: u64) -> u32 {
        let comm = self.next_comm;
        self.next_comm += 1;
        self.comms.insert(handle, comm);
        self.duplicated.insert(comm, (name, 0));
        comm
    }

    /// A communicator of the same ranks is being made. Nothing can be sent in it yet, so its name comes
    /// from the other's: all ranks duplicate that one in the same order.
    pub(crate) fn comm_made_later(
        &mut self,
        time: Time,
        what: &'static str,
        [parent, made]: [Handle; 2],
        request: u32,
    ) {
        let Some(number) = self.comm(parent) else { return self.other(time, what) };
        let first = match number {
            ALONE => ALONE_NAMES | u64::from(rank_in(self.abi.world)),
            _ => 0,
        };
        let (of, count) = self.duplicated.entry(number).or_insert((first, 0));
        *count += 1;
        let name = duplicate_name(*of, *count);
        let (rank, size) = (rank_in(parent), size_of(parent));
        let comm = self.number_comm(made, name);
        self.write(time, Call::CommIdup { comm, parent: number, name, rank, size, request });
    }

    pub(crate) fn comm_freed(&mut self, time: Time, comm: Handle) {
        if let Some(comm) = self.comms.remove(&comm) {
            self.neighbors.remove(&comm);
            self.duplicated.remove(&comm);
            self.write(time, Call::CommFree(comm));
        }
    }

    pub(crate) fn window_made(&mut self, time: Time, window: Handle, comm: u32, bytes: u64) {
        let number = self.next_window;
        self.next_window += 1;
        self.windows.insert(window, number);
        self.write(time, Call::WindowNew { window: number, comm, bytes });
    }

    pub(crate) fn window_freed(&mut self, time: Time, window: Handle) {
        if let Some(window) = self.windows.remove(&window) {
            self.write(time, Call::WindowFree(window));
        }
    }

    pub(crate) fn window(&self, window: Handle) -> Option<u32> {
        self.windows.get(&window).copied()
    }
}

/// A communicator that a call has made.
pub(crate) struct CreatedCommunicator {
    parent: u32,
    handle: Handle,
    /// No other of the run has it.
    name: u64,
    rank: u32,
    /// 0 on ranks outside.
    size: u32,
}

impl CreatedCommunicator {
    /// The first rank chooses a name and broadcasts it.
    pub(crate) fn of(abi: &Abi, parent: u32, handle: Handle) -> Self {
        static NAMES: AtomicU32 = AtomicU32::new(0);
        if handle == abi.no_comm || handle == 0 {
            return CreatedCommunicator { parent, handle, name: 0, rank: 0, size: 0 };
        }
        let number = NAMES.fetch_add(1, Ordering::Relaxed);
        let mut name = [u64::from(rank_in(abi.world)) << 32 | u64::from(number)];
        broadcast(abi, &mut name, handle);
        let (rank, size) = (rank_in(handle), size_of(handle));
        CreatedCommunicator { parent, handle, name: name[0], rank, size }
    }
}

/// Names of the ranks' own communicators begin with this bit, those that are made later with another.
const ALONE_NAMES: u64 = 1 << 62;
const LATER_NAMES: u64 = 1 << 63;

/// A name that follows from another communicator's, and that no other has: by the mixing of SplitMix64.
fn duplicate_name(of: u64, count: u64) -> u64 {
    let mut name = of.wrapping_add(count.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    name = (name ^ (name >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    name = (name ^ (name >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (name ^ (name >> 31)) | LATER_NAMES
}

#[inline]
fn tag_of(passed: c_int) -> u32 {
    if passed == ABI_ANY_TAG { ANY_TAG } else { passed as u32 }
}
