//! Placement of ranks on nodes.

use crate::Error;
use crate::error::PlacementError;
use std::collections::HashMap;

/// Maximum number of ranks: a broadcast on them has as many operations as a schedule can hold.
pub const MAX_PROCS: u32 = 1 << 30;

/// A placement for any number of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Consecutive ranks on a node, this many per node.
    Block(u32),
    /// Round-robin over this many nodes.
    Cyclic(u32),
    /// The name of each rank's node.
    Explicit(Vec<u32>),
}

/// The remark on a placement if the machine has a single tier.
pub fn one_tier(name: &str) -> String {
    format!("{name} has one tier: messages within a node cost as much as between nodes")
}

impl Placement {
    /// `block:8`, `cyclic:4` or `0,0,1,1`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let number = |word: &str| {
            let not_a_number = |_| PlacementError::NotANumber(word.to_owned());
            word.trim().parse::<u32>().map_err(not_a_number)
        };
        let above_0 = |text: &str, error: PlacementError| match number(text)? {
            0 => Err(error),
            count => Ok(count),
        };
        match text.split_once(':') {
            Some(("block", each)) => {
                Ok(Placement::Block(above_0(each, PlacementError::EmptyNodes)?))
            }
            Some(("cyclic", nodes)) => {
                Ok(Placement::Cyclic(above_0(nodes, PlacementError::NoNodes)?))
            }
            Some((word, _)) => Err(PlacementError::UnknownScheme(word.to_owned()).into()),
            None => Ok(Placement::Explicit(text.split(',').map(number).collect::<Result<_, _>>()?)),
        }
    }
}

/// The node of every rank. Nodes are numbered by their first rank, which is the leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// The node of each rank.
    node_of: Vec<u32>,
    /// Index of each rank on its node.
    index: Vec<u32>,
    /// Start of each node's ranks in `members`, and the end of the last.
    first: Vec<u32>,
    /// The ranks, node by node.
    members: Vec<u32>,
}

impl Nodes {
    /// Reads a [`Placement`], for this many ranks.
    pub fn parse(text: &str, ranks: u32) -> Result<Self, Error> {
        if ranks > MAX_PROCS {
            return Err(PlacementError::TooManyRanks(ranks).into());
        }
        match Placement::parse(text)? {
            Placement::Block(each) => Nodes::block(ranks, each),
            Placement::Cyclic(nodes) => Nodes::cyclic(ranks, nodes),
            Placement::Explicit(names) if names.len() == ranks as usize => {
                Ok(Nodes::explicit(&names))
            }
            Placement::Explicit(names) => {
                Err(PlacementError::WrongNumberOfNodes { nodes: names.len(), ranks }.into())
            }
        }
    }

    /// Block placement: `each` consecutive ranks per node.
    pub fn block(ranks: u32, each: u32) -> Result<Self, Error> {
        if each == 0 {
            return Err(PlacementError::EmptyNodes.into());
        }
        check_memory(ranks)?;
        Ok(Nodes {
            node_of: (0..ranks).map(|rank| rank / each).collect(),
            index: (0..ranks).map(|rank| rank % each).collect(),
            first: (0..ranks).step_by(each as usize).chain([ranks]).collect(),
            members: (0..ranks).collect(),
        })
    }

    /// Round-robin placement over `nodes` nodes.
    pub fn cyclic(ranks: u32, nodes: u32) -> Result<Self, Error> {
        if nodes == 0 {
            return Err(PlacementError::NoNodes.into());
        }
        check_memory(ranks)?;
        Ok(Nodes::explicit(&(0..ranks).map(|rank| rank % nodes).collect::<Vec<_>>()))
    }

    /// Explicit placement, by the node of each rank.
    pub fn explicit(names: &[u32]) -> Self {
        let mut known = HashMap::new();
        let mut sizes: Vec<u32> = Vec::new();
        let [mut node_of, mut index] = [(); 2].map(|()| Vec::with_capacity(names.len()));
        for name in names {
            let node = *known.entry(*name).or_insert(sizes.len());
            if node == sizes.len() {
                sizes.push(0);
            }
            node_of.push(node as u32);
            index.push(sizes[node]);
            sizes[node] += 1;
        }
        let mut first = vec![0];
        for size in &sizes {
            first.push(first[first.len() - 1] + size);
        }
        let mut members = vec![0; names.len()];
        for (rank, (node, index)) in node_of.iter().zip(&index).enumerate() {
            members[(first[*node as usize] + index) as usize] = rank as u32;
        }
        Nodes { node_of, index, first, members }
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.node_of.len() as u32
    }

    /// Number of nodes.
    pub fn count(&self) -> u32 {
        (self.first.len() - 1) as u32
    }

    /// The node of a rank.
    pub fn of(&self, rank: u32) -> u32 {
        self.node_of[rank as usize]
    }

    /// The node of every rank.
    pub fn of_all(&self) -> &[u32] {
        &self.node_of
    }

    /// The ranks of a node.
    pub fn members(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.members[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The largest number of ranks on a node.
    pub fn largest(&self) -> u32 {
        (0..self.count()).map(|node| self.members(node).len()).max().unwrap_or_default() as u32
    }

    /// Whether all nodes have the same number of ranks.
    pub fn are_equal(&self) -> bool {
        let size = |node| self.members(node).len();
        (1..self.count()).all(|node| size(node) == size(0))
    }

    /// The placement relative to a root.
    pub fn seen_from(&self, root: u32) -> Seen<'_> {
        Seen { nodes: self, node: self.of(root), index: self.index[root as usize] }
    }
}

/// A placement relative to a root: the root's node is 0, and the root is rank 0 on it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    nodes: &'a Nodes,
    node: u32,
    index: u32,
}

impl Seen<'_> {
    /// Number of nodes.
    pub fn count(&self) -> u32 {
        self.nodes.count()
    }

    /// Number of ranks on a node.
    pub fn size(&self, node: u32) -> u32 {
        self.nodes.members(self.real(node)).len() as u32
    }

    /// The node of a rank, and the index of the rank on it.
    pub fn place(&self, rank: u32) -> (u32, u32) {
        let (node, count) = (self.nodes.of(rank), self.count());
        let index = self.nodes.index[rank as usize];
        let size = self.nodes.members(node).len() as u32;
        let turned = if node == self.node { (index + size - self.index) % size } else { index };
        ((node + count - self.node) % count, turned)
    }

    /// The rank with this index on a node.
    pub fn rank(&self, node: u32, index: u32) -> u32 {
        let real = self.real(node);
        let members = self.nodes.members(real);
        let shift = if node == 0 { self.index } else { 0 };
        members[(index + shift) as usize % members.len()]
    }

    fn real(&self, node: u32) -> u32 {
        ((u64::from(node) + u64::from(self.node)) % u64::from(self.count())) as u32
    }
}

/// Refuses ranks whose placement exceeds the memory: five numbers per rank.
fn check_memory(ranks: u32) -> Result<(), PlacementError> {
    let reserved = Vec::<[u32; 5]>::new().try_reserve_exact(ranks as usize);
    reserved.map_err(|_| PlacementError::TooManyRanks(ranks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_cyclic_and_explicit() {
        let block = Nodes::block(5, 2).unwrap();
        assert_eq!(block.count(), 3);
        assert_eq!(block, Nodes::explicit(&[4, 4, 2, 2, 0]));
        assert_eq!(block.members(2), [4]);
        assert!(!block.are_equal());
        let cyclic = Nodes::cyclic(6, 2).unwrap();
        assert_eq!(cyclic.members(1), [1, 3, 5]);
        assert!(cyclic.are_equal());
        let explicit = Nodes::explicit(&[7, 3, 7, 9]);
        assert_eq!([0, 1, 2].map(|n| explicit.members(n).to_vec()), [vec![0, 2], vec![1], vec![3]]);
        assert!(Nodes::block(4, 0).is_err() && Nodes::cyclic(4, 0).is_err());
    }

    #[test]
    fn the_root_is_the_leader() {
        let nodes = Nodes::explicit(&[0, 1, 1, 0, 1]);
        let seen = nodes.seen_from(2);
        assert_eq!(seen.place(2), (0, 0));
        assert_eq!([0, 1, 2].map(|i| seen.rank(0, i)), [2, 4, 1]);
        assert_eq!([0, 1].map(|i| seen.rank(1, i)), [0, 3]);
        for rank in 0..5 {
            let (node, index) = seen.place(rank);
            assert_eq!(seen.rank(node, index), rank);
        }
    }
}
