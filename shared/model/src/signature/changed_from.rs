//! The machine before a what-if.

use super::Signature;

/// The machine before a what-if, and the factors of the terms of its measured messages.
#[derive(Debug, PartialEq)]
pub struct ChangedFrom {
    pub machine: Signature,
    /// Factor of the overheads.
    pub overhead: f64,
    /// Factor of the latency, and of the part that no parameter explains.
    pub latency: f64,
    /// Factor of the time of the bytes.
    pub bytes: f64,
}
