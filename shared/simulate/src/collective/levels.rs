//! Two levels: the ranks of a node among themselves, and the first rank of each node, its leader,
//! among the leaders.

use super::Shape;
use super::program::{Program, Renumbered};
use loggia_model::placement::{Nodes, Seen};

/// A rank's place on both levels, counted from the root.
pub(crate) struct TwoLevelRank<'a> {
    seen: Seen<'a>,
    node: u32,
    index: u32,
}

impl<'a> TwoLevelRank<'a> {
    /// The place of a rank; `None` without nodes.
    pub(crate) fn of(shape: &Shape<'a>, rank: u32) -> Option<Self> {
        let seen = shape.nodes?.seen_from(shape.root);
        let (node, index) = seen.place(rank);
        Some(TwoLevelRank { seen, node, index })
    }

    /// Whether it leads its node.
    pub(crate) fn leads(&self) -> bool {
        self.index == 0
    }

    /// Calls with its node's ranks.
    pub(crate) fn inside<T>(
        &self,
        program: &mut dyn Program,
        does: impl FnOnce(&mut dyn Program, (u32, u32)) -> T,
    ) -> T {
        let rank_of = |index| self.seen.rank(self.node, index);
        let mut inside = Renumbered { program, rank_of: &rank_of };
        does(&mut inside, (self.seen.size(self.node), self.index))
    }

    /// Calls with the leaders, if it is one.
    pub(crate) fn among<T>(
        &self,
        program: &mut dyn Program,
        does: impl FnOnce(&mut dyn Program, (u32, u32)) -> T,
    ) -> T {
        let rank_of = |node| self.seen.rank(node, 0);
        let mut among = Renumbered { program, rank_of: &rank_of };
        does(&mut among, (self.seen.count(), self.node))
    }
}

/// Number of messages to go up or down inside all nodes.
pub(crate) fn messages_inside(shape: &Shape) -> u128 {
    shape.nodes.map_or(0, |nodes| u128::from(nodes.ranks() - nodes.count()))
}

/// Number of leaders that wait for others on their node.
pub(crate) fn joins(shape: &Shape) -> u128 {
    let waiting = |nodes: &Nodes| {
        (0..nodes.count()).filter(|node| nodes.members(*node).len() > 1).count() as u128
    };
    shape.nodes.map_or(0, waiting)
}

/// Whether all nodes are of one size, and so all leaders are ready at the same time: how many nodes
/// there are, and of how many ranks.
pub(crate) fn equal_nodes(shape: &Shape) -> Option<(u32, u32)> {
    let nodes = shape.nodes.filter(|nodes| nodes.are_equal())?;
    Some((nodes.count(), nodes.ranks() / nodes.count().max(1)))
}

/// The shape with the largest node, for an estimate if nodes differ.
pub(crate) fn largest_nodes(shape: &Shape) -> (u32, u32) {
    shape.nodes.map_or((1, 1), |nodes| (nodes.count(), nodes.largest().max(1)))
}
