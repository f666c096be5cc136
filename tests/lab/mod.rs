//! Tools for the collector's tests: launchers, and a network with known parameters.
//!
//! | file | holds |
//! |---|---|
//! | `running` | the running command: deadlines, signals, processes |
//! | `mpirun` | the launcher of the command's MPI library |
//! | `disk` | a disk that is full or read-only |
//! | `file` | requirements on every collected file |
//! | `link` | two hosts as namespaces, joined by a relay with known delay and bandwidth |

#![allow(dead_code, reason = "each test program uses its own part of this")]

pub(crate) mod disk;
pub(crate) mod file;
pub(crate) mod link;
pub(crate) mod mpirun;
pub(crate) mod running;
