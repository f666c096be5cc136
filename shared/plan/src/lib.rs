//! Plans: what would a program take that is only an idea so far?
//!
//! | file | question |
//! |---|---|
//! | [`sketch`] | what does the program do in an iteration |
//! | [`expression`] | which of its numbers depend on how many ranks there are, and how |
//! | [`division`] | which block of the grid has each rank |
//! | [`ranks`] | on how many ranks |
//! | [`on`] | what does it do on so many ranks, in numbers |
//! | [`machine`] | by which rules do messages go, what stands in for what is not reported |
//! | [`cost`] | what does each step take, and all of them together |
//! | `few` | what does a step take on a few ranks, which is what it takes on many |
//! | [`collective`] | what does a collective operation cost, as measured or by which algorithm |
//! | `drift` | do ranks run ahead of each other, and what does that save |
//! | [`whole`] | what does the whole take on few ranks, simulated |
//! | [`memo`] | what was run already |
//! | `beyond` | which messages are of sizes that nobody has measured |
//! | [`missing`] | what is not reported, what stands in for it, what it would change |
//! | [`answer`] | what does all that say over the number of ranks |
//! | `asking` | how is that found: point by point, on the machine and on its like |
//! | [`fit`] | which open constants fit runs that were measured |
//! | [`sweep`] | what is tried, and at which values |
//! | [`wide`] | many plans at once: machines, and values of what is tried |
//! | [`table`] | a plan in rows and columns |

pub mod answer;
mod asking;
mod beyond;
pub mod collective;
pub mod cost;
pub mod division;
mod drift;
pub mod expression;
mod few;
pub mod fit;
mod inside;
pub mod machine;
pub mod memo;
pub mod missing;
pub mod on;
mod schedule;
pub mod sketch;
pub mod sweep;
pub mod table;
pub mod whole;
pub mod wide;
