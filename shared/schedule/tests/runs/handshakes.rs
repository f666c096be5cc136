//! A machine with handshakes and simple parameters.
#![allow(unreachable_pub, reason = "shared by several tests")]

use loggia_schedule::loggops::Costs;
use loggia_schedule::loggpo::{self, Machine, MessageProtocol};
use loggia_schedule::time::Time;

/// Costs of LogGPS, with either handshake.
pub struct Handshakes {
    /// L, o, g, G, S.
    pub costs: Costs<u64>,
    /// The protocol above S.
    pub protocol: MessageProtocol,
    /// Whether progress depends on calls.
    pub dependent: bool,
}

impl<T: Time> Machine<T> for Handshakes {
    fn tier(&self, _: u32, _: u32) -> u8 {
        0
    }

    fn costs(&self, _: u8, bytes: u64) -> loggpo::Costs<T> {
        let [o, latency, gap] =
            [self.costs.overhead, self.costs.latency, self.costs.gap].map(T::from_ticks);
        let per_byte = T::from_ticks(self.costs.gap_per_byte * bytes.saturating_sub(1));
        let protocol =
            if bytes <= self.costs.eager_limit { MessageProtocol::Eager } else { self.protocol };
        loggpo::Costs {
            protocol,
            request: o,
            post: o,
            answer: o.plus(o),
            answered: T::default(),
            initiation: o,
            acknowledge: o,
            acknowledged: o,
            copy: (protocol == MessageProtocol::Eager).then_some(o),
            latency,
            bytes: per_byte,
            gap,
            card: None,
        }
    }

    fn progress_depends_on_calls(&self) -> bool {
        self.dependent
    }
}
