//! Measures a parallel machine.
//!
//! | module | contents |
//! |---|---|
//! | [`transport`] | exchange of messages between ranks: MPI, sockets, threads, a synthetic machine |
//! | [`measure`] | the measurements: one file each, with its paper and section |
//! | [`run`] | from a transport to a signature: the plan, the commands to ranks, the file |
//! | [`progress_bar`] | progress of a long run |
//! | [`atomic_file`] | atomic writing of files |

pub mod atomic_file;
pub mod measure;
mod message_costs;
pub mod progress_bar;
pub mod run;
pub mod transport;
