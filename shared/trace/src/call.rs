//! What a rank called.
//!
//! | file | what it answers |
//! |---|---|
//! | `envelope` | what is sent to whom, and how |
//! | `completion` | which requests have come to their end |
//! | `collective` | what does a collective call do, among whom and with how much |
//! | `list` | how do lists stand in the file |
//! | `kinds` | what kinds of calls are there, and what are they called |

/// Choices that the file keeps as numbers.
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
            /// In the order of their numbers.
            pub const ALL: [$name; [$($name::$one),*].len()] = [$($name::$one),*];
        }
    };
}

mod collective;
mod completion;
mod envelope;
mod kinds;
mod list;

pub use collective::{Collective, Combine, Operation};
pub use completion::{CompletedRequest, Completion, Dones, MatchedMessage};
pub use envelope::{ALONE, ANY_TAG, Envelope, Mode, Peer, WORLD};
pub use kinds::{KINDS, goes_on_by_itself};
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
    /// A blocking receive, with what it asked for.
    Recv {
        /// The received message.
        got: Envelope,
        /// Whether it would have taken any source.
        any_source: bool,
        /// Whether it would have taken any tag.
        any_tag: bool,
    },
    /// Both at once.
    Sendrecv {
        /// The sent message.
        send: Envelope,
        /// The received message.
        got: Envelope,
        /// Whether the receive would have taken any source.
        any_source: bool,
        /// Whether the receive would have taken any tag.
        any_tag: bool,
    },
    /// A send that does not wait, and its request.
    Isend(Mode, Envelope, u32),
    /// A receive that does not wait, and its request.
    Irecv(Envelope, u32),
    /// A send that can be started many times, and its request.
    SendInit(Mode, Envelope, u32),
    /// A receive that can be started many times, and its request.
    RecvInit(Envelope, u32),
    /// Starts such requests.
    Start(List<'a>),
    /// Waits for requests, or asks for them.
    Complete {
        how: Completion,
        /// Number of requests in the call.
        asked: u32,
        /// The completed requests.
        done: Dones<'a>,
    },
    /// Gives a request up: it comes to its end by itself.
    Release(u32),
    /// Takes a request back.
    Cancel(u32),
    /// Waits until a message can be received, or asks whether one can.
    Probe {
        /// The cancelled message, if it was received.
        met: Envelope,
        /// Whether it would have taken any source.
        any_source: bool,
        /// Whether it would have taken any tag.
        any_tag: bool,
        /// Whether it waits for it.
        waits: bool,
    },
    /// Consecutive calls that asked for something that was not there yet.
    Polls(u64),
    /// A collective operation.
    Collective(Collective<'a>),
    /// A collective operation that can be started many times, with its request.
    CollectiveInit(Collective<'a>),
    /// A communicator is made.
    CommNew {
        /// Its number on this rank.
        comm: u32,
        /// Out of which.
        parent: u32,
        /// Its name on all ranks.
        name: u64,
        /// This rank's number in it.
        rank: u32,
        /// Number of ranks.
        size: u32,
    },
    /// A communicator of the same ranks is made, without waiting for it.
    CommIdup {
        /// Its number on this rank.
        comm: u32,
        /// Out of which.
        parent: u32,
        /// Its name on all ranks.
        name: u64,
        /// This rank's number in it.
        rank: u32,
        /// Number of ranks.
        size: u32,
        request: u32,
    },
    /// A communicator is given up.
    CommFree(u32),
    /// Memory is opened to the ranks of a communicator.
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
    /// All transfers of a window come to their end.
    Fence(u32),
    /// A call that communicates and that Loggia cannot replay, by its number in the list of names.
    Other(u32),
    /// Declares a number for the name of other calls.
    Named {
        /// The number.
        other: u32,
        /// The name.
        name: &'a str,
    },
    /// The program marks a phase: `MPI_Pcontrol`.
    Phase(i64),
    /// The program has reached `MPI_Finalize`.
    Finalize,
}
