//! Two threads of this process, without MPI.
//!
//! A message of up to [`EAGER`] bytes is copied into a ring of slots, and out of it by the
//! receiver. For a larger message the ring holds a reference: the receiver copies from the sender's
//! memory, then the send completes (RTA). Progress is made in calls only (DCP). A standard send
//! waits while the ring is full.

mod ring;
mod spin;

pub(super) use spin::spin_until;

use super::{
    Arithmetic, GroupId, HostClock, Rank, RankInfo, Request, Result, Transport, local_rank_info,
};
use loggia_model::Error;
use loggia_model::signature::{Mode, Operation};
use ring::{Consumer, Producer, ring};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// Largest message that is copied through the ring.
pub const EAGER: usize = 16 << 10;

/// Number of slots of a ring: messages or signals in flight.
const SLOTS: usize = 32;

/// Maximum number of buffered messages that wait for a slot of the ring.
const MAX_BUFFERED: usize = 64;

struct Envelope {
    bytes: usize,
    /// The sender's data, if `data` is not used.
    lent: Option<Arc<Vec<u8>>>,
    data: [u8; EAGER],
}

impl Default for Envelope {
    fn default() -> Self {
        Envelope { bytes: 0, lent: None, data: [0; EAGER] }
    }
}

struct Outgoing {
    bytes: usize,
    lent: Option<Arc<Vec<u8>>>,
}

/// One of two threads.
pub struct Threads {
    rank: Rank,
    clock: HostClock,
    alive: Arc<[AtomicBool; 2]>,
    out: Producer<Envelope>,
    into: Consumer<Envelope>,
    signals_out: Producer<f64>,
    signals_in: Consumer<f64>,
    control_out: Sender<Vec<u8>>,
    control_in: Receiver<Vec<u8>>,
    /// Sends that wait for a slot.
    unsent: VecDeque<Outgoing>,
    sends: usize,
    /// Sizes of posted receives without a message.
    posted: VecDeque<usize>,
    receives: usize,
    /// The buffers of sends and of receives.
    source: Arc<Vec<u8>>,
    sink: Vec<u8>,
    /// Buffers of buffered sends; a buffer is free if there is no other reference.
    buffers: Vec<Arc<Vec<u8>>>,
}

/// Completion of an operation. Messages keep their order, so a count suffices.
enum Completion {
    /// Complete at once.
    Now,
    /// Complete when the send of this number has a slot.
    Put(usize),
    /// Complete when the send of this number was received.
    Taken(usize),
    /// Complete when the receive of this number has its message.
    Received(usize),
}

impl Completion {
    fn request(self) -> Request {
        Request(match self {
            Completion::Now => 0,
            Completion::Put(number) => 4 * number + 1,
            Completion::Taken(number) => 4 * number + 2,
            Completion::Received(number) => 4 * number + 3,
        })
    }

    fn of(Request(request): Request) -> Self {
        let number = request / 4;
        match request % 4 {
            0 => Completion::Now,
            1 => Completion::Put(number),
            2 => Completion::Taken(number),
            _ => Completion::Received(number),
        }
    }
}

/// Two connected ranks, one for each thread.
pub fn pair() -> [Threads; 2] {
    let clock = HostClock::start();
    let alive = Arc::new([AtomicBool::new(true), AtomicBool::new(true)]);
    let [(out0, into1), (out1, into0)] = [ring(SLOTS), ring(SLOTS)];
    let [(signals_out0, signals_in1), (signals_out1, signals_in0)] = [ring(SLOTS), ring(SLOTS)];
    let [(control_out0, control_in1), (control_out1, control_in0)] =
        [mpsc::channel(), mpsc::channel()];
    let rank_of = |rank, out, into, signals_out, signals_in, control_out, control_in| Threads {
        rank,
        clock,
        alive: alive.clone(),
        out,
        into,
        signals_out,
        signals_in,
        control_out,
        control_in,
        unsent: VecDeque::new(),
        sends: 0,
        posted: VecDeque::new(),
        receives: 0,
        source: Arc::default(),
        sink: Vec::new(),
        buffers: Vec::new(),
    };
    [
        rank_of(0, out0, into0, signals_out0, signals_in0, control_out0, control_in0),
        rank_of(1, out1, into1, signals_out1, signals_in1, control_out1, control_in1),
    ]
}

/// Memory that was written once, so that no page fault is timed.
fn memory(bytes: usize) -> Vec<u8> {
    vec![1; bytes.next_power_of_two()]
}

fn rank_ended() -> Error {
    Error::new(
        "the other rank ended",
        "transport threads",
        "its thread ended early; see the previous error",
    )
}

impl Threads {
    fn peer(&self) -> Rank {
        1 - self.rank
    }

    fn check(&self, rank: Rank) -> Result<()> {
        if rank == self.peer() {
            return Ok(());
        }
        Err(Error::new(
            format!("rank {} cannot reach rank {rank}", self.rank),
            "transport threads",
            "this transport has the ranks 0 and 1",
        ))
    }

    fn is_alive(alive: &AtomicBool) -> impl Fn() -> Result<()> + '_ {
        || if alive.load(Ordering::Acquire) { Ok(()) } else { Err(rank_ended()) }
    }

    /// Spins and makes progress.
    fn until<T>(&mut self, mut poll: impl FnMut(&mut Self) -> Result<Option<T>>) -> Result<T> {
        let alive = self.alive.clone();
        let is_alive = Threads::is_alive(&alive[self.peer() as usize]);
        spin_until(|| poll(self), is_alive)
    }

    /// Puts a message into the ring, unless it is full.
    fn put(&mut self, outgoing: &Outgoing) -> bool {
        let source = &self.source;
        self.out.try_put(|envelope| {
            envelope.bytes = outgoing.bytes;
            envelope.lent.clone_from(&outgoing.lent);
            if outgoing.lent.is_none() {
                envelope.data[..outgoing.bytes].copy_from_slice(&source[..outgoing.bytes]);
            }
        })
    }

    fn progress_sends(&mut self) {
        while let Some(outgoing) = self.unsent.pop_front() {
            if !self.put(&outgoing) {
                return self.unsent.push_front(outgoing);
            }
        }
    }

    fn progress_receives(&mut self) -> Result<()> {
        while let Some(&buffer_size) = self.posted.front() {
            let sink = &mut self.sink;
            let taken = self.into.try_take(|envelope| {
                let bytes = envelope.bytes;
                if bytes > buffer_size {
                    return Err(bytes);
                }
                match envelope.lent.take() {
                    Some(lent) => sink[..bytes].copy_from_slice(&lent[..bytes]),
                    None => sink[..bytes].copy_from_slice(&envelope.data[..bytes]),
                }
                Ok(())
            });
            match taken {
                None => return Ok(()),
                Some(Ok(())) => self.posted.pop_front(),
                Some(Err(bytes)) => return Err(too_long("threads", bytes, buffer_size)),
            };
        }
        Ok(())
    }

    fn progress(&mut self) -> Result<()> {
        self.progress_sends();
        self.progress_receives()
    }

    fn is_done(&mut self, request: Request) -> bool {
        match Completion::of(request) {
            Completion::Now => true,
            Completion::Put(number) => self.out.put() > number,
            Completion::Taken(number) => self.out.taken() > number,
            Completion::Received(number) => self.into.taken() > number,
        }
    }

    /// Copies a buffered message.
    fn copied(&mut self, bytes: usize) -> Result<Arc<Vec<u8>>> {
        let index = self.until(|this| {
            this.progress()?;
            let free = |buffer: &mut Arc<Vec<u8>>| {
                Arc::get_mut(buffer).is_some_and(|memory| memory.len() >= bytes)
            };
            if let Some(index) = this.buffers.iter_mut().position(free) {
                return Ok(Some(index));
            }
            if this.buffers.len() == MAX_BUFFERED {
                // The free buffers are too small.
                this.buffers.retain_mut(|buffer| Arc::get_mut(buffer).is_none());
            }
            if this.buffers.len() == MAX_BUFFERED {
                return Ok(None);
            }
            this.buffers.push(Arc::new(memory(bytes)));
            Ok(Some(this.buffers.len() - 1))
        })?;
        let buffer = &mut self.buffers[index];
        if let Some(memory) = Arc::get_mut(buffer) {
            memory[..bytes].copy_from_slice(&self.source[..bytes]);
        }
        Ok(buffer.clone())
    }
}

pub(super) fn too_long(transport: &str, bytes: usize, buffer_size: usize) -> Error {
    Error::new(
        format!("a message of {bytes} bytes matched a receive of {buffer_size} bytes"),
        format!("transport {transport}"),
        "both ranks must run the same plan with the same version of loggia",
    )
}

impl Transport for Threads {
    fn name(&self) -> &'static str {
        "threads"
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
        Some("memory of one process".to_owned())
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
        let request = self.start_send(mode, to, bytes)?;
        self.wait(request)
    }

    fn start_send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<Request> {
        self.check(to)?;
        if self.source.len() < bytes {
            self.source = Arc::new(memory(bytes));
        }
        self.progress_sends();
        let mut outgoing = Outgoing { bytes, lent: (bytes > EAGER).then(|| self.source.clone()) };
        let completion = match (mode, &outgoing.lent) {
            (Mode::Buffered, _) => Completion::Now,
            (Mode::Synchronous, _) | (_, Some(_)) => Completion::Taken(self.sends),
            (Mode::Standard | Mode::Ready, None) => Completion::Put(self.sends),
        };
        self.sends += 1;
        if mode == Mode::Buffered && outgoing.lent.is_some() {
            outgoing.lent = Some(self.copied(bytes)?);
        }
        if !self.unsent.is_empty() || !self.put(&outgoing) {
            if mode == Mode::Buffered && outgoing.lent.is_none() {
                outgoing.lent = Some(self.copied(bytes)?);
            }
            self.unsent.push_back(outgoing);
        }
        Ok(completion.request())
    }

    fn recv(&mut self, from: Rank, bytes: usize) -> Result<()> {
        let request = self.start_recv(from, bytes)?;
        self.wait(request)
    }

    fn start_recv(&mut self, from: Rank, bytes: usize) -> Result<Request> {
        self.check(from)?;
        if self.sink.len() < bytes {
            self.sink = memory(bytes);
        }
        let request = Completion::Received(self.receives).request();
        self.receives += 1;
        self.posted.push_back(bytes);
        self.progress_receives()?;
        Ok(request)
    }

    fn test(&mut self, request: Request) -> Result<bool> {
        self.progress()?;
        Ok(self.is_done(request))
    }

    fn wait(&mut self, request: Request) -> Result<()> {
        self.until(|this| this.test(request).map(|done| done.then_some(())))
    }

    fn signal(&mut self, to: Rank, number: f64) -> Result<()> {
        self.check(to)?;
        self.until(|this| {
            this.progress()?;
            Ok(this.signals_out.try_put(|slot| *slot = number).then_some(()))
        })
    }

    fn await_signal(&mut self, from: Rank) -> Result<f64> {
        self.check(from)?;
        self.until(|this| {
            this.progress()?;
            Ok(this.signals_in.try_take(|number| *number))
        })
    }

    fn send_control(&mut self, to: Rank, message: &[u8]) -> Result<()> {
        self.check(to)?;
        self.control_out.send(message.to_vec()).map_err(|_| rank_ended())
    }

    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>> {
        self.check(from)?;
        // Buffered sends must not depend on further calls.
        while !self.unsent.is_empty() {
            self.progress_sends();
            match self.control_in.recv_timeout(Duration::from_millis(1)) {
                Err(RecvTimeoutError::Timeout) => {}
                answer => return answer.map_err(|_| rank_ended()),
            }
        }
        self.control_in.recv().map_err(|_| rank_ended())
    }

    fn collective(&mut self, op: Operation, _: GroupId, _: usize, _: Arithmetic) -> Result<()> {
        Err(Error::new(
            format!("threads have no {}", op.name()),
            "transport threads",
            "measure collective operations with MPI",
        ))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.alive[self.rank as usize].store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests;
