//! Encoding of a call: one byte for its kind, the time since the end of the call before, the call's
//! duration (both in ns), then its arguments. All numbers are varints; a typical call takes 10 to
//! 15 bytes.

mod read;
mod write;

use crate::call::Call;
pub use read::read;
pub use write::write;

/// A call and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Computation since the end of the call before, in ns.
    pub gap: u64,
    /// Duration of the call, in ns.
    pub duration: u64,
    pub call: Call<'a>,
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The bytes end inside the record.
    Cut,
    /// Unknown kind: a newer version wrote the record, or it is damaged.
    Kind(u8),
    /// A field is out of its range.
    Value,
}

/// Numbers of the kinds, fixed for ever by the format. 0 is the end.
mod kind {
    pub(super) const SEND: u8 = 1;
    pub(super) const ISEND: u8 = 5;
    pub(super) const SEND_INIT: u8 = 9;
    pub(super) const RECV: u8 = 13;
    pub(super) const SENDRECV: u8 = 17;
    pub(super) const IRECV: u8 = 21;
    pub(super) const RECV_INIT: u8 = 22;
    pub(super) const START: u8 = 23;
    pub(super) const COMPLETE: u8 = 24;
    pub(super) const RELEASE: u8 = 32;
    pub(super) const CANCEL: u8 = 33;
    pub(super) const PROBE: u8 = 34;
    pub(super) const IPROBE: u8 = 38;
    pub(super) const POLLS: u8 = 42;
    pub(super) const COLLECTIVE: u8 = 43;
    pub(super) const ICOLLECTIVE: u8 = 44;
    pub(super) const COMM_NEW: u8 = 45;
    pub(super) const COMM_FREE: u8 = 46;
    pub(super) const WINDOW_NEW: u8 = 47;
    pub(super) const WINDOW_FREE: u8 = 48;
    pub(super) const ONE_SIDED: u8 = 49;
    pub(super) const FENCE: u8 = 52;
    pub(super) const OTHER: u8 = 53;
    pub(super) const NAMED: u8 = 54;
    pub(super) const PHASE: u8 = 55;
    pub(super) const FINALIZE: u8 = 56;
    pub(super) const COLLECTIVE_INIT: u8 = 57;
    pub(super) const COMM_IDUP: u8 = 58;
}

/// Flags for the optional parts of a collective call.
mod has {
    pub(super) const ROOT: u8 = 1;
    pub(super) const COMBINE: u8 = 2;
    pub(super) const SENDS: u8 = 4;
    pub(super) const RECEIVES: u8 = 8;
    pub(super) const SEND_PLACES: u8 = 16;
    pub(super) const RECEIVE_PLACES: u8 = 32;
}
