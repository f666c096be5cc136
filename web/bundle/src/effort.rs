//! Duration of a build against size of its result.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// A page for any host: optimised.
    Full,
    /// A page for this machine: not optimised.
    Quick,
}
