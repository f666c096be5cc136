//! The parameters of an algorithm: ranks, bytes, root, segment size, nodes.

use super::program::Data;
use crate::error::CollectiveMistake;
use loggia_model::placement::{MAX_PROCS, Nodes};
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::{Bytes, Procs};

/// Default segment of a pipeline.
pub const SEGMENT: Bytes = Bytes(8192);

/// The parameters of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// p
    pub procs: Procs,
    /// m, counted as the operation [counts](Operation::bytes_are). In a barrier, the bytes of every
    /// message.
    pub bytes: Bytes,
    /// Root of a broadcast, scatter, gather or reduction. Ranks are counted from it, modulo p.
    /// Other operations have no root.
    pub root: u32,
    /// Segment size of pipelined algorithms.
    pub segment: Bytes,
    /// Placement of ranks, for two-level algorithms.
    pub nodes: Option<&'a Nodes>,
}

impl<'a> Shape<'a> {
    /// A shape with root 0, segments of [`SEGMENT`], and no nodes.
    pub fn new(procs: Procs, bytes: Bytes) -> Self {
        Shape { procs, bytes, root: 0, segment: SEGMENT, nodes: None }
    }

    /// Sets the root.
    #[must_use]
    pub fn root(self, root: u32) -> Self {
        Shape { root, ..self }
    }

    /// Sets the segment size.
    #[must_use]
    pub fn segment(self, segment: Bytes) -> Self {
        Shape { segment, ..self }
    }

    /// Sets the nodes.
    #[must_use]
    pub fn nodes(self, nodes: &'a Nodes) -> Self {
        Shape { nodes: Some(nodes), ..self }
    }

    pub(crate) fn p(&self) -> u32 {
        self.procs.0
    }

    pub(crate) fn m(&self) -> u64 {
        self.bytes.0
    }

    /// Number of segments; an empty vector is one message.
    pub(crate) fn segments(&self) -> u64 {
        self.m().div_ceil(self.segment.0).max(1)
    }

    /// Start of a part of the vector in `of` parts, as equal as possible, the larger parts first.
    pub(crate) fn part_begins(&self, part: u32, of: u32) -> u64 {
        let (each, larger) = (self.m() / u64::from(of), self.m() % u64::from(of));
        each * u64::from(part) + larger.min(u64::from(part))
    }

    /// The largest of `of` parts.
    pub(crate) fn part(&self, of: u32) -> u64 {
        self.m().div_ceil(u64::from(of))
    }

    /// Whether `of` parts are equal.
    pub(crate) fn has_equal_parts(&self, of: u32) -> bool {
        self.m().is_multiple_of(u64::from(of))
    }

    /// Bytes of a message's data.
    pub(crate) fn size(&self, data: Data) -> u64 {
        match data {
            Data::Token | Data::Vector | Data::Sum | Data::Pair { .. } => self.m(),
            Data::Parts { first, count, of } => {
                let begins = |part| self.part_begins(part, of);
                match first + count {
                    end if end <= of => begins(end) - begins(first),
                    end => self.m() - begins(first) + begins(end - of),
                }
            }
            Data::Segment(index) => self.segment.0.min(self.m() - index * self.segment.0),
            Data::Blocks { count, .. } => self.m() * u64::from(count),
            Data::Round { round, .. } => self.m() * u64::from(forwarded_blocks(self.p(), round)),
        }
    }

    /// An error if the shape is invalid for the operation.
    pub fn check(&self, op: Operation) -> Result<(), CollectiveMistake> {
        let p = self.p();
        if p == 0 {
            return Err(CollectiveMistake::NoRanks);
        }
        if p > MAX_PROCS {
            return Err(CollectiveMistake::TooManyRanks(p));
        }
        if self.root >= p {
            return Err(CollectiveMistake::RootOutside { root: self.root, procs: p });
        }
        if self.segment.0 == 0 {
            return Err(CollectiveMistake::EmptySegments);
        }
        if let Some(nodes) = self.nodes.filter(|nodes| nodes.ranks() != p) {
            let nodes = nodes.ranks();
            return Err(CollectiveMistake::WrongPlacement { nodes, procs: p });
        }
        let blocks = match op.bytes_are() {
            BytesAre::PerPair | BytesAre::PerRank => u64::from(p),
            BytesAre::Total | BytesAre::Vector => 1,
        };
        match self.m().checked_mul(blocks) {
            Some(_) => Ok(()),
            None => Err(CollectiveMistake::TooManyBytes { procs: p, bytes: self.m() }),
        }
    }
}

/// Number of integers below p with this bit set.
pub(crate) fn forwarded_blocks(p: u32, round: u32) -> u32 {
    let (p, bit) = (u64::from(p), 1u64 << round);
    let (whole, rest) = (p / (2 * bit), p % (2 * bit));
    (whole * bit + rest.saturating_sub(bit)) as u32
}

/// ⌈log2 p⌉: number of doublings from 1 to at least p.
pub(crate) fn doublings(p: u32) -> u32 {
    u32::BITS - (p.max(1) - 1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let shape = Shape::new(Procs(5), Bytes(13));
        let sizes: Vec<u64> = (0..5).map(|i| shape.size(Data::parts(i, 1, 5))).collect();
        assert_eq!(sizes, [3, 3, 3, 2, 2]);
        assert_eq!(shape.size(Data::parts(4, 3, 5)), 2 + 3 + 3);
    }

    #[test]
    fn rounds_and_forwarded_blocks() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9].map(doublings), [0, 1, 2, 2, 3, 3, 4]);
        for p in 1..=40u32 {
            for round in 0..6 {
                let counted = (0..p).filter(|i| i >> round & 1 == 1).count();
                assert_eq!(forwarded_blocks(p, round) as usize, counted);
            }
        }
        assert_eq!(forwarded_blocks(u32::MAX, 31), (1 << 31) - 1);
    }

    #[test]
    fn invalid_shapes_are_errors() {
        let shape = |p, m| Shape::new(Procs(p), Bytes(m));
        assert!(shape(0, 1).check(Operation::Bcast).is_err());
        assert!(shape(4, 1).root(4).check(Operation::Bcast).is_err());
        assert!(shape(4, 1).segment(Bytes(0)).check(Operation::Bcast).is_err());
        assert!(shape(4, u64::MAX).check(Operation::Gather).is_err());
        assert!(shape(4, u64::MAX).check(Operation::Bcast).is_ok());
    }
}
