//! Algorithms of reduce: the root gets the reduction of all vectors of m bytes.

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
