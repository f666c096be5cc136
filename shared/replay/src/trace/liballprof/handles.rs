//! First uses of a rank's communicators.

use super::line::{Comm, Creation, LineContent};
use rustc_hash::FxHashMap;

/// A first use, a creation or a release of a communicator.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// First use, or first use since the handle was freed.
    Seen(Comm),
    /// Created from `parent`; the new handle is stored at an address.
    Made { parent: Comm, how: Creation, at: u64 },
    /// The communicator whose handle is stored at this address is freed.
    Freed(u64),
}

/// Distinguishes new communicators from known ones.
#[derive(Debug, Default)]
pub(super) struct Handles {
    /// The first event of each communicator.
    known: FxHashMap<Comm, usize>,
    events: usize,
    /// The result of the last lookup.
    before: Option<(Comm, usize)>,
}

impl Handles {
    /// The event of a communicator's first use, and whether this is the first use.
    #[inline]
    pub(super) fn seen(&mut self, comm: Comm) -> (usize, bool) {
        if let Some((before, event)) = self.before
            && before == comm
        {
            return (event, false);
        }
        let next = self.events;
        let event = *self.known.entry(comm).or_insert(next);
        self.events += usize::from(event == next);
        self.before = Some((comm, event));
        (event, event == next)
    }

    /// Counts another event and returns its number.
    pub(super) fn event(&mut self) -> usize {
        self.events += 1;
        self.events - 1
    }

    /// Counts the freeing of a communicator, whose handle may be reused, and returns its number.
    pub(super) fn freed(&mut self) -> usize {
        self.known.clear();
        self.before = None;
        self.event()
    }
}

/// The communicator of a call.
pub(super) fn of(content: &LineContent) -> Option<Comm> {
    let comm = match content {
        LineContent::Send(_, message)
        | LineContent::Recv(message)
        | LineContent::Isend(_, message, _)
        | LineContent::Irecv(message, _)
        | LineContent::SendInit(_, message, _)
        | LineContent::RecvInit(message, _)
        | LineContent::Sendrecv(message, _)
        | LineContent::Probe(message)
        | LineContent::Iprobe(message) => message.comm,
        LineContent::Collective(call) => call.comm,
        LineContent::Make { comm, .. }
        | LineContent::WindowNew { comm, .. }
        | LineContent::CommQuery(comm) => *comm,
        _ => return None,
    };
    Some(comm)
}
