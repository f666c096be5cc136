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
    begin, clear_running_call, end, f08_is_recorded, fortran_is_recorded, is_on, set_running_call,
    with,
};
use rustc_hash::FxHashMap;
use std::ffi::{c_int, c_void};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Maximum gap between failed tests that are recorded together as polling, in
/// ns.
const POLL: u64 = 1_000;

/// The state of the recording.
pub(crate) struct Recorder {
    pub(crate) abi: &'static Abi,
    sink: Sink,
    /// End of the previous call.
    last: u64,
    /// The bytes of the current record.
    bytes: Vec<u8>,
    /// Encoded lists of the current record.
    pub(crate) lists: [Vec<u8>; 4],
    pub(crate) requests: Requests,
    /// Communicator numbers by handle.
    comms: FxHashMap<Handle, u32>,
    next_comm: u32,
    /// By communicator number: its name, and its number of non-blocking duplications.
    duplicated: FxHashMap<u32, (u64, u64)>,
    /// Neighbours by communicator number.
    neighbors: FxHashMap<u32, Arc<Neighbors>>,
    windows: FxHashMap<Handle, u32>,
    next_window: u32,
    /// Numbers of the functions that cannot be replayed, by name.
    unreplayable: FxHashMap<&'static str, u32>,
    /// Envelopes of messages found by matched probes.
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
        let comms = [(abi.world, WORLD), (abi.self_comm, ALONE)];
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
            unreplayable: FxHashMap::default(),
            messages: FxHashMap::default(),
            polls: None,
            threads: 0,
            failed: None,
        }
    }

    /// Measures the cost of a record outside its call: the time from the reading of the clock at
    /// the end of a call to the reading at the begin of the next call.
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
        let median = costs[costs.len() / 2] as u32;
        self.sink.set(place::RECORD_COST, &median.to_le_bytes());
    }

    /// Records a call.
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

    /// Records a failed test. Consecutive failed tests become one record.
    pub(crate) fn poll(&mut self, time: Time) {
        let gap = time.entry.saturating_sub(self.last);
        match &mut self.polls {
            Some(polls) if gap < POLL => polls.count += 1,
            polls => {
                let before = polls.replace(Polls { count: 1, gap, entry: time.entry });
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

    /// Excludes the time spent in this library after a call from the program's computation.
    fn resume(&mut self) {
        self.last = clock::now();
    }

    /// Records a call that cannot be replayed.
    pub(crate) fn other(&mut self, time: Time, name: &'static str) {
        let next = self.unreplayable.len() as u32;
        let other = match self.unreplayable.get(name) {
            Some(number) => *number,
            None => {
                self.unreplayable.insert(name, next);
                let at = Time { entry: self.last, exit: self.last };
                self.write(at, Call::Named { other: next, name });
                next
            }
        };
        self.write(time, Call::Other(other));
    }

    /// A communicator's number, if calls in it can be replayed.
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
    /// The handle is a datatype.
    #[inline]
    pub(crate) unsafe fn bytes<L: Language>(&self, count: L::Count, of: L::Handle) -> u64 {
        // SAFETY: the program has passed these arguments.
        unsafe {
            let of = L::handle(self.abi, HandleKind::Type, of);
            type_size(of).saturating_mul(L::count(count).max(0) as u64)
        }
    }

    /// Envelope of a message; `None` in an unknown communicator.
    ///
    /// # Safety
    /// The arguments come from a call.
    #[inline]
    pub(crate) unsafe fn envelope<L: Language>(
        &self,
        bytes: u64,
        peer: L::Int,
        tag: L::Int,
        comm: L::Handle,
    ) -> Option<Envelope> {
        // SAFETY: the program has passed these arguments.
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

    /// The envelope of a received message, and whether the receive allowed any source, and any tag.
    ///
    /// # Safety
    /// The status has been set.
    #[inline]
    pub(crate) unsafe fn got(
        &self,
        receive: Envelope,
        status: *const c_void,
    ) -> (Envelope, bool, bool) {
        let (any_source, any_tag) = (receive.peer == Peer::AnySource, receive.tag == ANY_TAG);
        if receive.peer == Peer::Null {
            return (receive, any_source, any_tag);
        }
        // SAFETY: guaranteed by the caller.
        let (source, tag, bytes) = unsafe { self.abi.status(status) };
        let got = Envelope { peer: self.peer(source), tag: tag_of(tag), bytes, ..receive };
        (got, any_source, any_tag)
    }

    /// Records a new communicator; `None` if its parent is unknown.
    pub(crate) fn comm_created(
        &mut self,
        time: Time,
        created: &Option<CreatedCommunicator>,
        call_name: &'static str,
    ) {
        let Some(CreatedCommunicator { parent, handle, name, rank, size }) = *created else {
            return self.other(time, call_name);
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

    /// Records a non-blocking duplication. The new communicator cannot be used yet, so its name is
    /// derived from the parent's: all ranks duplicate the parent in the same order.
    pub(crate) fn comm_duplication_started(
        &mut self,
        time: Time,
        call_name: &'static str,
        [parent, created]: [Handle; 2],
        request: u32,
    ) {
        let Some(number) = self.comm(parent) else { return self.other(time, call_name) };
        let first = match number {
            ALONE => ALONE_NAMES | u64::from(rank_in(self.abi.world)),
            _ => 0,
        };
        let (of, count) = self.duplicated.entry(number).or_insert((first, 0));
        *count += 1;
        let name = duplicate_name(*of, *count);
        let (rank, size) = (rank_in(parent), size_of(parent));
        let comm = self.number_comm(created, name);
        self.write(time, Call::CommIdup { comm, parent: number, name, rank, size, request });
    }

    pub(crate) fn comm_freed(&mut self, time: Time, comm: Handle) {
        if let Some(comm) = self.comms.remove(&comm) {
            self.neighbors.remove(&comm);
            self.duplicated.remove(&comm);
            self.write(time, Call::CommFree(comm));
        }
    }

    pub(crate) fn window_created(&mut self, time: Time, window: Handle, comm: u32, bytes: u64) {
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

/// A communicator that a call has created.
pub(crate) struct CreatedCommunicator {
    parent: u32,
    handle: Handle,
    /// Unique in the run.
    name: u64,
    rank: u32,
    /// 0 on ranks that are not in the communicator.
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

/// Highest bit of names derived from a rank's own communicator, and of names of duplicates.
const ALONE_NAMES: u64 = 1 << 62;
const DUPLICATE_NAMES: u64 = 1 << 63;

/// A unique name derived from another communicator's name, by the mixing of SplitMix64.
fn duplicate_name(of: u64, count: u64) -> u64 {
    let mut name = of.wrapping_add(count.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    name = (name ^ (name >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    name = (name ^ (name >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (name ^ (name >> 31)) | DUPLICATE_NAMES
}

#[inline]
fn tag_of(passed: c_int) -> u32 {
    if passed == ABI_ANY_TAG { ANY_TAG } else { passed as u32 }
}
