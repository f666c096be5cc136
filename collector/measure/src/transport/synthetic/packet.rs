//! What ranks tell each other, and what lies between two of them.

use super::message::{Announcement, Step};
use std::collections::VecDeque;

/// One thing told. Times are the teller's to say when, at the other, something is there.
pub(super) enum Packet {
    /// A message, or the request of one.
    Message(Announcement),
    /// What comes after it, for the message of that number.
    Step(u64, Step),
    /// A control number, and when it arrives.
    Number(f64, f64),
    /// A letter, and when it was posted.
    Letter(Vec<u8>, f64),
    /// When a rank comes to a collective operation, and when it may leave.
    Meeting(f64),
    /// Nothing more will come.
    Gone,
}

/// What is between a rank and another.
#[derive(Default)]
pub(super) struct Channel {
    /// How many messages and numbers went to it, and when the last of them arrives: nothing
    /// overtakes.
    pub(super) sends: u64,
    pub(super) says: u64,
    last_arrival: f64,
    /// How many receives and numbers of it there were.
    pub(super) receives: u64,
    pub(super) listens: u64,
    /// What has come and was not looked at yet.
    pub(super) queue: VecDeque<Packet>,
    /// Messages that no receive has asked for, and requests of receives that have met none.
    pub(super) unexpected: VecDeque<Announcement>,
    pub(super) posted: VecDeque<usize>,
    /// With their times.
    pub(super) numbers: VecDeque<(f64, f64)>,
    pub(super) letters: VecDeque<(Vec<u8>, f64)>,
    pub(super) meetings: VecDeque<f64>,
    pub(super) is_gone: bool,
}

impl Channel {
    /// When something arrives that would arrive then if it were alone.
    pub(super) fn in_order(&mut self, arrives: f64) -> f64 {
        self.last_arrival = self.last_arrival.max(arrives);
        self.last_arrival
    }

    /// What is to be looked at next. A message waits until a receive asks for it.
    pub(super) fn next(&mut self) -> Option<Packet> {
        match self.posted.is_empty() {
            false => self.unexpected.pop_front().map(Packet::Message),
            true => None,
        }
        .or_else(|| self.queue.pop_front())
    }

    /// A message that has come.
    pub(super) fn message(&self, number: u64) -> Option<&Announcement> {
        let in_queue = self.queue.iter().filter_map(|packet| match packet {
            Packet::Message(announcement) => Some(announcement),
            _ => None,
        });
        self.unexpected.iter().chain(in_queue).find(|announcement| announcement.number == number)
    }
}
