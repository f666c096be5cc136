//! `loggia trace`, the built command: real programs in C and Fortran, compiled by the test, under
//! the real launchers of both MPI libraries; and `loggia replay` of good and bad traces.
//!
//! The preloaded library works with both MPI libraries, for every build of the command.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod awkward;
mod damaged;
mod early;
mod every_call;
mod examples;
#[path = "../lab/mod.rs"]
mod lab;
mod many;
mod program;
mod rare_calls;
