//! Ranks that have a communicator together: who is in it.

use super::super::line::Creation;

/// How a communicator was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// With the same ranks as its parent.
    Same,
    /// By colour and key.
    Split,
    /// In an unknown way.
    Somehow,
    /// Nobody saw it.
    Unseen,
}

impl Kind {
    pub(super) fn of(how: Creation) -> Self {
        match how {
            Creation::Same => Kind::Same,
            Creation::Split { .. } => Kind::Split,
            Creation::Somehow => Kind::Somehow,
        }
    }
}

/// A rank at a meeting.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Participant {
    /// Number in the parent.
    pub(super) place: u32,
    /// And in the world.
    pub(super) rank: usize,
    /// Index of the communicator on this rank.
    pub(super) own: usize,
    pub(super) colour: i64,
    pub(super) key: i64,
}

/// Ranks that make communicators together.
#[derive(Debug)]
pub(super) struct Meeting {
    /// The group of those who are expected.
    pub(super) parent: usize,
    pub(super) kind: Kind,
    pub(super) came: Vec<Participant>,
    /// Number of participants that have used the new communicator.
    pub(super) seen: usize,
    pub(super) is_resolved: bool,
    /// Ranks that go on when it is resolved.
    pub(super) waiting: Vec<usize>,
}

impl Meeting {
    pub(super) fn new(parent: usize, kind: Kind) -> Self {
        let (came, waiting) = (Vec::new(), Vec::new());
        Meeting { parent, kind, came, seen: 0, is_resolved: false, waiting }
    }

    /// Name of a new communicator, common to its ranks.
    pub(super) fn name(met: usize, which: usize) -> u64 {
        (met as u64 + 1) << 32 | which as u64
    }
}
