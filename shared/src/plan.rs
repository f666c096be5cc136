//! Plans: what would a program take that is only an idea so far?
//!
//! | file | question |
//! |---|---|
//! | [`sketch`] | what does the program do in an iteration |
//! | [`expression`] | which of its numbers depend on how many ranks there are, and how |
//! | [`division`] | which block of the grid has each rank |
//! | [`on`] | what does it do on so many ranks, in numbers |

pub mod answer;
pub mod cost;
pub mod division;
pub mod expression;
pub mod fit;
pub mod machine;
pub mod on;
mod schedule;
pub mod sketch;
