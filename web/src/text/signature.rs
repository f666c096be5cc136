//! The words of this view.

use loggia_model::units::words::size;
use loggia_model::units::{Bytes, Micros};

pub(crate) const DATA: &str = "The same as a table";
pub(crate) const NOT_REPORTED: &str = "not reported";

pub(crate) const OVERHEADS: &str = "Overheads by size";
pub(crate) const OVERHEADS_SHOW: &str = "How long a message keeps each processor busy: o_s the \
    sender's, o_r the receiver's. Bold: the chosen style; points: what is reported of it.";
pub(crate) const OVERHEAD_COLUMNS: [&str; 5] = ["Style", "Overhead", "Size", "µs", "Between"];

pub(crate) const BANDWIDTH: &str = "Bandwidth by size";
pub(crate) const BANDWIDTH_COLUMNS: [&str; 5] =
    ["Size", "Predicted", "Bandwidth", "Measured", "Bandwidth"];
pub(crate) const BANDWIDTH_SHOWS: &str = "Bytes over the time that the richest model predicts for \
    them. ";
pub(crate) const HALF: &str = "Half of it from n_1/2 = ";
pub(crate) const MEASURED: &str = "Points: half round trips, measured.";

pub(crate) const LATENCY: &str = "Overheads on the end-to-end latency";
pub(crate) const LATENCY_COLUMNS: [&str; 6] =
    ["Style", "EEL", "only o_s", "both", "free", "only o_r"];
pub(crate) const NEITHER: &str = "neither processor is busy: free to compute";

pub(crate) const DEPTHS: &str = "Gap by queue depth";
pub(crate) const DEPTH_COLUMNS: [&str; 3] = ["Under way", "g, µs", "Between"];
pub(crate) const NO_DEPTHS: &str = "g by queue depth is not reported: it could come from the \
    flood test of 003, Section 4.2.";

pub(crate) const GAPS: &str = "Gap and gap per byte";
pub(crate) const GAP_COLUMNS: [&str; 4] = ["Size", "g", "G m", "g(m)"];
pub(crate) const GAPS_SHOW: &str = "Messages that follow each other take g each at the least, and \
    G for each byte.";

/// Two numbers that a value lies between.
pub(crate) fn between(low: &str, high: &str) -> String {
    format!("{low}–{high}")
}

/// An end-to-end latency and what the overheads leave of it.
pub(crate) fn shares(latency: &str) -> String {
    format!(
        "Of the {latency} from the send call to the data's receipt (8 bytes), how long the \
         processors are busy, as in 003's Figure 3. Where both colours share the height, both are \
         busy at once."
    )
}

/// How much a queue helps.
pub(crate) fn depths(first: (u32, &str), best: (u32, &str)) -> String {
    match first.0 == best.0 {
        true => format!("No depth is better than {}, with {} a message.", best.0, best.1),
        false => format!(
            "Keeping {} messages under way instead of {} brings the gap from {} to {}.",
            best.0, first.0, first.1, best.1
        ),
    }
}

/// From where on bytes count.
pub(crate) fn large(from: Option<Bytes>) -> String {
    match from {
        Some(from) => format!("From g/G = {} on the bytes count: a message is large.", size(from)),
        None => "g/G is no size.".to_owned(),
    }
}

/// A style's bar, for those who do not see it.
pub(crate) fn bar(style: &str, parts: &[(&str, Micros)]) -> String {
    let words = |(name, time): &(&str, Micros)| {
        format!("{name} {}", loggia_model::units::words::time(*time))
    };
    format!("{style}: {}", parts.iter().map(words).collect::<Vec<_>>().join(", "))
}
