//! `loggia collect`, the built command, under a real `mpirun`, in threads, over sockets and on a
//! synthetic machine. These tests check no durations: they must pass on a busy machine.
//!
//! `LOGGIA_UNDER_TEST=/path/to/loggia` tests another build, such as one with another MPI library;
//! MPI tests have `mpi::` in their names.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod choices;
mod forced;
mod interrupted;
#[path = "../lab/mod.rs"]
mod lab;
mod output;
mod pair;
mod rank_counts;
mod sockets;
mod synthetic;
mod two_ranks;
mod validated;
