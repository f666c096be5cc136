//! Measures a parallel machine.
//!
//! | module | what it holds |
//! |---|---|
//! | [`transport`] | how ranks exchange messages: MPI, sockets, threads, a synthetic machine |
//! | [`measure`] | the measurements: one file each, with its paper and section |
//! | [`run`] | from a transport to a signature: the plan, the orders to ranks, the file |
//! | [`progress`] | how far a long run is |
//! | [`whole_file`] | files are written whole or not at all |

pub mod measure;
pub mod progress;
pub mod run;
pub mod transport;
pub mod whole_file;
