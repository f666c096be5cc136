//! The model of LogGOPSim (Hoefler, Schneider, Lumsdaine, *LogGOPSim*, HPDC 2010), version 76451de:
//! the same events, and the same completion time of every rank.
//!
//! # Symbols
//! - L, o, g, G as in LogGP; O: overhead per byte; S: eager limit; s: bytes of a message
//!
//! # Rules
//! Each processor of a rank has the time when it is free; each network interface has the times when
//! it may send and when it may receive. Events are processed in order of time. Events at the same
//! time are processed in the order of the numbers that they got when they became ready.
//! - A computation occupies its processor for its time.
//! - A send waits for processor and interface, and occupies them for o + (s−1)O and g + (s−1)G. Its
//!   message arrives o + L after the start. Up to S bytes, the send completes at once.
//! - A receive is posted at no cost.
//! - A message waits for processor and interface, and occupies them for o + max((s−1)O, (s−1)G) and
//!   g + (s−1)G, even without a posted receive. Above S, its send completes when message and
//!   receive have matched.
//! - An operation is ready when its processor is free, even if its predecessor finished later on
//!   another processor. So time can go back.
//! - An empty message costs −G and −O for its bytes.
//!
//! LogGOPSim has no synchronous sends: here they complete like sends above S, for any size.
//!
//! # Performance
//! Operations that wait for one processor and interface are tried again in order of their numbers,
//! as soon as both are free. Only the first of them is in the queue; the others are parked behind
//! it. So a thousand messages for one receiver cost a thousand tries instead of a million.

mod costs;
mod posted;

pub use costs::{Costs, Network, Nodes, time_goes_back};

use crate::matching::{MatchQueue, MatchQueues, wanted};
use crate::observe::{Activity, Observer, Work};
use crate::outcome::{Outcome, Unfinished};
use crate::queue::{Entry, Queue};
use crate::schedule::{Kind, Needs, Op, OpId, Schedule};
use crate::time::Time;
use crate::wait_queue::{WaitQueue, WaitQueues};
use costs::times_only_grow;
use posted::Posted;

/// Runs a schedule. A unit of computation takes `calc` ticks.
pub fn run<T: Time, O: Observer<T>>(
    schedule: &Schedule,
    network: &impl Network<T>,
    calc: u64,
    observer: &mut O,
) -> Outcome<T> {
    let mut run = Run::new(schedule, network, calc, observer);
    run.begin();
    let mut steps = 0;
    let looks_ahead = run.is_large();
    while let Some(entry) = run.queue.pop() {
        if looks_ahead && steps % AHEAD == 0 {
            run.look_ahead();
        }
        steps += 1;
        run.step(entry);
    }
    run.end()
}

/// Not generic: compiled once, and not for every network and observer.
fn sort_by_kind(freed: &mut [u32], ops: &[Op]) {
    freed.sort_by_key(|op| ops[*op as usize].kind);
}

/// Flag in an entry's item: the item is a send's message, not the send itself.
const MESSAGE: u32 = 1 << 31;
const OP: u32 = MESSAGE - 1;

/// Number of entries to prefetch.
const AHEAD: usize = 16;

/// A processor and an interface of a rank, in one cache line: nearly every rank has one of each.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Endpoint<T> {
    /// When the processor is free.
    cpu: T,
    /// When the interface may send.
    sending: T,
    /// When the interface may receive.
    receiving: T,
    /// Receives that wait for their message; in the rank's first endpoint.
    posted: Posted,
    /// Messages without a receive yet; in the rank's first endpoint.
    unexpected: MatchQueue,
    /// Messages and sends that wait for processor and interface, and computations that wait for the
    /// processor.
    messages: WaitQueue,
    sends: WaitQueue,
    calcs: WaitQueue,
}

impl<T: Time> Endpoint<T> {
    fn new() -> Self {
        Endpoint {
            cpu: T::default(),
            sending: T::default(),
            receiving: T::default(),
            posted: Posted::NONE,
            unexpected: MatchQueue::EMPTY,
            messages: WaitQueue::EMPTY,
            sends: WaitQueue::EMPTY,
            calcs: WaitQueue::EMPTY,
        }
    }

    /// The wait queue of an operation, or of its message.
    #[inline]
    fn wait_queue(&mut self, message: bool, kind: Kind) -> &mut WaitQueue {
        match (message, kind) {
            (true, _) => &mut self.messages,
            (false, Kind::Calc) => &mut self.calcs,
            (false, _) => &mut self.sends,
        }
    }
}

struct Run<'a, T, N, O> {
    schedule: &'a Schedule,
    ops: &'a [Op],
    network: &'a N,
    calc: u64,
    observer: &'a mut O,
    queue: Queue<T>,
    /// For each rank and processor, one per interface.
    endpoints: Vec<Endpoint<T>>,
    cpus: usize,
    nics: usize,
    match_queues: MatchQueues<u32>,
    wait_queues: WaitQueues,
    /// Whether entries are parked behind the first one.
    parks: bool,
    needs: Needs,
    number: u32,
    messages: u64,
    bytes: u64,
    freed: Vec<u32>,
    freed_elsewhere: Vec<u32>,
}

impl<'a, T: Time, N: Network<T>, O: Observer<T>> Run<'a, T, N, O> {
    fn new(schedule: &'a Schedule, network: &'a N, calc: u64, observer: &'a mut O) -> Self {
        let (cpus, nics) = (schedule.cpus(), schedule.nics());
        let parks = observer.parks() && times_only_grow(schedule, network, calc);
        Run {
            schedule,
            ops: schedule.ops(),
            network,
            calc,
            observer,
            queue: Queue::new(),
            endpoints: vec![Endpoint::new(); schedule.ranks() as usize * cpus * nics],
            cpus,
            nics,
            match_queues: MatchQueues::new(),
            wait_queues: WaitQueues::default(),
            parks,
            needs: schedule.needs().clone(),
            number: 0,
            messages: 0,
            bytes: 0,
            freed: Vec::new(),
            freed_elsewhere: Vec::new(),
        }
    }

    #[inline]
    fn endpoint(&self, rank: u32, cpu: u8, nic: u8) -> usize {
        (rank as usize * self.cpus + usize::from(cpu)) * self.nics + usize::from(nic)
    }

    fn begin(&mut self) {
        self.queue.reserve(self.ops.len() - self.needs.waiting().count());
        for rank in 0..self.schedule.ranks() {
            for op in self.schedule.of_rank(rank) {
                if !self.needs.waits(op) {
                    self.freed.push(op as u32);
                }
            }
            self.enqueue_freed();
        }
    }

    /// Numbers operations that became ready: sends first, then receives, then computations.
    #[inline]
    fn enqueue_freed(&mut self) {
        let ops = self.ops;
        match self.freed.as_mut_slice() {
            [] => return,
            [_] => {}
            [a, b] => {
                if ops[*a as usize].kind > ops[*b as usize].kind {
                    std::mem::swap(a, b);
                }
            }
            freed => sort_by_kind(freed, ops),
        }
        for at in 0..self.freed.len() {
            let item = self.freed[at];
            let op = &ops[item as usize];
            let mut time = self.endpoints[self.endpoint(op.rank, op.cpu, 0)].cpu;
            if op.kind.sends() {
                let sending = self.endpoints[self.endpoint(op.rank, 0, op.nic)].sending;
                time = self.observer.later(time, sending);
            }
            let entry = self.numbered(time, item);
            match op.kind {
                Kind::Recv => self.queue.push(entry),
                Kind::Send | Kind::Ssend | Kind::Calc => self.wait(entry, op.rank, false, op),
            }
        }
        self.freed.clear();
    }

    /// An entry with the next number.
    #[inline]
    fn numbered(&mut self, time: T, item: u32) -> Entry<T> {
        self.observer.numbered(self.number);
        let entry = Entry::numbered(time, self.number, item);
        self.number = self.number.wrapping_add(1);
        entry
    }

    /// Puts an entry into the queue, or parks it behind an earlier one that waits for the same
    /// endpoint.
    #[inline]
    fn wait(&mut self, entry: Entry<T>, rank: u32, message: bool, op: &Op) {
        if self.parks {
            let endpoint = self.endpoint(rank, op.cpu, op.nic);
            let wait_queue = self.endpoints[endpoint].wait_queue(message, op.kind);
            if !wait_queue.enter(entry.number()) {
                return self.wait_queues.park(wait_queue, entry.number(), entry.item());
            }
        }
        self.queue.push(entry);
    }

    /// Whether the state of all ranks exceeds usual caches; otherwise prefetching costs more than
    /// it saves.
    fn is_large(&self) -> bool {
        size_of_val(self.endpoints.as_slice()) > 12 << 20
    }

    /// Prefetches the state for the next entries: first their operations, then their ranks, then the
    /// receives and dependents of these.
    #[inline]
    fn look_ahead(&self) {
        let mut stages = self.queue.ahead().chunks(AHEAD);
        let [soon, later, last] = std::array::from_fn(|_| stages.next().unwrap_or_default());
        let mut seen = 0;
        for entry in last {
            seen ^= self.ops[(entry.item() & OP) as usize].rank;
        }
        for entry in later {
            seen ^= self.first_posted(entry).unwrap_or_default();
        }
        for entry in soon {
            let op = match entry.item() & MESSAGE {
                0 => entry.item(),
                _ => self.first_posted(entry).unwrap_or_default(),
            };
            seen ^= self.schedule.after_done(op as usize).first().copied().unwrap_or_default();
            seen ^= u32::from(self.needs.waits(op as usize));
        }
        std::hint::black_box(seen);
    }

    /// The first posted receive of an entry's rank.
    #[inline]
    fn first_posted(&self, entry: &Entry<T>) -> Option<u32> {
        self.endpoints[self.endpoint_of(entry)].posted.first()
    }

    #[inline]
    fn endpoint_of(&self, entry: &Entry<T>) -> usize {
        let op = &self.ops[(entry.item() & OP) as usize];
        self.endpoint(if entry.item() & MESSAGE == 0 { op.rank } else { op.peer }, 0, 0)
    }

    #[inline]
    fn step(&mut self, entry: Entry<T>) {
        let ops = self.ops;
        let op_index = entry.item() & OP;
        let op = &ops[op_index as usize];
        let now = entry.time;
        if entry.item() & MESSAGE != 0 {
            self.observer.taken(op.peer, now, Some(entry.number()));
            return self.message(entry, op, op_index);
        }
        self.observer.taken(op.rank, now, Some(entry.number()));
        match op.kind {
            Kind::Calc => {
                let cpu = self.endpoint(op.rank, op.cpu, 0);
                let free = self.endpoints[cpu].cpu;
                if free > now {
                    return self.queue_again(entry, op.rank, op, free);
                }
                self.observer.order(free, now);
                let span = T::computation(op.size, self.calc);
                let now = self.observer.begins(work(Activity::Compute, op_index, op), now, span);
                self.endpoints[cpu].cpu = now.plus(span);
                self.started(op_index);
                self.done(op_index);
                self.enqueue_freed();
                self.unblock(entry, op.rank, op);
            }
            Kind::Send | Kind::Ssend => {
                let (cpu, nic) =
                    (self.endpoint(op.rank, op.cpu, 0), self.endpoint(op.rank, 0, op.nic));
                let free =
                    self.observer.later(self.endpoints[cpu].cpu, self.endpoints[nic].sending);
                if free > now {
                    return self.queue_again(entry, op.rank, op, free);
                }
                self.observer.order(free, now);
                let costs = self.network.costs(op.rank, op.peer);
                let span = costs.send(op.size);
                self.observer.delayed(op_index, self.endpoints[cpu].cpu, now);
                let now = self.observer.begins(work(Activity::Send, op_index, op), now, span);
                self.endpoints[cpu].cpu = now.plus(span);
                self.endpoints[nic].sending = now.plus(costs.interface(op.size));
                self.messages += 1;
                self.bytes = self.bytes.saturating_add(op.size);
                self.observer.sends(op.rank);
                let arrives = now.plus(costs.flight());
                self.observer.in_flight(op_index, false, now.plus(costs.overhead), arrives);
                let message = self.numbered(arrives, op_index | MESSAGE);
                self.queue.push(message);
                self.started(op_index);
                if !waits_for_its_receive(op, costs) {
                    self.done(op_index);
                }
                self.enqueue_freed();
                self.unblock(entry, op.rank, op);
            }
            Kind::Recv => {
                self.started(op_index);
                let endpoint = self.endpoint(op.rank, 0, 0);
                let endpoint = &mut self.endpoints[endpoint];
                match self.match_queues.take(&mut endpoint.unexpected, wanted(op)) {
                    None => endpoint.posted.put(&mut self.match_queues, op_index, op),
                    Some(send) => {
                        self.observer.matched(op_index, send);
                        self.done(op_index);
                        let sent = &ops[send as usize];
                        let limit = self.network.costs(sent.rank, op.rank).eager_limit;
                        if op.size > limit || sent.kind == Kind::Ssend {
                            return self.release_sender(op.rank, send, op.cpu, op.nic, now);
                        }
                    }
                }
                self.enqueue_freed();
            }
        }
    }

    /// The first byte of a message has arrived.
    #[inline]
    fn message(&mut self, entry: Entry<T>, op: &Op, send: u32) {
        let (rank, now) = (op.peer, entry.time);
        let (cpu, nic) = (self.endpoint(rank, op.cpu, 0), self.endpoint(rank, 0, op.nic));
        let free = self.observer.later(self.endpoints[cpu].cpu, self.endpoints[nic].receiving);
        if free > now {
            return self.queue_again(entry, rank, op, free);
        }
        self.observer.order(free, now);
        let costs = self.network.costs(op.rank, rank);
        let span = costs.recv(op.size, |a, b| self.observer.later(a, b));
        let received = Work { rank, ..work(Activity::Receive, send, op) };
        let now = self.observer.begins(received, now, span);
        self.endpoints[cpu].cpu = now.plus(span);
        self.endpoints[nic].receiving = now.plus(costs.interface(op.size));
        let key = (op.rank, op.tag);
        let endpoint = self.endpoint(rank, 0, 0);
        let endpoint = &mut self.endpoints[endpoint];
        match endpoint.posted.take(&mut self.match_queues, self.ops, key) {
            None => self.match_queues.put(&mut endpoint.unexpected, key, send),
            Some(recv) => {
                self.observer.matched(recv, send);
                self.done(recv);
                if waits_for_its_receive(op, costs) {
                    self.release_sender(rank, send, op.cpu, op.nic, now);
                } else {
                    self.enqueue_freed();
                }
            }
        }
        self.unblock(entry, rank, op);
    }

    /// A message above the eager limit has matched its receive on `rank`: its send completes.
    fn release_sender(&mut self, rank: u32, send: u32, cpu: u8, nic: u8, now: T) {
        let from = self.ops[send as usize].rank;
        self.observer.affected(from);
        let (cpu, nic) = (self.endpoint(from, cpu, 0), self.endpoint(from, 0, nic));
        self.endpoints[cpu].cpu = self.observer.later(self.endpoints[cpu].cpu, now);
        self.endpoints[nic].sending = self.observer.later(self.endpoints[nic].sending, now);
        // A send below the limit has already completed; the sizes of send and receive may differ.
        let sent = &self.ops[send as usize];
        let completes = waits_for_its_receive(sent, self.network.costs(from, sent.peer));
        if from == rank || !completes {
            if completes {
                self.done(send);
            }
            return self.enqueue_freed();
        }
        let here = std::mem::replace(&mut self.freed, std::mem::take(&mut self.freed_elsewhere));
        self.done(send);
        let there = std::mem::replace(&mut self.freed, here);
        let later = match from < rank {
            true => std::mem::replace(&mut self.freed, there),
            false => there,
        };
        self.enqueue_freed();
        self.freed_elsewhere = std::mem::replace(&mut self.freed, later);
        self.enqueue_freed();
    }

    #[inline]
    fn started(&mut self, op: u32) {
        self.release(self.schedule.after_start(op as usize));
    }

    #[inline]
    fn done(&mut self, op: u32) {
        self.release(self.schedule.after_done(op as usize));
    }

    #[inline]
    fn release(&mut self, dependents: &[u32]) {
        let freed = &mut self.freed;
        self.needs.meet(dependents, |op| freed.push(op));
    }

    /// Queues an entry that cannot begin again for `free`, with the same number.
    #[inline]
    fn queue_again(&mut self, entry: Entry<T>, rank: u32, op: &Op, free: T) {
        self.observer.order(entry.time, free);
        self.wait(Entry { time: free, ..entry }, rank, entry.item() & MESSAGE != 0, op);
    }

    /// Moves the next parked entry to the queue, after this entry has begun.
    #[inline]
    fn unblock(&mut self, entry: Entry<T>, rank: u32, op: &Op) {
        if !self.parks {
            return;
        }
        let message = entry.item() & MESSAGE != 0;
        let endpoint = self.endpoint(rank, op.cpu, op.nic);
        let wait_queue = self.endpoints[endpoint].wait_queue(message, op.kind);
        let Some((number, item)) = self.wait_queues.leave(wait_queue, entry.number()) else {
            return;
        };
        let cpu = self.endpoints[self.endpoint(rank, op.cpu, 0)].cpu;
        let nic = &self.endpoints[self.endpoint(rank, 0, op.nic)];
        let free = match (message, op.kind) {
            (true, _) => cpu.max(nic.receiving),
            (false, Kind::Calc) => cpu,
            (false, _) => cpu.max(nic.sending),
        };
        self.queue.push(Entry::numbered(free.max(entry.time), number, item));
    }

    fn end(self) -> Outcome<T> {
        let mut ends = Vec::with_capacity(self.schedule.ranks() as usize);
        let mut left = Unfinished::never_begun(&self.needs);
        for endpoints in self.endpoints.chunks_exact(self.cpus * self.nics) {
            let cpus = endpoints.iter().step_by(self.nics).map(|endpoint| endpoint.cpu);
            ends.push(cpus.reduce(|a, b| self.observer.later(a, b)).unwrap_or_default());
            let Endpoint { posted, unexpected, .. } = &endpoints[0];
            left.receives.extend(posted.all(&self.match_queues).map(OpId));
            left.messages.extend(self.match_queues.waiting(*unexpected).into_iter().map(OpId));
        }
        Outcome {
            ends,
            events: u64::from(self.number),
            messages: self.messages,
            bytes: self.bytes,
            is_too_long: false,
            left,
        }
    }
}

/// Whether a send completes only after its receive is posted.
#[inline]
fn waits_for_its_receive<T>(send: &Op, costs: &Costs<T>) -> bool {
    send.size > costs.eager_limit || send.kind == Kind::Ssend
}

#[inline]
fn work(activity: Activity, op: u32, of: &Op) -> Work {
    Work { activity, op, rank: of.rank, cpu: of.cpu, label: of.label }
}
