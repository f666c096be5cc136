//! Any number of ranks for algorithms that need a power of two: of 2^k + x ranks, the first 2x form
//! pairs, and the first rank of each pair works for both.

use super::program::{Data, Op, Program};

/// The 2^k working ranks, and the x extra ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    /// 2^k
    pub power: u32,
    /// x
    pub extra: u32,
}

/// The role of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Represented by this rank.
    Rests(u32),
    /// Works under this number, and for the second rank if given.
    Works(u32, Option<u32>),
}

impl Fold {
    pub(crate) fn new(n: u32) -> Self {
        let power = 1 << n.ilog2();
        Fold { power, extra: n - power }
    }

    pub(crate) fn role(self, v: u32) -> Role {
        match v {
            v if v >= 2 * self.extra => Role::Works(v - self.extra, None),
            v if v.is_multiple_of(2) => Role::Works(v / 2, Some(v + 1)),
            v => Role::Rests(v - 1),
        }
    }

    /// The rank that works under this number, which is the first rank of its pair.
    pub(crate) fn rank(self, worker: u32) -> u32 {
        worker + worker.min(self.extra)
    }

    /// 1, 2, 4 … below 2^k.
    pub(crate) fn masks(self) -> impl DoubleEndedIterator<Item = u32> {
        (0..self.power.ilog2()).map(|bit| 1 << bit)
    }

    /// Number of messages of `rounds` rounds among all workers, with `times` per pair.
    pub(crate) fn messages(self, rounds: u32, times: u32) -> u128 {
        let working = u128::from(self.power) * u128::from(rounds) * u128::from(self.power.ilog2());
        working + u128::from(times) * u128::from(self.extra)
    }

    /// Passes the data of the extra ranks to the workers, combined or separate.
    pub(crate) fn begin(
        self,
        program: &mut dyn Program,
        v: u32,
        data_of: &dyn Fn(u32) -> Data,
        combined: bool,
        start: Option<Op>,
    ) -> Option<Op> {
        match self.role(v) {
            Role::Rests(worker) => Some(program.send(worker, data_of(v), start)),
            Role::Works(_, Some(other)) if combined => {
                Some(program.reduce(other, data_of(other), start))
            }
            Role::Works(_, Some(other)) => Some(program.recv(other, data_of(other), start)),
            Role::Works(_, None) => start,
        }
    }

    /// Passes the results of the extra ranks back to them.
    pub(crate) fn end(
        self,
        program: &mut dyn Program,
        v: u32,
        data_of: &dyn Fn(u32) -> Data,
        done: Option<Op>,
    ) -> Option<Op> {
        match self.role(v) {
            Role::Rests(worker) => Some(program.recv(worker, data_of(v), done)),
            Role::Works(_, Some(other)) => {
                program.send(other, data_of(other), done);
                done
            }
            Role::Works(_, None) => done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_works_or_rests() {
        for n in 1..40u32 {
            let fold = Fold::new(n);
            let mut next = 0;
            for v in 0..n {
                match fold.role(v) {
                    Role::Rests(worker) => assert_eq!(worker, v - 1),
                    Role::Works(worker, other) => {
                        assert_eq!((worker, fold.rank(worker)), (next, v));
                        assert_eq!(other, (v < 2 * fold.extra).then_some(v + 1));
                        next += 1;
                    }
                }
            }
            assert_eq!(next, fold.power);
        }
    }
}
