//! Trees of ranks: a vector is broadcast down, or vectors are reduced up.
//!
//! # Formula
//! For a rank with subtrees of n_1, n_2 … ranks, in the order of its sends:
//! - down: D(n) = max over i of (i − 1) M + E + D(n_i), D(1) = 0
//! - up: U(n) = the time when the messages of all children are combined. A child's message leaves
//!   at U(n_i) + o_s; simultaneous messages wait for g + B at the network interface and for o_r + c
//!   at the processor
//!
//! E = o_s + L + B + o_r, M = max(o_s, g + B), all at m bytes. A subtree's time depends only on its
//! size, and a tree of p ranks has only O(log p) sizes, so both take O(log² p) steps.

use super::program::{Data, Op, Program};
use super::time::{Clock, Costs, Time};
use std::collections::BTreeMap;
use std::iter::successors;

/// A tree on n ranks, numbered from its root 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// All other ranks are children of the root.
    Flat,
    /// Each rank is the child of the rank before.
    Chain,
    /// 2v + 1 and 2v + 2 are children of v.
    Binary,
    /// v + 2^j is a child of v, for every 2^j > v.
    Binomial,
}

impl Tree {
    /// The parent of a rank that is not the root.
    fn parent(self, v: u32) -> u32 {
        match self {
            Tree::Flat => 0,
            Tree::Chain => v - 1,
            Tree::Binary => (v - 1) / 2,
            Tree::Binomial => v - (1 << v.ilog2()),
        }
    }

    /// The children of a rank, in the order of its sends.
    pub(crate) fn children(self, n: u32, v: u32) -> impl Iterator<Item = u32> {
        let (v, n) = (u64::from(v), u64::from(n));
        let first = match self {
            Tree::Flat if v > 0 => None,
            Tree::Flat | Tree::Chain => Some(v + 1),
            Tree::Binary => Some(2 * v + 1),
            Tree::Binomial => Some(v + (v + 1).next_power_of_two()),
        };
        let next = move |&child: &u64| match self {
            Tree::Flat => Some(child + 1),
            Tree::Chain => None,
            Tree::Binary => (child == 2 * v + 1).then_some(child + 1),
            Tree::Binomial => Some(v + 2 * (child - v)),
        };
        successors(first, next).take_while(move |child| *child < n).map(|child| child as u32)
    }

    /// The sizes of the subtrees below the root of n ranks, in the order of its sends.
    fn split(self, n: u32) -> Vec<u32> {
        match self {
            Tree::Flat => vec![1; n as usize - 1],
            Tree::Chain => (n > 1).then_some(n - 1).into_iter().collect(),
            Tree::Binary => {
                let left = left_of_heap(n);
                [left, n - 1 - left].into_iter().filter(|size| *size > 0).collect()
            }
            Tree::Binomial => {
                self.children(n, 0).map(|child| (n - child).div_ceil(2 * child)).collect()
            }
        }
    }

    /// Broadcasts the root's data.
    pub(crate) fn down(
        self,
        program: &mut dyn Program,
        (n, v): (u32, u32),
        data: Data,
        start: Option<Op>,
    ) -> Option<Op> {
        let has = match v {
            0 => start,
            _ => Some(program.recv(self.parent(v), data, start)),
        };
        for child in self.children(n, v) {
            program.send(child, data, has);
        }
        has
    }

    /// Reduces all data to the root; every rank forwards its partial result.
    pub(crate) fn up(self, program: &mut dyn Program, (n, v): (u32, u32), data: Data) {
        let sent = self.send_up(program, v, data);
        self.collect(program, (n, v), data, sent);
    }

    /// Sends to the parent, if the rank has one.
    pub(crate) fn send_up(self, program: &mut dyn Program, v: u32, data: Data) -> Option<Op> {
        (v > 0).then(|| program.send(self.parent(v), data, None))
    }

    /// The same as [`up`](Self::up); returns what the root must await to have the result, and other
    /// ranks their send.
    pub(crate) fn up_then(
        self,
        program: &mut dyn Program,
        (n, v): (u32, u32),
        data: Data,
    ) -> Option<Op> {
        let then = match v {
            0 if n > 1 => Some(program.join()),
            v => self.send_up(program, v, data),
        };
        self.collect(program, (n, v), data, then);
        then
    }

    /// Combines the data of the children, before `then`.
    pub(crate) fn collect(
        self,
        program: &mut dyn Program,
        (n, v): (u32, u32),
        data: Data,
        then: Option<Op>,
    ) {
        for child in self.children(n, v) {
            let combined = program.reduce(child, data, None);
            if let Some(then) = then {
                program.after(then, combined);
            }
        }
    }
}

/// Size of the left subtree of a heap of n ranks.
fn left_of_heap(n: u32) -> u32 {
    let depth = n.ilog2();
    let (above, last) = ((1 << depth) - 1, n - ((1 << depth) - 1));
    match depth {
        0 => 0,
        _ => (above - 1) / 2 + last.min(1 << (depth - 1)),
    }
}

/// Times of broadcasts by the size of the tree, each computed once.
pub(crate) struct Down<'a> {
    costs: &'a dyn Costs,
    tree: Tree,
    bytes: u64,
    known: BTreeMap<u32, Time>,
}

impl<'a> Down<'a> {
    pub(crate) fn new(costs: &'a dyn Costs, tree: Tree, bytes: u64) -> Self {
        Down { costs, tree, bytes, known: BTreeMap::new() }
    }

    /// D(n): time from the root's vector until all n ranks have it.
    pub(crate) fn time(&mut self, n: u32) -> Time {
        if let Some(known) = self.known.get(&n) {
            return *known;
        }
        let time = self.after(n, Clock::new(self.costs));
        self.known.insert(n, time);
        time
    }

    /// The same, for a root that was busy before.
    pub(crate) fn after(&mut self, n: u32, mut root: Clock) -> Time {
        let flight =
            self.costs.l(self.bytes) + self.costs.b(self.bytes) + self.costs.o_r(self.bytes);
        let mut all = root.cpu;
        for size in self.tree.split(n) {
            let left = root.send(self.bytes);
            all = all.max(left + flight + self.time(size));
        }
        all
    }
}

/// Times of reductions by the size of the tree, each computed once.
pub(crate) struct Up<'a> {
    costs: &'a dyn Costs,
    tree: Tree,
    bytes: u64,
    combined: bool,
    known: BTreeMap<u32, Time>,
}

impl<'a> Up<'a> {
    pub(crate) fn new(costs: &'a dyn Costs, tree: Tree, bytes: u64, combined: bool) -> Self {
        Up { costs, tree, bytes, combined, known: BTreeMap::new() }
    }

    /// When the root of n ranks has the result.
    pub(crate) fn root(&mut self, n: u32) -> Clock<'a> {
        let arrivals = self.arrivals(n);
        self.take(arrivals)
    }

    /// When the root of n ranks has sent its result.
    pub(crate) fn leaves(&mut self, n: u32) -> Time {
        if let Some(known) = self.known.get(&n) {
            return *known;
        }
        let time = self.root(n).send(self.bytes);
        self.known.insert(n, time);
        time
    }

    /// When the messages to the root of n ranks leave its children.
    pub(crate) fn arrivals(&mut self, n: u32) -> Vec<Time> {
        let sizes = self.tree.split(n);
        sizes.into_iter().map(|size| self.leaves(size)).collect()
    }

    /// A rank that receives and combines messages with these departures.
    pub(crate) fn take(&self, mut arrivals: Vec<Time>) -> Clock<'a> {
        let mut clock = Clock::new(self.costs);
        arrivals.sort_by_key(|left| left.ps);
        for left in arrivals {
            clock.recv(left, self.bytes);
            if self.combined {
                clock.combine(self.bytes);
            }
        }
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_children_and_sizes_agree() {
        for tree in [Tree::Flat, Tree::Chain, Tree::Binary, Tree::Binomial] {
            for n in 1..70u32 {
                let mut sizes = vec![1; n as usize];
                for v in (1..n).rev() {
                    assert!(tree.children(n, tree.parent(v)).any(|child| child == v));
                    sizes[tree.parent(v) as usize] += sizes[v as usize];
                }
                let below: Vec<u32> = tree.children(n, 0).map(|v| sizes[v as usize]).collect();
                assert_eq!(tree.split(n), below, "{tree:?} of {n}");
            }
        }
    }
}
