//! `loggia collect`, the built command, under a real `mpirun`, in threads, over sockets and on a
//! machine that is made up. These tests say nothing about how long anything takes: they must pass on
//! a machine that is busy with something else.
//!
//! `LOGGIA_UNDER_TEST=/path/to/loggia` tests another build, such as one with another MPI library;
//! what is about MPI has `mpi::` in its name.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod choices;
mod crowds;
mod forced;
mod interrupted;
#[path = "../lab/mod.rs"]
mod lab;
mod output;
mod pair;
mod sockets;
mod synthetic;
mod two_ranks;
mod validated;
