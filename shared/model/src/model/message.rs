//! The terms of one message, scaled such that their sum is the measured time.
//!
//! A model's parameters are fitted to many sizes, so their sum differs from the measured time of
//! one size. If RTT/2 (T) was measured, every view, the simulator, plans and replays take the terms
//! from here. So a single message takes T everywhere.
//!
//! # Formula
//! - T > calls + L + bytes: the remainder occupies no processor and no interface, as latency; a
//!   prediction shows it as a term of its own, [`REST`](super::REST)
//! - T ≥ calls + L: the calls overlap with the transfer, so bytes = T − calls − L
//! - T < calls + L: the calls contain the transfer, such as a blocking send above S. They are
//!   scaled down, such that bytes are counted once: calls = T − L − bytes
//!
//! calls: o_s + o_r of `logp_mpi` and Netgauge, or O', O_i and O_c of LogGPO.

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

/// Scaling of the terms of a message to a measured time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Factor of the time of the calls; below 1 if they contain the transfer.
    pub calls: f64,
    /// L
    pub latency: Micros,
    /// G (k−1)
    pub bytes: Micros,
}

impl Fit {
    /// Fits the time of all calls, `times` latencies, and the bytes to a measured time.
    #[must_use]
    pub fn to(time: Micros, calls: Micros, (latency, times): (Micros, f64), bytes: Micros) -> Self {
        let flights = (latency * times).min(time);
        let rest = time - flights;
        if calls > rest {
            let bytes = bytes.min(rest);
            let calls = (rest - bytes).0 / calls.0;
            return Fit { calls, latency: flights * (1.0 / times), bytes };
        }
        let wire = rest - calls;
        let bytes = bytes.min(wire);
        Fit { calls: 1.0, latency: (flights + wire - bytes) * (1.0 / times), bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(time: f64, calls: f64, latency: f64, bytes: f64) -> [f64; 3] {
        let fit = Fit::to(Micros(time), Micros(calls), (Micros(latency), 1.0), Micros(bytes));
        [fit.calls * calls, fit.latency.0, fit.bytes.0]
    }

    #[test]
    fn a_time_above_the_sum_of_the_terms_extends_the_latency() {
        assert_eq!(fit(10.0, 2.0, 3.0, 4.0), [2.0, 4.0, 4.0]);
    }

    #[test]
    fn calls_may_overlap_with_the_bytes() {
        assert_eq!(fit(7.0, 2.0, 3.0, 4.0), [2.0, 3.0, 2.0]);
    }

    /// `../shared/machines/netgauge`, Alps: the calls of 64,513 B alone take longer than the message.
    #[test]
    fn calls_that_contain_the_transfer_are_shortened() {
        assert_eq!(fit(15.0, 14.0, 2.0, 12.0), [1.0, 2.0, 12.0]);
        assert_eq!(fit(1.0, 14.0, 2.0, 12.0), [0.0, 1.0, 0.0]);
    }
}
