//! The MPI library of this build: messages in all send modes, collective operations and one-sided
//! access. Timed calls go directly to the library, without a wrapper.

mod one_sided;
mod raw;

use super::{
    Arithmetic, GroupId, HostClock, MAX_REQUESTS, OneSided, Rank, RankInfo, Request, Result,
    Transport, local_rank_info,
};
use loggia_model::Error;
use loggia_model::error::REPORT;
use loggia_model::signature::{Mode, Operation};
use mpi::collective::CommunicatorCollectives;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Group};
use one_sided::Window;
use raw::{Comm, Request as MpiRequest};
use std::collections::BTreeMap;

/// Tags of messages, signals and control messages.
const MESSAGES: i32 = 1;
const SIGNALS: i32 = 2;
const CONTROL: i32 = 3;

/// Buffer for receives in flight, in bytes: 64 of 256 KiB, or 16 of 1 MiB.
const RECV_BUFFER: usize = 16 << 20;
/// Buffer for buffered sends, in bytes.
const SEND_BUFFER: usize = 20 << 20;

/// One rank of an MPI program.
pub struct Mpi {
    // Fields are dropped in this order: windows and communicators before MPI_Finalize.
    window: Option<Window>,
    groups: Vec<(Vec<Rank>, SimpleCommunicator)>,
    world: SimpleCommunicator,
    comm: Comm,
    empty: raw::EmptyOperation,
    requests: Vec<MpiRequest>,
    /// One bit per request; 1 if it is free.
    free: u64,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
    clock: HostClock,
    _universe: Universe,
}

impl Mpi {
    /// Joins the program started by `mpirun` or `srun`; without a launcher there is one rank.
    pub fn join() -> Result<Self> {
        // Only one thread calls the library.
        let (mut universe, _) = mpi::initialize_with_threading(mpi::Threading::Funneled)
            .ok_or_else(|| {
                let help = REPORT;
                Error::new("MPI is initialized already", "", help)
            })?;
        universe.set_buffer_size(SEND_BUFFER);
        let world = universe.world();
        Ok(Mpi {
            window: None,
            groups: Vec::new(),
            comm: Comm::of(&world),
            empty: raw::EmptyOperation::new(),
            requests: vec![MpiRequest::none(); MAX_REQUESTS],
            free: u64::MAX,
            outgoing: vec![1; RECV_BUFFER],
            incoming: vec![0; RECV_BUFFER],
            clock: HostClock::start(),
            world,
            _universe: universe,
        })
    }

    /// Ends the whole program, because other ranks may wait for this rank.
    pub fn abandon(&self) -> ! {
        // Give the launcher time to read the last output.
        std::thread::sleep(std::time::Duration::from_millis(300));
        self.world.abort(1)
    }

    /// A barrier before the end: MPICH over UCX may hang if a rank ends much earlier than another.
    pub fn leave_together(self) {
        self.world.barrier();
    }

    /// A control message from any rank, if there is one.
    pub fn poll_control(&mut self) -> Result<Option<(Rank, Vec<u8>)>> {
        let Some(from) = self.comm.any_source(CONTROL) else { return Ok(None) };
        Ok(Some((from, self.recv_control(from)?)))
    }

    fn start(&mut self, request: impl FnOnce(&mut Self) -> MpiRequest) -> Result<Request> {
        let slot = self.next_slot()?;
        self.free &= !(1 << slot);
        self.requests[slot] = request(self);
        Ok(Request(slot))
    }

    /// The first free slot, to use as little memory as possible.
    fn next_slot(&self) -> Result<usize> {
        match self.free.trailing_zeros() {
            64.. => Err(too_many()),
            slot => Ok(slot as usize),
        }
    }

    fn release(&mut self, request: Request) {
        self.free |= 1 << request.0;
    }

    fn comm(&self, group: GroupId) -> Comm {
        Comm::of(&self.groups[group.index].1)
    }
}

fn too_many() -> Error {
    Error::new("more than 64 messages in flight", "", "use a smaller queue depth")
}

fn too_large(bytes: usize) -> Error {
    Error::new(
        format!("{bytes} bytes in flight are more than the buffers of this transport"),
        "--sizes",
        "measure smaller messages",
    )
}

/// Settings of an MPI library in the environment.
fn settings() -> BTreeMap<String, String> {
    let matters = |name: &str| {
        ["OMPI_MCA_", "PMIX_MCA_", "MPICH_", "MPIR_CVAR_", "UCX_", "FI_", "PSM", "I_MPI_", "MV2_"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    // The launcher's internal variables differ between runs.
    let is_internal = |name: &str| {
        ["orte_", "ess_", "plm_", "_uri", "_hnp", "jobid", "_nspace", "app_ctx", "initial_wdir"]
            .iter()
            .any(|part| name.contains(part))
    };
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| matters(name) && !is_internal(name))
        .collect()
}

impl Transport for Mpi {
    fn name(&self) -> &'static str {
        "mpi"
    }

    fn rank_info(&self) -> RankInfo {
        let banner = mpi::environment::library_version().unwrap_or_default();
        let (library, version) = raw::name_and_version(&banner);
        RankInfo {
            library: Some(library),
            library_version: version,
            settings: settings(),
            ..local_rank_info()
        }
    }

    fn rank(&self) -> Rank {
        self.world.rank().unsigned_abs()
    }

    fn ranks(&self) -> Rank {
        self.world.size().unsigned_abs()
    }

    fn now(&mut self) -> f64 {
        self.clock.now()
    }

    fn compute(&mut self, micros: f64) {
        self.clock.compute(micros);
    }

    fn can_send(&self, _: Mode, _: bool) -> bool {
        true
    }

    fn send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<()> {
        let data = self.outgoing.get(..bytes).ok_or_else(|| too_large(bytes))?;
        self.comm.send(mode, data, to, MESSAGES);
        Ok(())
    }

    fn start_send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<Request> {
        if bytes > self.outgoing.len() {
            return Err(too_large(bytes));
        }
        self.start(|mpi| mpi.comm.start_send(mode, &mpi.outgoing[..bytes], to, MESSAGES))
    }

    fn recv(&mut self, from: Rank, bytes: usize) -> Result<()> {
        let buffer = self.incoming.get_mut(..bytes).ok_or_else(|| too_large(bytes))?;
        self.comm.recv(buffer, from, MESSAGES);
        Ok(())
    }

    fn start_recv(&mut self, from: Rank, bytes: usize) -> Result<Request> {
        // Each receive in flight has its own memory.
        let slot = self.next_slot()?;
        let range = slot * bytes..(slot + 1) * bytes;
        if range.end > self.incoming.len() {
            return Err(too_large(range.end));
        }
        self.start(|mpi| mpi.comm.start_recv(&mut mpi.incoming[range], from, MESSAGES))
    }

    fn test(&mut self, request: Request) -> Result<bool> {
        let done = self.requests[request.0].test();
        if done {
            self.release(request);
        }
        Ok(done)
    }

    fn wait(&mut self, request: Request) -> Result<()> {
        self.requests[request.0].wait();
        self.release(request);
        Ok(())
    }

    fn signal(&mut self, to: Rank, number: f64) -> Result<()> {
        self.comm.send(Mode::Standard, &number.to_le_bytes(), to, SIGNALS);
        Ok(())
    }

    fn await_signal(&mut self, from: Rank) -> Result<f64> {
        let mut bytes = [0; 8];
        self.comm.recv(&mut bytes, from, SIGNALS);
        Ok(f64::from_le_bytes(bytes))
    }

    fn send_control(&mut self, to: Rank, message: &[u8]) -> Result<()> {
        // The receiver may sleep for a long time, and a blocking send would spin.
        let mut request = self.comm.start_send(Mode::Standard, message, to, CONTROL);
        poll_sleeping(|| Ok(request.test().then_some(())))
    }

    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>> {
        let comm = self.comm;
        let bytes = poll_sleeping(|| Ok(comm.probe(from, CONTROL)))?;
        let mut message = vec![0; bytes];
        comm.recv(&mut message, from, CONTROL);
        Ok(message)
    }

    fn has_collectives(&self) -> bool {
        true
    }

    fn group(&mut self, members: &[Rank]) -> Result<GroupId> {
        let known = self.groups.iter().position(|(known, _)| known == members);
        let index = known.unwrap_or_else(|| {
            let world = &self.world;
            let ranks: Vec<i32> = members.iter().map(|rank| *rank as i32).collect();
            let group = world.group().include(&ranks);
            let comm = world.split_by_subgroup_with_tag(&group, CONTROL);
            self.groups.push((members.to_vec(), comm.unwrap_or_else(|| world.duplicate())));
            self.groups.len() - 1
        });
        Ok(GroupId { procs: members.len() as Rank, index })
    }

    fn collective(
        &mut self,
        op: Operation,
        group: GroupId,
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Result<()> {
        let (comm, procs) = (self.comm(group), group.procs as usize);
        let all = bytes.saturating_mul(procs);
        let needed = match op {
            Operation::Alltoall | Operation::Gather | Operation::Scatter | Operation::Allgather => {
                all
            }
            _ => bytes,
        };
        for buffer in [&mut self.outgoing, &mut self.incoming] {
            if buffer.len() < needed {
                buffer.resize(needed, 0);
            }
        }
        let sum = match arithmetic {
            Arithmetic::Sum => raw::sum(),
            Arithmetic::Empty => self.empty.get(),
        };
        let buffers = (&self.outgoing[..needed], &mut self.incoming[..needed]);
        comm.collective(op, procs, bytes, sum, buffers)
    }

    fn maximum(&mut self, group: GroupId, numbers: &mut [f64]) -> Result<()> {
        self.comm(group).maximum(numbers);
        Ok(())
    }

    fn one_sided(&mut self) -> Option<&mut dyn OneSided> {
        Some(self)
    }
}

impl OneSided for Mpi {
    fn open(&mut self, peer: Rank, bytes: usize) -> Result<()> {
        let me = self.rank();
        let pair = [me.min(peer) as i32, me.max(peer) as i32];
        let group = self.world.group().include(&pair);
        let between = self.world.split_by_subgroup_with_tag(&group, SIGNALS);
        self.window = between.and_then(|between| Window::open(between, bytes));
        match self.window {
            Some(_) => Ok(()),
            None => Err(closed()),
        }
    }

    fn put(&mut self, _: Rank, bytes: usize) -> Result<()> {
        let window = self.window.as_ref().ok_or_else(closed)?;
        window.put(&self.outgoing[..bytes]);
        Ok(())
    }

    fn get(&mut self, _: Rank, bytes: usize) -> Result<()> {
        let window = self.window.as_ref().ok_or_else(closed)?;
        window.get(&mut self.incoming[..bytes]);
        Ok(())
    }

    fn quiet(&mut self, _: Rank) -> Result<()> {
        self.window.as_ref().ok_or_else(closed)?.quiet();
        Ok(())
    }

    fn close(&mut self, _: Rank) -> Result<()> {
        self.window = None;
        Ok(())
    }
}

fn closed() -> Error {
    Error::new(
        "this MPI library has no one-sided access over this network",
        "one-sided",
        "omit it from --only",
    )
}

/// Polls with increasing intervals until `poll` returns a value; sleeps in between.
fn poll_sleeping<T>(mut poll: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let mut pause = std::time::Duration::from_micros(50);
    loop {
        if let Some(found) = poll()? {
            return Ok(found);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(std::time::Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::transport::conformance::{CASES, Limits};
    use std::process::Command;

    const LIMITS: Limits = Limits {
        modes: &[Mode::Standard, Mode::Synchronous],
        sizes: [0, 1, 4 << 10, (4 << 10) + 1, 256 << 10],
        requests: 32,
        signals: 100,
        // Larger control messages need a receiver that reads.
        control: 1_000,
    };

    /// Starts [`one_rank`] on two ranks, if `mpirun` is installed.
    #[test]
    fn conforms() {
        let mut mpirun = Command::new("mpirun");
        mpirun.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        mpirun.args(["-n", "2"]).arg(std::env::current_exe().unwrap());
        mpirun.args(["--exact", "--ignored", "transport::mpi::tests::one_rank", "--nocapture"]);
        match mpirun.output() {
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stdout);
                assert!(output.status.success(), "{text}{:?}", output.stderr);
                assert_eq!(text.matches("conforms over MPI").count(), 2, "{text}");
            }
            Err(error) => println!("skipped: mpirun cannot be started: {error}"),
        }
    }

    #[test]
    #[ignore = "one of the processes of `conforms`"]
    fn one_rank() {
        let mut mpi = Mpi::join().unwrap();
        for (name, case) in CASES {
            if let Err(error) = case(&mut mpi, LIMITS) {
                println!("{name}: {error}");
                mpi.abandon();
            }
        }
        println!("conforms over MPI");
        mpi.leave_together();
    }
}
