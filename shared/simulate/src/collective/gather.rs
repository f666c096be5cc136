//! Algorithms of gather: the root gets a block of m bytes from every rank.

mod binomial;
mod linear;

use super::Algorithm;

pub(super) const ALGORITHMS: [Algorithm; 2] = [binomial::ALGORITHM, linear::ALGORITHM];
