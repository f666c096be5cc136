//! Plans: predicted time of a sketched program over the number of ranks.
//!
//! | file | content |
//! |---|---|
//! | [`sketch`] | the steps of an iteration of a program |
//! | [`expression`] | formulas of a sketch: numbers that depend on the number of ranks |
//! | [`decomposition`] | division of the grid among ranks |
//! | [`concrete`] | the steps on p ranks, with the values of their formulas |
//! | `handshake`, `intra_node` | values for unknown parameters |
//! | [`machine`] | a signature and its simulation model |
//! | [`error`] | errors of plans, sweeps and measured runs |
//! | [`cost`] | types of costs: breakdown of a time, cost of a step |
//! | [`cache`] | results of earlier simulations |
//! | [`deployment`] | steps on p ranks of a machine |
//! | `representative` | a step on many ranks, from a simulation of a few |
//! | [`collective`] | the cost of a collective operation, measured or by algorithm |
//! | `analytic_sum` | the sum of the costs of all steps |
//! | `skew` | ranks that run ahead of each other between iterations |
//! | [`iterations`], [`simulation`] | the whole program, simulated |
//! | `extrapolation` | message sizes outside the measured range |
//! | [`assumption`] | unknown parameters, the assumed values, and their effect |
//! | [`request`], [`plan`] | the input and the result: times over the number of ranks |
//! | `evaluation` | computation of a plan, point by point |
//! | `warnings` | limits of the result |
//! | [`fit`] | fit of open constants of a sketch to measured runs |
//! | [`sweep`] | one parameter at several values |
//! | [`study`] | many plans: machines × values of swept parameters |
//! | [`table`] | a plan as a table |
//! | [`toml_text`] | TOML with line and column of errors |

mod analytic_sum;
pub mod assumption;
pub mod cache;
pub mod collective;
pub mod concrete;
pub mod cost;
pub mod decomposition;
pub mod deployment;
pub mod error;
mod evaluation;
pub mod expression;
mod extrapolation;
pub mod fit;
mod handshake;
mod intra_node;
pub mod iterations;
pub mod machine;
pub mod plan;
mod representative;
pub mod request;
mod schedule;
pub mod simulation;
pub mod sketch;
mod skew;
pub mod study;
pub mod sweep;
pub mod table;
pub mod toml_text;
mod warnings;
