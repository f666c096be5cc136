//! How thoroughly the page is built.

/// How much time the build may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For any host.
    Full,
    /// For this machine.
    Quick,
}
