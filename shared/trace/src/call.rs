//! Calls of a rank.
//!
//! | file | content |
//! |---|---|
//! | `envelope` | envelope of a message, send modes |
//! | `completion` | completed requests |
//! | `collective` | operation, communicator and sizes of a collective call |
//! | `list` | encoding of lists in the file |
//! | `kinds` | kinds of calls and their names |

/// An enum whose variants the file stores as numbers.
macro_rules! numbered {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$about_one:meta])* $one:ident,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$about_one])* $one,)* }

        impl $name {
            /// All variants, in the order of their numbers.
            pub const ALL: [$name; [$($name::$one),*].len()] = [$($name::$one),*];
        }
    };
}

mod collective;
mod completion;
mod envelope;
mod kinds;
mod list;

pub use collective::{Collective, Operation, ReductionOperator};
pub use completion::{CompletedRequest, CompletedRequests, Completion, MatchedMessage};
pub use envelope::{ALONE, ANY_TAG, Envelope, Mode, Peer, WORLD};
pub use kinds::{KINDS, is_nonblocking_collective};
pub use list::{Entry, List, Packed};

numbered! {
    /// A transfer into or out of another rank's memory.
    pub enum OneSided {
        /// `MPI_Put`
        Put,
        /// `MPI_Get`
        Get,
        /// `MPI_Accumulate`
        Accumulate,
    }
}

/// A call of a rank. Ranks are numbered in the call's communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call<'a> {
    /// A send that waits until its buffer is free.
    Send(Mode, Envelope),
    /// A blocking receive.
    Recv {
        /// The received message.
        got: Envelope,
        /// Whether the receive accepted any source.
        any_source: bool,
        /// Whether the receive accepted any tag.
        any_tag: bool,
    },
    /// `MPI_Sendrecv`
    Sendrecv {
        /// The sent message.
        send: Envelope,
        /// The received message.
        got: Envelope,
        /// Whether the receive accepted any source.
        any_source: bool,
        /// Whether the receive accepted any tag.
        any_tag: bool,
    },
    /// A non-blocking send, and its request.
    Isend(Mode, Envelope, u32),
    /// A non-blocking receive, and its request.
    Irecv(Envelope, u32),
    /// A persistent send, and its request.
    SendInit(Mode, Envelope, u32),
    /// A persistent receive, and its request.
    RecvInit(Envelope, u32),
    /// Starts persistent requests.
    Start(List<'a>),
    /// Waits for requests, or tests them.
    Complete {
        how: Completion,
        /// Number of requests in the call.
        requested: u32,
        /// The completed requests.
        done: CompletedRequests<'a>,
    },
    /// `MPI_Request_free`: the operation still completes.
    Release(u32),
    /// `MPI_Cancel`
    Cancel(u32),
    /// Waits until a message can be received, or tests for it.
    Probe {
        /// The message found.
        met: Envelope,
        /// Whether the receive accepted any source.
        any_source: bool,
        /// Whether the receive accepted any tag.
        any_tag: bool,
        /// Whether the probe blocks.
        waits: bool,
    },
    /// Number of consecutive tests and probes without success.
    Polls(u64),
    /// A collective operation.
    Collective(Collective<'a>),
    /// A persistent collective operation, with its request.
    CollectiveInit(Collective<'a>),
    /// A communicator is created.
    CommNew {
        /// Its number on this rank.
        comm: u32,
        /// The communicator from which it is created.
        parent: u32,
        /// Its name on all ranks.
        name: u64,
        /// This rank's number in it.
        rank: u32,
        /// Number of ranks.
        size: u32,
    },
    /// `MPI_Comm_idup`: a non-blocking duplicate of a communicator.
    CommIdup {
        /// Its number on this rank.
        comm: u32,
        /// The communicator from which it is created.
        parent: u32,
        /// Its name on all ranks.
        name: u64,
        /// This rank's number in it.
        rank: u32,
        /// Number of ranks.
        size: u32,
        request: u32,
    },
    /// A communicator is freed.
    CommFree(u32),
    /// A window over memory is created for the ranks of a communicator.
    WindowNew {
        /// Its number on this rank.
        window: u32,
        comm: u32,
        /// Size in bytes.
        bytes: u64,
    },
    /// A window is freed.
    WindowFree(u32),
    /// A transfer into or out of another rank's memory.
    OneSided {
        how: OneSided,
        window: u32,
        /// The rank whose memory is accessed.
        peer: Peer,
        bytes: u64,
    },
    /// All transfers of a window complete.
    Fence(u32),
    /// A communication call that Loggia cannot replay, by the number of its name.
    Other(u32),
    /// Assigns a number to the name of a call for [`Call::Other`].
    Named {
        /// The number.
        other: u32,
        /// The name.
        name: &'a str,
    },
    /// The program marks a phase: `MPI_Pcontrol`.
    Phase(i64),
    /// `MPI_Finalize`
    Finalize,
}
