//! Barriers. Every message carries m bytes, of which a barrier needs none.

mod dissemination;
mod linear;
mod tree;
mod two_level;

use super::Algorithm;
pub(super) use tree::{TURNS_IN_TIME, turns_in_time};

pub(super) const ALGORITHMS: [Algorithm; 4] =
    [dissemination::ALGORITHM, tree::ALGORITHM, linear::ALGORITHM, two_level::ALGORITHM];
