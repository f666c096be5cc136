//! A rank's communicators: where its trace mentions each for the first time.

use super::line::{Comm, Creation, LineContent};
use rustc_hash::FxHashMap;

/// A first use, a creation or a release of a communicator.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// First use, or first use since the handle was freed.
    Seen(Comm),
    /// Created from another one; its handle is stored at an address.
    Made { parent: Comm, how: Creation, at: u64 },
    /// The one whose handle is stored there is freed.
    Freed(u64),
}

/// Distinguishes new communicators from known ones.
#[derive(Debug, Default)]
pub(super) struct Handles {
    /// The first event of each.
    known: FxHashMap<Comm, usize>,
    events: usize,
    /// The last one looked up.
    before: Option<(Comm, usize)>,
}

impl Handles {
    /// The event by which a communicator is known, and whether this is it. None knows that of a
    /// rank alone.
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

    /// The number of another event.
    pub(super) fn event(&mut self) -> usize {
        self.events += 1;
        self.events - 1
    }

    /// The number of the event that a communicator was given up; its handle may be used again.
    pub(super) fn freed(&mut self) -> usize {
        self.known.clear();
        self.before = None;
        self.event()
    }
}

/// The communicator that a call is made in.
pub(super) fn of(said: &LineContent) -> Option<Comm> {
    let comm = match said {
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
        | LineContent::CommAsk(comm) => *comm,
        _ => return None,
    };
    Some(comm)
}
