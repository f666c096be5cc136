//! A binomial tree with consecutive ranks, and therefore contiguous blocks, in each subtree: v +
//! 2^j below v for every 2^j that divides v. A message between a rank and its child holds the
//! blocks of the child's whole subtree.
//!
//! # Formula
//! As [for other trees](super::tree), with the bytes of each subtree: O(log² p) steps if all blocks
//! are equal.

use super::program::{Data, Op, Program};
use super::time::{Clock, Costs, Time};
use std::collections::BTreeMap;

/// Returns the data of consecutive ranks, from the first rank and their number.
pub(crate) type Naming<'a> = &'a dyn Fn(u32, u32) -> Data;

/// Distance of the largest child of v among n ranks; 0 if v has none.
fn reach(n: u32, v: u32) -> u32 {
    let widest = match v {
        0 => n.next_power_of_two() / 2,
        v => (1 << v.trailing_zeros()) / 2,
    };
    let mut reach = widest;
    while reach > 0 && u64::from(v) + u64::from(reach) >= u64::from(n) {
        reach /= 2;
    }
    reach
}

/// The children of v with the sizes of their subtrees, the largest first.
pub(crate) fn children(n: u32, v: u32) -> impl DoubleEndedIterator<Item = (u32, u32)> {
    let bits = u32::BITS - reach(n, v).leading_zeros();
    (0..bits).rev().map(move |bit| {
        let child = v + (1 << bit);
        (child, (1 << bit).min(n - child))
    })
}

/// Number of ranks in the subtree of v, which is not the root.
fn size(n: u32, v: u32) -> u32 {
    (1 << v.trailing_zeros()).min(n - v)
}

fn parent(v: u32) -> u32 {
    v & (v - 1)
}

/// Sends every rank its block from the root, the largest subtree first.
pub(crate) fn scatter(
    program: &mut dyn Program,
    (n, v): (u32, u32),
    naming: Naming,
    start: Option<Op>,
) -> Option<Op> {
    let has = match v {
        0 => start,
        _ => Some(program.recv(parent(v), naming(v, size(n, v)), start)),
    };
    for (child, size) in children(n, v) {
        program.send(child, naming(child, size), has);
    }
    has
}

/// Sends every rank's block to the root. A rank forwards the blocks of its subtree; at the root,
/// `then` waits for all blocks.
pub(crate) fn gather(
    program: &mut dyn Program,
    (n, v): (u32, u32),
    naming: Naming,
    start: Option<Op>,
    then: Option<Op>,
) -> Option<Op> {
    let then = match v {
        0 => then,
        _ => Some(program.send(parent(v), naming(v, size(n, v)), start)),
    };
    for (child, size) in children(n, v).rev() {
        let got = program.recv(child, naming(child, size), start);
        if let Some(then) = then {
            program.after(then, got);
        }
    }
    then
}

/// Time of a scatter, by a subtree's ranks and bytes.
pub(crate) struct Scatter<'a> {
    pub costs: &'a dyn Costs,
    /// Start of a rank's block.
    pub begins: &'a dyn Fn(u32) -> u64,
    /// Action of a rank after sending to all children.
    pub then: &'a dyn Fn(&mut Clock<'a>) -> Time,
    pub known: BTreeMap<(u32, u64), Time>,
}

impl<'a> Scatter<'a> {
    /// Time until all `size` ranks from `v` on have finished, with `v` as root.
    pub(crate) fn time(&mut self, v: u32, size: u32) -> Time {
        let key = (size, (self.begins)(v + size) - (self.begins)(v));
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let time = self.after(v, size, Clock::new(self.costs));
        self.known.insert(key, time);
        time
    }

    /// The same, for a root that was busy before.
    pub(crate) fn after(&mut self, v: u32, size: u32, mut clock: Clock<'a>) -> Time {
        let mut all = Time::default();
        for (child, below) in children(size, 0) {
            let first = v + child;
            let bytes = (self.begins)(first + below) - (self.begins)(first);
            let left = clock.send(bytes);
            let has = left + self.costs.l(bytes) + self.costs.b(bytes) + self.costs.o_r(bytes);
            all = all.max(has + self.time(first, below));
        }
        let own = (self.then)(&mut clock);
        all.max(own)
    }
}

/// Range of gathers, which have messages of several sizes.
pub(crate) const UNLESS_TIED: &str = "any p, m and parameters, unless messages of different sizes \
                                      reach a rank at the same time";

/// Time of a gather of equal blocks, by the size of a subtree.
pub(crate) struct Gather<'a> {
    /// State of every rank at the start.
    pub start: Clock<'a>,
    /// Bytes of one block.
    pub bytes: u64,
    /// Whether messages of different sizes reached a network interface at the same time, so that
    /// the result depends on their order.
    pub is_tied: bool,
    known: BTreeMap<u32, Time>,
}

impl<'a> Gather<'a> {
    pub(crate) fn new(start: Clock<'a>, bytes: u64) -> Self {
        Gather { start, bytes, is_tied: false, known: BTreeMap::new() }
    }

    /// When the root of n ranks has all blocks.
    pub(crate) fn root(&mut self, n: u32) -> Clock<'a> {
        let mut arrivals: Vec<(Time, u64)> =
            children(n, 0).map(|(_, size)| (self.leaves(size), self.of(size))).collect();
        arrivals.sort_by_key(|(left, bytes)| (left.ps, *bytes));
        let clock = self.take(&arrivals);
        arrivals.sort_by_key(|(left, bytes)| (left.ps, u64::MAX - bytes));
        self.is_tied |= self.take(&arrivals).cpu.ps != clock.cpu.ps;
        clock
    }

    /// Receives messages with these departures, in this order.
    fn take(&self, arrivals: &[(Time, u64)]) -> Clock<'a> {
        let mut clock = self.start;
        for (left, bytes) in arrivals {
            clock.recv(*left, *bytes);
        }
        clock
    }

    /// When the root of n ranks has forwarded their blocks.
    fn leaves(&mut self, n: u32) -> Time {
        if let Some(known) = self.known.get(&n) {
            return *known;
        }
        let time = self.root(n).send(self.of(n));
        self.known.insert(n, time);
        time
    }

    fn of(&self, ranks: u32) -> u64 {
        self.bytes.saturating_mul(u64::from(ranks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_hold_consecutive_ranks() {
        for n in 1..70u32 {
            for v in 0..n {
                let mut next = v + 1;
                for (child, below) in children(n, v).rev() {
                    assert_eq!((child, parent(child)), (next, v), "{n}");
                    assert_eq!(below, size(n, child));
                    next += below;
                }
                assert_eq!(next, if v == 0 { n } else { v + size(n, v) });
            }
        }
    }
}
