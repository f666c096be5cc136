//! The parts of a planned iteration.

use super::figure::Ink;
use loggia_plan::cost::Breakdown;

/// A part of an iteration: colour, name, and key in the command's answer.
pub(crate) struct Part {
    pub(crate) ink: Ink,
    pub(crate) words: &'static str,
    pub(crate) key: Option<&'static str>,
    /// In µs.
    pub(crate) of: fn(&Breakdown) -> f64,
}

/// From bottom to top.
pub(crate) const PARTS: [Part; 5] = [
    Part { ink: Ink::Compute, words: "computing", key: Some("compute"), of: |p| p.compute },
    Part { ink: Ink::Send, words: "overheads o", key: Some("overhead"), of: |p| p.overhead },
    Part { ink: Ink::Latency, words: "latency L", key: Some("latency"), of: |p| p.latency },
    Part { ink: Ink::PerByte, words: "G·bytes, g", key: None, of: |p| p.bytes + p.gap },
    Part { ink: Ink::Idle, words: "waiting", key: Some("waiting"), of: |p| p.waiting },
];
