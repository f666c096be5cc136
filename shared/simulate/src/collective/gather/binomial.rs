//! Up a binomial tree; a rank forwards the blocks of its whole subtree in one message.
//!
//! # Formula
//! T = U(p), [of the tree](crate::collective::blocks)
//!
//! Exact unless messages of different sizes reach a rank at the same time and their order matters.

use crate::collective::blocks::{Gather, UNLESS_TIED, gather};
use crate::collective::program::Data;
use crate::collective::time::Clock;
use crate::collective::{Algorithm, Count};
use loggia_model::signature::Operation;

pub(super) const ALGORITHM: Algorithm = Algorithm {
    op: Operation::Gather,
    name: "binomial",
    summary: "up a binomial tree, one message per subtree",
    needs_nodes: false,
    formula: "U(p), where a subtree of n ranks sends n·m bytes",
    range: UNLESS_TIED,
    exact: |shape, costs| {
        let mut blocks = Gather::new(Clock::new(costs), shape.m());
        blocks.root(shape.p());
        !blocks.is_tied
    },
    time: |shape, costs| Gather::new(Clock::new(costs), shape.m()).root(shape.p()).cpu,
    program: |shape, rank, program| {
        gather(program, (shape.p(), rank), &Data::blocks, None, None);
    },
    count: |shape| Count::messages(u128::from(shape.p() - 1)),
};
