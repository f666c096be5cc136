//! The network cards of nodes, which their ranks share: the max-rate model (Gropp, Olson & Samfass
//! 2016) for whole schedules.
//!
//! # Symbols
//! - R_N: rate of a card, in each direction; C(k) = k/R_N, in ticks, rounded once for each size
//! - k, B(k), L, g as in [`loggpo`](super)
//!
//! # Rule
//! 7. Messages between nodes pass the card of the sender's node and then that of the receiver's. A
//!    card serves messages in the order in which their first bytes come to it: by time, and at one
//!    time in the order of their sends, so lower ranks first. It has served a message C(k) after it
//!    came, or after it had served those before it. Sending and receiving do not hinder each other.
//!    - Sending: the last byte leaves when the card has served the message, but not before B(k) has
//!      passed. Until then, and g longer, the message keeps the interface of its rank, and bytes
//!      behind it wait, in their order. A call of send that has begun goes on.
//!    - Receiving: the last byte has arrived when the card has served the message, L after it has
//!      left, and B(k) after the receiving interface took it, whichever is last.
//!
//! No first byte is held up: a card lets messages through side by side, and what it cannot let
//! through at once makes last bytes late. So n equal messages that n ranks of a node send at once are
//! over in max(B(k), n C(k)). Messages inside a node pass no card, nor do any where each node has one
//! rank or R_N is unknown.

use super::operations::{Id, Location, Operations};
use super::{Costs, Event, Machine, MessageProtocol, Run};
use crate::observe::Observer;
use crate::schedule::Kind;
use crate::time::Time;
use std::collections::VecDeque;

/// All cards, by node, and what their rule knows of interfaces.
pub(super) struct Cards<T> {
    /// When each card has sent everything that came to it.
    sending: Vec<T>,
    /// When each card has received everything that came to it.
    receiving: Vec<T>,
    /// By interface: when the next message can begin to leave.
    free: Vec<T>,
    /// By interface: messages that wait for those before them to leave.
    waiting: Vec<VecDeque<Id>>,
}

impl<T: Time> Cards<T> {
    /// So many cards; with none, nothing is kept of interfaces.
    pub(super) fn of(nodes: usize, interfaces: usize) -> Self {
        let interfaces = if nodes == 0 { 0 } else { interfaces };
        Cards {
            sending: vec![T::default(); nodes],
            receiving: vec![T::default(); nodes],
            free: vec![T::default(); interfaces],
            waiting: vec![VecDeque::new(); interfaces],
        }
    }

    #[inline]
    pub(super) fn are_any(&self) -> bool {
        !self.sending.is_empty()
    }
}

impl<T: Time, P: Operations<T>, M: Machine<T>, O: Observer<T>> Run<'_, T, P, M, O> {
    /// The call of a send ends: if that was all, the message comes to the card now.
    #[inline]
    pub(super) fn call_ends(&mut self, id: Id, now: T) {
        if self.ops.op(id).kind != Kind::Send {
            return;
        }
        let Costs { protocol, card, .. } = *self.costs_of_message(id);
        if protocol == MessageProtocol::Eager && card.is_some() {
            self.come_to_card(id, now);
        }
    }

    /// The first byte of a message comes to the card of its node, unless others of its rank are
    /// still leaving.
    pub(super) fn come_to_card(&mut self, send: Id, now: T) {
        let interface = self.interface_of(send);
        let waiting = &mut self.cards.waiting[interface];
        let is_first = waiting.front() == Some(&send);
        let free = self.cards.free[interface];
        if !is_first && (!waiting.is_empty() || free > now) {
            if waiting.is_empty() {
                self.at(free, Event::Card, send);
            }
            self.observer.order(now, free);
            return self.cards.waiting[interface].push_back(send);
        }
        self.observer.order(free, now);
        let free = self.leave(send, now);
        self.cards.free[interface] = free;
        if is_first {
            self.cards.waiting[interface].pop_front();
        }
        if let Some(next) = self.cards.waiting[interface].front() {
            self.at(free, Event::Card, *next);
        }
    }

    /// A message leaves its node; says when its interface is free again.
    fn leave(&mut self, send: Id, now: T) -> T {
        let Costs { protocol, latency, bytes, gap, card, .. } = *self.costs_of_message(send);
        let Location { rank, nic, .. } = self.ops.place(send);
        let node = self.prices.node(rank);
        let served = self.observer.later(self.cards.sending[node], now);
        let served = served.plus(card.unwrap_or_default());
        self.cards.sending[node] = served;
        let end = self.observer.later(now.plus(bytes), served);
        let free = end.plus(gap);
        let sending = self.interface(rank, nic).sending;
        self.interface(rank, nic).sending = self.observer.later(sending, free);
        self.ops.message_mut(send).expect(end.plus(latency));
        self.fly(send, now, latency, Event::Head);
        if protocol == MessageProtocol::Rat {
            self.at(end, Event::Done, send);
        }
        free
    }

    /// When the last byte of a message has arrived whose first byte is there now, and which its
    /// interface has taken at `taken`.
    pub(super) fn pass_card(&mut self, send: Id, card: T, now: T, taken: T) -> T {
        let node = self.prices.node(self.ops.op(send).peer);
        let served = self.observer.later(self.cards.receiving[node], now).plus(card);
        self.cards.receiving[node] = served;
        let left = self.ops.message(send).expected();
        let arrived = self.observer.later(taken, left);
        self.observer.later(arrived, served)
    }

    fn interface_of(&self, send: Id) -> usize {
        let Location { rank, nic, .. } = self.ops.place(send);
        rank as usize * self.interfaces_each + usize::from(nic)
    }
}
