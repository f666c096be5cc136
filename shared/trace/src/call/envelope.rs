//! Envelopes of messages.

/// `MPI_COMM_WORLD`
pub const WORLD: u32 = 0;
/// `MPI_COMM_SELF`
pub const ALONE: u32 = 1;
/// `MPI_ANY_TAG` of a receive.
pub const ANY_TAG: u32 = u32::MAX;

/// The other rank, in the call's communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// `MPI_PROC_NULL`.
    Null,
    /// `MPI_ANY_SOURCE`.
    AnySource,
    Rank(u32),
}

/// The envelope of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The other rank.
    pub peer: Peer,
    /// The tag, or [`ANY_TAG`] in a wildcard receive.
    pub tag: u32,
    /// Bytes of the message; of an open receive, its capacity.
    pub bytes: u64,
    pub comm: u32,
}

impl Envelope {
    /// Whether it is the envelope of a wildcard receive: only the matched message tells source and
    /// tag.
    #[inline]
    pub fn is_wild(&self) -> bool {
        self.peer == Peer::AnySource || self.tag == ANY_TAG && self.peer != Peer::Null
    }
}

numbered! {
    /// Send modes.
    #[derive(Default)]
    pub enum Mode {
        /// `MPI_Send`
        #[default]
        Standard,
        /// `MPI_Bsend`
        Buffered,
        /// `MPI_Ssend`
        Synchronous,
        /// `MPI_Rsend`
        Ready,
    }
}
