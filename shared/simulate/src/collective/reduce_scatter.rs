//! Reductions of every rank's vector of m bytes, of which each rank gets one of p parts.

mod pairwise;
mod recursive_halving;
mod reduce_then_scatter;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 3] =
    [recursive_halving::ALGORITHM, pairwise::ALGORITHM, reduce_then_scatter::ALGORITHM];
