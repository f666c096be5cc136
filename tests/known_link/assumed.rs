//! Parameters that are assumed because the measurement of the far link does not determine them.

use crate::lab::file::tier;
use serde_json::Value;

/// The overheads, with their places in a send mode of a tier.
const SMALL: [(&str, &str); 2] =
    [("o_s", "/styles/0/send_overhead"), ("o_r", "/styles/0/recv_overhead")];

/// Options that set the overheads that a tier of a signature lacks: compared with a millisecond, a few
/// µs are often below the noise.
pub(crate) fn assumed(file: &Value, name: &str) -> String {
    let is_lacking = |place: &str| tier(file, name).pointer(place).is_none_or(|of| !is_known(of));
    let lacking = SMALL.iter().filter(|(_, place)| is_lacking(place));
    lacking.map(|(symbol, _)| format!(" --set {name}.{symbol}=5us")).collect()
}

/// Whether a value is known.
pub(crate) fn is_known(of: &Value) -> bool {
    let has_points = of["points"].as_array().is_some_and(|points| !points.is_empty());
    of["verdict"] != "unusable"
        && (of["value"].is_number() || has_points || of["fixed"].is_number())
}
