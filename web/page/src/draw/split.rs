//! The parts of a rank's time.

use super::figure::Ink;
use loggia_model::units::Micros;
use loggia_simulate::result::RankSplit;

/// A part of a rank's time: colour, key in the answer, and name.
pub(crate) struct Part {
    pub(crate) ink: Ink,
    pub(crate) key: &'static str,
    pub(crate) words: &'static str,
    pub(crate) time: fn(&RankSplit) -> Micros,
}

/// From bottom to top.
pub(crate) const PARTS: [Part; 6] = [
    Part { ink: Ink::Compute, key: "compute_us", words: COMPUTING, time: |s| s.compute_us },
    Part { ink: Ink::Send, key: "send_overhead_us", words: SENDING, time: |s| s.send_overhead_us },
    Part {
        ink: Ink::Recv,
        key: "recv_overhead_us",
        words: RECEIVING,
        time: |s| s.recv_overhead_us,
    },
    Part { ink: Ink::Startup, key: "control_us", words: CONTROL, time: |s| s.control_us },
    Part { ink: Ink::PerByte, key: "gap_us", words: HELD, time: |s| s.gap_us },
    Part { ink: Ink::Idle, key: "waiting_us", words: WAITING, time: |s| s.waiting_us },
];

pub(crate) const COMPUTING: &str = "computing";

pub(crate) const SENDING: &str = "sending";

pub(crate) const RECEIVING: &str = "receiving";

pub(crate) const CONTROL: &str = "control messages";

pub(crate) const HELD: &str = "gaps g and G";

pub(crate) const WAITING: &str = "idle";
