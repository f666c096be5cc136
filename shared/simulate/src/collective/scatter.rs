//! Algorithms of scatter: every rank gets a block of m bytes from the root.

mod binomial;
mod linear;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 2] = [binomial::ALGORITHM, linear::ALGORITHM];
