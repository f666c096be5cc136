//! A laboratory for the collector's tests: launchers, and a network whose parameters are known.
//!
//! | file | what it holds |
//! |---|---|
//! | `running` | the command under way: deadlines, signals, its processes |
//! | `mpirun` | the launcher that fits the command's MPI library |
//! | `disk` | a disk that is full or cannot be written to |
//! | `file` | what every collected file must be |
//! | `link` | two hosts made of namespaces, joined by a relay with a known delay and bandwidth |

#![allow(dead_code, reason = "each test program uses its own part of this")]

pub(crate) mod disk;
pub(crate) mod file;
pub(crate) mod link;
pub(crate) mod mpirun;
pub(crate) mod running;
