//! Labels and tags of a replay's operations, and how an operation is described.

use loggia_schedule::schedule::{ANY, Kind, Op};
use loggia_trace::call::{ANY_TAG, KINDS, WORLD};
use rustc_hash::FxHashMap;

/// The label of what a rank does before its first call. Later computation between calls has the
/// label of the call before it.
pub(crate) const START: u8 = u8::MAX;
/// The label of the computation before its first call.
pub(crate) const FIRST: u8 = u8::MAX - 1;
/// Added to the label of everything that belongs to a call.
pub(crate) const INSIDE: u8 = 1 << 7;

/// Tags of all communicators and operations, as numbers of their own.
#[derive(Debug, Default)]
pub(super) struct Tags {
    own: FxHashMap<(u32, u32), u32>,
}

/// Tags of the program's own messages in the communicator of all, below this one, are themselves.
const OWN: u32 = 1 << 30;
/// Tags of collective operations begin here: the communicator, then how many came before.
pub(super) const COLLECTIVE: u32 = 1 << 31;
/// As a communicator: windows count down from here.
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
