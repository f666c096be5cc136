//! The way of one message, step by step.

use super::desk::{STEPS, Step, Waiting};
use super::{Costs, Event, Machine, Run, Way};
use crate::observe::{Activity, Observer};
use crate::schedule::{Kind, Op};
use crate::time::Time;

/// What is known of a message, by its send; of a receive, its partner only.
#[derive(Clone, Copy)]
pub(super) struct Message<T> {
    /// The receive that the message has met, or the send of the message that the receive has met.
    partner: u32,
    /// Whether the request, or the last byte, has come.
    here: bool,
    /// Since when.
    since: T,
}

const NOBODY: u32 = u32::MAX;

impl<T: Default> Default for Message<T> {
    fn default() -> Self {
        Message { partner: NOBODY, here: false, since: T::default() }
    }
}

impl<'a, T: Time, M: Machine<T>, O: Observer<T>> Run<'a, T, M, O> {
    /// The program calls send.
    pub(super) fn send(&mut self, ready: Waiting<T>, op: &'a Op, now: T) {
        let (id, costs) = (ready.op, self.costs(op));
        if costs.way != Way::Eager {
            self.count(op);
            let (now, end) = self.occupy(Activity::Control, id, now, costs.request);
            self.fly(id, end, costs.latency, Event::Request);
            return self.started(id, now);
        }
        let Some(begin) = self.interface_takes(ready, op, costs.initiation, now) else { return };
        self.observer.held(id, now, begin);
        self.count(op);
        let (begin, end) = self.occupy(Activity::Send, id, begin, costs.initiation);
        self.inject(id, op, end);
        self.at(end, Event::Done, id);
        self.offer_interface(op, begin);
        self.started(id, begin);
    }

    fn count(&mut self, send: &Op) {
        self.sent += 1;
        self.observer.sends(send.rank);
    }

    /// When a send that could begin now does so, as to its interface: now, or else it waits.
    fn interface_takes(&mut self, ready: Waiting<T>, op: &Op, initiation: T, now: T) -> Option<T> {
        let interface = self.interface(op.rank, op.nic);
        let granted = match interface.granted {
            Some((granted, since)) if granted == ready.op => Some(since),
            None if interface.waiting.first().is_none() => None,
            _ => {
                interface.waiting.push(ready);
                return None;
            }
        };
        interface.granted = None;
        let sending = interface.sending;
        let begin = granted.map_or(now, |since| self.observer.later(now, since));
        let soon = begin.plus(initiation);
        if sending <= soon {
            self.observer.order(sending, soon);
            return Some(begin);
        }
        self.observer.order(soon, sending);
        self.interface(op.rank, op.nic).waiting.push(ready);
        self.at(sending.minus(initiation), Event::InterfaceFree, ready.op);
        None
    }

    /// The interface can take the first of those that wait for it.
    pub(super) fn grant(&mut self, op: &Op, now: T) {
        let interface = self.interface(op.rank, op.nic);
        let Some(first) = interface.waiting.take() else { return };
        interface.granted = Some((first.op, now));
        let cpu = self.cpu_of(&self.ops[first.op as usize]);
        self.cpus[cpu].ready.push(first);
        self.mark(cpu);
    }

    /// A send has begun: the next one that waits for the interface can, once it is free again.
    fn offer_interface(&mut self, op: &Op, now: T) {
        let interface = self.interface(op.rank, op.nic);
        let (next, sending) = (interface.waiting.first(), interface.sending);
        if let Some(next) = next {
            let initiation = self.costs(&self.ops[next.op as usize]).initiation;
            let free = self.observer.later(sending, now.plus(initiation)).minus(initiation);
            self.at(free, Event::InterfaceFree, next.op);
        }
    }

    /// The bytes go into the network, not before `ready`.
    pub(super) fn inject(&mut self, send: u32, op: &Op, ready: T) {
        let costs = self.costs(op);
        let sending = self.interface(op.rank, op.nic).sending;
        let begin = self.observer.later(sending, ready);
        let end = begin.plus(costs.bytes);
        self.interface(op.rank, op.nic).sending = end.plus(costs.gap);
        self.fly(send, begin, costs.latency, Event::Head);
        if costs.way == Way::Rat {
            self.at(end, Event::Done, send);
        }
    }

    fn fly(&mut self, send: u32, leaves: T, latency: T, event: Event) {
        let arrives = leaves.plus(latency);
        let back = matches!(event, Event::Answer | Event::Closing);
        self.observer.flies(send, back, leaves, arrives);
        self.at(arrives, event, send);
    }

    /// The program calls receive.
    pub(super) fn receive(&mut self, id: u32, op: &'a Op, now: T) {
        self.started(id, now);
        let ops = self.ops;
        let key_of = |item: u32| (ops[item as usize].rank, ops[item as usize].tag);
        let wanted = (op.peer, op.tag);
        let rank = &mut self.ranks[op.rank as usize];
        let Some(send) = self.lines.take(&mut rank.unexpected, wanted, key_of) else {
            self.lines.put(&mut rank.posted, wanted, id);
            let costs = self.machine.costs(op.peer, op.rank, op.size);
            return self.post(id, &costs, now);
        };
        self.meet(id, send);
        let costs = self.costs(&ops[send as usize]);
        let Message { here, since, .. } = self.messages[send as usize];
        match costs.way {
            Way::Eager if here => self.wait(id, Step::Copy, since),
            Way::Eager => {}
            _ if since < now => {
                let (_, end) = self.occupy(Activity::Control, id, now, answer(&costs));
                self.answer(send, &costs, end);
            }
            // The request comes at this very time: the call does not see it.
            _ => {
                self.post(id, &costs, now);
                self.progress(id, Step::Answer, since);
            }
        }
    }

    /// What a call of receive costs that finds nothing.
    fn post(&mut self, recv: u32, costs: &Costs<T>, now: T) {
        if costs.way != Way::Eager {
            self.occupy(Activity::Control, recv, now, costs.post);
        }
    }

    fn meet(&mut self, recv: u32, send: u32) {
        self.messages[recv as usize].partner = send;
        self.messages[send as usize].partner = recv;
        self.observer.met(recv, send);
    }

    /// The receive of a message that has come to its rank; without one, the message waits for it.
    fn receiver(&mut self, send: u32, op: &'a Op) -> Option<u32> {
        let partner = self.messages[send as usize].partner;
        if partner != NOBODY {
            return Some(partner);
        }
        let ops = self.ops;
        let key_of = |item: u32| (ops[item as usize].peer, ops[item as usize].tag);
        let wanted = (op.rank, op.tag);
        let rank = &mut self.ranks[op.peer as usize];
        let recv = self.lines.take(&mut rank.posted, wanted, key_of);
        match recv {
            Some(recv) => self.meet(recv, send),
            None => self.lines.put(&mut rank.unexpected, wanted, send),
        }
        recv
    }

    /// A request is at the receiver.
    pub(super) fn request(&mut self, send: u32, op: &'a Op, now: T) {
        self.messages[send as usize].since = now;
        if let Some(recv) = self.receiver(send, op) {
            self.progress(recv, Step::Answer, now);
        }
    }

    /// The first byte of a message is at the receiver.
    pub(super) fn head(&mut self, send: u32, op: &'a Op, now: T) {
        self.receiver(send, op);
        let costs = self.costs(op);
        let receiving = self.interface(op.peer, op.nic).receiving;
        let arrived = self.observer.later(receiving, now).plus(costs.bytes);
        self.interface(op.peer, op.nic).receiving = arrived.plus(costs.gap);
        self.at(arrived, Event::Arrived, send);
    }

    /// The last byte of a message is at the receiver.
    pub(super) fn arrived(&mut self, send: u32, op: &'a Op, now: T) {
        let message = &mut self.messages[send as usize];
        (message.here, message.since) = (true, now);
        let recv = message.partner;
        if recv == NOBODY {
            return;
        }
        let costs = self.costs(op);
        match (costs.way, costs.copy) {
            (Way::Rta, _) => {
                if !self.dependent {
                    self.at(now, Event::Done, recv);
                }
                self.progress(recv, Step::CloseRecv, now);
            }
            (Way::Rat, None) => self.at(now, Event::Done, recv),
            _ => self.wait(recv, Step::Copy, now),
        }
    }

    /// Something remains to be done for an operation's message, by whoever looks after it.
    pub(super) fn progress(&mut self, op: u32, step: Step, now: T) {
        if self.dependent {
            return self.wait(op, step, now);
        }
        let costs = self.costs_of_message(op);
        let rank = self.ops[op as usize].rank as usize;
        let begin = self.observer.later(self.ranks[rank].helper, now);
        let end = begin.plus(span(step, &costs));
        self.ranks[rank].helper = end;
        self.follow(op, step, &costs, end);
    }

    /// Something remains to be done for an operation's message, by its processor.
    fn wait(&mut self, op: u32, step: Step, since: T) {
        let cpu = self.cpu_of(&self.ops[op as usize]);
        self.cpus[cpu].pending.push(Waiting { since, kind: step as u8, op });
        self.mark(cpu);
    }

    /// The processor does what remained to be done.
    pub(super) fn step(&mut self, waiting: Waiting<T>, now: T) {
        let (op, step) = (waiting.op, STEPS[usize::from(waiting.kind)]);
        let costs = self.costs_of_message(op);
        let activity = match step {
            Step::Copy => Activity::Receive,
            Step::Transmit => Activity::Send,
            Step::Answer | Step::CloseRecv | Step::CloseSend => Activity::Control,
        };
        let (_, end) = self.occupy(activity, op, now, span(step, &costs));
        if step == Step::CloseRecv {
            self.at(end, Event::Done, op);
        }
        self.follow(op, step, &costs, end);
    }

    /// What comes of a step that ends at `end`.
    fn follow(&mut self, op: u32, step: Step, costs: &Costs<T>, end: T) {
        match step {
            Step::Answer => self.answer(self.messages[op as usize].partner, costs, end),
            Step::Transmit => self.at(end, Event::Inject, op),
            Step::Copy | Step::CloseSend => self.at(end, Event::Done, op),
            Step::CloseRecv => {
                let send = self.messages[op as usize].partner;
                self.fly(send, end, costs.latency, Event::Closing);
            }
        }
    }

    /// The receiver has dealt with the request of a message.
    fn answer(&mut self, send: u32, costs: &Costs<T>, end: T) {
        match costs.way {
            Way::Rta => self.at(end, Event::Inject, send),
            _ => self.fly(send, end, costs.latency, Event::Answer),
        }
    }

    /// What the message of a send costs, or the one that a receive has met.
    fn costs_of_message(&self, op: u32) -> Costs<T> {
        let of = &self.ops[op as usize];
        match of.kind {
            Kind::Send => self.costs(of),
            _ => self.costs(&self.ops[self.messages[op as usize].partner as usize]),
        }
    }
}

/// How long the receiver deals with a request.
fn answer<T: Time>(costs: &Costs<T>) -> T {
    match costs.way {
        Way::Rta => costs.answer.plus(costs.initiation),
        _ => costs.answer,
    }
}

fn span<T: Time>(step: Step, costs: &Costs<T>) -> T {
    match step {
        Step::Answer => answer(costs),
        Step::Transmit => costs.answered.plus(costs.initiation),
        Step::Copy => costs.copy.unwrap_or_default(),
        Step::CloseRecv | Step::CloseSend => costs.close,
    }
}
