//! Our rules: LogGPO (`002`) for whole schedules, and with other costs LogP, LogGP and LogGPS.
//!
//! # Symbols
//! - L, o_s, o_r, g, G, S as in LogGPS; k: bytes of a message; B(k) = (k−1)G
//! - O': processing a control message; O_i: starting a transmission; O_c: the receiver's copy
//!
//! # Rules
//! 1. An operation is ready when what it waits for has finished, or begun. A processor does one
//!    thing at a time, to its end.
//! 2. Eager: a send takes O_i. Its bytes go into the network when it ends, B(k) + g after those
//!    before them; the send begins late enough for that. Then it has finished.
//! 3. The first byte is at the other side L later, where it meets the receive that waits for it, in
//!    the order of the sends. The receiving interface takes a message B(k) + g after the one
//!    before; it has arrived B(k) later. Then the copy O_c remains, on the processor.
//! 4. Rendezvous: a send takes O' and sends a request, L. A receive takes O'. Whoever comes later
//!    pays for the answer: the receive, if the request was there before it; else the progress.
//!    - RAT: the answer takes 2O', and L later the sender starts the transmission, O_i. The send has
//!      finished when its last byte has left, the receive when it has arrived.
//!    - RTA: the answer takes O' + O_i and pulls the bytes, one L away. When they have arrived, a
//!      closing message takes O', L, and O' at the sender, which then has finished.
//! 5. Dependent progress: what remains to be done for messages is done when the processor has
//!    nothing else to do, for then its rank waits inside a communication call, and before the next
//!    send or receive, for that is one, or computation of no time, which stands for a call that only
//!    looks, such as `MPI_Test`. Independent progress: the rank's network interface does it
//!    at once, one thing at a time; only copies need the processor.
//! 6. What arrives at the same time as a processor chooses what to do, it knows. Things of the same
//!    time follow the order of their operations.
//!
//! No bytes cost what the calls and L cost, and no more.

mod desk;
mod message;

use crate::matching::Lines;
use crate::observe::{Activity, Observer, Work};
use crate::outcome::{Left, Outcome};
use crate::queue::{Entry, Queue};
use crate::schedule::{Kind, Op, Schedule};
use crate::time::Time;
use desk::{Cpu, Interface, Rank, Waiting};
use message::Message;

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
    /// The closing message of RTA, at either side: O'
    pub close: T,
    /// The receiver's processor, once the bytes are there: O_c, or o_r. Where a handshake has told
    /// them their place there is none, and none for RTA.
    pub copy: Option<T>,
    /// L
    pub latency: T,
    /// (k−1)G, none for no bytes
    pub bytes: T,
    /// g
    pub gap: T,
}

/// A machine: what its messages cost, and who looks after them.
pub trait Machine<T> {
    /// What a message costs. The source may be [`ANY`](crate::schedule::ANY), where a receive's call
    /// is asked for.
    fn costs(&self, from: u32, to: u32, bytes: u64) -> Costs<T>;

    /// Whether progress depends on calls of the program (DCP).
    fn progress_depends_on_calls(&self) -> bool;
}

/// What happens at a time. Things of the same time and operation happen in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// An operation has finished.
    Done,
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
}

const EVENTS: [Event; 9] = [
    Event::Done,
    Event::CpuFree,
    Event::InterfaceFree,
    Event::Request,
    Event::Answer,
    Event::Inject,
    Event::Head,
    Event::Arrived,
    Event::Closing,
];

/// Runs a schedule. A unit of its computations takes `calc` ticks.
pub fn run<T: Time, O: Observer<T>>(
    schedule: &Schedule,
    machine: &impl Machine<T>,
    calc: u64,
    observer: &mut O,
) -> Outcome<T> {
    let mut run = Run::new(schedule, machine, calc, observer);
    run.begin();
    loop {
        // All that happens at one time comes before what the processors choose to do then.
        if !run.queue.has_more_now() && !run.marked.is_empty() {
            run.choose_everywhere();
        } else if let Some(Entry { time, order }) = run.queue.pop() {
            run.happen(EVENTS[(order & 15) as usize], (order >> 4) as u32, time);
        } else {
            return run.end();
        }
    }
}

struct Run<'a, T, M, O> {
    schedule: &'a Schedule,
    ops: &'a [Op],
    machine: &'a M,
    dependent: bool,
    calc: u64,
    observer: &'a mut O,
    queue: Queue<T>,
    ranks: Vec<Rank<T>>,
    cpus: Vec<Cpu<T>>,
    interfaces: Vec<Interface<T>>,
    /// Processors that may have something to choose from at this time.
    marked: Vec<u32>,
    lines: Lines,
    needs: Vec<u32>,
    /// What is known of each operation's message.
    messages: Vec<Message<T>>,
    events: u64,
    sent: u64,
}

impl<'a, T: Time, M: Machine<T>, O: Observer<T>> Run<'a, T, M, O> {
    fn new(schedule: &'a Schedule, machine: &'a M, calc: u64, observer: &'a mut O) -> Self {
        let ranks = schedule.ranks() as usize;
        let [cpus, interfaces] = [schedule.cpus(), schedule.nics()].map(|each| each * ranks);
        Run {
            schedule,
            ops: schedule.ops(),
            machine,
            dependent: machine.progress_depends_on_calls(),
            calc,
            observer,
            queue: Queue::new(),
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            cpus: (0..cpus).map(|_| Cpu::default()).collect(),
            interfaces: (0..interfaces).map(|_| Interface::default()).collect(),
            marked: Vec::new(),
            lines: Lines::new(schedule.len()),
            needs: schedule.needs(),
            messages: vec![Message::default(); schedule.len()],
            events: 0,
            sent: 0,
        }
    }

    fn cpu_of(&self, op: &Op) -> usize {
        op.rank as usize * self.schedule.cpus() + usize::from(op.cpu)
    }

    fn interface(&mut self, rank: u32, nic: u8) -> &mut Interface<T> {
        let number = rank as usize * self.schedule.nics() + usize::from(nic);
        &mut self.interfaces[number]
    }

    fn costs(&self, send: &Op) -> Costs<T> {
        self.machine.costs(send.rank, send.peer, send.size)
    }

    fn at(&mut self, time: T, event: Event, op: u32) {
        self.queue.push(Entry { time, order: u64::from(op) << 4 | event as u64 });
    }

    fn begin(&mut self) {
        for op in 0..self.ops.len() as u32 {
            if self.needs[op as usize] == 0 {
                self.ready(op, T::default());
            }
        }
    }

    /// Nothing that it waits for is left.
    fn ready(&mut self, op: u32, now: T) {
        let of = &self.ops[op as usize];
        let cpu = self.cpu_of(of);
        self.cpus[cpu].ready.push(Waiting { since: now, kind: of.kind as u8, op });
        self.mark(cpu);
    }

    /// The processor looks for something to do when all of this time has happened.
    fn mark(&mut self, cpu: usize) {
        if !self.cpus[cpu].marked {
            self.cpus[cpu].marked = true;
            self.marked.push(cpu as u32);
        }
    }

    fn started(&mut self, op: u32, now: T) {
        self.release(self.schedule.after_start(op as usize), now);
    }

    fn release(&mut self, waiting: &'a [u32], now: T) {
        for op in waiting {
            let needs = &mut self.needs[*op as usize];
            *needs -= 1;
            if *needs == 0 {
                self.ready(*op, now);
            }
        }
    }

    /// An operation's processor begins something that keeps it for so long; says when it began and
    /// when it ends.
    fn occupy(&mut self, activity: Activity, op: u32, now: T, span: T) -> (T, T) {
        let of = &self.ops[op as usize];
        let work = Work { activity, op, rank: of.rank, cpu: of.cpu };
        let now = self.observer.begins(work, now, span);
        let cpu = self.cpu_of(of);
        self.cpus[cpu].busy = true;
        let end = now.plus(span);
        self.at(end, Event::CpuFree, op);
        (now, end)
    }

    fn choose_everywhere(&mut self) {
        let mut marked = std::mem::take(&mut self.marked);
        for cpu in &marked {
            self.cpus[*cpu as usize].marked = false;
        }
        for cpu in marked.drain(..) {
            while !self.cpus[cpu as usize].busy && self.choose(cpu as usize) {}
        }
        if self.marked.is_empty() {
            self.marked = marked;
        }
    }

    /// Begins one thing; says whether there was one.
    fn choose(&mut self, cpu: usize) -> bool {
        let desk = &mut self.cpus[cpu];
        let computes = |next: Waiting<T>| {
            let op = &self.ops[next.op as usize];
            op.kind == Kind::Calc && op.size > 0
        };
        if !desk.ready.first().is_some_and(computes)
            && let Some(step) = desk.pending.take()
        {
            let now = self.observer.later(desk.free, step.since);
            self.step(step, now);
            return true;
        }
        let Some(next) = desk.ready.take() else { return false };
        let now = self.observer.later(desk.free, next.since);
        let op = &self.ops[next.op as usize];
        match op.kind {
            Kind::Calc => {
                let span = T::computation(op.size, self.calc);
                let (now, end) = self.occupy(Activity::Compute, next.op, now, span);
                self.at(end, Event::Done, next.op);
                self.started(next.op, now);
            }
            Kind::Send => self.send(next, op, now),
            Kind::Recv => self.receive(next.op, op, now),
        }
        true
    }

    fn happen(&mut self, event: Event, id: u32, now: T) {
        self.events += 1;
        let op = &self.ops[id as usize];
        let at_receiver = matches!(event, Event::Request | Event::Head | Event::Arrived);
        let rank = if at_receiver { op.peer } else { op.rank };
        self.observer.taken(rank, now, None);
        match event {
            Event::Done => {
                self.ends(op.rank, now);
                self.release(self.schedule.after_done(id as usize), now);
            }
            Event::CpuFree => {
                self.ends(op.rank, now);
                let cpu = self.cpu_of(op);
                self.cpus[cpu].busy = false;
                self.cpus[cpu].free = now;
                self.mark(cpu);
            }
            Event::InterfaceFree => self.grant(op, now),
            Event::Request => self.request(id, op, now),
            Event::Answer => self.progress(id, desk::Step::Transmit, now),
            Event::Inject => self.inject(id, op, now),
            Event::Head => self.head(id, op, now),
            Event::Arrived => self.arrived(id, op, now),
            Event::Closing => self.progress(id, desk::Step::CloseSend, now),
        }
    }

    /// The rank has not ended before that.
    fn ends(&mut self, rank: u32, now: T) {
        let rank = &mut self.ranks[rank as usize];
        rank.end = self.observer.later(rank.end, now);
    }

    fn end(self) -> Outcome<T> {
        let mut left = Left::never_begun(&self.needs);
        for rank in &self.ranks {
            left.add(&self.lines, &rank.posted, &rank.unexpected);
        }
        let ends = self.ranks.iter().map(|rank| rank.end).collect();
        Outcome { ends, events: self.events, messages: self.sent, left }
    }
}
