//! Ranks with their own clocks in virtual time, for tests: one thread each, with reproducible times.

use crate::transport::{Arithmetic, GroupId, Rank, RankInfo, Request, Result, Transport};
use loggia_model::Error;
use loggia_model::signature::{Mode, Operation};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};

/// Time of reading a clock, in µs.
pub const READING: f64 = 0.02;
/// Latency of a signal to and from rank 0, in µs: asymmetric, with occasional delays.
const TO_ROOT: f64 = 1.5;
const FROM_ROOT: f64 = 0.5;

/// Completion time of an execution, from operation, ranks, bytes, operator, number and start.
pub type CompletionTime = dyn Fn(Operation, Rank, usize, Arithmetic, u64, f64) -> f64 + Sync + Send;

/// One rank.
pub struct Fake {
    rank: Rank,
    ranks: Rank,
    /// The true time.
    pub time: f64,
    /// This clock at true time 0, and its drift.
    pub offset: f64,
    pub drift: f64,
    seed: u64,
    to: Vec<Sender<(f64, f64)>>,
    from: Vec<Receiver<(f64, f64)>>,
    barrier: Arc<VirtualBarrier>,
    completion_time: Arc<CompletionTime>,
}

/// A barrier in virtual time.
#[derive(Default)]
struct VirtualBarrier {
    state: Mutex<State>,
    all_arrived: Condvar,
}

#[derive(Default)]
struct State {
    arrived: Rank,
    generation: u64,
    latest: f64,
    largest: Vec<f64>,
    result: (f64, Vec<f64>),
}

/// Runs `body` on `procs` ranks; returns rank 0's result. Clocks differ by 1 s per rank, and drift.
pub fn run<R: Send>(
    ranks: Rank,
    completion_time: Arc<CompletionTime>,
    body: impl Fn(&mut Fake) -> R + Sync,
) -> Vec<R> {
    let barrier = Arc::new(VirtualBarrier::default());
    let mut to: Vec<Vec<_>> = (0..ranks).map(|_| Vec::new()).collect();
    let mut from: Vec<Vec<_>> = (0..ranks).map(|_| Vec::new()).collect();
    for receivers in &mut from {
        for senders in &mut to {
            let (sender, receiver) = channel();
            senders.push(sender);
            receivers.push(receiver);
        }
    }
    let fakes: Vec<Fake> = (0..ranks)
        .zip(to.into_iter().zip(from))
        .map(|(rank, (to, from))| Fake {
            rank,
            ranks,
            time: 0.0,
            offset: 1e6 * f64::from(rank),
            drift: 1e-5 * f64::from(rank),
            seed: u64::from(rank) + 1,
            to,
            from,
            barrier: barrier.clone(),
            completion_time: completion_time.clone(),
        })
        .collect();
    std::thread::scope(|scope| {
        let body = &body;
        let threads: Vec<_> =
            fakes.into_iter().map(|mut fake| scope.spawn(move || body(&mut fake))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

impl VirtualBarrier {
    /// Waits for `procs` ranks; returns the latest time, the maxima of the numbers, and the count.
    fn wait(&self, procs: Rank, time: f64, numbers: &[f64]) -> (f64, Vec<f64>, u64) {
        let mut state = self.state.lock().unwrap();
        let current = state.generation;
        state.latest = state.latest.max(time);
        state.largest.resize(numbers.len(), f64::NEG_INFINITY);
        for (largest, number) in state.largest.iter_mut().zip(numbers) {
            *largest = largest.max(*number);
        }
        state.arrived += 1;
        if state.arrived == procs {
            let next = State { generation: current + 1, ..State::default() };
            let State { latest, largest, .. } = std::mem::replace(&mut *state, next);
            state.result = (latest, largest);
            self.all_arrived.notify_all();
        }
        while state.generation == current {
            state = self.all_arrived.wait(state).unwrap();
        }
        let (latest, largest) = state.result.clone();
        (latest, largest, current)
    }
}

impl Fake {
    /// The true time at which this clock shows `local`.
    pub fn true_time(&self, local: f64) -> f64 {
        (local - self.offset) / (1.0 + self.drift)
    }

    /// A random delay: up to 5 µs for a third of the signals.
    fn delay(&mut self) -> f64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        match self.seed >> 33 {
            number if number % 3 == 0 => (number % 5000) as f64 * 1e-3,
            _ => 0.0,
        }
    }
}

impl Transport for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }
    fn rank_info(&self) -> RankInfo {
        RankInfo::default()
    }
    fn rank(&self) -> Rank {
        self.rank
    }
    fn ranks(&self) -> Rank {
        self.ranks
    }
    fn now(&mut self) -> f64 {
        self.time += READING;
        self.offset + self.time * (1.0 + self.drift)
    }
    fn compute(&mut self, micros: f64) {
        self.time += micros / (1.0 + self.drift);
    }
    fn signal(&mut self, to: Rank, number: f64) -> Result<()> {
        let latency = if to == 0 { TO_ROOT } else { FROM_ROOT };
        let arrival = self.time + latency + self.delay();
        self.to[to as usize].send((number, arrival)).map_err(|_| unsupported())
    }
    fn await_signal(&mut self, from: Rank) -> Result<f64> {
        let (number, arrival) = self.from[from as usize].recv().map_err(|_| unsupported())?;
        self.time = self.time.max(arrival);
        Ok(number)
    }
    fn has_collectives(&self) -> bool {
        true
    }
    fn collective(
        &mut self,
        op: Operation,
        group: GroupId,
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Result<()> {
        let (latest, _, index) = self.barrier.wait(group.procs, self.time, &[]);
        self.time = (self.completion_time)(op, group.procs, bytes, arithmetic, index, latest);
        Ok(())
    }
    fn maximum(&mut self, group: GroupId, numbers: &mut [f64]) -> Result<()> {
        let (latest, largest, _) = self.barrier.wait(group.procs, self.time, numbers);
        self.time = latest;
        if self.rank == 0 {
            numbers.copy_from_slice(&largest);
        }
        Ok(())
    }
    fn can_send(&self, _: Mode, _: bool) -> bool {
        false
    }
    fn send(&mut self, _: Mode, _: Rank, _: usize) -> Result<()> {
        Err(unsupported())
    }
    fn start_send(&mut self, _: Mode, _: Rank, _: usize) -> Result<Request> {
        Err(unsupported())
    }
    fn recv(&mut self, _: Rank, _: usize) -> Result<()> {
        Err(unsupported())
    }
    fn start_recv(&mut self, _: Rank, _: usize) -> Result<Request> {
        Err(unsupported())
    }
    fn test(&mut self, _: Request) -> Result<bool> {
        Err(unsupported())
    }
    fn wait(&mut self, _: Request) -> Result<()> {
        Err(unsupported())
    }
    fn send_control(&mut self, _: Rank, _: &[u8]) -> Result<()> {
        Err(unsupported())
    }
    fn recv_control(&mut self, _: Rank) -> Result<Vec<u8>> {
        Err(unsupported())
    }
}

fn unsupported() -> Error {
    Error::new("not here", "", "")
}
