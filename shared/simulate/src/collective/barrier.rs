//! Algorithms of barrier. Messages carry m bytes, although a barrier needs none.

mod dissemination;
mod linear;
mod tree;
mod two_level;

use super::Algorithm;
pub(super) use tree::{FREE_IN_TIME, is_free_in_time};

pub(super) const ALGORITHMS: [Algorithm; 4] =
    [dissemination::ALGORITHM, tree::ALGORITHM, linear::ALGORITHM, two_level::ALGORITHM];
