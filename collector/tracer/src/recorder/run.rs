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

/// The environment variable with the output folder.
const FOLDER: &str = "LOGGIA_TRACE";

static ON: AtomicBool = AtomicBool::new(false);
static FORTRAN: AtomicBool = AtomicBool::new(false);
static F08: AtomicBool = AtomicBool::new(false);
static HEAD: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);
/// All ranks from the begin to the end of the run, including ranks that record nothing.
static ALL: Mutex<Option<Ranks<'static>>> = Mutex::new(None);

thread_local! {
    static COUNTED: Cell<bool> = const { Cell::new(false) };
}

/// Whether calls are recorded.
#[inline]
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Whether Fortran's routines are recorded, or only the C functions that they call.
pub(crate) fn fortran_is_recorded() -> bool {
    FORTRAN.load(Ordering::Relaxed)
}

/// Whether `mpi_f08` routines with, or without, a logical argument are recorded under their own names.
pub(crate) fn f08_is_recorded(is_logical: bool) -> bool {
    is_logical || F08.load(Ordering::Relaxed)
}

/// Writes the running call into the file's head.
#[inline]
pub(crate) fn set_running_call(since: u64, name: &Name) {
    let head = HEAD.load(Ordering::Relaxed);
    if !head.is_null() {
        // SAFETY: the head stays mapped until the process ends, and has these places.
        unsafe {
            head.add(place::INSIDE_SINCE).cast::<u64>().write_volatile(since);
            head.add(place::INSIDE).cast::<Name>().write_volatile(*name);
        }
    }
}

/// Writes into the file's head that no call is running.
#[inline]
pub(crate) fn clear_running_call() {
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

/// Runs a function on the recorder. After a write error, the recording ends.
#[inline]
pub(crate) fn with<R: Default>(write: impl FnOnce(&mut Recorder) -> R) -> R {
    let mut guard = lock();
    let Some(recorder) = guard.as_mut() else { return R::default() };
    if !COUNTED.get() {
        COUNTED.set(true);
        recorder.threads += 1;
        let threads = recorder.threads.to_le_bytes();
        recorder.sink.set(place::THREADS, &threads);
    }
    let result = write(recorder);
    if let Some(error) = recorder.failed.take() {
        print_message(&format!("recording ends here; the calls so far are kept: {error}"));
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
        print_message(&format!("the trace file cannot be truncated and has an empty end: {error}"));
    }
}

/// Prints a message to the user.
fn print_message(message: &str) {
    eprintln!("loggia trace: {message}");
}

/// Begins the recording, after MPI has been initialised.
pub(crate) fn begin() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else { return };
    let mut guard = lock();
    if guard.is_some() || all().is_some() {
        return;
    }
    let Some(abi) = abi() else {
        print_message(&format!(
            "nothing is recorded: this MPI library is unknown: {}",
            library_name()
        ));
        return;
    };
    let [rank, ranks] = [rank_in(abi.world), size_of(abi.world)];
    if is_spawned(abi) {
        if rank == 0 {
            print_message("processes that the program spawns are not recorded");
        }
        return;
    }
    clock::set();
    let comm = duplicate(abi.world);
    let all_ranks = *all().insert(Ranks { abi, comm, rank, ranks });
    let header = Header {
        run: run_name(abi, rank),
        rank,
        ranks,
        start: clock::now(),
        first_offset: clock::compare(all_ranks),
        host: clock::host(),
        library: library_name(),
        ..Header::default()
    };
    // The folder may not exist on another host.
    let created = std::fs::create_dir_all(&folder);
    let path = folder.join(format!("rank-{rank}.trace"));
    let sink = created.and_then(|()| Sink::create(&path, &header));
    match sink {
        Ok(sink) => {
            let recorder = Recorder::new(abi, &header, sink);
            HEAD.store(guard.insert(recorder).sink.head(), Ordering::Relaxed);
            FORTRAN.store(abi.family == Family::OpenMpi, Ordering::Relaxed);
            F08.store(abi.family == Family::Mpich, Ordering::Relaxed);
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if rank == 0 {
                print_message(
                    "a previous program has written a trace to this folder, so this program is not recorded; \
                     trace each program into its own folder",
                );
            }
        }
        Err(error) => {
            print_message(&format!("rank {rank} records nothing: {}: {error}", path.display()))
        }
    }
    // All ranks begin together, including ranks that record nothing.
    type Barrier = unsafe extern "C" fn(Handle) -> c_int;
    let barrier = real!(c"PMPI_Barrier" as Barrier);
    // SAFETY: all ranks make this call.
    unsafe { barrier(abi.world) };
    if let Some(recorder) = guard.as_mut() {
        recorder.calibrate(rank);
        recorder.last = clock::now();
        let start = recorder.last.to_le_bytes();
        recorder.sink.set(place::START, &start);
        ON.store(true, Ordering::Relaxed);
    }
}

/// A unique number of the run, from rank 0's time and process, broadcast to all ranks.
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

/// Ends the recording, before the program finalizes MPI.
pub(crate) fn end() {
    let entry = clock::now();
    let mut guard = lock();
    if let Some(recorder) = guard.as_mut() {
        recorder.write(Time { entry, exit: entry }, Call::Finalize);
    }
    // A rank that stopped recording also takes part, because all other ranks wait for it.
    let Some(all_ranks) = all().take() else { return };
    let offset = clock::compare(all_ranks);
    library::free(all_ranks.comm);
    if let Some(recorder) = guard.as_mut() {
        recorder.sink.set(place::LAST_OFFSET, &offset.to_bytes());
    }
    stop(&mut guard);
}
