//! Reductions of every rank's vector of m bytes at all ranks.

mod rabenseifner;
mod recursive_doubling;
mod reduce_bcast;
mod ring;
mod two_level;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 5] = [
    recursive_doubling::ALGORITHM,
    ring::ALGORITHM,
    rabenseifner::ALGORITHM,
    reduce_bcast::ALGORITHM,
    two_level::ALGORITHM,
];
