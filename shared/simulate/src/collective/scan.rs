//! Algorithms of scan: rank r gets the reduction of the vectors of m bytes of ranks 0 to r.

mod linear;
mod recursive_doubling;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 2] = [recursive_doubling::ALGORITHM, linear::ALGORITHM];
