//! Meetings: the ranks that create a communicator together.

use super::super::line::Creation;

/// How a communicator was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// With the same ranks as its parent.
    Same,
    /// By colour and key.
    Split,
    /// By a call that does not record the members.
    Unknown,
    /// The creation is not in the trace.
    Unseen,
}

impl Kind {
    pub(super) fn of(how: Creation) -> Self {
        match how {
            Creation::Same => Kind::Same,
            Creation::Split { .. } => Kind::Split,
            Creation::Unknown => Kind::Unknown,
        }
    }
}

/// A rank at a meeting.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Participant {
    /// Rank in the parent.
    pub(super) place: u32,
    /// Rank in the world.
    pub(super) rank: usize,
    /// Index of the communicator on this rank.
    pub(super) own: usize,
    pub(super) colour: i64,
    pub(super) key: i64,
}

/// The matching creating calls of the parent's ranks.
#[derive(Debug)]
pub(super) struct Meeting {
    /// Index of the group of the expected participants.
    pub(super) parent: usize,
    pub(super) kind: Kind,
    pub(super) participants: Vec<Participant>,
    /// Number of participants that have used the new communicator.
    pub(super) seen: usize,
    pub(super) is_resolved: bool,
    /// Ranks that continue when the meeting is resolved.
    pub(super) waiting: Vec<usize>,
}

impl Meeting {
    pub(super) fn new(parent: usize, kind: Kind) -> Self {
        let (participants, waiting) = (Vec::new(), Vec::new());
        Meeting { parent, kind, participants, seen: 0, is_resolved: false, waiting }
    }

    /// Name of a new communicator, the same on all its ranks.
    pub(super) fn name(meeting: usize, index: usize) -> u64 {
        (meeting as u64 + 1) << 32 | index as u64
    }
}
