//! Import: what other benchmarks have printed, read into samples.
//!
//! | file | question |
//! |---|---|
//! | `lines` | what did the tool print, without what launchers put before it |
//! | `table` | which number stands in which column |
//! | `read` | whose output is that, and what was taken of it |
//! | `osu` | OSU micro-benchmarks |
//! | `imb` | Intel MPI Benchmarks |
//! | `netgauge` | Netgauge's LogGP |
//! | `logp_mpi` | logp_mpi |
//! | `reprompi` | ReproMPI |
//! | `skampi` | SKaMPI |
//! | `netpipe` | NetPIPE |
//! | `nccl` | nccl-tests and rccl-tests |
//!
//! Readers are told line by line, so that outputs may follow each other in one file, and a file may be
//! longer than memory. A tool is known by what it prints, not by what its file is called. Units are
//! converted once, where a number is read.

mod imb;
mod lines;
mod logp_mpi;
mod nccl;
mod netgauge;
mod netpipe;
mod osu;
mod read;
mod reprompi;
mod skampi;
mod table;

pub use read::{Read, read};

use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};
use serde::Serialize;

/// Who has printed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// OSU micro-benchmarks
    Osu,
    /// Intel MPI Benchmarks
    Imb,
    /// Netgauge, `-x loggp`
    Netgauge,
    /// logp_mpi
    LogpMpi,
    /// ReproMPI
    Reprompi,
    /// SKaMPI
    Skampi,
    /// NetPIPE
    Netpipe,
    /// nccl-tests, rccl-tests
    Nccl,
}

impl Tool {
    /// As its authors write it.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Osu => "OSU",
            Tool::Imb => "IMB",
            Tool::Netgauge => "Netgauge",
            Tool::LogpMpi => "logp_mpi",
            Tool::Reprompi => "ReproMPI",
            Tool::Skampi => "SKaMPI",
            Tool::Netpipe => "NetPIPE",
            Tool::Nccl => "nccl-tests",
        }
    }
}

/// What a number is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "of")]
pub enum What {
    /// A message, from the send call to its receipt: half a round trip.
    Message,
    /// The same, while other pairs do so, too.
    MessageBeside {
        /// How many pairs there are.
        pairs: Option<u32>,
    },
    /// The time a message in a flood, so many of them under way.
    Flood {
        /// How many at once.
        window: Option<u32>,
        /// In how many directions at once.
        directions: u8,
        /// Between how many pairs.
        pairs: u32,
    },
    /// A message each way at once, with one neighbour or two.
    Exchange {
        /// How many neighbours a rank has.
        neighbours: u8,
    },
    /// The send call.
    SendCall,
    /// The receive call, once its message is there.
    RecvCall,
    /// L, as a tool has worked it out.
    Latency,
    /// g for that many bytes, as a tool has worked it out.
    Gap,
    /// A collective operation.
    Collective {
        /// By MPI's name, in small letters.
        op: String,
        /// Whether the call returns at once, and its time is that of its communication alone.
        is_nonblocking: bool,
        /// Whether it is on GPUs.
        on_gpus: bool,
    },
}

/// A run of one benchmark, as far as the file says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// By which tool.
    pub tool: Tool,
    /// The tool's version, as it prints it.
    pub version: Option<String>,
    /// As the tool calls it.
    pub benchmark: String,
    /// In which file, from which line on.
    pub file: String,
    /// See `file`.
    pub line: u64,
    /// Between how many ranks.
    pub procs: Option<Procs>,
    /// Between how many the tool measures whatever is said: two, for a ping-pong.
    pub is_of_two: bool,
    /// What else it says of itself: the machine, the MPI library, the data's type.
    pub facts: Vec<(&'static str, String)>,
    /// What it measures.
    pub what: What,
}

/// A number that was read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Of which run.
    pub run: u32,
    /// From which line.
    pub line: u64,
    /// With so many bytes, as the tool counts them.
    pub bytes: Option<Bytes>,
    /// The time.
    pub time: Micros,
    /// What it is of the repetitions.
    pub statistic: Statistic,
}
