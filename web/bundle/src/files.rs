//! Files that are not yet written.

use std::collections::BTreeMap;

/// File contents by their path in `dist/`, with forward slashes.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;
