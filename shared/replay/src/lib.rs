//! Replay of traced programs: the time of the same program on another machine.
//!
//! | file | content |
//! |---|---|
//! | [`trace`] | readers of traces |
//! | [`summary`] | one pass over a trace: communicators, matches, times per call |
//! | [`choice`] | the algorithm of each collective operation |
//! | [`measured_time`] | collective operations with their measured times |
//! | [`options`] | settings of a replay |
//! | [`error`] | mistakes in replays |
//! | `translation` | a rank's calls as sends, receives and computation |
//! | `program` | a trace as input of the simulator |
//! | `call_times` | the time of each call in a simulation |
//! | [`replay`] | a program that can be replayed |
//! | [`report`] | the result of a replay |
//!
//! As in SIM-MPI (Zhai et al. 2010, Section 3): computation between calls comes from the trace, the time
//! of the calls from a model.

mod call_times;
pub mod choice;
pub mod error;
pub mod measured_time;
pub mod options;
mod program;
pub mod replay;
pub mod report;
pub mod summary;
pub mod trace;
mod translation;

pub use measured_time::{MeasuredMachine, MeasuredTimes};
pub use options::{AlgorithmUse, ReplayOptions};
pub use replay::{Replay, measured};
