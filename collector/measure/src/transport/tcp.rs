//! Raw sockets between two processes: no MPI is needed, on one host or two.
//!
//! Messages have a connection of their own, and so have control numbers and letters. A standard
//! send is done when the kernel has all of it; a synchronous one when its receiver has begun, which
//! a small frame back says. Both move on in calls only. A message whose receive is not posted stays
//! in the kernel, unless this rank waits for a send of its own: then it makes room.
//!
//! | file | what it does |
//! |---|---|
//! | `listener` | the two ranks find each other |
//! | `frames` | messages |
//! | `control` | numbers and letters |

mod control;
mod frames;
mod rendezvous;

pub use rendezvous::Listener;

use super::threads::spin_until;
use super::{Arithmetic, HostClock, Rank, RankInfo, Request, Result, Transport, local_rank_info};
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
    /// Rank 0: waits at an address, such as `0.0.0.0:7777`, until rank 1 has come.
    pub fn listen(address: &str) -> Result<Self> {
        Listener::bind(address)?.wait()
    }

    /// Rank 1: goes to the address at which rank 0 waits.
    pub fn connect(address: &str) -> Result<Self> {
        rendezvous::enter(address)
    }

    /// Over connections for messages and for control.
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
            format!("rank {} has no way to rank {rank}", self.rank),
            "transport tcp",
            "there are two ranks here, 0 and 1",
        ))
    }
}

/// What went wrong, in words: mostly that the other process has ended.
fn failed(error: &io::Error) -> Error {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, TimedOut, UnexpectedEof};
    let (message, help) = match error.kind() {
        UnexpectedEof | BrokenPipe | ConnectionReset | ConnectionAborted => (
            "the other rank is gone".to_owned(),
            "its process has ended or was killed: see what it said last, then start both again",
        ),
        TimedOut => (
            "the other rank is out of reach".to_owned(),
            "look at its host and at the network between, then start both again",
        ),
        _ => (format!("the connection to the other rank fails: {error}"), "start both again"),
    };
    Error::new(message, "transport tcp", help)
}

/// A rank that says nothing for so long, while another waits for it awake, is out of reach.
const SILENCE: Duration = Duration::from_secs(60);

/// Waits awake for what calls move on. That the other process has ended shows in the calls.
fn until<T>(mut there: impl FnMut() -> Result<Option<T>>) -> Result<T> {
    let begin = Instant::now();
    let hope = || match begin.elapsed() < SILENCE {
        true => Ok(()),
        false => Err(failed(&io::ErrorKind::TimedOut.into())),
    };
    spin_until(&mut there, hope)
}

/// What a call on a socket that must not wait has done; nothing, if it had to.
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
                    "use standard or synchronous ones",
                ));
            }
        };
        let due = self.frames.send(bytes, synchronous).map_err(|error| failed(&error))?;
        Ok(due.request())
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
        let due = Completion::of(request);
        until(|| self.frames.test(&due).map(|done| done.then_some(())))
    }

    fn signal(&mut self, to: Rank, number: f64) -> Result<()> {
        self.check(to)?;
        self.control.signal(number)
    }

    fn await_signal(&mut self, from: Rank) -> Result<f64> {
        self.check(from)?;
        self.control.await_signal()
    }

    fn send_control(&mut self, to: Rank, letter: &[u8]) -> Result<()> {
        self.check(to)?;
        self.control.send_control(letter)
    }

    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>> {
        self.check(from)?;
        self.control.recv_control()
    }

    fn collective(&mut self, op: Operation, _: Rank, _: usize, _: Arithmetic) -> Result<()> {
        Err(Error::new(
            format!("sockets have no {}", op.name()),
            "transport tcp",
            "measure collective operations with MPI",
        ))
    }

    fn maximum(&mut self, procs: Rank, numbers: &mut [f64]) -> Result<()> {
        if procs < 2 {
            return Ok(());
        }
        for number in numbers {
            match self.rank {
                0 => *number = number.max(self.await_signal(1)?),
                _ => self.signal(0, *number)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
