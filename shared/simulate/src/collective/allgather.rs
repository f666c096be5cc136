//! Algorithms of allgather: every rank gets a block of m bytes from every rank.

mod bruck;
mod gather_bcast;
mod recursive_doubling;
mod ring;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 4] =
    [ring::ALGORITHM, recursive_doubling::ALGORITHM, bruck::ALGORITHM, gather_bcast::ALGORITHM];
