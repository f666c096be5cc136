//! Plans: the time of a program that is only sketched, over the number of ranks.
//!
//! | file | content |
//! |---|---|
//! | [`sketch`] | what a program does in an iteration |
//! | [`expression`] | formulas of a sketch: numbers that depend on the number of ranks |
//! | [`decomposition`] | how the grid is divided among ranks |
//! | [`concrete`] | the steps on p ranks, with a number for every formula |
//! | `substitute`, `intra_node` | what is used in place of unreported parameters |
//! | [`machine`] | a signature and its simulation model, as a plan uses them |
//! | [`error`] | mistakes in plans, sweeps and measured runs |
//! | [`cost`] | types of costs: breakdown of a time, cost of a step |
//! | [`cache`] | results of earlier simulations |
//! | [`deployment`] | steps on p ranks of a machine |
//! | `representative` | a step simulated on a few ranks that stand for many |
//! | [`collective`] | the cost of a collective operation, measured or by algorithm |
//! | `analytic_sum` | the sum of the costs of all steps |
//! | `skew` | ranks that run ahead of each other between iterations |
//! | [`iterations`], [`simulation`] | the whole program, simulated |
//! | `extrapolation` | message sizes outside the measured range |
//! | [`assumption`] | unreported parameters, what is assumed instead, and their effect |
//! | [`request`], [`plan`] | the input and the result: times over the number of ranks |
//! | `evaluation` | how a plan is computed, point by point |
//! | `warnings` | what limits the result |
//! | [`fit`] | open constants of a sketch, fitted to measured runs |
//! | [`sweep`] | one parameter at several values |
//! | [`study`] | many plans: machines × values of swept parameters |
//! | [`table`] | a plan in rows and columns |

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
mod substitute;
pub mod sweep;
pub mod table;
mod warnings;
