//! The barrier before an exchange whose receive is posted early, by LogGP. Both clocks of
//! [`progress`](crate::measure::progress) start in this barrier.
//!
//! The receiver signals twice, and its clock starts between these two calls. The sender receives
//! both signals, and signals; then its clock starts, and it sends the message.
//!
//! # Formula
//! - F = L + G(8−1) and h = max(g, G(8−1)), of a signal of 8 bytes
//! - the second signal enters the network max(o_s, h) after the first
//! - the sender's clock starts F + max(o_r, o_s, h) + o_r + o_s after the receiver's
//! - the receiver leaves the barrier F + o_r after the start of the sender's clock
//! - the message enters the network at least h after the start of the sender's clock

use crate::message_costs::{SIGNAL, recv_overhead, send_overhead, style, transmission};
use loggia_model::model::Route;
use loggia_model::signature::Mode;
use loggia_model::units::Micros;

/// The times of the barrier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Barrier {
    /// Start of the sender's clock, on the receiver's clock.
    pub(super) sender_starts: Micros,
    /// End of the receiver's barrier, on the sender's clock.
    pub(super) receiver_leaves: Micros,
    /// h: the earliest time at which the message enters the network, on the sender's clock.
    pub(super) interface_free: Micros,
}

impl Barrier {
    /// If L is unknown, signals take EEL. Other unknown parameters count as 0.
    pub(super) fn of(route: &Route) -> Self {
        let route = Route { style: style(route.tier, (Mode::Standard, true)), ..*route };
        let send = send_overhead(&route, SIGNAL).unwrap_or_default();
        let recv = recv_overhead(&route, SIGNAL).unwrap_or_default();
        let [bytes, hold] = transmission(&route, SIGNAL);
        let by_end_to_end_latency = || {
            let whole = route.end_to_end_latency().map_or(0.0, |eel| eel.value.0);
            (whole - send - recv).max(0.0)
        };
        let flight =
            route.latency().map_or_else(by_end_to_end_latency, |latency| latency.value.0 + bytes);
        Barrier {
            sender_starts: Micros(flight + recv.max(send).max(hold) + recv + send),
            receiver_leaves: Micros(flight + recv),
            interface_free: Micros(hold),
        }
    }

    /// The delay of a message whose send call takes this time.
    pub(super) fn delay(&self, initiation: Micros) -> Micros {
        (self.interface_free - initiation).max(Micros(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    fn barrier(settings: &[(&str, &str)]) -> Barrier {
        let mut t3d = library::load("cray-t3d").unwrap();
        for (key, value) in settings {
            t3d.set(key, value).unwrap();
        }
        Barrier::of(&Route::of(&t3d, None, None).unwrap())
    }

    /// By hand, for F = 10 + 7·1.
    #[test]
    fn clocks_start_one_message_and_one_signal_apart() {
        let of = [("L", "10us"), ("o_s", "2us"), ("o_r", "3us"), ("G", "1us/B")];
        let small_gap = barrier(&of);
        assert_eq!(small_gap.sender_starts, Micros(17.0 + 7.0 + 3.0 + 2.0));
        assert_eq!(small_gap.receiver_leaves, Micros(17.0 + 3.0));
        let large_gap = barrier(&[of.as_slice(), &[("g", "9us")]].concat());
        assert_eq!(large_gap.sender_starts, Micros(17.0 + 9.0 + 3.0 + 2.0));
        assert_eq!(large_gap.delay(Micros(2.0)), Micros(7.0));
        assert_eq!(large_gap.delay(Micros(20.0)), Micros(0.0));
    }
}
