//! Algorithms of reduce_scatter: each rank gets one of p parts of the reduction of all vectors of m
//! bytes.

mod pairwise;
mod recursive_halving;
mod reduce_then_scatter;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 3] =
    [recursive_halving::ALGORITHM, pairwise::ALGORITHM, reduce_then_scatter::ALGORITHM];
