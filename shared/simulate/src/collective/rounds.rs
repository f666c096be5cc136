//! Rounds in which every rank sends to one rank and receives from one rank: the building blocks of
//! algorithms without a tree.

use super::fold::Fold;
use super::program::{Data, Op, Program, exchange};
use super::shape::doublings;
use super::time::Clock;

/// The rank at a distance ahead, modulo n.
pub(crate) fn ahead(v: u32, by: u32, n: u32) -> u32 {
    ((u64::from(v) + u64::from(by)) % u64::from(n)) as u32
}

/// The rank at a distance back, modulo n.
pub(crate) fn back(v: u32, by: u32, n: u32) -> u32 {
    ahead(v, n - by % n, n)
}

/// n − 1 rounds in which every rank sends to the next rank: first part `v + shift`, then the part
/// that it has just received. Each part passes once around the ring.
pub(crate) fn ring(
    program: &mut dyn Program,
    (n, v): (u32, u32),
    (shift, part): (u32, &dyn Fn(u32) -> Data),
    combined: bool,
    start: Option<Op>,
) -> Option<Op> {
    let (next, previous) = (ahead(v, 1, n), back(v, 1, n));
    let mut sent = ahead(v, shift, n);
    let mut last = start;
    for _ in 1..n {
        let received = back(sent, 1, n);
        let (out, into) = ((next, part(sent)), (previous, part(received)));
        last = Some(exchange(program, out, into, combined, last));
        sent = received;
    }
    last
}

/// ⌈log2 n⌉ rounds; in round i every rank v sends a token to rank v + 2^i.
pub(crate) fn disseminate(
    program: &mut dyn Program,
    (n, v): (u32, u32),
    start: Option<Op>,
) -> Option<Op> {
    (0..doublings(n)).fold(start, |last, round| {
        let out = (ahead(v, 1 << round, n), Data::Token);
        let into = (back(v, 1 << round, n), Data::Token);
        Some(exchange(program, out, into, false, last))
    })
}

/// Pairs at distance 2^(k−1), 2^(k−2) … 1 exchange halves of their data and combine the kept half,
/// until each of 2^k workers holds one part of the result.
pub(crate) fn halve(
    program: &mut dyn Program,
    (fold, worker): (Fold, u32),
    naming: &dyn Fn(u32, u32) -> Data,
    start: Option<Op>,
) -> Option<Op> {
    fold.masks().rev().fold(start, |last, mask| {
        let (own, others) = (worker & !(mask - 1), (worker ^ mask) & !(mask - 1));
        let partner = fold.rank(worker ^ mask);
        let (out, into) = ((partner, naming(others, mask)), (partner, naming(own, mask)));
        Some(exchange(program, out, into, true, last))
    })
}

/// Pairs at distance 1, 2, 4 … exchange all their data, until each worker holds everything.
pub(crate) fn double(
    program: &mut dyn Program,
    (fold, worker): (Fold, u32),
    naming: &dyn Fn(u32, u32) -> Data,
    start: Option<Op>,
) -> Option<Op> {
    fold.masks().fold(start, |last, mask| {
        let (own, others) = (worker & !(mask - 1), (worker ^ mask) & !(mask - 1));
        let partner = fold.rank(worker ^ mask);
        let (out, into) = ((partner, naming(own, mask)), (partner, naming(others, mask)));
        Some(exchange(program, out, into, false, last))
    })
}

impl Clock<'_> {
    /// Time of [`halve`] with parts of k bytes.
    pub(crate) fn halve(&mut self, fold: Fold, k: u64) {
        for mask in fold.masks().rev() {
            self.exchange(k * u64::from(mask));
            self.combine(k * u64::from(mask));
        }
    }

    /// Time of [`double`] with parts of k bytes.
    pub(crate) fn double(&mut self, fold: Fold, k: u64) {
        for mask in fold.masks() {
            self.exchange(k * u64::from(mask));
        }
    }

    /// Time of [`Fold::begin`] or [`Fold::end`] if p is not a power of two: a message of k bytes,
    /// with or without a reduction.
    pub(crate) fn fold(&mut self, fold: Fold, k: u64, combined: bool) {
        if fold.extra > 0 {
            self.cpu = self.cpu + self.costs.message(k);
            if combined {
                self.combine(k);
            }
        }
    }
}
