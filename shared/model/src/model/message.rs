//! The terms of one message, scaled such that their sum is the measured time.
//!
//! A model's parameters are fitted to many sizes, so their sum differs from the measured time of
//! one size. If RTT/2 (T) was measured, every view, the simulator, plans and replays take the terms
//! from here. So a single message takes T everywhere.

use super::fit::Fit;
use super::{CONTROL, Route, Warning};
use crate::measured::MeasuredTime;
use crate::signature::At;
use crate::units::{Bytes, Interval, Micros, MicrosPerByte};

/// The LogGP costs of one message, scaled to measured times if there are any.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// o_s
    pub send: Interval<Micros>,
    /// L, per control message and for the message
    pub latency: Interval<Micros>,
    /// G (k−1); 0 if G is unknown
    pub bytes: Interval<Micros>,
    /// o_r
    pub recv: Interval<Micros>,
    /// The overheads of a request and of its acknowledgement, before the message.
    pub handshake: Option<[Interval<Micros>; 2]>,
    /// The measured time, if known.
    pub reading: Option<MeasuredTime>,
    /// Warnings of the overheads' curves.
    pub warnings: Vec<Warning>,
}

impl Message {
    /// A message of a route; none if L, o_s or o_r is unknown.
    #[must_use]
    pub fn of(route: &Route, bytes: Bytes) -> Option<Self> {
        Message::new(route, bytes, route.latency()?, false)
    }

    /// With this latency; after a handshake of two control messages if `shakes_hands`.
    #[must_use]
    pub fn new(
        route: &Route,
        bytes: Bytes,
        latency: Interval<Micros>,
        shakes_hands: bool,
    ) -> Option<Self> {
        let [send, recv] = overheads(route, bytes)?;
        let per_byte = route.gap_per_byte().unwrap_or(Interval::exact(MicrosPerByte(0.0)));
        let control = shakes_hands.then(|| overheads(route, CONTROL)).flatten();
        let message = Message {
            warnings: Warning::of_curves(bytes, [("o_s", &send), ("o_r", &recv)]),
            send: send.time,
            latency,
            bytes: per_byte.map(|each| each.of(bytes.after_the_first())),
            recv: recv.time,
            handshake: control.map(|control| control.map(|at| at.time)),
            reading: route.measured(bytes),
        };
        Some(message.matched())
    }

    fn matched(self) -> Self {
        match self.reading.as_ref().map(|reading| reading.time.value) {
            Some(time) => self.taking(time),
            None => self,
        }
    }

    /// The message with terms scaled to this time.
    #[must_use]
    pub fn taking(mut self, time: Micros) -> Self {
        let flights = if self.handshake.is_some() { 3.0 } else { 1.0 };
        let fit = Fit::to(time, self.calls(), (self.latency.value, flights), self.bytes.value);
        let scaled = |part: Interval<Micros>| part.map(|time| time * fit.calls);
        self.send = scaled(self.send);
        self.recv = scaled(self.recv);
        self.handshake = self.handshake.map(|control| control.map(scaled));
        self.latency = moved(self.latency, fit.latency);
        self.bytes = moved(self.bytes, fit.bytes);
        self
    }

    /// Time of all calls.
    fn calls(&self) -> Micros {
        let control = self.handshake.map_or(Micros(0.0), |[send, recv]| send.value + recv.value);
        self.send.value + self.recv.value + control * 2.0
    }
}

fn overheads(route: &Route, bytes: Bytes) -> Option<[At; 2]> {
    Some([route.send_overhead(bytes)?, route.recv_overhead(bytes)?])
}

/// The interval moved to another value, with bounds of at least 0. Rounding moves no bound beyond
/// the value.
fn moved(part: Interval<Micros>, value: Micros) -> Interval<Micros> {
    let by = value - part.value;
    let [low, high] = [part.low, part.high].map(|bound| (bound + by).max(Micros(0.0)));
    Interval { value, low: low.min(value), high: high.max(value) }
}
