//! Two levels: the ranks inside each node, and the leaders, which are the first ranks of the nodes.

use super::Shape;
use super::program::{Program, Renumbered};
use loggia_model::placement::{Nodes, Seen};

/// A rank's position on both levels, counted from the root.
pub(crate) struct TwoLevelRank<'a> {
    seen: Seen<'a>,
    node: u32,
    index: u32,
}

impl<'a> TwoLevelRank<'a> {
    /// The position of a rank; `None` without nodes.
    pub(crate) fn of(shape: &Shape<'a>, rank: u32) -> Option<Self> {
        let seen = shape.nodes?.seen_from(shape.root);
        let (node, index) = seen.place(rank);
        Some(TwoLevelRank { seen, node, index })
    }

    /// Whether the rank is its node's leader.
    pub(crate) fn leads(&self) -> bool {
        self.index == 0
    }

    /// Emits actions among the node's ranks.
    pub(crate) fn inside<T>(
        &self,
        program: &mut dyn Program,
        emit: impl FnOnce(&mut dyn Program, (u32, u32)) -> T,
    ) -> T {
        let rank_of = |index| self.seen.rank(self.node, index);
        let mut inside = Renumbered { program, rank_of: &rank_of };
        emit(&mut inside, (self.seen.size(self.node), self.index))
    }

    /// Emits actions among the leaders; the rank must be a leader.
    pub(crate) fn among<T>(
        &self,
        program: &mut dyn Program,
        emit: impl FnOnce(&mut dyn Program, (u32, u32)) -> T,
    ) -> T {
        let rank_of = |node| self.seen.rank(node, 0);
        let mut among = Renumbered { program, rank_of: &rank_of };
        emit(&mut among, (self.seen.count(), self.node))
    }
}

/// Number of messages up or down inside all nodes.
pub(crate) fn messages_inside(shape: &Shape) -> u128 {
    shape.nodes.map_or(0, |nodes| u128::from(nodes.ranks() - nodes.count()))
}

/// Number of leaders that wait for other ranks of their node.
pub(crate) fn joins(shape: &Shape) -> u128 {
    let waiting = |nodes: &Nodes| {
        (0..nodes.count()).filter(|node| nodes.members(*node).len() > 1).count() as u128
    };
    shape.nodes.map_or(0, waiting)
}

/// Number of nodes and ranks per node, if all nodes have equal size and so all leaders are ready
/// simultaneously.
pub(crate) fn equal_nodes(shape: &Shape) -> Option<(u32, u32)> {
    let nodes = shape.nodes.filter(|nodes| nodes.are_equal())?;
    Some((nodes.count(), nodes.ranks() / nodes.count().max(1)))
}

/// Number of nodes and the size of the largest, for an estimate if sizes differ.
pub(crate) fn largest_nodes(shape: &Shape) -> (u32, u32) {
    shape.nodes.map_or((1, 1), |nodes| (nodes.count(), nodes.largest().max(1)))
}
