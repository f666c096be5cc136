//! Gathers of a block of m bytes from every rank at the root.

mod binomial;
mod linear;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 2] = [binomial::ALGORITHM, linear::ALGORITHM];
