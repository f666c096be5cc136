//! How ranks exchange messages while they are measured: one trait, and one file a transport.
//!
//! | transport | what carries the messages |
//! |---|---|
//! | `mpi` | the MPI library that this command was built with |
//! | `tcp` | raw sockets between two processes, on one host or two |
//! | `threads` | two threads of this process |
//! | `synthetic` | nothing: a given signature says what everything costs, a clock is moved on |

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

/// What goes wrong here is that a partner is gone.
pub type Result<T> = std::result::Result<T, Error>;

/// The number of a process among those measured.
pub type Rank = u32;

/// A send or a receive under way. It is spent when `wait` returns, or `test` with true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request(pub(crate) usize);

/// At most so many requests are out at once.
pub const MAX_REQUESTS: usize = 64;

/// What one rank knows about where it runs and by what it communicates.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RankInfo {
    /// The host's name.
    pub host: String,
    /// The library's name, and its version: absent where there is none.
    pub library: Option<String>,
    pub library_version: Option<String>,
    /// The processor's type.
    pub processor: Option<String>,
    /// How many processors the host has, and on which of them this rank may run.
    pub cores: u32,
    pub may_run_on: String,
    /// How many programs other than this one wanted a processor, a moment ago.
    pub load: f64,
    /// Settings of the library that were made from outside.
    pub settings: BTreeMap<String, String>,
    /// Which clock `now` reads.
    pub clock: String,
}

/// What a reduction does to its vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arithmetic {
    /// It adds them up.
    Sum,
    /// Nothing: only the messages remain.
    Empty,
}

/// One rank's end of a transport.
///
/// Messages have no content: each side names their size. Between two ranks they arrive in the
/// order in which they were sent.
pub trait Transport {
    /// `mpi`, `tcp`, `threads` or `synthetic`.
    fn name(&self) -> &'static str;
    /// What this rank knows about itself.
    fn rank_info(&self) -> RankInfo;
    /// This rank's number, from 0.
    fn rank(&self) -> Rank;
    /// How many ranks there are.
    fn ranks(&self) -> Rank;
    /// What surely carries the messages, where no evidence is needed.
    fn path(&self) -> Option<String> {
        None
    }

    /// The clock, in µs since some moment.
    fn now(&mut self) -> f64;
    /// Keeps this rank's processor busy outside the library.
    fn compute(&mut self, micros: f64);

    /// Whether it has this way of sending; receiving it has in both.
    fn can_send(&self, mode: Mode, blocking: bool) -> bool;
    /// A blocking send.
    fn send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<()>;
    /// Begins a non-blocking send.
    fn start_send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<Request>;
    /// A blocking receive.
    fn recv(&mut self, from: Rank, bytes: usize) -> Result<()>;
    /// Posts a receive.
    fn start_recv(&mut self, from: Rank, bytes: usize) -> Result<Request>;
    /// Whether that is complete.
    fn test(&mut self, request: Request) -> Result<bool>;
    /// Waits until that is complete.
    fn wait(&mut self, request: Request) -> Result<()>;

    /// A number to a rank that listens at once. It overtakes no message and none overtakes it
    /// among its kind.
    fn signal(&mut self, to: Rank, number: f64) -> Result<()>;
    /// Waits for such a number, awake.
    fn await_signal(&mut self, from: Rank) -> Result<f64>;
    /// A letter to a rank that may be asleep.
    fn send_control(&mut self, to: Rank, letter: &[u8]) -> Result<()>;
    /// Waits for a letter, asleep: it lets go of the processor meanwhile.
    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>>;

    /// Whether it has collective operations.
    fn has_collectives(&self) -> bool {
        false
    }
    /// A collective operation of the first `procs` ranks, rooted at rank 0, called by each of
    /// them. Bytes are counted as [`Operation::bytes_are`] says.
    fn collective(
        &mut self,
        op: Operation,
        procs: Rank,
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Result<()>;
    /// The largest over the first `procs` ranks, of each number; only rank 0 has it then.
    fn maximum(&mut self, procs: Rank, numbers: &mut [f64]) -> Result<()>;

    /// Its one-sided operations.
    fn one_sided(&mut self) -> Option<&mut dyn OneSided> {
        None
    }
}

/// Access to another rank's memory, which that rank does nothing for. Both ranks of a pair call
/// `open` and `close`; between them, one calls the rest.
pub trait OneSided {
    /// Exposes so many bytes to the peer.
    fn open(&mut self, peer: Rank, bytes: usize) -> Result<()>;
    /// Begins writing to the peer's memory.
    fn put(&mut self, peer: Rank, bytes: usize) -> Result<()>;
    /// Begins reading from the peer's memory.
    fn get(&mut self, peer: Rank, bytes: usize) -> Result<()>;
    /// Waits until all that was begun is complete at the peer ("quiet").
    fn quiet(&mut self, peer: Rank) -> Result<()>;
    /// Ends the exposure.
    fn close(&mut self, peer: Rank) -> Result<()>;
}

/// The name of this host.
pub fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "this host".to_owned(),
        name => name.to_owned(),
    }
}

/// What every transport on a real host says of its rank.
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
        load: others_running(),
        clock: match read("/sys/devices/system/clocksource/clocksource0/current_clocksource") {
            Some(source) => format!("CLOCK_MONOTONIC ({source})"),
            None => "monotonic clock".to_owned(),
        },
        ..RankInfo::default()
    }
}

/// How many others run now, on average over a tenth of a second. The ranks of this program sleep
/// while one of them looks.
fn others_running() -> f64 {
    const LOOKS: u32 = 20;
    let look = |_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        let text = std::fs::read_to_string("/proc/loadavg").ok()?;
        let running: f64 = text.split([' ', '/']).nth(3)?.parse().ok()?;
        Some((running - 1.0).max(0.0))
    };
    (0..LOOKS).filter_map(look).sum::<f64>() / f64::from(LOOKS)
}

/// A clock of this host, in µs, and ways to pass time by it.
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
