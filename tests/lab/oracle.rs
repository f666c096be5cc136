//! Results of the reference simulator, outside the repository.

use std::path::{Path, PathBuf};

/// A folder of `shared/oracle` next to the repository; `None`, with a message, if it is missing.
pub(crate) fn oracle(folder: &str) -> Option<PathBuf> {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle").join(folder);
    if !oracle.is_dir() {
        println!("skipped: {} does not exist", oracle.display());
        return None;
    }
    Some(oracle)
}
