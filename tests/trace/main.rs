//! `loggia trace`, the built command: real programs in C and Fortran, compiled here, under the real
//! launchers of both MPI libraries; and what `loggia replay` makes of their traces, good and bad.
//!
//! The library that is preloaded fits both MPI libraries, whichever the command was built with.

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
mod seldom;
