//! Texts of the view Simulate.

pub(crate) const ALGORITHM: &str = "Algorithm";
pub(crate) const NEEDS_NODES: &str = "choose more than one rank per node";
pub(crate) const BACK: &str = "Back to an algorithm";
pub(crate) const NOT_IN_LINK: &str = "The file stays on your machine. A link does not hold it.";

/// A placement that is not a number of ranks per node.
pub(crate) fn placed(nodes: &str) -> String {
    format!("Ranks are placed as {nodes}.")
}
