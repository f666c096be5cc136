//! Mistakes in replays; those in traces are in [`crate::trace::error`].

use loggia_model::Error;
use loggia_model::error::{Input, Remedy};
use loggia_model::units::Procs;
use loggia_schedule::schedule;

/// Why a trace cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The records of a rank contradict each other.
    Damaged { file: String, contradiction: Contradiction },
    /// A rank of a communicator that no trace names.
    UnknownMember { file: String, rank: u32, size: u32 },
    /// Not `OPERATION=ALGORITHM`.
    NotAChoice(String),
    /// A two-level algorithm: a trace does not tell which ranks share a node.
    NeedsNodes { algorithm: &'static str },
    /// Computation is scaled on a rank that the trace does not have.
    RankOutside { rank: u32, ranks: u32 },
    /// The schedule of a trace.
    InvalidSchedule { trace: String, flaw: schedule::Flaw },
    /// Times that add up to more than can be counted.
    TooLong { trace: String },
}

/// Records that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// More open requests than this.
    TooManyRequests { request: u32, most: u32 },
    /// A rank in a communicator of another size.
    CommSize { rank: u32, size: u32, known: u32 },
    /// Two ranks of a communicator have the same number.
    RepeatedMember(u32),
    /// A communicator's number does not follow the last one.
    CommNumber { comm: u32, known: usize },
}

impl From<Contradiction> for String {
    fn from(contradiction: Contradiction) -> Self {
        match contradiction {
            Contradiction::TooManyRequests { request, most } => {
                format!("request {request} is open, and {most} are the most at a time")
            }
            Contradiction::CommSize { rank, size, known } => {
                format!("rank {rank} of {size} in a communicator of {known}")
            }
            Contradiction::RepeatedMember(rank) => {
                format!("a communicator has two ranks {rank}")
            }
            Contradiction::CommNumber { comm, known } => {
                format!("communicator {comm} comes after {known}")
            }
        }
    }
}

impl From<ReplayError> for Error {
    fn from(error: ReplayError) -> Self {
        use ReplayError::*;
        match error {
            Damaged { file, contradiction } => {
                Error::new(contradiction, file, "the trace is damaged: trace the program again")
            }
            UnknownMember { file, rank, size } => Error::new(
                format!("rank {rank} of a communicator of {size} ranks is in no rank's trace"),
                file,
                "the trace of that rank ends before the communicator was made: trace again",
            ),
            NotAChoice(words) => Error::new(
                format!("`{words}` names no operation's algorithm"),
                Input::Algorithm,
                "write such as allreduce=ring",
            ),
            NeedsNodes { algorithm } => Error::new(
                format!("{algorithm} must know which ranks share a node"),
                Input::Algorithm,
                "choose one that does not",
            ),
            RankOutside { rank, ranks } => Error::new(
                format!("there is no rank {rank}: the trace has {}", Procs(ranks).ranks()),
                Input::ScaleCompute,
                "count ranks from 0",
            ),
            InvalidSchedule { trace, flaw } => {
                Error::new(flaw.to_string(), trace, "trace fewer ranks, or a shorter run")
            }
            TooLong { trace } => Error::new(
                "the times of this trace add up to more than the simulator counts, 213 days",
                trace,
                Remedy::from("scale its computation down (").then(Input::ScaleCompute).then(")"),
            ),
        }
    }
}
