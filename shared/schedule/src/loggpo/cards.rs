//! Network cards that the ranks of a node share: the max-rate model (Gropp, Olson & Samfass 2016)
//! for whole schedules.
//!
//! # Symbols
//! - R_N: rate of a card, in each direction; C(k) = k/R_N, in ticks, rounded once for each size
//! - k, B(k), g as in [`loggpo`](super)
//!
//! # Rule
//! 7. Messages between nodes pass the card of the sender's node, then the card of the receiver's
//! node. A card serves messages in the order of their arrival: by time, then in the order of their
//! sends, so lower ranks first. It takes C(k) per message, one message at a time. Sending and
//! receiving are independent.
//! - Sending: a message enters the card when the interface of its rank begins to send it. Its last
//!   byte leaves when the card has served it, but at least B(k) after it entered; its first byte
//!   leaves max(B(k), C(k)) before the last byte. The card buffers the rest: the interface is free
//!   after B(k) + g, as without a card, and the rank continues.
//! - Receiving: a message enters the card with its first byte. Its last byte has arrived when the
//!   card has served it, or B(k) after the receiving interface accepted it, whichever is later.
//!
//! So n equal messages that n ranks of a node send at once take max(B(k), n C(k)). Messages inside
//! a node pass no card. No message does if each node has one rank or R_N is unknown.
//!
//! # Limit
//! A card serves whole messages. Real cards interleave packets of several messages: there, a short
//! message overtakes a long message of another rank that arrived just before. Here the short
//! message waits.

use super::id::Id;
use super::operations::Operations;
use super::{Costs, Event, Machine, MessageProtocol, Run};
use crate::observe::Observer;
use crate::schedule::Kind;
use crate::time::Time;

/// All cards, by node.
pub(super) struct Cards<T> {
    /// When each card has sent all its messages.
    sending: Vec<T>,
    /// When each card has received all its messages.
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
    /// The call of a send ends: an eager message enters the card now.
    #[inline]
    pub(super) fn call_ends(&mut self, id: Id, now: T) {
        if self.ops.op(id).kind != Kind::Send {
            return;
        }
        let Costs { protocol, card, .. } = *self.costs_of_message(id);
        if protocol == MessageProtocol::Eager && card.is_some() {
            self.enter_card(id, now);
        }
    }

    /// A message enters the card of its sender's node.
    pub(super) fn enter_card(&mut self, send: Id, now: T) {
        let Costs { protocol, latency, bytes, card, .. } = *self.costs_of_message(send);
        let node = self.cost_table.node(self.ops.op(send).rank);
        let card = card.unwrap_or_default();
        let served = self.observer.later(self.cards.sending[node], now).plus(card);
        self.cards.sending[node] = served;
        let duration = self.observer.later(bytes, card);
        let end = self.observer.later(now.plus(duration), served);
        self.send_to_network(send, end.minus(duration), latency, Event::Head);
        if protocol == MessageProtocol::Rat {
            self.at(end, Event::Done, send);
        }
    }

    /// When the last byte of a message arrives. Its first byte arrives now, and its interface has
    /// accepted the message by `accepted`.
    pub(super) fn pass_card(&mut self, send: Id, card: T, now: T, accepted: T) -> T {
        let node = self.cost_table.node(self.ops.op(send).peer);
        let served = self.observer.later(self.cards.receiving[node], now).plus(card);
        self.cards.receiving[node] = served;
        self.observer.later(accepted, served)
    }
}
