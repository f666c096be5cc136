//! Our rules: LogGPO (`002`) for whole schedules, and with other costs LogP, LogGP and LogGPS.
//!
//! # Symbols
//! - L, o_s, o_r, g, G, S as in LogGPS; k: bytes of a message; B(k) = (k−1)G
//! - O': processing a control message; O_i: starting a transmission; O_c: the receiver's copy
//! - A_s, A_r: sending and taking an acknowledgement: o_s and o_r, or O'
//!
//! # Rules
//! 1. An operation is ready when what it waits for has finished, or begun. A processor does one
//!    thing at a time, to its end.
//! 2. Eager: a send takes O_i. Its bytes go into the network when it ends, B(k) + g after those
//!    before them; the send begins late enough for that. Then it has finished.
//! 3. The first byte is at the other side L later, where it meets the receive that waits for it, in
//!    the order of the sends. The receiving interface takes a message B(k) + g after the one
//!    before; it has arrived B(k) later. Then the copy O_c remains, on the processor.
//!    A synchronous send goes on: after the copy the receiver acknowledges, A_s, L, and the sender
//!    takes that, A_r; then it has finished (TA of `000`).
//! 4. Rendezvous: a send takes O' and sends a request, L. A receive takes O'. Whoever comes later
//!    pays for the answer: the receive, if the request was there before it; else the progress.
//!    - RAT: the answer takes 2O', and L later the sender starts the transmission, O_i. The send has
//!      finished when its last byte has left, the receive when it has arrived.
//!    - RTA: the answer takes O' + O_i and pulls the bytes, one L away. When they have arrived, a
//!      closing message, A_s, L, A_r, goes to the sender, which then has finished.
//! 5. Dependent progress: what remains to be done for messages is done when the processor has
//!    nothing else to do, for then its rank waits inside a communication call, and before the next
//!    send or receive, for that is one, or computation of no time, which stands for a call that only
//!    looks, such as `MPI_Test`. Independent progress: the rank's network interface does it
//!    at once, one thing at a time; only copies need the processor.
//! 6. What arrives at the same time as a processor chooses what to do, it knows. Things of the same
//!    time follow the order of their operations.
//! 7. Ranks of a node share its network card: see `cards`.
//!
//! No bytes cost what the calls and L cost, and no more. What a message of a rank to itself costs, the
//! machine says like that of any other.

mod cards;
mod desk;
mod message;
mod operations;
mod prices;
mod told;

use crate::matching::Lines;
use crate::observe::{Activity, Observer, Work};
use crate::outcome::Outcome;
use crate::queue::{Entry, Queue};
use crate::schedule::{Kind, Op, Schedule};
use crate::stream::Feed;
use crate::time::Time;
use cards::Cards;
use desk::{Desks, Interface, Rank, Waiting};
use operations::{Id, Loaded, Operations, Place};
use prices::Prices;
use told::Told;

/// How a message travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// At once.
    #[default]
    Eager,
    /// After a handshake; the sender pushes.
    Rat,
    /// After a request; the receiver pulls.
    Rta,
}

/// What one message costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs<T> {
    /// How it travels.
    pub way: Way,
    /// The send's call before a handshake: O'
    pub request: T,
    /// The receive's call, before the request has come: O'
    pub post: T,
    /// What the receiver does about a request: 2O' for RAT, O' for RTA
    pub answer: T,
    /// What the sender does about the answer, before the transmission. RAT only; none in LogGPO.
    pub answered: T,
    /// Starting the transmission: O_i, or o_s; for RTA the receiver does it
    pub initiation: T,
    /// The last message of RTA and TA, at the receiver, who sends it: A_s
    pub acknowledge: T,
    /// The same at the sender: A_r
    pub acknowledged: T,
    /// The receiver's processor, once the bytes are there: O_c, or o_r. Where a handshake has told
    /// them their place there is none, and none for RTA.
    pub copy: Option<T>,
    /// L
    pub latency: T,
    /// (k−1)G, none for no bytes
    pub bytes: T,
    /// g
    pub gap: T,
    /// k/R_N, where the message passes network cards that several ranks share
    pub card: Option<T>,
}

/// A machine: what its messages cost, and who looks after them.
pub trait Machine<T> {
    /// Between which sort of places a message goes: what costs the same at every size has the same
    /// number. The source may be [`ANY`](crate::schedule::ANY), where a receive's call is asked for.
    fn tier(&self, from: u32, to: u32) -> u8;

    /// What a message costs in that tier.
    fn costs(&self, tier: u8, bytes: u64) -> Costs<T>;

    /// How many nodes there are whose network cards messages pass; none where no message does.
    fn nodes(&self) -> usize {
        0
    }

    /// The node of a rank, where there are any.
    fn node(&self, _rank: u32) -> u32 {
        0
    }

    /// Whether progress depends on calls of the program (DCP).
    fn progress_depends_on_calls(&self) -> bool;
}

/// What happens at a time. Things of the same time and operation happen in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// An operation is done.
    Done,
    /// It is done, and its processor is free.
    Finished,
    /// The processor that the operation kept is free.
    CpuFree,
    /// The operation's interface can take a send.
    InterfaceFree,
    /// A request for a handshake reaches the receiver.
    Request,
    /// The receiver's answer reaches the sender.
    Answer,
    /// Bytes can go into the network.
    Inject,
    /// The first byte reaches the receiver.
    Head,
    /// The last byte has reached it.
    Arrived,
    /// The closing message reaches the sender.
    Closing,
    /// The first byte can go to the network card of its node.
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

/// Runs a schedule. A unit of its computations takes `calc` ticks.
pub fn run<T: Time, O: Observer<T>>(
    schedule: &Schedule,
    machine: &impl Machine<T>,
    calc: u64,
    observer: &mut O,
) -> Outcome<T> {
    Run::new(Loaded::new(schedule), machine, calc, observer).all()
}

/// Runs what is told bit by bit, in memory for what is under way. What it tells observers are numbers
/// within ranks, not of operations in a schedule.
pub fn run_told<T: Time, O: Observer<T>>(
    feed: &mut dyn Feed,
    machine: &impl Machine<T>,
    calc: u64,
    observer: &mut O,
) -> Outcome<T> {
    Run::new(Told::new(feed), machine, calc, observer).all()
}

/// What an operation's processor is at.
fn work(activity: Activity, id: Id, op: &Op) -> Work {
    let Op { rank, cpu, label, .. } = *op;
    Work { activity, op: id as u32, rank, cpu, label }
}

struct Run<'a, T, P, M, O> {
    ops: P,
    dependent: bool,
    calc: u64,
    prices: Prices<'a, T, M>,
    observer: &'a mut O,
    queue: Queue<T>,
    ranks: Vec<Rank<T>>,
    desks: Desks<T>,
    interfaces: Vec<Interface<T>>,
    /// Network interfaces of a rank.
    interfaces_each: usize,
    cards: Cards<T>,
    lines: Lines<Id>,
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
            prices: Prices::of(machine),
            observer,
            queue: Queue::new(),
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            desks: Desks::of(ranks, cpus_each),
            interfaces: (0..interfaces).map(|_| Interface::default()).collect(),
            interfaces_each,
            cards: Cards::of(machine.nodes(), interfaces),
            lines: Lines::with_room(0),
            events: 0,
            sent: 0,
            bytes: 0,
        }
    }

    fn all(mut self) -> Outcome<T> {
        self.ops.begin(&mut self.desks.at(T::default()));
        loop {
            // All that happens at one time comes before what the processors choose to do then.
            if !self.queue.has_more_now() && self.desks.any_marked() {
                self.choose_everywhere();
            } else if let Some(Entry { time, order }) = self.queue.pop() {
                self.happen(EVENTS[(order & 15) as usize], order >> 4, time);
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
        self.ops.started(op, &mut self.desks.at(now));
    }

    /// An operation is done. Its rank has not ended before that.
    fn done(&mut self, op: Id, now: T) {
        self.ends(self.ops.place(op).rank, now);
        self.ops.done(op, &mut self.desks.at(now));
    }

    /// An operation's processor begins something that keeps it for so long, and `last` happens at
    /// its end; says when it began and when it ends.
    fn occupy(&mut self, activity: Activity, id: Id, now: T, span: T, last: Event) -> (T, T) {
        let op = self.ops.op(id);
        let place = Place::of(op);
        let now = self.observer.begins(work(activity, id, op), now, span);
        self.desks.of_place(place).busy = true;
        let end = now.plus(span);
        self.at(end, last, id);
        (now, end)
    }

    fn choose_everywhere(&mut self) {
        let mut marked = self.desks.take_marked();
        for cpu in marked.drain(..) {
            while !self.desks.cpus[cpu as usize].busy && self.choose(cpu as usize) {}
        }
        self.desks.give_back(marked);
    }

    /// Begins one thing; says whether there was one.
    fn choose(&mut self, cpu: usize) -> bool {
        let desk = &mut self.desks.cpus[cpu];
        let ops = &self.ops;
        let computes = |next: Waiting<T>| {
            let is_calc = next.kind() == Kind::Calc as u8;
            is_calc && ops.op(next.op()).size > 0
        };
        if let Some(step) = desk.pending.first()
            && !desk.ready.first().is_some_and(computes)
        {
            desk.pending.take();
            let now = self.observer.later(desk.free, step.since);
            self.step(step, now);
            return true;
        }
        let Some(next) = desk.ready.take() else { return false };
        let now = self.observer.later(desk.free, next.since);
        let op = *self.ops.op(next.op());
        self.observer.turns(&op, now);
        match op.kind {
            Kind::Calc => {
                let span = T::computation(op.size, self.calc);
                let id = next.op();
                if span == T::default() && self.desks.is_one_each() {
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

    /// The only processor of a rank does something that takes no time. It looks again when all of
    /// this time has happened, as if the end had come out of the queue.
    fn pass(&mut self, id: Id, op: &Op, now: T) {
        let now = self.observer.begins(work(Activity::Compute, id, op), now, T::default());
        self.started(id, now);
        self.happen(Event::Finished, id, now);
    }

    fn happen(&mut self, event: Event, id: Id, now: T) {
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
            Event::Answer => self.progress(id, desk::Step::Transmit, now),
            Event::Inject => self.inject(id, now),
            Event::Head => self.head(id, now),
            Event::Arrived => self.arrived(id, now),
            Event::Closing => self.progress(id, desk::Step::CloseSend, now),
            Event::Card => self.come_to_card(id, now),
        }
    }

    /// A processor is free.
    fn free(&mut self, place: Place, now: T) {
        let cpu = self.desks.of_place(place);
        (cpu.busy, cpu.free) = (false, now);
        self.desks.mark(place);
    }

    /// The rank has not ended before that.
    fn ends(&mut self, rank: u32, now: T) {
        let rank = &mut self.ranks[rank as usize];
        rank.end = self.observer.later(rank.end, now);
    }

    fn end(mut self) -> Outcome<T> {
        let (mut posted, mut unexpected) = (Vec::new(), Vec::new());
        for rank in &self.ranks {
            posted.append(&mut self.lines.waiting(&rank.posted));
            unexpected.append(&mut self.lines.waiting(&rank.unexpected));
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
