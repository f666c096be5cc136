//! Algorithms of broadcast of a vector of m bytes.

mod binary;
mod binomial;
mod chain;
mod flat;
mod pipelined_chain;
mod scatter_allgather;
mod two_level;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 7] = [
    binomial::ALGORITHM,
    flat::ALGORITHM,
    chain::ALGORITHM,
    pipelined_chain::ALGORITHM,
    binary::ALGORITHM,
    scatter_allgather::ALGORITHM,
    two_level::ALGORITHM,
];
