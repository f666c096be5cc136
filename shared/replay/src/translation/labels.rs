//! Labels, tags and descriptions of a replay's operations.

use loggia_schedule::schedule::{ANY, Kind, Op};
use loggia_trace::call::{ANY_TAG, KINDS, WORLD};
use rustc_hash::FxHashMap;

/// The label of the time before a rank's start. Later computation between calls has the label of
/// the call before it.
pub(crate) const START: u8 = u8::MAX;
/// The label of the computation before a rank's first call.
pub(crate) const FIRST: u8 = u8::MAX - 1;
/// Bit of the labels of all operations inside a call.
pub(crate) const INSIDE: u8 = 1 << 7;

/// Unique tags for all communicators and operations.
#[derive(Debug, Default)]
pub(super) struct Tags {
    own: FxHashMap<(u32, u32), u32>,
}

/// Tags below this one in the world are the program's own tags, unchanged.
const OWN: u32 = 1 << 30;
/// First tag of collective operations: communicator, then number of operations before.
pub(super) const COLLECTIVE: u32 = 1 << 31;
/// Windows count down from here, in place of a communicator.
pub(super) const WINDOWS: u32 = u32::MAX;

impl Tags {
    #[inline]
    pub(super) fn of(&mut self, comm: u32, tag: u32) -> u32 {
        if comm == WORLD && (tag < OWN || tag == ANY_TAG) {
            return tag;
        }
        let next = OWN + self.own.len() as u32 % OWN;
        *self.own.entry((comm, tag)).or_insert(next)
    }
}

/// An operation by its call: `rank 3: Isend, 8 bytes to rank 4, tag 0`.
pub(crate) fn describe(op: &Op) -> String {
    let Op { rank, peer, size, tag, label, .. } = *op;
    let call = KINDS.get(usize::from(label & !INSIDE)).copied();
    let kind = match op.kind {
        Kind::Calc if label & INSIDE == 0 || label >= FIRST => {
            return format!("rank {rank}: computation");
        }
        Kind::Calc => return format!("rank {rank}: {}", call.unwrap_or("computation")),
        Kind::Send | Kind::Ssend => "to",
        Kind::Recv => "from",
    };
    let peer = if peer == ANY { "any rank".to_owned() } else { format!("rank {peer}") };
    let tag = if tag < OWN { format!(", tag {tag}") } else { String::new() };
    let call = call.unwrap_or("a call");
    format!("rank {rank}: {call}, {size} bytes {kind} {peer}{tag}")
}
