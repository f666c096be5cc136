//! The steps of one message, each caused by an event.
//!
//! | protocol | sender | receiver |
//! |---|---|---|
//! | eager | `send`, `inject` | `head`, `arrived`, then the step `Copy` |
//! | RAT | `send` | `request`, then the step `Answer` |
//! | | the step `Transmit`, `inject` | `head`, `arrived`, then the step `Copy` |
//! | RTA | `send` | `request`, the step `Answer`, `inject` for the sender |
//! | | the step `CloseSend` | `head`, `arrived`, then the step `CloseRecv` |
//!
//! `receive` comes in between: it matches an arrived message, or waits for it. Steps run on the
//! processor, or at once with independent progress (`progress`, `step`); `follow` defines the
//! effects of each step.
//!
//! Events at the same time follow the order of [`Event`], which is part of the model: a change here
//! must keep it. Every comparison of two times is reported to `observer` (`later`, `order`), since
//! a curve over a parameter ends where their order changes.

use super::cost_table::CostIndex;
use super::cpu::{STEPS, Step, Waiting};
use super::id::{Id, Location};
use super::message_state::{Message, UNKNOWN_COSTS};
use super::operations::Operations;
use super::{Costs, Event, Machine, MessageProtocol, Run};
use crate::matching::wanted;
use crate::observe::{Activity, Observer};
use crate::schedule::{Kind, Op};
use crate::time::Time;

impl<T: Time, P: Operations<T>, M: Machine<T>, O: Observer<T>> Run<'_, T, P, M, O> {
    /// Starts the call of a send.
    pub(super) fn send(&mut self, ready: Waiting<T>, op: &Op, now: T) {
        let id = ready.op();
        let Costs { protocol, request, latency, initiation, .. } = *self.costs_of_send(id);
        if protocol != MessageProtocol::Eager {
            self.count(op);
            let control = Activity::Control;
            let (now, end) = self.occupy(control, id, now, request, Event::CpuFree);
            self.send_to_network(id, end, latency, Event::Request);
            return self.started(id, now);
        }
        let Some(begin) = self.interface_accepts(ready, op, initiation, now) else { return };
        self.observer.delayed(id as u32, now, begin);
        self.count(op);
        let acknowledged = op.kind == Kind::Ssend;
        self.ops.message_mut(id).acknowledged = acknowledged;
        let last = if acknowledged { Event::CpuFree } else { Event::Finished };
        let (begin, end) = self.occupy(Activity::Send, id, begin, initiation, last);
        self.inject(id, end);
        self.offer_interface(op, begin);
        self.started(id, begin);
    }

    fn count(&mut self, send: &Op) {
        self.sent += 1;
        self.bytes = self.bytes.saturating_add(send.size);
        self.observer.sends(send.rank);
    }

    /// When a ready send can start at its interface; `None` if it must wait in the queue.
    fn interface_accepts(
        &mut self,
        ready: Waiting<T>,
        op: &Op,
        initiation: T,
        now: T,
    ) -> Option<T> {
        let interface = self.interface(op.rank, op.nic);
        let granted = match interface.granted {
            Some((granted, since)) if granted == ready.op() => Some(since),
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
        self.at(sending.minus(initiation), Event::InterfaceFree, ready.op());
        None
    }

    /// The interface accepts the first waiting send.
    pub(super) fn grant(&mut self, place: Location, now: T) {
        let interface = self.interface(place.rank, place.nic);
        let Some(first) = interface.waiting.take() else { return };
        interface.granted = Some((first.op(), now));
        let place = self.ops.place(first.op());
        self.cpus.of_place(place).ready.push(first);
        self.cpus.mark(place);
    }

    /// Schedules the next waiting send for when the interface is free.
    fn offer_interface(&mut self, op: &Op, now: T) {
        let interface = self.interface(op.rank, op.nic);
        let (next, sending) = (interface.waiting.first(), interface.sending);
        if let Some(next) = next {
            let initiation = self.costs_of_send(next.op()).initiation;
            let free = self.observer.later(sending, now.plus(initiation)).minus(initiation);
            self.at(free, Event::InterfaceFree, next.op());
        }
    }

    /// The bytes enter the network, no earlier than `ready`.
    pub(super) fn inject(&mut self, send: Id, ready: T) {
        let Location { rank, nic, .. } = self.ops.place(send);
        let Costs { protocol, latency, bytes, gap, card, .. } = *self.costs_of_message(send);
        let sending = self.interface(rank, nic).sending;
        let begin = self.observer.later(sending, ready);
        let end = begin.plus(bytes);
        self.interface(rank, nic).sending = end.plus(gap);
        if card.is_some() {
            // The order at the card is known only then. For an eager send, the end of its call is
            // this event.
            if protocol != MessageProtocol::Eager || self.ops.op(send).kind == Kind::Ssend {
                self.at(begin, Event::Card, send);
            }
            return;
        }
        self.send_to_network(send, begin, latency, Event::Head);
        if protocol == MessageProtocol::Rat {
            self.at(end, Event::Done, send);
        }
    }

    pub(super) fn send_to_network(&mut self, send: Id, leaves: T, latency: T, event: Event) {
        let arrives = leaves.plus(latency);
        let back = matches!(event, Event::Answer | Event::Closing);
        self.observer.in_flight(send as u32, back, leaves, arrives);
        self.at(arrives, event, send);
    }

    /// Starts the call of a receive.
    pub(super) fn receive(&mut self, id: Id, op: &Op, now: T) {
        self.started(id, now);
        let key = wanted(op);
        let rank = &mut self.ranks[op.rank as usize];
        let Some(send) = self.match_queues.take(&mut rank.unexpected, key) else {
            self.match_queues.put(&mut rank.posted, key, id);
            let cost_index = self.cost_table.cost_index(op.peer, op.rank, op.size);
            return self.post(id, cost_index, now);
        };
        let cost_index = self.match_pair(id, send);
        let Costs { protocol, .. } = *self.cost_table.costs(cost_index);
        let Message { is_whole, arrival, .. } = *self.ops.message(send);
        match protocol {
            MessageProtocol::Eager if is_whole => self.wait(id, Step::Copy, arrival),
            MessageProtocol::Eager => {}
            _ if arrival < now => {
                let span = answer(self.cost_table.costs(cost_index));
                let control = Activity::Control;
                let (_, end) = self.occupy(control, id, now, span, Event::CpuFree);
                self.answer(send, end);
            }
            // The call does not see a request that arrives at the same time.
            _ => {
                self.post(id, cost_index, now);
                self.progress(id, Step::Answer, arrival);
            }
        }
    }

    /// Occupies the processor for a receive call that finds no message.
    fn post(&mut self, recv: Id, cost_index: CostIndex, now: T) {
        let Costs { protocol, post, .. } = *self.cost_table.costs(cost_index);
        if protocol != MessageProtocol::Eager {
            self.occupy(Activity::Control, recv, now, post, Event::CpuFree);
        }
    }

    /// Matches a receive with a send; returns the costs.
    fn match_pair(&mut self, recv: Id, send: Id) -> CostIndex {
        let message = self.ops.message_mut(send);
        message.partner = recv;
        let Message { cost_index, acknowledged, .. } = *message;
        let received = self.ops.message_mut(recv);
        (received.partner, received.cost_index, received.acknowledged) =
            (send, cost_index, acknowledged);
        self.observer.matched(recv as u32, send as u32);
        cost_index
    }

    /// The receive of an arrived message; `None` if the message must wait.
    fn receiver(&mut self, send: Id, op: &Op) -> Option<Id> {
        let partner = self.ops.message(send).partner();
        if partner.is_some() {
            return partner;
        }
        let key = (op.rank, op.tag);
        let rank = &mut self.ranks[op.peer as usize];
        let recv = self.match_queues.take(&mut rank.posted, key);
        match recv {
            Some(recv) => {
                self.match_pair(recv, send);
            }
            None => self.match_queues.put(&mut rank.unexpected, key, send),
        }
        recv
    }

    /// A request has arrived at the receiver.
    pub(super) fn request(&mut self, send: Id, now: T) {
        let op = *self.ops.op(send);
        self.ops.message_mut(send).arrival = now;
        if let Some(recv) = self.receiver(send, &op) {
            self.progress(recv, Step::Answer, now);
        }
    }

    /// The first byte has arrived at the receiver.
    pub(super) fn head(&mut self, send: Id, now: T) {
        let op = *self.ops.op(send);
        self.receiver(send, &op);
        let Costs { bytes, gap, card, .. } = *self.costs_of_message(send);
        let receiving = self.interface(op.peer, op.nic).receiving;
        let mut arrived = self.observer.later(receiving, now).plus(bytes);
        if let Some(card) = card {
            arrived = self.pass_card(send, card, now, arrived);
        }
        self.interface(op.peer, op.nic).receiving = arrived.plus(gap);
        self.at(arrived, Event::Arrived, send);
    }

    /// The last byte has arrived at the receiver.
    pub(super) fn arrived(&mut self, send: Id, now: T) {
        let message = self.ops.message_mut(send);
        (message.is_whole, message.arrival) = (true, now);
        let Some(recv) = message.partner() else { return };
        let Costs { protocol, copy, .. } = *self.costs_of_message(send);
        match (protocol, copy) {
            (MessageProtocol::Rta, _) => {
                if !self.dependent {
                    self.at(now, Event::Done, recv);
                }
                self.progress(recv, Step::CloseRecv, now);
            }
            (MessageProtocol::Rat, None) => self.at(now, Event::Done, recv),
            _ => self.wait(recv, Step::Copy, now),
        }
    }

    /// Schedules a step of a message, on the processor or the interface.
    pub(super) fn progress(&mut self, id: Id, step: Step, now: T) {
        if self.dependent {
            return self.wait(id, step, now);
        }
        let span = self.span(step, id);
        let rank = self.ops.place(id).rank as usize;
        let begin = self.observer.later(self.ranks[rank].helper, now);
        let end = begin.plus(span);
        self.ranks[rank].helper = end;
        self.follow(id, step, end);
        if step == Step::CloseSend {
            self.at(end, Event::Done, id);
        }
    }

    /// Schedules a step of a message on the operation's processor.
    fn wait(&mut self, id: Id, step: Step, since: T) {
        let place = self.ops.place(id);
        self.cpus.of_place(place).pending.push(Waiting::new(since, step as u8, id));
        self.cpus.mark(place);
    }

    /// The processor performs a pending step.
    pub(super) fn step(&mut self, waiting: Waiting<T>, now: T) {
        let (id, step) = (waiting.op(), STEPS[usize::from(waiting.kind())]);
        let span = self.span(step, id);
        let (activity, last) = match step {
            Step::Copy => (Activity::Receive, Event::Finished),
            Step::Transmit => (Activity::Send, Event::CpuFree),
            Step::Answer => (Activity::Control, Event::CpuFree),
            Step::CloseRecv | Step::CloseSend => (Activity::Control, Event::Finished),
        };
        let (_, end) = self.occupy(activity, id, now, span, last);
        self.follow(id, step, end);
    }

    /// Effects of a step that ends at `end`, other than the end of the operation.
    fn follow(&mut self, id: Id, step: Step, end: T) {
        let partner = self.ops.message(id).partner;
        match step {
            Step::Answer => self.answer(partner, end),
            Step::Transmit => self.at(end, Event::Inject, id),
            // With independent progress, the interface acknowledges this message as well.
            Step::Copy if self.ops.message(id).acknowledged && !self.dependent => {
                self.progress(id, Step::CloseRecv, end);
            }
            Step::Copy if self.ops.message(id).acknowledged => self.close(id, partner, end),
            Step::Copy | Step::CloseSend => {}
            Step::CloseRecv => self.close(id, partner, end),
        }
    }

    /// The receiver has acknowledged a message.
    fn close(&mut self, recv: Id, send: Id, end: T) {
        let latency = self.costs_of_message(recv).latency;
        self.send_to_network(send, end, latency, Event::Closing);
    }

    /// Duration of a step.
    fn span(&self, step: Step, id: Id) -> T {
        let costs = self.costs_of_message(id);
        let copy = || costs.copy.unwrap_or_default();
        match step {
            Step::Answer => answer(costs),
            Step::Transmit => costs.answered.plus(costs.initiation),
            Step::Copy if self.dependent && self.ops.message(id).acknowledged => {
                copy().plus(costs.acknowledge)
            }
            Step::Copy => copy(),
            Step::CloseRecv => costs.acknowledge,
            Step::CloseSend => costs.acknowledged,
        }
    }

    /// The receiver has answered a request.
    fn answer(&mut self, send: Id, end: T) {
        let Costs { protocol, latency, .. } = *self.costs_of_message(send);
        match protocol {
            MessageProtocol::Rta => self.at(end, Event::Inject, send),
            _ => self.send_to_network(send, end, latency, Event::Answer),
        }
    }

    /// Costs of a send's message, looked up if necessary.
    fn costs_of_send(&mut self, id: Id) -> &Costs<T> {
        if self.ops.message(id).cost_index == UNKNOWN_COSTS {
            let Op { rank, peer, size, .. } = *self.ops.op(id);
            self.ops.message_mut(id).cost_index = self.cost_table.cost_index(rank, peer, size);
        }
        self.costs_of_message(id)
    }

    /// Costs of a send's message, or of the message matched with a receive.
    #[inline]
    pub(super) fn costs_of_message(&self, id: Id) -> &Costs<T> {
        self.cost_table.costs(self.ops.message(id).cost_index)
    }
}

/// Time of the receiver's answer.
fn answer<T: Time>(costs: &Costs<T>) -> T {
    match costs.protocol {
        MessageProtocol::Rta => costs.answer.plus(costs.initiation),
        _ => costs.answer,
    }
}
