//! Outputs of other benchmarks: imported, written, and merged into a machine.

use super::import::import_bytes;
use super::{check_error, signature};
use loggia_exchange::import::merge::merge;
use loggia_model::library;

pub(crate) fn check(bytes: &[u8]) {
    let Some(made) = import_bytes(bytes) else { return };
    let Some(found) = made.signature else { return };
    signature::written(&found);
    let base = library::load("cray-t3d").expect("a built-in machine");
    match merge(&base, &found) {
        Ok((merged, _)) => signature::written(&merged),
        Err(error) => check_error(&error),
    }
}
