//! The network cards of nodes, which their ranks share: the max-rate model (Gropp, Olson & Samfass
//! 2016) for whole schedules.
//!
//! # Symbols
//! - R_N: rate of a card, in each direction; C(k) = k/R_N, in ticks, rounded once for each size
//! - k, B(k), g as in [`loggpo`](super)
//!
//! # Rule
//! 7. Messages between nodes pass the card of the sender's node and then that of the receiver's. A
//!    card serves messages in the order in which they come to it: by time, and at one time in the
//!    order of their sends, so lower ranks first. It has served a message C(k) after it came, or
//!    after it had served those before it. Sending and receiving do not hinder each other.
//!    - Sending: a message comes to the card when the interface of its rank begins to send it. Its
//!      last byte leaves when the card has served it, but not before B(k) has passed; its first byte
//!      leaves max(B(k), C(k)) before the last one. What has not left waits in the card: the interface is free
//!      after B(k) + g, as without a card, and the rank goes on.
//!    - Receiving: a message comes to the card with its first byte. Its last byte has arrived when
//!      the card has served it, and B(k) after the receiving interface took it, whichever is later.
//!
//! So n equal messages that n ranks of a node send at once are over in max(B(k), n C(k)). Messages
//! inside a node pass no card, nor do any where each node has one rank or R_N is unknown.
//!
//! # Limit
//! A card serves whole messages. Real cards send packets of several messages in turn: there, a short
//! message overtakes a long one of another rank that came just before it. Here it waits for it.

use super::id::Id;
use super::operations::Operations;
use super::{Costs, Event, Machine, MessageProtocol, Run};
use crate::observe::Observer;
use crate::schedule::Kind;
use crate::time::Time;

/// All cards, by node.
pub(super) struct Cards<T> {
    /// When each card has sent everything that came to it.
    sending: Vec<T>,
    /// When each card has received everything that came to it.
    receiving: Vec<T>,
}

impl<T: Time> Cards<T> {
    pub(super) fn of(nodes: usize) -> Self {
        Cards { sending: vec![T::default(); nodes], receiving: vec![T::default(); nodes] }
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

    /// A message comes to the card of its node.
    pub(super) fn come_to_card(&mut self, send: Id, now: T) {
        let Costs { protocol, latency, bytes, card, .. } = *self.costs_of_message(send);
        let node = self.prices.node(self.ops.op(send).rank);
        let card = card.unwrap_or_default();
        let served = self.observer.later(self.cards.sending[node], now).plus(card);
        self.cards.sending[node] = served;
        let alone = self.observer.later(bytes, card);
        let end = self.observer.later(now.plus(alone), served);
        self.fly(send, end.minus(alone), latency, Event::Head);
        if protocol == MessageProtocol::Rat {
            self.at(end, Event::Done, send);
        }
    }

    /// When the last byte of a message has arrived whose first byte is there now, and which its
    /// interface has taken by `taken`.
    pub(super) fn pass_card(&mut self, send: Id, card: T, now: T, taken: T) -> T {
        let node = self.prices.node(self.ops.op(send).peer);
        let served = self.observer.later(self.cards.receiving[node], now).plus(card);
        self.cards.receiving[node] = served;
        self.observer.later(taken, served)
    }
}
