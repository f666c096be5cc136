//! Algorithms of allreduce: every rank gets the reduction of all vectors of m bytes.

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
