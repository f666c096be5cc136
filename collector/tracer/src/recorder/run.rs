//! Begins and ends the recording of a run.

use super::Recorder;
use crate::abi::{Abi, Family, Handle, abi, library_name};
use crate::clock::{self, Ranks, Time};
use crate::library::{self, broadcast, duplicate, is_spawned, rank_in, size_of};
use crate::sink::{Name, Sink};
use crate::symbols::real;
use loggia_trace::call::Call;
use loggia_trace::header::{Header, place};
use std::cell::Cell;
use std::ffi::c_int;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{env, io, ptr};

/// The folder to write to.
const FOLDER: &str = "LOGGIA_TRACE";

static ON: AtomicBool = AtomicBool::new(false);
static FORTRAN: AtomicBool = AtomicBool::new(false);
static F08: AtomicBool = AtomicBool::new(false);
static HEAD: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);
/// All ranks of the run, from its beginning to its end: also those that record nothing.
static ALL: Mutex<Option<Ranks<'static>>> = Mutex::new(None);

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

/// Whether the routines of `mpi_f08` are under their own names: those that pass something logical, or
/// the others.
pub(crate) fn f08_is_recorded(is_logical: bool) -> bool {
    is_logical || F08.load(Ordering::Relaxed)
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

fn all() -> MutexGuard<'static, Option<Ranks<'static>>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Prints a message to the user.
fn say(what: &str) {
    eprintln!("loggia trace: {what}");
}

/// MPI has been initialised.
pub(crate) fn begin() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else { return };
    let mut guard = lock();
    if guard.is_some() || all().is_some() {
        return;
    }
    let Some(abi) = abi() else {
        say(&format!("nothing is recorded: this MPI library is not known: {}", library_name()));
        return;
    };
    let [rank, ranks] = [rank_in(abi.world), size_of(abi.world)];
    if is_spawned(abi) {
        if rank == 0 {
            say("of processes that the program has spawned, nothing is recorded");
        }
        return;
    }
    clock::set();
    let comm = duplicate(abi.world);
    let everybody = *all().insert(Ranks { abi, comm, rank, ranks });
    let header = Header {
        run: run_name(abi, rank),
        rank,
        ranks,
        start: clock::now(),
        first_offset: clock::compare(everybody),
        host: clock::host(),
        library: library_name(),
        ..Header::default()
    };
    // The folder may not exist yet on another host.
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
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if rank == 0 {
                say(
                    "a program before this one has left a trace here: of this one nothing is recorded; \
                     trace each into a folder of its own",
                );
            }
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

/// A unique number of the run, from rank 0's time and process, broadcast to all.
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

/// The program is about to finalize MPI.
pub(crate) fn end() {
    let entry = clock::now();
    let mut guard = lock();
    if let Some(recorder) = guard.as_mut() {
        recorder.write(Time { entry, exit: entry }, Call::Finalize);
    }
    // A rank that stopped recording still takes part, since all others would wait.
    let Some(everybody) = all().take() else { return };
    let offset = clock::compare(everybody);
    library::free(everybody.comm);
    if let Some(recorder) = guard.as_mut() {
        recorder.sink.set(place::LAST_OFFSET, &offset.to_bytes());
    }
    stop(&mut guard);
}
