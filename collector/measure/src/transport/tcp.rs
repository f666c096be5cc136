//! Sockets between two processes, without MPI, on one host or two.
//!
//! Messages use one connection, signals and control messages another. A standard send completes
//! when the kernel has all bytes; a synchronous one when the receiver acknowledges that its receive
//! began. Both progress in calls only. A message without a posted receive stays in the kernel,
//! unless this rank waits for its own send and needs the space.
//!
//! | file | contents |
//! |---|---|
//! | `rendezvous` | connection of the two ranks |
//! | `frames` | messages |
//! | `control` | signals and control messages |

mod control;
mod frames;
mod rendezvous;

pub use rendezvous::Listener;

use super::threads::spin_until;
use super::{
    Arithmetic, GroupId, HostClock, Rank, RankInfo, Request, Result, Transport, local_rank_info,
};
use control::Control;
use frames::{Completion, Frames};
use loggia_model::Error;
use loggia_model::signature::{Mode, Operation};
use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// One of two ranks.
pub struct Tcp {
    rank: Rank,
    clock: HostClock,
    path: String,
    frames: Frames,
    control: Control,
}

impl Tcp {
    /// Rank 0: waits at an address, such as `0.0.0.0:7777`, for rank 1.
    pub fn listen(address: &str) -> Result<Self> {
        Listener::bind(address)?.wait()
    }

    /// Rank 1: connects to the address of rank 0.
    pub fn connect(address: &str) -> Result<Self> {
        rendezvous::connect(address)
    }

    fn over(rank: Rank, messages: TcpStream, control: TcpStream) -> io::Result<Self> {
        for stream in [&messages, &control] {
            stream.set_read_timeout(None)?;
            stream.set_nodelay(true)?;
            stream.set_nonblocking(true)?;
        }
        let [from, to] = [messages.local_addr()?, messages.peer_addr()?];
        let path = match from.ip() == to.ip() {
            true => format!("TCP within one host ({})", to.ip()),
            false => format!("TCP from {} to {}", from.ip(), to.ip()),
        };
        Ok(Tcp {
            rank,
            clock: HostClock::start(),
            path,
            frames: Frames::new(messages),
            control: Control::new(control),
        })
    }

    fn check(&self, rank: Rank) -> Result<()> {
        if rank == 1 - self.rank {
            return Ok(());
        }
        Err(Error::new(
            format!("rank {} cannot reach rank {rank}", self.rank),
            "transport tcp",
            "this transport has the ranks 0 and 1",
        ))
    }
}

/// The error of a socket call; the most frequent cause is that the other process ended.
fn failed(error: &io::Error) -> Error {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, TimedOut, UnexpectedEof};
    let (message, help) = match error.kind() {
        UnexpectedEof | BrokenPipe | ConnectionReset | ConnectionAborted => (
            "the other rank ended".to_owned(),
            "its process ended or was killed; see its last output, then start both ranks again",
        ),
        TimedOut => (
            "the other rank is unreachable".to_owned(),
            "check its host and the network, then start both ranks again",
        ),
        _ => {
            (format!("the connection to the other rank failed: {error}"), "start both ranks again")
        }
    };
    Error::new(message, "transport tcp", help)
}

/// A rank that sends nothing for this time is unreachable.
const SILENCE: Duration = Duration::from_secs(60);

/// Spins until `poll` returns a value. The socket calls of `poll` fail if the other process ended.
fn until<T>(mut poll: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let begin = Instant::now();
    let check_peer = || match begin.elapsed() < SILENCE {
        true => Ok(()),
        false => Err(failed(&io::ErrorKind::TimedOut.into())),
    };
    spin_until(&mut poll, check_peer)
}

/// The result of a non-blocking socket call; `None` if it would block.
fn at_once(done: io::Result<usize>) -> io::Result<Option<usize>> {
    match done {
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(None),
            _ => Err(error),
        },
    }
}

impl Transport for Tcp {
    fn name(&self) -> &'static str {
        "tcp"
    }

    fn rank_info(&self) -> RankInfo {
        local_rank_info()
    }

    fn rank(&self) -> Rank {
        self.rank
    }

    fn ranks(&self) -> Rank {
        2
    }

    fn path(&self) -> Option<String> {
        Some(self.path.clone())
    }

    fn now(&mut self) -> f64 {
        self.clock.now()
    }

    fn compute(&mut self, micros: f64) {
        self.clock.compute(micros);
    }

    fn can_send(&self, mode: Mode, _: bool) -> bool {
        matches!(mode, Mode::Standard | Mode::Synchronous)
    }

    fn send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<()> {
        let request = self.start_send(mode, to, bytes)?;
        self.wait(request)
    }

    fn start_send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<Request> {
        self.check(to)?;
        let synchronous = match mode {
            Mode::Standard => false,
            Mode::Synchronous => true,
            Mode::Buffered | Mode::Ready => {
                return Err(Error::new(
                    "sockets have no buffered and no ready sends",
                    "transport tcp",
                    "use standard or synchronous sends",
                ));
            }
        };
        let completion = self.frames.send(bytes, synchronous).map_err(|error| failed(&error))?;
        Ok(completion.request())
    }

    fn recv(&mut self, from: Rank, bytes: usize) -> Result<()> {
        let request = self.start_recv(from, bytes)?;
        self.wait(request)
    }

    fn start_recv(&mut self, from: Rank, bytes: usize) -> Result<Request> {
        self.check(from)?;
        Ok(self.frames.post(bytes)?.request())
    }

    fn test(&mut self, request: Request) -> Result<bool> {
        self.frames.test(&Completion::of(request))
    }

    fn wait(&mut self, request: Request) -> Result<()> {
        let completion = Completion::of(request);
        until(|| self.frames.test(&completion).map(|done| done.then_some(())))
    }

    fn signal(&mut self, to: Rank, number: f64) -> Result<()> {
        self.check(to)?;
        self.control.signal(number)
    }

    fn await_signal(&mut self, from: Rank) -> Result<f64> {
        self.check(from)?;
        self.control.await_signal()
    }

    fn send_control(&mut self, to: Rank, message: &[u8]) -> Result<()> {
        self.check(to)?;
        self.control.send_control(message)
    }

    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>> {
        self.check(from)?;
        self.control.recv_control()
    }

    fn collective(&mut self, op: Operation, _: GroupId, _: usize, _: Arithmetic) -> Result<()> {
        Err(Error::new(
            format!("sockets have no {}", op.name()),
            "transport tcp",
            "measure collective operations with MPI",
        ))
    }
}

#[cfg(test)]
mod tests;
