//! Python: the plain parameters as a dictionary, and functions over them that predict what
//! `loggia predict` does. They need Python 3 and nothing else.

use super::{commented, parameters};
use loggia_model::Error;
use loggia_model::error::one_line;
use loggia_model::model::Route;
use loggia_model::signature::{Defaults, Signature};

const FUNCTIONS: &str = include_str!("functions.py");

/// The whole module.
pub(super) fn functions(signature: &Signature, way: Defaults) -> Result<String, Error> {
    // It has neither `null` nor `true`, so what is JSON is Python.
    let parameters = parameters::json(signature, way)?;
    let head = [
        format!("{} ({})", signature.title, signature.name),
        signature.origin.summary(),
        "p2p(size) is one message, collective(op, procs, size) an operation; both in microseconds."
            .to_owned(),
    ]
    .map(one_line);
    let card =
        Route::of(signature, way.tier, way.style).ok().and_then(|route| route.node_gap_per_byte());
    let no_card = card.map(|_| {
        "R_N is not used: p2p is one pair, and collective knows no ranks that share a network card."
            .to_owned()
    });
    let head: Vec<String> = head.into_iter().chain(no_card).collect();
    Ok(format!("{}\nPARAMETERS = {parameters}\n{FUNCTIONS}", commented(&head)))
}
