//! Plans: the time of a program that is only sketched, over the number of ranks.
//!
//! | file | content |
//! |---|---|
//! | [`sketch`] | what a program does in an iteration |
//! | [`expression`] | formulas of a sketch: numbers that depend on the number of ranks |
//! | [`decomposition`] | how the grid is divided among ranks |
//! | [`concrete`] | the steps on p ranks, with a number for every formula |
//! | [`machine`] | a signature, its simulation model, and what replaces unreported parameters |
//! | [`cost`] | the cost of each step, and the analytic sum |
//! | `representative` | a step simulated on a few ranks that stand for many |
//! | [`collective`] | the cost of a collective operation, measured or by algorithm |
//! | `skew` | ranks that run ahead of each other between iterations |
//! | [`simulation`] | the whole program, simulated on few ranks |
//! | [`cache`] | results of earlier simulations |
//! | `extrapolation` | message sizes outside the measured range |
//! | [`assumption`] | unreported parameters, what is assumed instead, and their effect |
//! | [`plan`] | the result: times over the number of ranks |
//! | `evaluation` | how a plan is computed, point by point |
//! | [`fit`] | open constants of a sketch, fitted to measured runs |
//! | [`sweep`] | one parameter at several values |
//! | [`study`] | many plans: machines × values of swept parameters |
//! | [`table`] | a plan in rows and columns |

pub mod assumption;
pub mod cache;
pub mod collective;
pub mod concrete;
pub mod cost;
pub mod decomposition;
mod evaluation;
pub mod expression;
mod extrapolation;
pub mod fit;
mod intra_node;
pub mod machine;
pub mod plan;
mod representative;
mod schedule;
pub mod simulation;
pub mod sketch;
mod skew;
pub mod study;
pub mod sweep;
pub mod table;
