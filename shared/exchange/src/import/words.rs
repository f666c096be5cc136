//! Texts about imports, shared by the command and the page.

use super::merge::Outcome;
use super::reader::LeftOut;
use super::run::BenchmarkKind;
use loggia_model::units::words::counted;

/// Shown for a file without numbers.
pub const NOTHING: &str = "no benchmark output recognised";

/// Describes a benchmark.
#[must_use]
pub fn what(kind: &BenchmarkKind) -> String {
    match kind {
        BenchmarkKind::Message => "RTT/2".to_owned(),
        BenchmarkKind::ConcurrentMessage { pairs: Some(pairs) } => {
            format!("RTT/2, {}", counted(*pairs, "pair"))
        }
        BenchmarkKind::ConcurrentMessage { pairs: None } => "RTT/2, several pairs".to_owned(),
        BenchmarkKind::Stream { window, directions, pairs } => {
            let window = window.map_or(String::new(), |window| format!(", {window} in flight"));
            let both = if *directions == 1 { "" } else { ", both directions" };
            let pairs = if *pairs == 1 { String::new() } else { format!(", {pairs} pairs") };
            format!("streaming bandwidth{window}{both}{pairs}")
        }
        BenchmarkKind::Exchange { neighbours } => {
            format!("exchange with {}", counted(*neighbours, "neighbour"))
        }
        BenchmarkKind::SendCall => "send call".to_owned(),
        BenchmarkKind::RecvCall => "receive call".to_owned(),
        BenchmarkKind::Put => "put".to_owned(),
        BenchmarkKind::Get => "get".to_owned(),
        BenchmarkKind::Latency => "L of PLogP".to_owned(),
        BenchmarkKind::Gap => "gap".to_owned(),
        BenchmarkKind::Collective { op, is_nonblocking, on_gpus, .. } => {
            let op = op.as_deref().unwrap_or("unnamed collective operation");
            let nonblocking = if *is_nonblocking { ", non-blocking" } else { "" };
            let gpus = if *on_gpus { ", on GPUs" } else { "" };
            format!("{op}{nonblocking}{gpus}")
        }
    }
}

/// Describes lines that were left out.
#[must_use]
pub fn left_out(left: &LeftOut) -> String {
    match left.count {
        1 => format!("line {} is left out: {}", left.line, left.why),
        count => format!("{count} lines from {} on are left out: {}", left.line, left.why),
    }
}

/// Describes what happened to a parameter.
#[must_use]
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Added => "added",
        Outcome::Kept => "unchanged",
    }
}
