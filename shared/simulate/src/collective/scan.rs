//! Parallel prefixes of every rank's vector of m bytes: rank r gets the sum of ranks 0 to r.

mod linear;
mod recursive_doubling;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 2] = [recursive_doubling::ALGORITHM, linear::ALGORITHM];
