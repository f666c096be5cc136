//! This rank's clock, and its offset from rank 0's.

use crate::abi::{Abi, Handle};
use crate::symbols::real;
use loggia_trace::header::Offset;
use std::ffi::{c_int, c_void};
use std::hash::Hasher;

/// When a call began and ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) entry: u64,
    pub(crate) exit: u64,
}

/// The clock that all processes of a machine share, in nanoseconds.
fn shared() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it is a place for a time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// This rank's clock in ns: the processor's counter if possible, which is read in less than half
/// the time. Its drift against the shared clock is measured at the end.
#[inline]
pub(crate) fn now() -> u64 {
    counter::now().unwrap_or_else(shared)
}

/// Gets this rank's clock going.
pub(crate) fn set() {
    counter::set();
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use std::arch::x86_64::_rdtsc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A count, the time then, and the length of a tick in 2^-32 ns; 0 if the counter is not used.
    static COUNT: AtomicU64 = AtomicU64::new(0);
    static TIME: AtomicU64 = AtomicU64::new(0);
    static TICK: AtomicU64 = AtomicU64::new(0);
    /// Duration of the calibration of a tick, in ns.
    const LONG: u64 = 2_000_000;

    fn count() -> u64 {
        // SAFETY: every such processor has the counter.
        unsafe { _rdtsc() }
    }

    #[inline]
    pub(super) fn now() -> Option<u64> {
        let tick = TICK.load(Ordering::Relaxed);
        let since = count().wrapping_sub(COUNT.load(Ordering::Relaxed));
        let passed = (u128::from(since) * u128::from(tick)) >> 32;
        (tick > 0).then(|| TIME.load(Ordering::Relaxed) + passed as u64)
    }

    /// Only where the system itself counts by it: then all processors' counters agree.
    pub(super) fn set() {
        let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        if !std::fs::read_to_string(source).is_ok_and(|source| source.trim() == "tsc") {
            return;
        }
        let (first_count, first) = both();
        while super::shared() < first + LONG {}
        let (count, time) = both();
        let tick = (u128::from(time - first) << 32) / u128::from((count - first_count).max(1));
        COUNT.store(count, Ordering::Relaxed);
        TIME.store(time, Ordering::Relaxed);
        TICK.store(tick as u64, Ordering::Relaxed);
    }

    /// The counter and the shared clock at the same moment, as nearly as may be.
    fn both() -> (u64, u64) {
        let readings = (0..20).map(|_| {
            let before = count();
            let time = super::shared();
            let after = count();
            (after - before, before + (after - before) / 2, time)
        });
        readings.min().map_or((0, 0), |(_, count, time)| (count, time))
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod counter {
    pub(super) fn now() -> Option<u64> {
        None
    }

    pub(super) fn set() {}
}

type Send = unsafe extern "C" fn(*const c_void, c_int, Handle, c_int, c_int, Handle) -> c_int;
type Recv =
    unsafe extern "C" fn(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut c_void) -> c_int;

/// The tag of these messages.
const TAG: c_int = 32_713;
/// Number of questions to a clock; the fastest answer counts.
const QUESTIONS: usize = 12;

/// Ranks that compare their clocks, in a communicator that the program does not know: its receives
/// of any source take none of these messages.
#[derive(Clone, Copy)]
pub(crate) struct Ranks<'a> {
    pub(crate) abi: &'a Abi,
    pub(crate) comm: Handle,
    pub(crate) rank: u32,
    pub(crate) ranks: u32,
}

fn send(Ranks { abi, comm, .. }: Ranks, number: u64, to: c_int) {
    let send = real!(c"PMPI_Send" as Send);
    // SAFETY: eight bytes are sent.
    unsafe { send((&raw const number).cast(), 8, abi.byte, to, TAG, comm) };
}

fn recv(Ranks { abi, comm, .. }: Ranks, from: c_int) -> u64 {
    let recv = real!(c"PMPI_Recv" as Recv);
    let mut number = 0u64;
    let mut status = [0u64; 8];
    // SAFETY: there is room for eight bytes, and for a status.
    unsafe {
        let (buffer, status) = ((&raw mut number).cast(), status.as_mut_ptr().cast());
        recv(buffer, 8, abi.byte, from, TAG, comm, status)
    };
    number
}

/// Compares the clocks of all ranks with that of rank 0, one after the other. Ranks of one machine
/// share a clock.
pub(crate) fn compare(all: Ranks) -> Offset {
    let here = machine();
    if all.rank > 0 {
        send(all, here, 0);
        return match recv(all, 0) {
            there if there == here => by_the_shared_clock(),
            _ => ask(all),
        };
    }
    for other in 1..all.ranks as c_int {
        let there = recv(all, other);
        send(all, here, other);
        for _ in 0..if there == here { 0 } else { QUESTIONS } {
            recv(all, other);
            send(all, shared(), other);
        }
    }
    by_the_shared_clock()
}

/// On rank 0's host, its clock is the shared one.
fn by_the_shared_clock() -> Offset {
    let readings = (0..QUESTIONS).map(|_| {
        let before = now();
        let shared = shared();
        let half = (now() - before) / 2;
        Offset { at: before + half, add: shared as i64 - (before + half) as i64, uncertain: half }
    });
    readings.min_by_key(|offset| offset.uncertain).unwrap_or_default()
}

/// Asks rank 0 for the time: it is taken to have looked at its clock in the middle.
fn ask(all: Ranks) -> Offset {
    let answers = (0..QUESTIONS).map(|_| {
        let asked = now();
        send(all, asked, 0);
        let theirs = recv(all, 0);
        let heard = now();
        let half = (heard - asked) / 2;
        let add = theirs as i64 - (asked + half) as i64;
        Offset { at: asked + half, add, uncertain: half }
    });
    answers.min_by_key(|offset| offset.uncertain).unwrap_or_default()
}

/// A number that machines do not share.
fn machine() -> u64 {
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let mut hash = rustc_hash::FxHasher::default();
    hash.write(&boot);
    if boot.is_empty() {
        hash.write(host().as_bytes());
    }
    hash.finish()
}

/// The machine's name.
pub(crate) fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: there is room for a name and a zero behind it.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..end]).into_owned()
}
