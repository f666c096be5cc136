//! What is sent to whom, and how.

/// The communicator of all ranks.
pub const WORLD: u32 = 0;
/// The communicator of the rank alone.
pub const ALONE: u32 = 1;
/// Any tag, as a receive's.
pub const ANY_TAG: u32 = u32::MAX;

/// Who is at the other end, counted in the call's communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// Nobody: `MPI_PROC_NULL`.
    Nobody,
    /// Whoever comes first: `MPI_ANY_SOURCE`.
    Any,
    /// This rank.
    Rank(u32),
}

/// What is sent to whom, or received from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The other rank.
    pub peer: Peer,
    /// Its tag; [`ANY_TAG`] in a receive that takes any.
    pub tag: u32,
    /// How many bytes; of a receive that has not ended, how many it has room for.
    pub bytes: u64,
    /// In which communicator.
    pub comm: u32,
}

impl Envelope {
    /// Whether a receive asks with it for any source or any tag, so that only what it has met tells
    /// which message it took.
    #[inline]
    pub fn is_wild(&self) -> bool {
        self.peer == Peer::Any || self.tag == ANY_TAG && self.peer != Peer::Nobody
    }
}

numbered! {
    /// How a message is sent.
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
