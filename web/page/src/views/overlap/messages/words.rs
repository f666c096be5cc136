//! Texts of methods for many messages.

use loggia_model::model::messages::Strategy;
use loggia_model::units::words::number;

pub(crate) const TITLE: &str = "Many messages";
pub(crate) const COMPUTE: &str = "Computation per message";
pub(crate) const DEPTH: &str = "Queue depth";
pub(crate) const METHODS: &str = "Methods";
pub(crate) const COLUMNS: [&str; 3] = ["Method", "Time", "Speedup"];
pub(crate) const COMPARISON_COLUMNS: [&str; 8] =
    ["Machine", "Best", "Speedup", "Blocking", "Overlapped", "Pipelined", "Both", "Packed"];
pub(crate) const FORMULAS_HOLD: &str = "of each method, with its values";
pub(crate) const PACKING: &str = "The cost of packing is assumed 0, so this is a lower bound.";
pub(crate) const FORMULAS: &str = "Formulas";
pub(crate) const SYMBOLS: &str = "N messages of m bytes to one partner, computation c per message (Bell et al. 2003, Sections 5.1–5.5)";
pub(crate) const OVER_SIZE: &str = "Over the size";
pub(crate) const OVER_COMPUTE: &str = "Over the computation";
pub(crate) const USE_MEASURED_SIZE: &str = "Use 8 B, the size at which EEL was measured";

/// Short name of a method.
pub(crate) fn short(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Blocking => "blocking",
        Strategy::Overlapped => "overlapped",
        Strategy::Pipelined => "pipelined",
        Strategy::PipelinedOverlapped => "both",
        Strategy::Packed => "packed",
    }
}

/// Explanation of a method.
pub(crate) fn what(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Blocking => "wait for each message, then compute",
        Strategy::Overlapped => "start a message, compute while it is in flight, then wait",
        Strategy::Pipelined => "keep several messages in flight, then compute",
        Strategy::PipelinedOverlapped => "keep several in flight and compute in their gaps",
        Strategy::Packed => "copy all into one large message",
    }
}

/// Speedup over waiting for each message.
pub(crate) fn gain(strategy: Strategy, speedup: f64) -> String {
    let times = number(speedup, 3);
    match strategy {
        Strategy::Blocking => "no other method is faster".to_owned(),
        Strategy::Packed => format!("up to {times} times as fast as blocking"),
        _ => format!("{times} times as fast as blocking"),
    }
}

/// Parameters that a method needs.
pub(crate) fn unknown_parameters(symbols: &[&str]) -> String {
    match symbols {
        [one] => format!("needs {one}, which is unknown"),
        several => format!("needs {}, which are unknown", several.join(" and ")),
    }
}

/// Suffix if gaps are known by queue depth.
pub(crate) fn at_depth(depth: u32) -> String {
    format!(", {depth} in flight")
}

/// A speedup.
pub(crate) fn times(speedup: f64) -> String {
    format!("{} ×", number(speedup, 3))
}

pub(crate) const BEST: &str = "best";
