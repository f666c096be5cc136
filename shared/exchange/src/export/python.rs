//! Python: the plain parameters as a dictionary, and functions with the predictions of
//! `loggia predict` by the models and the closed forms, without measured times. They need only
//! Python 3.

use super::{commented, parameters};
use loggia_model::Error;
use loggia_model::error::one_line;
use loggia_model::model::Route;
use loggia_model::signature::{Defaults, Signature};

const FUNCTIONS: &str = include_str!("functions.py");

/// The Python module.
pub(super) fn functions(signature: &Signature, defaults: Defaults) -> Result<String, Error> {
    // The JSON contains neither `null` nor `true`, so it is also a Python literal.
    let parameters = parameters::json(signature, defaults)?;
    let header = [
        format!("{} ({})", signature.title, signature.name),
        signature.origin.summary(),
        "times in us: p2p(size) of a message, collective(op, procs, size) of an operation"
            .to_owned(),
    ]
    .map(one_line);
    let card = Route::of(signature, defaults.tier, defaults.style)
        .ok()
        .and_then(|route| route.node_gap_per_byte());
    let no_card = card.map(|_| {
        "R_N is not used: p2p predicts one pair, and collective ignores shared network cards."
            .to_owned()
    });
    let no_tables = (!signature.tables.is_empty()).then(|| {
        "Measured times are left out: these functions use the parameters and the closed forms, so \
         `loggia predict` may give other times."
            .to_owned()
    });
    let header: Vec<String> = header.into_iter().chain(no_card).chain(no_tables).collect();
    Ok(format!("{}\nPARAMETERS = {parameters}\n{FUNCTIONS}", commented(&header)))
}
