//! Protocols of messages. Up to the eager limit, or if it is unknown: the sender is busy for o_s,
//! then the message enters the network after the previous one, and arrives L + G(m−1) later; the
//! receiver is busy for o_r. A synchronous message is acknowledged.
//!
//! Above the limit: the steps of [`exchange`](loggia_model::model::exchange). With dependent
//! progress, a step that needs a processor is executed when its rank is in a call. A test checks
//! that one wait on each side gives the times of `exchange`. If progress or transfer is unknown, the
//! same steps have the costs of LogGPS, and the receiver is busy for o_r at the end.

use super::Synthetic;
use super::machine::{Eager, handshake_kind, kind, protocol};
use super::noise::CostKind;
use super::packet::{Channel, MessageHeader, Packet, Plan, Step};
use crate::message_costs::{SIGNAL, Sending};
use crate::transport::{MAX_REQUESTS, Rank, Request, Result};
use loggia_model::Error;
use loggia_model::model::exchange::{Costs, MessageProtocol};
use loggia_model::signature::{Mode, ProgressKind};
use loggia_model::units::Bytes;

/// An operation in flight.
pub(super) struct Op {
    peer: Rank,
    /// The number of its message among those from sender to receiver.
    number: u64,
    /// For a receive: time of the call, and buffer size.
    posted: Option<(f64, usize)>,
    /// Its message, after the match.
    message: Option<MessageHeader>,
    /// For an eager receive: o_r.
    receipt: f64,
    finish: Option<Finish>,
}

/// The earliest completion of an operation, and the cost of its call.
#[derive(Clone, Copy)]
pub(super) struct Finish {
    pub(super) at: f64,
    pub(super) cost: f64,
}

impl Finish {
    fn at(at: f64) -> Option<Self> {
        Some(Finish { at, cost: 0.0 })
    }
}

/// A step that this rank must execute, and its earliest time.
#[derive(Clone, Copy)]
pub(super) struct PendingWork {
    due: f64,
    op: usize,
    task: Task,
}

#[derive(Clone, Copy)]
enum Task {
    /// Acknowledge that the receive began.
    Acknowledge,
    /// Handle the request.
    Handle,
    /// Start the transfer.
    Transmit,
    /// Acknowledge the transfer.
    Close,
    /// Handle the acknowledgement.
    End,
}

impl Synthetic {
    pub(super) fn begin_send(
        &mut self,
        sending: Sending,
        to: Rank,
        bytes: usize,
    ) -> Result<Request> {
        self.check(to)?;
        self.run_due_steps(self.clock, self.clock);
        let machine = self.machine.clone();
        let between = [self.rank, to];
        let route = machine.route(between, sending)?;
        let size = Bytes(bytes as u64);
        let number = self.channel(to).sends;
        self.channel(to).sends += 1;
        let mut random = machine.random(CostKind::Send, between, number);
        // Buffered sends have a buffer of any size.
        let protocol = if sending.0 == Mode::Buffered {
            MessageProtocol::Eager
        } else {
            protocol(&route, size)
        };
        let (plan, arrives, finish) = match protocol {
            MessageProtocol::Rat | MessageProtocol::Rta => {
                let kind = handshake_kind(&route);
                let (costs, hold) = machine.handshake(&route, between, size, &mut random)?;
                self.clock += costs.control.0;
                let arrives = self.clock + costs.latency.0;
                (Plan::Handshake { protocol, kind, costs, hold }, arrives, None)
            }
            MessageProtocol::Eager => {
                let arrives = self.inject(&machine.eager(&route, between, size, &mut random));
                let acknowledgement = (sending.0 == Mode::Synchronous)
                    .then(|| machine.acknowledgement(&route, between, &mut random));
                let done = if acknowledgement.is_none() { Finish::at(self.clock) } else { None };
                (Plan::Eager { acknowledgement }, arrives, done)
            }
        };
        let arrives = self.channel(to).in_order(arrives);
        let message = MessageHeader { number, bytes, sending, arrives, plan };
        self.deliver(to, Packet::Message(message));
        let op = Op { message: Some(message), finish, ..Op::new(to, number) };
        self.open(op).map(Request)
    }

    /// The sender is busy; then the message enters the network when the interface is free. Returns
    /// its arrival without other messages.
    fn inject(&mut self, eager: &Eager) -> f64 {
        self.clock += eager.overhead;
        let enters = self.clock.max(self.out_free);
        self.out_free = enters + eager.hold;
        enters + eager.latency + eager.bytes
    }

    pub(super) fn begin_recv(&mut self, from: Rank, bytes: usize) -> Result<Request> {
        self.check(from)?;
        self.run_due_steps(self.clock, self.clock);
        let called = self.clock;
        let number = self.channel(from).receives;
        self.channel(from).receives += 1;
        let is_found = self.has_arrived(from, number)?;
        let op = self.open(Op { posted: Some((called, bytes)), ..Op::new(from, number) })?;
        if is_found && let Some(message) = self.channel(from).unexpected.pop_front() {
            self.match_message(op, message, true)?;
            return Ok(Request(op));
        }
        let between = [from, self.rank];
        let cost = self.machine.posting(between, Bytes(bytes as u64))?;
        self.clock += cost * self.machine.random(CostKind::Recv, between, number).with_outliers();
        self.channel(from).posted.push_back(op);
        Ok(Request(op))
    }

    /// Whether a message has arrived. If so, it becomes the first unexpected message.
    fn has_arrived(&mut self, from: Rank, number: u64) -> Result<bool> {
        let mut are_all = false;
        while self.channel(from).message(number).is_none() && !are_all {
            let (queue, all) = self.mailboxes.until_now(self.rank, self.clock, from);
            queue.into_iter().for_each(|(from, packet)| self.channel(from).queue.push_back(packet));
            are_all = all;
        }
        let has_arrived = |message: &MessageHeader| message.arrives < self.clock;
        if !self.channels[from as usize].message(number).is_some_and(has_arrived) {
            return Ok(false);
        }
        let is_other =
            |channel: &Channel| channel.unexpected.front().is_none_or(|o| o.number != number);
        while is_other(self.channel(from))
            && let Some(packet) = self.channel(from).next()
        {
            self.receive(from, packet)?;
        }
        Ok(true)
    }

    /// Receives the header of a message, or of its rendezvous request.
    pub(super) fn receive_message(&mut self, from: Rank, message: MessageHeader) -> Result<()> {
        match self.channel(from).posted.pop_front() {
            Some(op) => self.match_message(op, message, false),
            None => {
                self.channel(from).unexpected.push_back(message);
                Ok(())
            }
        }
    }

    /// Matches a receive and its message. `is_found`: the message had arrived before the receive
    /// call.
    fn match_message(&mut self, at: usize, message: MessageHeader, is_found: bool) -> Result<()> {
        let Some(op) = self.ops[at].as_mut() else { return Ok(()) };
        let (called, buffer_size) = op.posted.unwrap_or_default();
        if message.bytes > buffer_size {
            return Err(super::super::threads::too_long("synthetic", message.bytes, buffer_size));
        }
        op.message = Some(message);
        let between = [op.peer, self.rank];
        match message.plan {
            Plan::Eager { acknowledgement } => {
                let route = self.machine.route(between, message.sending)?;
                let mut random = self.machine.random(CostKind::Recv, between, message.number);
                op.receipt = self.machine.receipt(&route, Bytes(message.bytes as u64), &mut random);
                let due = called.max(message.arrives);
                op.finish = Some(Finish { at: due, cost: op.receipt });
                if is_found {
                    self.clock += op.receipt;
                    op.finish = Finish::at(self.clock);
                }
                if acknowledgement.is_some() {
                    let kind = kind(&route).unwrap_or(ProgressKind::Dependent);
                    let kind = if is_found { ProgressKind::Independent } else { kind };
                    self.schedule(kind, PendingWork { due, op: at, task: Task::Acknowledge });
                }
            }
            Plan::Handshake { protocol, kind, costs, .. } if called > message.arrives => {
                let more = if protocol == MessageProtocol::Rta {
                    costs.initiation.0
                } else {
                    costs.control.0
                };
                // If a later call finds it, the posting was charged before.
                self.clock += if is_found { costs.control.0 + more } else { more };
                self.handle_request(at, protocol, kind, &costs, called);
            }
            Plan::Handshake { kind, .. } => {
                self.schedule(
                    kind,
                    PendingWork { due: message.arrives, op: at, task: Task::Handle },
                );
            }
        }
        Ok(())
    }

    /// Schedules a step; with independent progress, runs it at once.
    fn schedule(&mut self, kind: ProgressKind, pending: PendingWork) {
        match kind {
            ProgressKind::Independent => self.run(pending, pending.due),
            ProgressKind::Dependent => self.pending.push(pending),
        }
    }

    /// Runs the steps that are due by `until`, in a call that began at `since`.
    pub(super) fn run_due_steps(&mut self, since: f64, until: f64) {
        let order = |this: &Self, pending: &PendingWork| {
            let op = this.ops[pending.op].as_ref();
            op.map_or((pending.due, 0, 0), |op| (pending.due, op.peer, op.number))
        };
        loop {
            let due = (0..self.pending.len()).filter(|at| self.pending[*at].due <= until);
            let earliest = due.min_by(|a, b| {
                let [a, b] = [a, b].map(|at| order(self, &self.pending[*at]));
                a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)))
            });
            let Some(earliest) = earliest else { return };
            let pending = self.pending.swap_remove(earliest);
            self.run(pending, pending.due.max(since));
        }
    }

    fn run(&mut self, pending: PendingWork, at: f64) {
        let Some(op) = self.ops[pending.op].as_mut() else { return };
        let Some(MessageHeader { number, plan, .. }) = op.message else { return };
        let peer = op.peer;
        match plan {
            Plan::Eager { acknowledgement } => {
                let [protocol, cost] = acknowledgement.unwrap_or_default();
                let acknowledged = Step::Begun { arrives: at + op.receipt + protocol, cost };
                self.deliver(peer, Packet::Step(number, acknowledged));
            }
            Plan::Handshake { protocol, kind, costs, hold } => match pending.task {
                Task::Acknowledge => {}
                Task::Handle => self.handle_request(pending.op, protocol, kind, &costs, at),
                Task::Transmit => {
                    let enters = (at + costs.initiation.0).max(self.out_free);
                    self.out_free = enters + hold;
                    let sent = enters + costs.bytes.0;
                    op.finish = Finish::at(sent);
                    self.deliver(
                        peer,
                        Packet::Step(number, Step::Delivered(sent + costs.latency.0)),
                    );
                }
                Task::Close => {
                    let closed = at + costs.control.0;
                    // With independent progress, the receiver takes no part in this step.
                    let is_dependent = kind == ProgressKind::Dependent;
                    op.finish = Finish::at(if is_dependent { closed } else { at });
                    self.deliver(
                        peer,
                        Packet::Step(number, Step::Closed(closed + costs.latency.0)),
                    );
                }
                Task::End => op.finish = Finish::at(at + costs.control.0),
            },
        }
    }

    /// The receiver has handled the request: it acknowledges (RAT) or pulls (RTA).
    fn handle_request(
        &mut self,
        op: usize,
        protocol: MessageProtocol,
        kind: ProgressKind,
        costs: &Costs,
        at: f64,
    ) {
        let Some(Op { peer, number, message: Some(message), .. }) = &self.ops[op] else {
            return;
        };
        let Plan::Handshake { hold, .. } = message.plan else { return };
        if protocol == MessageProtocol::Rat {
            return self.deliver(*peer, Packet::Step(*number, Step::Handled(at)));
        }
        let leaves = at + costs.control.0 + costs.initiation.0 + costs.latency.0;
        let begins = leaves.max(self.pull_free);
        self.pull_free = begins + hold;
        let due = begins + costs.bytes.0;
        self.schedule(kind, PendingWork { due, op, task: Task::Close });
    }

    /// The other rank reports the next step of a message.
    pub(super) fn receive_step(&mut self, from: Rank, number: u64, step: Step) {
        let for_receive = matches!(step, Step::Delivered(_));
        let is_target =
            |op: &Op| (op.peer, op.number, op.posted.is_some()) == (from, number, for_receive);
        let at = self.ops.iter().position(|op| op.as_ref().is_some_and(is_target));
        let Some((at, op)) = at.and_then(|at| Some((at, self.ops[at].as_mut()?))) else {
            return;
        };
        let plan = op.message.map(|message| message.plan);
        match (step, plan) {
            (Step::Begun { arrives, cost }, _) => op.finish = Some(Finish { at: arrives, cost }),
            (Step::Delivered(at), Some(Plan::Handshake { costs, .. })) => {
                op.finish = Some(Finish { at, cost: costs.copy.0 });
            }
            (Step::Handled(handled), Some(Plan::Handshake { kind, costs, .. })) => {
                let due = handled + 2.0 * costs.control.0 + costs.latency.0;
                self.schedule(kind, PendingWork { due, op: at, task: Task::Transmit });
            }
            (Step::Closed(due), Some(Plan::Handshake { kind, .. })) => {
                self.schedule(kind, PendingWork { due, op: at, task: Task::End });
            }
            _ => {}
        }
    }

    /// The earliest completion of an operation; waits in real time until it is known. `None` if the
    /// other side waits for this rank.
    pub(super) fn wait_for_finish(
        &mut self,
        Request(request): Request,
        must: bool,
    ) -> Result<Option<Finish>> {
        let Some(Some(Op { peer, .. })) = self.ops.get(request) else {
            let help = "a request ends when its operation completes";
            return Err(Error::new("this request does not exist", "transport synthetic", help));
        };
        self.until(*peer, must, |this| this.ops[request].as_ref()?.finish)
    }

    pub(super) fn release(&mut self, Request(request): Request) {
        self.ops[request] = None;
    }

    fn open(&mut self, op: Op) -> Result<usize> {
        if let Some(free) = self.ops.iter().position(Option::is_none) {
            self.ops[free] = Some(op);
            return Ok(free);
        }
        // One more request, for a blocking call.
        if self.ops.len() > MAX_REQUESTS {
            let help = "complete some operations before starting more";
            let message = format!("more than {MAX_REQUESTS} operations are in flight");
            return Err(Error::new(message, "transport synthetic", help));
        }
        self.ops.push(Some(op));
        Ok(self.ops.len() - 1)
    }

    /// The arrival time of a control number, sent as a small message.
    pub(super) fn send_number(&mut self, to: Rank) -> f64 {
        self.run_due_steps(self.clock, self.clock);
        let machine = self.machine.clone();
        let between = [self.rank, to];
        let number = self.channel(to).signals_sent;
        self.channel(to).signals_sent += 1;
        let mut random = machine.random(CostKind::Signal, between, number);
        let arrives = match machine.route(between, (Mode::Standard, true)) {
            Ok(route) => self.inject(&machine.eager(&route, between, SIGNAL, &mut random)),
            // The signature has only collective operations.
            Err(_) => self.clock,
        };
        self.channel(to).in_order(arrives)
    }

    /// Cost of receiving a control number.
    pub(super) fn receive_cost(&mut self, from: Rank) -> f64 {
        let number = self.channel(from).signals_received;
        self.channel(from).signals_received += 1;
        let between = [from, self.rank];
        let mut random = self.machine.random(CostKind::AwaitSignal, between, number);
        let route = self.machine.route(between, (Mode::Standard, true));
        route.map_or(0.0, |route| self.machine.receipt(&route, SIGNAL, &mut random))
    }
}

impl Op {
    fn new(peer: Rank, number: u64) -> Self {
        let (posted, message, finish) = (None, None, None);
        Op { peer, number, posted, message, receipt: 0.0, finish }
    }
}
