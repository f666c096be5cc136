//! Mistakes in simulations and in collective operations.

use loggia_model::Error;
use loggia_model::error::{Input, Remedy};
use loggia_model::placement::MOST_PROCS;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Micros};
use loggia_schedule::schedule::{Flaw, MOST_OPS};

/// Why something cannot be simulated.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulationError {
    /// A schedule without ranks.
    NoRanks,
    /// The nodes of fewer ranks, or of more.
    NodesOfOthers {
        nodes: usize,
        ranks: u32,
    },
    /// Nodes on a signature without a tier between nodes and one inside.
    NoTierBetweenNodes {
        signature: String,
    },
    /// Single numbers with another simulation model than LogGOPS.
    SingleNumbers,
    /// LogGOPS on a signature with several overheads.
    SeveralOverheads {
        signature: String,
        bytes: Bytes,
        send: Micros,
        recv: Micros,
    },
    TimeTooLong(Micros),
    /// The sum of all times of a schedule, at an operation of this rank.
    ScheduleTooLong {
        rank: u32,
        most: &'static str,
    },
    InvalidSchedule(Flaw),
    /// Algorithms of collectives on single numbers.
    NeedsSignature,
    /// A two-level algorithm without nodes.
    NeedsNodes {
        algorithm: &'static str,
    },
    TooManyOperations {
        op: Operation,
        algorithm: &'static str,
        procs: u32,
        operations: u128,
    },
    /// The closed form of this algorithm.
    FormTooLong {
        algorithm: &'static str,
    },
    Collective(CollectiveMistake),
}

/// A collective operation that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectiveMistake {
    NoRanks,
    TooManyRanks(u32),
    RootOutside {
        root: u32,
        procs: u32,
    },
    EmptySegments,
    /// The nodes of fewer ranks, or of more.
    NodesOfOthers {
        nodes: u32,
        procs: u32,
    },
    TooManyBytes {
        procs: u32,
        bytes: u64,
    },
}

impl From<CollectiveMistake> for SimulationError {
    fn from(mistake: CollectiveMistake) -> Self {
        SimulationError::Collective(mistake)
    }
}

impl From<CollectiveMistake> for Error {
    fn from(mistake: CollectiveMistake) -> Self {
        use CollectiveMistake::*;
        match mistake {
            NoRanks => Error::new("a collective on 0 ranks", Input::Procs, "use 1 or more"),
            TooManyRanks(procs) => Error::new(
                format!("a collective on {procs} ranks"),
                Input::Procs,
                format!("use {MOST_PROCS} or fewer"),
            ),
            RootOutside { root, procs } => Error::new(
                format!("there is no rank {root} among {procs} ranks, to be the root"),
                Input::Root,
                format!("use 0 to {}", procs - 1),
            ),
            EmptySegments => Error::new("segments of 0 bytes", Input::Segment, "use 1 or more"),
            NodesOfOthers { nodes, procs } => Error::new(
                format!("the placement has {nodes} ranks, not {procs}"),
                Input::Nodes,
                "place every rank",
            ),
            TooManyBytes { procs, bytes } => Error::new(
                format!("{procs} blocks of {bytes} bytes are too many to count"),
                Input::Bytes,
                "use fewer bytes",
            ),
        }
    }
}

impl From<SimulationError> for Error {
    fn from(error: SimulationError) -> Self {
        use SimulationError::*;
        match error {
            NoRanks => Error::new("there are no ranks in this schedule", "", "add some"),
            NodesOfOthers { nodes, ranks } => Error::new(
                format!("nodes are given for {nodes} of {ranks} ranks"),
                Input::Nodes,
                "name the node of every rank",
            ),
            NoTierBetweenNodes { signature } => Error::new(
                format!("{signature} lacks a tier between nodes"),
                Input::Nodes,
                "leave the nodes out, or choose another machine",
            ),
            SingleNumbers => Error::new(
                "single numbers are for the simulation model loggops",
                Input::Rules,
                Remedy::from("give a signature, or leave ").then(Input::Rules).then(" out"),
            ),
            SeveralOverheads { signature, bytes, send, recv } => Error::new(
                format!(
                    "the simulation model loggops has one o for all messages; {signature} reports \
                     o_s = {} and o_r = {} µs at {} bytes",
                    send.0, recv.0, bytes.0
                ),
                Input::Rules,
                Remedy::from(
                    "use loggpo, loggps or loggp, which take both and their curves, or give single \
                     numbers (",
                )
                .then(Input::SingleNumbers)
                .then(")"),
            ),
            TimeTooLong(time) => Error::new(
                format!("{:e} µs is longer than the simulator counts", time.0),
                "parameters",
                "times of a run must stay below 100 days",
            ),
            ScheduleTooLong { rank, most } => Error::new(
                "the times of this schedule add up to more than the simulator counts",
                format!("rank {rank}"),
                format!("all operations together may take up to {most} here; make them shorter"),
            ),
            InvalidSchedule(flaw) => flaw.into(),
            NeedsSignature => {
                Error::new("an algorithm needs a signature", Input::Signature, "choose a machine")
            }
            NeedsNodes { algorithm } => Error::new(
                format!("{algorithm} must know which ranks share a node"),
                Input::Nodes,
                "say so, such as block:8 for 8 ranks on each",
            ),
            TooManyOperations { op, algorithm, procs, operations } => Error::new(
                format!(
                    "{} {algorithm} on {procs} ranks has {operations} operations; at most \
                     {MOST_OPS} are supported",
                    op.name()
                ),
                Input::Procs,
                "use fewer ranks, or another algorithm",
            ),
            FormTooLong { algorithm } => Error::new(
                format!("{algorithm} takes longer than can be counted"),
                Input::Bytes,
                "use fewer bytes or fewer ranks",
            ),
            Collective(mistake) => mistake.into(),
        }
    }
}
