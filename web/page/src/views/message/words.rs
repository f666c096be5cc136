//! Texts of the plot of several models.

use loggia_model::model::pairs::{Pairs, filling};
use loggia_model::units::Bytes;
use loggia_model::units::words::{rate, size};

pub(crate) const SUM: &str = "total ";
pub(crate) const INTRODUCTION: &str = "LogGP in one picture";
pub(crate) const PICTURE: &str = "Plot";
pub(crate) const TERMS: &str = "terms";
pub(crate) const MODELS: &str = "models";
pub(crate) const SHOW: &str = "Show";
pub(crate) const TIME: &str = "time";
pub(crate) const BANDWIDTH: &str = "bandwidth";
pub(crate) const RESIDUALS: &str = "Measured and predicted";
pub(crate) const RESIDUALS_SHOW: &str = "Residual of RTT/2: measured/predicted − 1.";
pub(crate) const NOTHING_MEASURED: &str = "No measured end-to-end times to compare with. Machines of papers \
    have none, and links may leave them out. Open the file of a measurement.";
pub(crate) const COLUMNS: [&str; 5] = ["Size", "Measured", "Interval", "Predicted", "Residual"];

pub(crate) const PAIRS: &str = "Several pairs of two nodes";
pub(crate) const PAIRS_COLUMNS: [&str; 5] =
    ["Pairs at once", "Time", "Per rank", "Per node", "Basis"];

pub(crate) const ALSO_BY: &str = "Other models";
pub(crate) const ALSO_SENT: &str = "Other send modes";
pub(crate) const COMPARISON_COLUMNS: [&str; 7] =
    ["Machine", "Send", "Model", "Time", "Bandwidth", "n_1/2", "Eager limit"];

pub(crate) const INTRODUCED: &str = "A message of k bytes. The sender's processor works for o_s; then one \
    byte leaves every G. Each byte takes L to arrive. After the last byte, the receiver's processor \
    works for o_r.";

/// The effect of a LogGP parameter on a program.
pub(super) fn role(symbol: &str) -> &'static str {
    match symbol {
        "o_s" => "The sender cannot compute meanwhile.",
        "L" => "Both processors are free to compute meanwhile.",
        "G" => "Its inverse is the bandwidth for long messages.",
        "o_r" => "The receiver cannot compute meanwhile.",
        "g" => "The least time from one message to the next; its inverse is the message rate.",
        _ => "",
    }
}

/// The network card that the ranks of a node share.
pub(crate) fn card(of: &Pairs) -> String {
    let card =
        of.card.map_or_else(|| "of unknown rate".to_owned(), |card| format!("of {}", rate(card)));
    let filled = filling(of.filled_by);
    format!(
        "Ranks of a node share a network card {card}{filled}. Contention inside the network is not modelled."
    )
}

/// The measured time is scaled; `before` is the time before the change.
pub(crate) fn scaled_measurement(before: &str) -> String {
    format!(
        "You have changed a parameter: the time before the change, {before}, is scaled term by term."
    )
}

/// The measured time does not apply; `before` is the model's time of the machine as it was.
pub(crate) fn without_measurement(model: &str, before: &str) -> String {
    format!(
        "You have changed a parameter, so the measured times no longer apply. Before the change, {model} \
         gives {before}."
    )
}

/// A crossover between send modes.
pub(crate) fn crossing(from: &str, to: &str, at: Bytes) -> String {
    format!("{to} instead of {from} from {}", size(at))
}

/// The fastest send modes.
pub(crate) fn fastest(crossings: &[String]) -> String {
    match crossings {
        [] => "One send mode is the fastest at every size.".to_owned(),
        some => format!("The fastest send mode: {}.", some.join(", ")),
    }
}
