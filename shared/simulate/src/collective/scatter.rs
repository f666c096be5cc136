//! Scatters of a block of m bytes to every rank from the root.

mod binomial;
mod linear;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 2] = [binomial::ALGORITHM, linear::ALGORITHM];
