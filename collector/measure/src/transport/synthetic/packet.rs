//! Packets between ranks, and the state of the channel between two of them.

use crate::message_costs::Sending;
use loggia_model::model::exchange::{Costs, MessageProtocol};
use loggia_model::signature::ProgressKind;
use std::collections::VecDeque;

/// A packet. The sender sets the arrival times.
pub(super) enum Packet {
    /// A message, or its rendezvous request.
    Message(MessageHeader),
    /// A later step of the message with this number.
    Step(u64, Step),
    /// A signal, and its arrival time.
    Number(f64, f64),
    /// A control message, and its send time.
    Control(Vec<u8>, f64),
    /// A rank enters or leaves a collective operation, at this time.
    CollectiveTime(f64),
    /// The rank ended.
    Gone,
}

/// The header of a message, delivered to its receiver.
#[derive(Clone, Copy)]
pub(super) struct MessageHeader {
    pub(super) number: u64,
    pub(super) bytes: usize,
    pub(super) sending: Sending,
    /// Arrival of the message, or of its request.
    pub(super) arrives: f64,
    pub(super) plan: Plan,
}

/// The protocol of a message, with its costs.
#[derive(Clone, Copy)]
pub(super) enum Plan {
    /// Eager; with delay and cost of the acknowledgement, if there is one.
    Eager { acknowledgement: Option<[f64; 2]> },
    /// Rendezvous, with its costs and the gap before the next message.
    Handshake { protocol: MessageProtocol, kind: ProgressKind, costs: Costs, hold: f64 },
}

/// Steps of a message after its header.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// To the sender: arrival and cost of the acknowledgement.
    Begun { arrives: f64, cost: f64 },
    /// To the sender, RAT: time at which the request was handled.
    Handled(f64),
    /// To the receiver, RAT: arrival time of the last byte.
    Delivered(f64),
    /// To the sender, RTA: arrival time of the final acknowledgement.
    Closed(f64),
}

/// A rank's view of its channel to another rank.
#[derive(Default)]
pub(super) struct Channel {
    /// Numbers of messages and signals sent, and the arrival time of the last, to keep their order.
    pub(super) sends: u64,
    pub(super) signals_sent: u64,
    last_arrival: f64,
    /// Numbers of receives and signals received.
    pub(super) receives: u64,
    pub(super) signals_received: u64,
    /// Packets not processed yet.
    pub(super) queue: VecDeque<Packet>,
    /// Unexpected messages, and receives without a message.
    pub(super) unexpected: VecDeque<MessageHeader>,
    pub(super) posted: VecDeque<usize>,
    /// Signals and control messages, with their arrival times.
    pub(super) numbers: VecDeque<(f64, f64)>,
    pub(super) controls: VecDeque<(Vec<u8>, f64)>,
    pub(super) collective_times: VecDeque<f64>,
    pub(super) is_gone: bool,
}

impl Channel {
    /// The arrival time, not before that of earlier packets.
    pub(super) fn in_order(&mut self, arrives: f64) -> f64 {
        self.last_arrival = self.last_arrival.max(arrives);
        self.last_arrival
    }

    /// The next packet to handle. A message waits for a posted receive.
    pub(super) fn next(&mut self) -> Option<Packet> {
        match self.posted.is_empty() {
            false => self.unexpected.pop_front().map(Packet::Message),
            true => None,
        }
        .or_else(|| self.queue.pop_front())
    }

    /// The message with this number, if it arrived.
    pub(super) fn message(&self, number: u64) -> Option<&MessageHeader> {
        let in_queue = self.queue.iter().filter_map(|packet| match packet {
            Packet::Message(message) => Some(message),
            _ => None,
        });
        self.unexpected.iter().chain(in_queue).find(|message| message.number == number)
    }
}
