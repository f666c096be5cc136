//! Exchange of messages between ranks during measurements: one trait, and one file per transport.
//!
//! | transport | messages go through |
//! |---|---|
//! | `mpi` | the MPI library of this build |
//! | `tcp` | sockets between two processes, on one host or two |
//! | `threads` | memory of two threads |
//! | `synthetic` | nothing: a virtual clock advances by the costs of a signature |

#[cfg(test)]
mod conformance;
#[cfg(feature = "mpi")]
pub mod mpi;
pub mod synthetic;
pub mod tcp;
pub mod threads;

use loggia_model::Error;
use loggia_model::signature::{Mode, Operation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most frequent error is that a partner ended.
pub type Result<T> = std::result::Result<T, Error>;

pub type Rank = u32;

/// A send or a receive in flight, until `wait` returns, or `test` returns true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request(pub(crate) usize);

/// Maximum number of requests in flight.
pub const MAX_REQUESTS: usize = 64;

/// A rank's host, processor and communication library.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RankInfo {
    /// The host's name.
    pub host: String,
    /// Name and version of the library, if there is one.
    pub library: Option<String>,
    pub library_version: Option<String>,
    /// The processor's type.
    pub processor: Option<String>,
    /// Processors of the host, and those on which this rank may run.
    pub cores: u32,
    pub may_run_on: String,
    /// Whether the host is a virtual machine, as far as its processor tells: only x86 does.
    pub is_virtual: bool,
    /// Mean number of other runnable processes on the host, over 0.1 s.
    pub load: f64,
    /// Settings of the library in the environment.
    pub settings: BTreeMap<String, String>,
    /// The clock of `now`.
    pub clock: String,
}

/// Ranks that run collective operations together, prepared by [`Transport::group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupId {
    pub procs: Rank,
    pub(crate) index: usize,
}

/// The reduction operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arithmetic {
    Sum,
    /// No arithmetic: only the messages remain.
    Empty,
}

/// A transport, as seen from one rank.
///
/// Messages have a size and no content. Between two ranks they arrive in the order of sending.
/// `transport/conformance.rs` tests what every transport guarantees.
pub trait Transport {
    /// `mpi`, `tcp`, `threads` or `synthetic`.
    fn name(&self) -> &'static str;
    fn rank_info(&self) -> RankInfo;
    fn rank(&self) -> Rank;
    fn ranks(&self) -> Rank;
    /// The path of messages, if it is known without a measurement.
    fn path(&self) -> Option<String> {
        None
    }

    /// The host and processor on which this rank ran last, if known.
    fn last_processor(&self) -> Option<String> {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
        // The program's name, in brackets, may contain spaces. The processor is the 39th field.
        let after_name = stat.rsplit_once(')')?.1;
        Some(format!("{} {}", host_name(), after_name.split_whitespace().nth(36)?))
    }

    /// The clock, in µs since an arbitrary moment.
    fn now(&mut self) -> f64;
    /// Computes outside the library.
    fn compute(&mut self, micros: f64);

    /// Whether this send mode is supported; receives always are.
    fn can_send(&self, mode: Mode, blocking: bool) -> bool;
    fn send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<()>;
    /// Starts a non-blocking send.
    fn start_send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<Request>;
    fn recv(&mut self, from: Rank, bytes: usize) -> Result<()>;
    /// Posts a non-blocking receive.
    fn start_recv(&mut self, from: Rank, bytes: usize) -> Result<Request>;
    /// Whether the request is complete.
    fn test(&mut self, request: Request) -> Result<bool>;
    /// Waits until the request is complete.
    fn wait(&mut self, request: Request) -> Result<()>;

    /// Sends a number to a rank that calls `await_signal`. Signals arrive in order, independent of
    /// messages.
    fn signal(&mut self, to: Rank, number: f64) -> Result<()>;
    /// Waits for a signal, spinning.
    fn await_signal(&mut self, from: Rank) -> Result<f64>;
    /// Sends a control message to a rank that may be asleep.
    fn send_control(&mut self, to: Rank, message: &[u8]) -> Result<()>;
    /// Waits for a control message, sleeping.
    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>>;

    fn has_collectives(&self) -> bool {
        false
    }
    /// Prepares collective operations of these ranks, rank 0 first. Each of them must call this.
    /// Preparing the same group again is quick.
    fn group(&mut self, members: &[Rank]) -> Result<GroupId> {
        Ok(GroupId { procs: members.len() as Rank, index: 0 })
    }
    /// A collective operation with root 0, called by each rank of the group. Bytes count as in
    /// [`Operation::bytes_are`].
    fn collective(
        &mut self,
        op: Operation,
        group: GroupId,
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Result<()>;
    /// The maximum of each number over the ranks of the group, at rank 0 only. By default there are
    /// at most two ranks.
    fn maximum(&mut self, group: GroupId, numbers: &mut [f64]) -> Result<()> {
        if group.procs < 2 {
            return Ok(());
        }
        for number in numbers {
            match self.rank() {
                0 => *number = number.max(self.await_signal(1)?),
                _ => self.signal(0, *number)?,
            }
        }
        Ok(())
    }

    fn one_sided(&mut self) -> Option<&mut dyn OneSided> {
        None
    }
}

/// Remote memory access. Both ranks of a pair call `open` and `close`; in between, one rank calls
/// the other functions.
pub trait OneSided {
    /// Exposes memory to the peer.
    fn open(&mut self, peer: Rank, bytes: usize) -> Result<()>;
    /// Starts writing to the peer's memory.
    fn put(&mut self, peer: Rank, bytes: usize) -> Result<()>;
    /// Starts reading from the peer's memory.
    fn get(&mut self, peer: Rank, bytes: usize) -> Result<()>;
    /// Waits until all operations are complete at the peer ("quiet").
    fn quiet(&mut self, peer: Rank) -> Result<()>;
    /// Ends the exposure.
    fn close(&mut self, peer: Rank) -> Result<()>;
}

pub fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "this host".to_owned(),
        name => name.to_owned(),
    }
}

/// The common part of [`Transport::rank_info`] on a real host.
pub fn local_rank_info() -> RankInfo {
    let line = |path: &str, key: &str| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let found = text.lines().find_map(|line| line.strip_prefix(key)?.split_once(':'))?;
        Some(found.1.trim().to_owned())
    };
    let read = |path: &str| std::fs::read_to_string(path).map(|text| text.trim().to_owned()).ok();
    let cores = std::fs::read_to_string("/proc/cpuinfo")
        .map(|text| text.lines().filter(|line| line.starts_with("processor")).count())
        .unwrap_or_default();
    let may_use = std::thread::available_parallelism().map_or(1, usize::from);
    RankInfo {
        host: host_name(),
        processor: line("/proc/cpuinfo", "model name"),
        cores: cores.max(may_use).try_into().unwrap_or(u32::MAX),
        may_run_on: line("/proc/self/status", "Cpus_allowed_list")
            .unwrap_or_else(|| format!("any {may_use}")),
        is_virtual: has_hypervisor(&line("/proc/cpuinfo", "flags").unwrap_or_default()),
        load: other_processes(),
        clock: match read("/sys/devices/system/clocksource/clocksource0/current_clocksource") {
            Some(source) => format!("CLOCK_MONOTONIC ({source})"),
            None => "monotonic clock".to_owned(),
        },
        ..RankInfo::default()
    }
}

/// Whether the flags of an x86 processor name a hypervisor. Other processors do not tell.
fn has_hypervisor(flags: &str) -> bool {
    flags.split_whitespace().any(|flag| flag == "hypervisor")
}

/// Mean number of other runnable processes, over 0.1 s. The other ranks sleep meanwhile.
fn other_processes() -> f64 {
    const READINGS: u32 = 20;
    let reading = |_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        let text = std::fs::read_to_string("/proc/loadavg").ok()?;
        let running: f64 = text.split([' ', '/']).nth(3)?.parse().ok()?;
        Some((running - 1.0).max(0.0))
    };
    (0..READINGS).filter_map(reading).sum::<f64>() / f64::from(READINGS)
}

/// A clock of this host, in µs.
#[derive(Clone, Copy, Debug)]
pub struct HostClock(std::time::Instant);

impl HostClock {
    pub fn start() -> Self {
        HostClock(std::time::Instant::now())
    }

    pub fn now(self) -> f64 {
        self.0.elapsed().as_nanos() as f64 * 1e-3
    }

    pub fn compute(self, micros: f64) {
        let end = self.now() + micros;
        while self.now() < end {
            std::hint::spin_loop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::has_hypervisor;

    #[test]
    fn a_hypervisor_is_found_among_the_flags() {
        assert!(has_hypervisor("fpu sse4_2 hypervisor lahf_lm"));
        assert!(!has_hypervisor("fpu sse4_2 lahf_lm"));
    }
}
