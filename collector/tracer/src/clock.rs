//! This rank's clock, and its offset from rank 0's.

use crate::abi::{Abi, Handle};
use crate::symbols::real;
use loggia_trace::header::Offset;
use std::ffi::{c_int, c_void};
use std::hash::Hasher;

/// Begin and end of a call, in ns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) entry: u64,
    pub(crate) exit: u64,
}

/// The clock that all processes of a machine share, in ns.
fn shared() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// This rank's clock in ns: the processor's counter if possible, which takes less than half
/// the time to read. Its drift from the shared clock is measured at the end.
#[inline]
pub(crate) fn now() -> u64 {
    counter::now().unwrap_or_else(shared)
}

/// Starts this rank's clock.
pub(crate) fn set() {
    counter::set();
}

#[cfg(target_arch = "x86_64")]
mod counter {
    use std::arch::x86_64::_rdtsc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A count, the time at this count, and the length of a tick in 2^-32 ns; 0 if unused.
    static COUNT: AtomicU64 = AtomicU64::new(0);
    static TIME: AtomicU64 = AtomicU64::new(0);
    static TICK: AtomicU64 = AtomicU64::new(0);
    /// Duration of the calibration of a tick, in ns.
    const CALIBRATION: u64 = 2_000_000;

    fn count() -> u64 {
        // SAFETY: every x86-64 processor has the counter.
        unsafe { _rdtsc() }
    }

    #[inline]
    pub(super) fn now() -> Option<u64> {
        let tick = TICK.load(Ordering::Relaxed);
        let since = count().wrapping_sub(COUNT.load(Ordering::Relaxed));
        let passed = (u128::from(since) * u128::from(tick)) >> 32;
        (tick > 0).then(|| TIME.load(Ordering::Relaxed) + passed as u64)
    }

    /// Uses the counter only if it is the system's clock source: then all processors' counters agree.
    pub(super) fn set() {
        let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        if !std::fs::read_to_string(source).is_ok_and(|source| source.trim() == "tsc") {
            return;
        }
        let (first_count, first) = read_both();
        while super::shared() < first + CALIBRATION {}
        let (count, time) = read_both();
        let tick = (u128::from(time - first) << 32) / u128::from((count - first_count).max(1));
        COUNT.store(count, Ordering::Relaxed);
        TIME.store(time, Ordering::Relaxed);
        TICK.store(tick as u64, Ordering::Relaxed);
    }

    /// The counter and the shared clock, read at nearly the same time.
    fn read_both() -> (u64, u64) {
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

/// The tag of the messages of a clock comparison.
const TAG: c_int = 32_713;
/// Number of exchanges per comparison; the fastest exchange counts.
const EXCHANGES: usize = 12;

/// Ranks that compare their clocks, in a communicator that the program does not have: its receives
/// from any source cannot match these messages.
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
    // SAFETY: the buffers hold eight bytes and a status.
    unsafe {
        let (buffer, status) = ((&raw mut number).cast(), status.as_mut_ptr().cast());
        recv(buffer, 8, abi.byte, from, TAG, comm, status)
    };
    number
}

/// Compares the clocks of all ranks with rank 0's clock, one after the other. Ranks of one machine
/// share a clock.
pub(crate) fn compare(all: Ranks) -> Offset {
    let own_machine = machine();
    if all.rank > 0 {
        send(all, own_machine, 0);
        return match recv(all, 0) {
            other_machine if other_machine == own_machine => offset_on_own_machine(),
            _ => offset_from_rank_0(all),
        };
    }
    for other in 1..all.ranks as c_int {
        let other_machine = recv(all, other);
        send(all, own_machine, other);
        for _ in 0..if other_machine == own_machine { 0 } else { EXCHANGES } {
            recv(all, other);
            send(all, shared(), other);
        }
    }
    offset_on_own_machine()
}

/// The offset on rank 0's machine, where the shared clock is the reference.
fn offset_on_own_machine() -> Offset {
    let readings = (0..EXCHANGES).map(|_| {
        let before = now();
        let shared = shared();
        let half = (now() - before) / 2;
        Offset { at: before + half, add: shared as i64 - (before + half) as i64, uncertain: half }
    });
    readings.min_by_key(|offset| offset.uncertain).unwrap_or_default()
}

/// The offset on another machine: rank 0 is assumed to read its clock in the middle of the exchange.
fn offset_from_rank_0(all: Ranks) -> Offset {
    let offsets = (0..EXCHANGES).map(|_| {
        let sent = now();
        send(all, sent, 0);
        let rank0_time = recv(all, 0);
        let received = now();
        let half = (received - sent) / 2;
        let add = rank0_time as i64 - (sent + half) as i64;
        Offset { at: sent + half, add, uncertain: half }
    });
    offsets.min_by_key(|offset| offset.uncertain).unwrap_or_default()
}

/// A number that differs between machines.
fn machine() -> u64 {
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let mut hash = rustc_hash::FxHasher::default();
    hash.write(&boot);
    if boot.is_empty() {
        hash.write(host().as_bytes());
    }
    hash.finish()
}

/// The host name.
pub(crate) fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer holds a name and a final zero.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..end]).into_owned()
}
