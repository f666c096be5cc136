//! Algorithms of alltoall: m bytes from every rank to every other rank.

mod bruck;
mod linear;
mod pairwise;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 3] =
    [pairwise::ALGORITHM, linear::ALGORITHM, bruck::ALGORITHM];
