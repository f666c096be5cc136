//! What is known about the program's requests, communicators and windows, and how its calls are
//! written down.

mod requests;

use crate::abi::{ANY_TAG as ABI_ANY_TAG, Abi, Family, Handle, abi, library_name};
use crate::clock;
use crate::language::{Language, Of};
use crate::sink::Sink;
use crate::symbols::real;
use crate::wrap::{Name, Time};
use loggia_trace::call::{ALONE, ANY_TAG, Call, Envelope, Peer, WORLD};
use loggia_trace::header::{Header, place};
use loggia_trace::record::{self, Record};
pub(crate) use requests::Asked;
use requests::Requests;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{env, io, ptr};

/// The folder to write to.
const FOLDER: &str = "LOGGIA_TRACE";
/// Calls that ask for something that is not there, no further apart than this, wait for it: in
/// nanoseconds.
const POLL: u64 = 1_000;

static ON: AtomicBool = AtomicBool::new(false);
static FORTRAN: AtomicBool = AtomicBool::new(false);
static F08: AtomicBool = AtomicBool::new(false);
static HEAD: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

thread_local! {
    static KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// Whether calls are recorded.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Whether Fortran's routines are, or only what they call.
pub(crate) fn fortran_is_recorded() -> bool {
    FORTRAN.load(Ordering::Relaxed)
}

/// Notes in the file's head where the program is.
#[inline]
pub(crate) fn inside(since: u64, name: &Name) {
    let head = HEAD.load(Ordering::Relaxed);
    if !head.is_null() {
        // SAFETY: the head is mapped as long as calls are recorded, and has these places.
        unsafe {
            head.add(place::INSIDE_SINCE).cast::<u64>().write_volatile(since);
            head.add(place::INSIDE).cast::<Name>().write_volatile(*name);
        }
    }
}

/// Notes that it is in no call.
#[inline]
pub(crate) fn outside() {
    let head = HEAD.load(Ordering::Relaxed);
    if !head.is_null() {
        // SAFETY: as above.
        unsafe { head.add(place::INSIDE).write_volatile(0) };
    }
}

/// Whether the routines of `mpi_f08` are under their own names.
pub(crate) fn f08_is_recorded() -> bool {
    F08.load(Ordering::Relaxed)
}

fn lock() -> MutexGuard<'static, Option<Recorder>> {
    RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes something down; if that fails, no more is recorded.
#[inline]
pub(crate) fn with<R: Default>(write: impl FnOnce(&mut Recorder) -> R) -> R {
    let mut guard = lock();
    let Some(recorder) = guard.as_mut() else { return R::default() };
    if !KNOWN.get() {
        KNOWN.set(true);
        recorder.threads += 1;
        let threads = recorder.threads.to_le_bytes();
        recorder.sink.set(place::THREADS, &threads);
    }
    let result = write(recorder);
    if let Some(error) = recorder.failed.take() {
        say(&format!("recording ends here, what was recorded is kept: {error}"));
        stop(&mut guard);
    }
    result
}

fn stop(recorder: &mut Option<Recorder>) {
    ON.store(false, Ordering::Relaxed);
    HEAD.store(ptr::null_mut(), Ordering::Relaxed);
    if let Some(Recorder { sink, .. }) = recorder.take()
        && let Err(error) = sink.close()
    {
        say(&format!("the trace keeps an empty end: {error}"));
    }
}

/// To the one who runs the program.
fn say(what: &str) {
    eprintln!("loggia trace: {what}");
}

/// What is being recorded.
pub(crate) struct Recorder {
    pub(crate) abi: &'static Abi,
    rank: u32,
    ranks: u32,
    sink: Sink,
    /// When the call before ended.
    last: u64,
    /// A record's bytes.
    bytes: Vec<u8>,
    /// Those of the lists in it.
    pub(crate) lists: [Vec<u8>; 4],
    pub(crate) requests: Requests,
    /// By handle.
    comms: FxHashMap<Handle, u32>,
    next_comm: u32,
    windows: FxHashMap<Handle, u32>,
    next_window: u32,
    others: FxHashMap<&'static str, u32>,
    /// Messages that were probed for and taken: whose they are.
    pub(crate) messages: FxHashMap<Handle, Envelope>,
    polls: Option<Polls>,
    threads: u32,
    failed: Option<io::Error>,
}

/// Calls in a row that asked for something that was not there.
struct Polls {
    count: u64,
    gap: u64,
    entry: u64,
}

/// MPI has been initialised.
pub(crate) fn begin() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else { return };
    let mut guard = lock();
    if guard.is_some() {
        return;
    }
    let Some(abi) = abi() else {
        say(&format!("nothing is recorded: this MPI library is not known: {}", library_name()));
        return;
    };
    clock::set();
    let [rank, ranks] = [rank_in(abi.world), size_of(abi.world)];
    let header = Header {
        run: run_name(abi, rank),
        rank,
        ranks,
        start: clock::now(),
        first_offset: clock::compare(abi, rank, ranks),
        host: clock::host(),
        library: library_name(),
        ..Header::default()
    };
    // Whoever made the folder has made it for all; a rank on another machine may have none yet.
    let made = std::fs::create_dir_all(&folder);
    let path = folder.join(format!("rank-{rank}.trace"));
    let sink = made.and_then(|()| Sink::create(&path, &header));
    match sink {
        Ok(sink) => {
            let recorder = Recorder::new(abi, &header, sink);
            HEAD.store(guard.insert(recorder).sink.head(), Ordering::Relaxed);
            FORTRAN.store(abi.family == Family::OpenMpi, Ordering::Relaxed);
            F08.store(abi.family == Family::Mpich, Ordering::Relaxed);
        }
        Err(error) => say(&format!("rank {rank} records nothing: {}: {error}", path.display())),
    }
    // All begin together, also those that record nothing.
    type Barrier = unsafe extern "C" fn(Handle) -> c_int;
    let barrier = real!(c"PMPI_Barrier" as Barrier);
    // SAFETY: all ranks come here.
    unsafe { barrier(abi.world) };
    if let Some(recorder) = guard.as_mut() {
        recorder.calibrate(rank);
        recorder.last = clock::now();
        let start = recorder.last.to_le_bytes();
        recorder.sink.set(place::START, &start);
        ON.store(true, Ordering::Relaxed);
    }
}

/// A number that no other run has: rank 0's time and process, told to all.
fn run_name(abi: &Abi, rank: u32) -> u128 {
    let mut name = [0u64; 2];
    if rank == 0 {
        let wall = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        name[0] = wall.map_or(0, |time| time.as_nanos() as u64);
        name[1] = u64::from(std::process::id()) << 32 | clock::now() & 0xffff_ffff;
    }
    broadcast(abi, &mut name, abi.world);
    u128::from(name[0]) | u128::from(name[1]) << 64
}

fn broadcast(abi: &Abi, numbers: &mut [u64], comm: Handle) {
    type Bcast = unsafe extern "C" fn(*mut c_void, c_int, Handle, c_int, Handle) -> c_int;
    let bcast = real!(c"PMPI_Bcast" as Bcast);
    // SAFETY: all of them are there.
    unsafe { bcast(numbers.as_mut_ptr().cast(), 8 * numbers.len() as c_int, abi.byte, 0, comm) };
}

pub(crate) fn rank_in(comm: Handle) -> u32 {
    let ask = real!(c"PMPI_Comm_rank" as unsafe extern "C" fn(Handle, *mut c_int) -> c_int);
    let mut rank = 0;
    // SAFETY: the communicator is one.
    unsafe { ask(comm, &mut rank) };
    rank as u32
}

pub(crate) fn size_of(comm: Handle) -> u32 {
    let ask = real!(c"PMPI_Comm_size" as unsafe extern "C" fn(Handle, *mut c_int) -> c_int);
    let mut size = 0;
    // SAFETY: the communicator is one.
    unsafe { ask(comm, &mut size) };
    size as u32
}

/// The program is about to finalize MPI.
pub(crate) fn end() {
    let entry = clock::now();
    let mut guard = lock();
    let Some(recorder) = guard.as_mut() else { return };
    recorder.write(Time { entry, exit: entry }, Call::Finalize);
    let offset = clock::compare(recorder.abi, recorder.rank, recorder.ranks);
    recorder.sink.set(place::LAST_OFFSET, &offset.to_bytes());
    stop(&mut guard);
}

impl Recorder {
    fn new(abi: &'static Abi, header: &Header, sink: Sink) -> Self {
        let comms = [(abi.world, WORLD), (abi.alone, ALONE)];
        Recorder {
            abi,
            rank: header.rank,
            ranks: header.ranks,
            sink,
            last: header.start,
            bytes: Vec::with_capacity(256),
            lists: Default::default(),
            requests: Requests::default(),
            comms: comms.into_iter().collect(),
            next_comm: ALONE + 1,
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

    /// A call that asked for something that is not there yet. Many of them directly after each other
    /// become one record.
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

    /// What is done here after a call is not the program's computation.
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

    /// Bytes of so many things of a type.
    ///
    /// # Safety
    /// The type is one.
    #[inline]
    pub(crate) unsafe fn bytes<L: Language>(&self, count: L::Int, of: L::Handle) -> u64 {
        // SAFETY: the program has passed them.
        unsafe {
            let of = L::handle(self.abi, Of::Type, of);
            type_size(of) * L::int(count).max(0) as u64
        }
    }

    /// What goes to whom, or comes from whom; nothing in a communicator that is not known.
    ///
    /// # Safety
    /// The arguments are a call's.
    #[inline]
    pub(crate) unsafe fn envelope<L: Language>(
        &self,
        (count, of): (L::Int, L::Handle),
        peer: L::Int,
        tag: L::Int,
        comm: L::Handle,
    ) -> Option<Envelope> {
        // SAFETY: the program has passed them.
        unsafe {
            let comm = self.comm(L::handle(self.abi, Of::Comm, comm))?;
            let bytes = self.bytes::<L>(count, of);
            Some(Envelope { peer: self.peer(L::int(peer)), tag: tag_of(L::int(tag)), bytes, comm })
        }
    }

    #[inline]
    pub(crate) fn peer(&self, passed: c_int) -> Peer {
        match passed {
            any if any == self.abi.any_source => Peer::Any,
            rank if rank >= 0 => Peer::Rank(rank as u32),
            _ => Peer::Nobody,
        }
    }

    /// What came, by the status of the receive.
    ///
    /// # Safety
    /// The status has been set.
    #[inline]
    pub(crate) unsafe fn got(&self, asked: Envelope, status: *const c_void) -> Envelope {
        if asked.peer == Peer::Nobody {
            return asked;
        }
        // SAFETY: as the caller says.
        let (source, tag, bytes) = unsafe { self.abi.status(status) };
        Envelope { peer: self.peer(source), tag: tag_of(tag), bytes, ..asked }
    }

    /// A communicator has been made; none for ranks that are in none.
    pub(crate) fn comm_made(
        &mut self,
        time: Time,
        parent: Handle,
        made: Handle,
        what: &'static str,
    ) {
        let Some(parent) = self.comm(parent) else { return self.other(time, what) };
        if made == self.abi.no_comm || made == 0 {
            let (comm, name, rank, size) = (0, 0, 0, 0);
            return self.write(time, Call::CommNew { comm, parent, name, rank, size });
        }
        let comm = self.next_comm;
        self.next_comm += 1;
        let (rank, size) = (rank_in(made), size_of(made));
        // Its first rank gives it a name that no other has.
        let mut name = [u64::from(self.rank) << 32 | u64::from(comm)];
        broadcast(self.abi, &mut name, made);
        self.comms.insert(made, comm);
        self.write(time, Call::CommNew { comm, parent, name: name[0], rank, size });
        self.resume();
    }

    pub(crate) fn comm_freed(&mut self, time: Time, comm: Handle) {
        if let Some(comm) = self.comms.remove(&comm) {
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

#[inline]
fn tag_of(passed: c_int) -> u32 {
    if passed == ABI_ANY_TAG { ANY_TAG } else { passed as u32 }
}

/// How long one thing of a type is.
#[inline]
pub(crate) fn type_size(of: Handle) -> u64 {
    let ask = real!(c"PMPI_Type_size" as unsafe extern "C" fn(Handle, *mut c_int) -> c_int);
    let mut size = 0;
    // SAFETY: the type is one.
    unsafe { ask(of, &mut size) };
    size.max(0) as u64
}
