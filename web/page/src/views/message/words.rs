//! Texts of the plot of several models.

use loggia_model::units::Bytes;
use loggia_model::units::words::size;

pub(crate) const PICTURE: &str = "Plot";
pub(crate) const TERMS: &str = "terms";
pub(crate) const MODELS: &str = "models";
pub(crate) const SHOW: &str = "Show";
pub(crate) const TIME: &str = "time";
pub(crate) const BANDWIDTH: &str = "bandwidth";
pub(crate) const RESIDUALS: &str = "Measured and predicted";
pub(crate) const RESIDUALS_SHOW: &str = "Residual of RTT/2: measured/predicted − 1.";
pub(crate) const NOTHING_MEASURED: &str = "No end-to-end times to compare with. Published machines have \
    none, and links leave samples out. Open the file of a measurement.";
pub(crate) const COLUMNS: [&str; 5] = ["Size", "Measured", "Interval", "Predicted", "Residual"];

pub(crate) const ALSO_BY: &str = "Other models";
pub(crate) const ALSO_SENT: &str = "Other send modes";
pub(crate) const BESIDE_COLUMNS: [&str; 7] =
    ["Machine", "Send", "Model", "Time", "Bandwidth", "n_1/2", "Eager limit"];

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
