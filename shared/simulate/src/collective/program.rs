//! What a rank does in a collective operation, said once for all who listen: the writer of a
//! schedule, and the test that runs it with real data.
//!
//! A message says *which* data it carries; how many bytes that is follows from the
//! [`Shape`](super::Shape). Every rank says its operations in the order in which it would do them.

/// The data of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// A sign of life, which takes no time to combine with another.
    Token,
    /// The whole vector.
    Vector,
    /// A sum as long as the vector, separate from it.
    Sum,
    /// Neighbouring parts of the vector cut into `of` parts; the last part's neighbour is the first.
    Parts { first: u32, count: u32, of: u32 },
    /// One segment of the vector.
    Segment(u64),
    /// Neighbouring ranks' blocks of m bytes each.
    Blocks { first: u32, count: u32 },
    /// Data of one rank for another.
    Pair { from: u32, to: u32 },
    /// In Bruck's total exchange, all that `at` forwards in a round.
    Round { round: u32, at: u32 },
}

impl Data {
    /// All blocks of p ranks.
    pub fn blocks(first: u32, count: u32) -> Self {
        Data::Blocks { first, count }
    }

    /// One or several of p parts of the vector.
    pub fn parts(first: u32, count: u32, of: u32) -> Self {
        Data::Parts { first, count, of }
    }
}

/// An operation of the current rank: a send, a receive, or a receive with the computation that
/// follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The first operation, which has dependencies.
    pub first: u32,
    /// The last operation, on which others depend.
    pub last: u32,
}

/// Receives the actions of a rank.
pub trait Program {
    /// Sends, after that operation.
    fn send(&mut self, to: u32, data: Data, after: Option<Op>) -> Op;
    /// Receives, and keeps the data.
    fn recv(&mut self, from: u32, data: Data, after: Option<Op>) -> Op;
    /// Receives, and combines the data with one's own.
    fn reduce(&mut self, from: u32, data: Data, after: Option<Op>) -> Op;
    /// Combines what that receive has brought with one's vector too.
    fn add(&mut self, received: Op, after: Option<Op>) -> Op;
    /// Does nothing, once all that it waits for is done.
    fn join(&mut self) -> Op;
    /// One more operation to wait for.
    fn after(&mut self, op: Op, earlier: Op);
    /// Begins the next part of a composition: its messages match only among themselves.
    fn next_part(&mut self);
}

/// A round in which a rank sends and receives: the receive, with what it combines.
pub fn exchange(
    program: &mut dyn Program,
    (to, sent): (u32, Data),
    (from, received): (u32, Data),
    combined: bool,
    after: Option<Op>,
) -> Op {
    program.send(to, sent, after);
    if combined {
        program.reduce(from, received, after)
    } else {
        program.recv(from, received, after)
    }
}

/// Ranks under other numbers: those of one node, the leaders of all, or all counted from the root.
pub(crate) struct Renumbered<'a> {
    pub program: &'a mut dyn Program,
    pub rank_of: &'a dyn Fn(u32) -> u32,
}

impl Program for Renumbered<'_> {
    fn send(&mut self, to: u32, data: Data, after: Option<Op>) -> Op {
        self.program.send((self.rank_of)(to), data, after)
    }

    fn recv(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        self.program.recv((self.rank_of)(from), data, after)
    }

    fn reduce(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        self.program.reduce((self.rank_of)(from), data, after)
    }

    fn add(&mut self, received: Op, after: Option<Op>) -> Op {
        self.program.add(received, after)
    }

    fn join(&mut self) -> Op {
        self.program.join()
    }

    fn after(&mut self, op: Op, earlier: Op) {
        self.program.after(op, earlier);
    }

    fn next_part(&mut self) {
        self.program.next_part();
    }
}
