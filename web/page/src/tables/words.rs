//! Texts of tables.

pub(crate) const DATA: &str = "The same as a table";

pub(crate) const NOT_REPORTED: &str = "unknown";

/// A range.
pub(crate) fn between(low: &str, high: &str) -> String {
    format!("{low}–{high}")
}
