//! Loggia's simulation model: LogGPO (Chen et al. 2009) for whole schedules. With other costs, it
//! is LogP, LogGP or LogGPS.
//!
//! # Symbols
//! - L, o_s, o_r, g, G, S as in LogGPS; k: bytes of a message; B(k) = (k−1)G
//! - O': overhead of a control message; O_i: start of a transmission; O_c: the receiver's copy
//! - A_s, A_r: overheads of sending and receiving an acknowledgement: o_s and o_r, or O'
//!
//! # Rules
//! 1. An operation is ready when its predecessors have finished, or begun. A processor performs one
//!    task at a time, without preemption.
//! 2. Eager: a send takes O_i. At its end, its bytes enter the network, at least B(k) + g after the
//!    bytes before; the send begins late enough for that. Then it is complete.
//! 3. The first byte arrives L later and matches a waiting receive, in the order of the sends. The
//!    receiving interface accepts a message B(k) + g after the message before; it has arrived B(k)
//!    later. Then the processor makes the copy, O_c. After the copy of a synchronous send, the
//!    receiver acknowledges (A_s, then L). The sender handles the acknowledgement, A_r, and
//!    completes (TA of Al-Tawil & Moritz 2001).
//! 4. Rendezvous: the send takes O' and sends a request, which arrives L later. The receive takes
//!    O'. A request that arrived before the receive is answered by the receive, a later one by the
//!    receiver's progress.
//!    - RAT: the answer takes 2O' and arrives L later. Then the sender starts the transmission, O_i.
//!      The send finishes when its last byte has left, the receive when it has arrived.
//!    - RTA: the answer takes O' + O_i and pulls the bytes, which arrive after L. Then the receiver
//!      sends a closing message, A_s, which arrives L later. The sender handles it, A_r, and the
//!      send finishes.
//! 5. Dependent progress: protocol work is done inside communication calls. The processor does it
//!    - when it has no other operation: then its rank waits inside a call;
//!    - before each send, each receive and each zero-length computation, which represents a call
//!      such as `MPI_Test`.
//!
//!    Independent progress: the rank's network interface does protocol work at once, one task at a
//!    time; only copies need the processor.
//! 6. Messages that arrive at time t are handled before a processor chooses its next task at t.
//!    Events at the same time follow the order of their operations.
//! 7. Ranks of a node share its network card: see `cards`.
//!
//! An empty message costs its overheads and L. A message of a rank to itself costs the same as any
//! other message.

mod cards;
mod cost_table;
mod cpu;
mod id;
mod message;
mod message_state;
mod operations;
mod window;

use crate::matching::MatchQueues;
use crate::observe::{Activity, Observer, Work};
use crate::outcome::Outcome;
use crate::queue::{Entry, Queue};
use crate::schedule::{Kind, Op, Schedule};
use crate::stream::OperationSource;
use crate::time::Time;
use cards::Cards;
use cost_table::CostTable;
use cpu::{Cpus, Interface, Rank, Waiting};
use id::{Id, Location};
use operations::{Operations, ScheduleOperations};
use window::StreamedOperations;

/// Protocol of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageProtocol {
    /// The bytes are sent at once.
    #[default]
    Eager,
    /// Rendezvous; the sender pushes.
    Rat,
    /// Rendezvous; the receiver pulls.
    Rta,
}

/// The costs of one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs<T> {
    pub protocol: MessageProtocol,
    /// The send's call before a handshake: O'
    pub request: T,
    /// The receive's call, before the request has arrived: O'
    pub post: T,
    /// The receiver's answer to a request: 2O' for RAT, O' for RTA
    pub answer: T,
    /// The sender's handling of the answer, before the transmission; RAT only, none in LogGPO
    pub answered: T,
    /// Starting the transmission: O_i, or o_s; for RTA at the receiver
    pub initiation: T,
    /// Sending the last message of RTA and TA, at the receiver: A_s
    pub acknowledge: T,
    /// Receiving the last message of RTA and TA, at the sender: A_r
    pub acknowledged: T,
    /// The receiver's copy: O_c, or o_r. `None` if a handshake has announced the destination, and
    /// for RTA.
    pub copy: Option<T>,
    /// L
    pub latency: T,
    /// (k−1)G, 0 for an empty message
    pub bytes: T,
    /// g
    pub gap: T,
    /// k/R_N, if the message passes network cards that several ranks share
    pub card: Option<T>,
}

/// A machine: the costs of its messages, and their progress.
pub trait Machine<T> {
    /// Tier of a message; messages of one tier and size have the same costs. The source may be
    /// [`ANY`](crate::schedule::ANY) for the call of a receive.
    fn tier(&self, from: u32, to: u32) -> u8;

    /// Costs of a message in a tier.
    fn costs(&self, tier: u8, bytes: u64) -> Costs<T>;

    /// Number of nodes with shared network cards; 0 if no message passes a shared card.
    fn nodes(&self) -> usize {
        0
    }

    /// The node of a rank, if there are nodes.
    fn node(&self, _rank: u32) -> u32 {
        0
    }

    /// Whether progress depends on calls of the program (DCP).
    fn progress_depends_on_calls(&self) -> bool;
}

/// An event. Events of the same time and operation are handled in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// An operation has finished.
    Done,
    /// An operation has finished, and its processor is free.
    Finished,
    /// The operation's processor is free.
    CpuFree,
    /// The operation's interface can accept a send.
    InterfaceFree,
    /// A request for a handshake reaches the receiver.
    Request,
    /// The receiver's answer reaches the sender.
    Answer,
    /// Bytes can enter the network.
    Inject,
    /// The first byte reaches the receiver.
    Head,
    /// The last byte has reached the receiver.
    Arrived,
    /// The closing message reaches the sender.
    Closing,
    /// The first byte can enter the network card of its node.
    Card,
}

const EVENTS: [Event; 11] = [
    Event::Done,
    Event::Finished,
    Event::CpuFree,
    Event::InterfaceFree,
    Event::Request,
    Event::Answer,
    Event::Inject,
    Event::Head,
    Event::Arrived,
    Event::Closing,
    Event::Card,
];

/// Runs a schedule. A unit of computation takes `calc` ticks.
pub fn run<T: Time, O: Observer<T>>(
    schedule: &Schedule,
    machine: &impl Machine<T>,
    calc: u64,
    observer: &mut O,
) -> Outcome<T> {
    Run::new(ScheduleOperations::new(schedule), machine, calc, observer).all()
}

/// Runs a streamed schedule; memory holds only the operations in flight. Observers get operation
/// numbers within a rank.
pub fn run_stream<T: Time, O: Observer<T>>(
    source: &mut dyn OperationSource,
    machine: &impl Machine<T>,
    calc: u64,
    observer: &mut O,
) -> Outcome<T> {
    Run::new(StreamedOperations::new(source), machine, calc, observer).all()
}

/// An activity of the operation's processor.
fn work(activity: Activity, id: Id, op: &Op) -> Work {
    let Op { rank, cpu, label, .. } = *op;
    Work { activity, op: id as u32, rank, cpu, label }
}

struct Run<'a, T, P, M, O> {
    ops: P,
    dependent: bool,
    calc: u64,
    cost_table: CostTable<'a, T, M>,
    observer: &'a mut O,
    queue: Queue<T>,
    ranks: Vec<Rank<T>>,
    cpus: Cpus<T>,
    interfaces: Vec<Interface<T>>,
    interfaces_each: usize,
    cards: Cards<T>,
    match_queues: MatchQueues<Id>,
    events: u64,
    sent: u64,
    bytes: u64,
}

impl<'a, T: Time, P: Operations<T>, M: Machine<T>, O: Observer<T>> Run<'a, T, P, M, O> {
    fn new(ops: P, machine: &'a M, calc: u64, observer: &'a mut O) -> Self {
        let [ranks, cpus_each, interfaces_each] = ops.sizes();
        let interfaces = ranks * interfaces_each;
        Run {
            ops,
            dependent: machine.progress_depends_on_calls(),
            calc,
            cost_table: CostTable::of(machine),
            observer,
            queue: Queue::new(),
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            cpus: Cpus::of(ranks, cpus_each),
            interfaces: (0..interfaces).map(|_| Interface::default()).collect(),
            interfaces_each,
            cards: Cards::of(machine.nodes()),
            match_queues: MatchQueues::new(),
            events: 0,
            sent: 0,
            bytes: 0,
        }
    }

    fn all(mut self) -> Outcome<T> {
        self.ops.begin(&mut self.cpus.at(T::default()));
        loop {
            // All events of a time are handled before processors choose their next task.
            if !self.queue.has_more_now() && self.cpus.any_marked() {
                if self.queue.has_overflowed() {
                    // Times have overflowed: they are meaningless, and the loop might never end.
                    return self.end();
                }
                self.choose_everywhere();
            } else if let Some(Entry { time, order }) = self.queue.pop() {
                self.handle(EVENTS[(order & 15) as usize], order >> 4, time);
            } else {
                return self.end();
            }
        }
    }

    fn interface(&mut self, rank: u32, nic: u8) -> &mut Interface<T> {
        let number = rank as usize * self.interfaces_each + usize::from(nic);
        &mut self.interfaces[number]
    }

    #[inline]
    fn at(&mut self, time: T, event: Event, op: Id) {
        self.queue.push(Entry { time, order: op << 4 | event as u64 });
    }

    fn started(&mut self, op: Id, now: T) {
        self.ops.started(op, &mut self.cpus.at(now));
    }

    /// An operation has finished; its rank does not end earlier.
    fn done(&mut self, op: Id, now: T) {
        self.ends(self.ops.place(op).rank, now);
        self.ops.done(op, &mut self.cpus.at(now));
    }

    /// Occupies the operation's processor for `span`, then schedules `last`; returns start and end.
    fn occupy(&mut self, activity: Activity, id: Id, now: T, span: T, last: Event) -> (T, T) {
        let op = self.ops.op(id);
        let place = Location::of(op);
        let now = self.observer.begins(work(activity, id, op), now, span);
        self.cpus.of_place(place).busy = true;
        let end = now.plus(span);
        self.at(end, last, id);
        (now, end)
    }

    fn choose_everywhere(&mut self) {
        let mut marked = self.cpus.take_marked();
        for cpu in marked.drain(..) {
            while !self.cpus.all[cpu as usize].busy && self.choose(cpu as usize) {}
        }
        self.cpus.give_back(marked);
    }

    /// Starts the next activity of a processor; false if there is none.
    fn choose(&mut self, cpu: usize) -> bool {
        let cpu = &mut self.cpus.all[cpu];
        let ops = &self.ops;
        let computes = |next: Waiting<T>| {
            let is_calc = next.kind() == Kind::Calc as u8;
            is_calc && ops.op(next.op()).size > 0
        };
        if let Some(step) = cpu.pending.first()
            && !cpu.ready.first().is_some_and(computes)
        {
            cpu.pending.take();
            let now = self.observer.later(cpu.free, step.since);
            self.step(step, now);
            return true;
        }
        let Some(next) = cpu.ready.take() else { return false };
        let now = self.observer.later(cpu.free, next.since);
        let op = *self.ops.op(next.op());
        self.observer.next_operation(&op, now);
        match op.kind {
            Kind::Calc => {
                let span = T::computation(op.size, self.calc);
                let id = next.op();
                if span == T::default() && self.cpus.is_one_each() {
                    self.pass(id, &op, now);
                    return false;
                }
                let (now, _) = self.occupy(Activity::Compute, id, now, span, Event::Finished);
                self.started(id, now);
            }
            Kind::Send | Kind::Ssend => self.send(next, &op, now),
            Kind::Recv => self.receive(next.op(), &op, now),
        }
        true
    }

    /// The only processor of a rank performs a zero-length computation. It chooses again after all
    /// events of this time, as if the end were an event.
    fn pass(&mut self, id: Id, op: &Op, now: T) {
        let now = self.observer.begins(work(Activity::Compute, id, op), now, T::default());
        self.started(id, now);
        self.handle(Event::Finished, id, now);
    }

    fn handle(&mut self, event: Event, id: Id, now: T) {
        self.events += 1;
        let at_receiver = matches!(event, Event::Request | Event::Head | Event::Arrived);
        let place = self.ops.place(id);
        let rank = if at_receiver { self.ops.op(id).peer } else { place.rank };
        self.observer.taken(rank, now, None);
        match event {
            Event::Done => self.done(id, now),
            Event::Finished => {
                if self.cards.are_any() {
                    self.call_ends(id, now);
                }
                self.done(id, now);
                self.free(place, now);
            }
            Event::CpuFree => {
                self.ends(rank, now);
                self.free(place, now);
            }
            Event::InterfaceFree => self.grant(place, now),
            Event::Request => self.request(id, now),
            Event::Answer => self.progress(id, cpu::Step::Transmit, now),
            Event::Inject => self.inject(id, now),
            Event::Head => self.head(id, now),
            Event::Arrived => self.arrived(id, now),
            Event::Closing => self.progress(id, cpu::Step::CloseSend, now),
            Event::Card => self.enter_card(id, now),
        }
    }

    /// A processor becomes free.
    fn free(&mut self, place: Location, now: T) {
        let cpu = self.cpus.of_place(place);
        (cpu.busy, cpu.free) = (false, now);
        self.cpus.mark(place);
    }

    /// The rank does not end before `now`.
    fn ends(&mut self, rank: u32, now: T) {
        let rank = &mut self.ranks[rank as usize];
        rank.end = self.observer.later(rank.end, now);
    }

    fn end(mut self) -> Outcome<T> {
        let (mut posted, mut unexpected) = (Vec::new(), Vec::new());
        for rank in &self.ranks {
            posted.append(&mut self.match_queues.waiting(rank.posted));
            unexpected.append(&mut self.match_queues.waiting(rank.unexpected));
        }
        Outcome {
            ends: self.ranks.iter().map(|rank| rank.end).collect(),
            events: self.events,
            messages: self.sent,
            bytes: self.bytes,
            is_too_long: self.queue.has_gone_back(),
            left: self.ops.left(posted, unexpected),
        }
    }
}
