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
    /// A rank of a communicator that appears in no trace.
    UnknownMember { file: String, rank: u32, size: u32 },
    /// Not `OPERATION=ALGORITHM`.
    NotAChoice(String),
    /// A two-level algorithm: a trace does not hold the placement of ranks on nodes.
    NeedsNodes { algorithm: &'static str },
    /// Computation is scaled on a rank that the trace does not have.
    RankOutside { rank: u32, ranks: u32 },
    /// The trace's schedule is invalid.
    InvalidSchedule { trace: String, flaw: schedule::Flaw },
    /// The sum of times exceeds the simulator's range.
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
                format!("request {request} is open, but at most {most} can be open at a time")
            }
            Contradiction::CommSize { rank, size, known } => {
                format!("rank {rank} of {size} in a communicator of {known}")
            }
            Contradiction::RepeatedMember(rank) => {
                format!("a communicator has two ranks {rank}")
            }
            Contradiction::CommNumber { comm, known } => {
                format!("communicator {comm} follows communicator {known}")
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
                format!("rank {rank} of a communicator of {size} ranks appears in no trace"),
                file,
                "its trace ends before the communicator was created: trace again",
            ),
            NotAChoice(words) => Error::new(
                format!("`{words}` is not OPERATION=ALGORITHM"),
                Input::Algorithm,
                "write, for example, allreduce=ring",
            ),
            NeedsNodes { algorithm } => Error::new(
                format!(
                    "{algorithm} needs the placement of ranks on nodes, which a trace does not hold"
                ),
                Input::Algorithm,
                "choose an algorithm that is not two-level",
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
                "the times of this trace exceed the simulator's maximum, 213 days",
                trace,
                Remedy::from("scale its computation down (").then(Input::ScaleCompute).then(")"),
            ),
        }
    }
}
