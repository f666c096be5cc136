//! Reductions of every rank's vector of m bytes at the root.

mod binary;
mod binomial;
mod chain;
mod flat;
mod rabenseifner;
mod two_level;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 6] = [
    binomial::ALGORITHM,
    flat::ALGORITHM,
    chain::ALGORITHM,
    binary::ALGORITHM,
    rabenseifner::ALGORITHM,
    two_level::ALGORITHM,
];
