//! The terms of one message, scaled such that their sum is its measured time T.
//!
//! # Formula
//! - T > calls + L + bytes: the remainder occupies no processor and no interface, as latency; a
//!   prediction shows it as a term of its own, [`REST`](super::REST)
//! - T ≥ calls + L: the calls overlap with the transfer, so bytes = T − calls − L
//! - T < calls + L: the calls contain the transfer, such as a blocking send above S. They are
//!   scaled down, such that bytes are counted once: calls = T − L − bytes
//!
//! calls: o_s + o_r of `logp_mpi` and Netgauge, or O', O_i and O_c of LogGPO.

use crate::units::Micros;

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
