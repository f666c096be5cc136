//! Mistakes in simulations and in collective operations.

use loggia_model::Error;
use loggia_model::error::{Input, Place, Remedy};
use loggia_model::placement::MAX_PROCS;
use loggia_model::signature::Operation;
use loggia_model::units::words::{number, size, time};
use loggia_model::units::{Bytes, Micros};
use loggia_schedule::schedule::{Flaw, MAX_OPS};

/// Why something cannot be simulated.
#[derive(Clone, Debug, PartialEq)]
pub enum SimulationError {
    /// A schedule without ranks.
    NoRanks,
    /// The placement has a different number of ranks.
    WrongPlacement {
        nodes: usize,
        ranks: u32,
    },
    /// Nodes with a signature that has no tiers between and inside nodes.
    NoTierBetweenNodes {
        signature: String,
    },
    /// Single numbers with a simulation model other than LogGOPS.
    SingleNumbers,
    /// LogGOPS with a signature that has several overheads.
    SeveralOverheads {
        signature: String,
        bytes: Bytes,
        send: Micros,
        recv: Micros,
    },
    TimeTooLong(Micros),
    /// The sum of all times exceeds the range.
    ScheduleTooLong {
        most: &'static str,
    },
    InvalidSchedule(Flaw),
    /// A collective algorithm with single numbers.
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
    /// A simulation needs this memory or more.
    OutOfMemory {
        op: Operation,
        algorithm: &'static str,
        procs: u32,
        needed: Bytes,
        /// The free memory, if known.
        free: Option<Bytes>,
    },
    /// The closed form of this algorithm exceeds the range.
    FormTooLong {
        algorithm: &'static str,
    },
    Collective(CollectiveMistake),
}

/// Invalid parameters of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectiveMistake {
    NoRanks,
    TooManyRanks(u32),
    RootOutside {
        root: u32,
        procs: u32,
    },
    EmptySegments,
    /// The placement has a different number of ranks.
    WrongPlacement {
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
                format!("use {MAX_PROCS} or fewer"),
            ),
            RootOutside { root, procs } => Error::new(
                format!("root {root} is not one of {procs} ranks"),
                Input::Root,
                format!("use 0 to {}", procs - 1),
            ),
            EmptySegments => Error::new("segments of 0 bytes", Input::Segment, "use 1 or more"),
            WrongPlacement { nodes, procs } => Error::new(
                format!("the placement has {nodes} ranks, not {procs}"),
                Input::Nodes,
                "give the node of every rank",
            ),
            TooManyBytes { procs, bytes } => Error::new(
                format!("{procs} blocks of {bytes} bytes exceed Loggia's maximum"),
                Input::Bytes,
                "use fewer bytes",
            ),
        }
    }
}

/// A large amount of memory, such as `14.3 GiB`.
fn gibibytes(bytes: Bytes) -> String {
    format!("{} GiB", number(bytes.count() / f64::from(1 << 30), 3))
}

impl From<SimulationError> for Error {
    fn from(error: SimulationError) -> Self {
        use SimulationError::*;
        match error {
            NoRanks => Error::new("this schedule has no ranks", "", "add ranks"),
            WrongPlacement { nodes, ranks } => Error::new(
                format!("nodes are given for {nodes} of {ranks} ranks"),
                Input::Nodes,
                "give the node of every rank",
            ),
            NoTierBetweenNodes { signature } => Error::new(
                format!("{signature} lacks a tier between nodes"),
                Input::Nodes,
                "omit the nodes, or choose another machine",
            ),
            SingleNumbers => Error::new(
                "single numbers need the simulation model loggops",
                Input::Rules,
                Remedy::from("give a signature, or omit ").then(Input::Rules),
            ),
            SeveralOverheads { signature, bytes, send, recv } => Error::new(
                format!(
                    "the simulation model loggops has one o for all messages; {signature} reports \
                     o_s = {} and o_r = {} at {}",
                    time(send),
                    time(recv),
                    size(bytes)
                ),
                Input::Rules,
                Remedy::from(
                    "use loggpo, loggps or loggp, which support both and their curves, or give single \
                     numbers (",
                )
                .then(Input::SingleNumbers)
                .then(")"),
            ),
            TimeTooLong(time) => Error::new(
                format!("{:e} µs exceeds the simulator's maximum", time.0),
                "parameters",
                "use times below 100 days",
            ),
            ScheduleTooLong { most } => Error::new(
                "the times of this schedule exceed the simulator's maximum",
                Place::Nowhere,
                format!("shorten the operations: their sum may be at most {most} here"),
            ),
            InvalidSchedule(flaw) => flaw.into(),
            NeedsSignature => {
                Error::new("an algorithm needs a signature", Input::Signature, "choose a machine")
            }
            NeedsNodes { algorithm } => Error::new(
                format!("{algorithm} needs the placement of ranks on nodes"),
                Input::Nodes,
                "give it, such as block:8 for 8 ranks per node",
            ),
            TooManyOperations { op, algorithm, procs, operations } => Error::new(
                format!(
                    "{} {algorithm} on {procs} ranks has {operations} operations; at most \
                     {MAX_OPS} are supported",
                    op.name()
                ),
                Input::Procs,
                "use fewer ranks, or another algorithm",
            ),
            OutOfMemory { op, algorithm, procs, needed, free } => {
                let free = free.map_or_else(String::new, |free| {
                    format!(", but {} are free", gibibytes(free))
                });
                let (op, needed) = (op.name(), gibibytes(needed));
                Error::new(
                    format!("{op} {algorithm} on {procs} ranks needs {needed} of memory{free}"),
                    Input::Procs,
                    "use fewer ranks, or a machine with more memory",
                )
            }
            FormTooLong { algorithm } => Error::new(
                format!("the time of {algorithm} exceeds Loggia's maximum"),
                Input::Bytes,
                "use fewer bytes or fewer ranks",
            ),
            Collective(mistake) => mistake.into(),
        }
    }
}
