//! Actions of a rank in a collective operation, for all receivers: the writer of a schedule, the
//! replay, and the test with real data.
//!
//! A message names its data; the [`Shape`](super::Shape) gives the number of bytes. Every rank
//! emits its actions in their order.

/// The data of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// A signal; combining it takes no time.
    Token,
    /// The whole vector.
    Vector,
    /// A partial sum of the same size as the vector, separate from it.
    Sum,
    /// Consecutive parts, modulo `of`, of the vector in `of` parts.
    Parts { first: u32, count: u32, of: u32 },
    /// One segment of the vector.
    Segment(u64),
    /// Blocks of consecutive ranks, m bytes each.
    Blocks { first: u32, count: u32 },
    /// Data of one rank for another rank.
    Pair { from: u32, to: u32 },
    /// All blocks that `at` forwards in a round of Bruck's alltoall.
    Round { round: u32, at: u32 },
}

impl Data {
    /// The blocks of `count` ranks.
    pub fn blocks(first: u32, count: u32) -> Self {
        Data::Blocks { first, count }
    }

    /// `count` of `of` parts of the vector.
    pub fn parts(first: u32, count: u32, of: u32) -> Self {
        Data::Parts { first, count, of }
    }
}

/// An action of the current rank: a send, a receive, or a receive with its reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The first operation, which has dependencies.
    pub first: u32,
    /// The last operation, on which other actions depend.
    pub last: u32,
}

/// Receives the actions of a rank.
pub trait Program {
    /// Sends, after the given action.
    fn send(&mut self, to: u32, data: Data, after: Option<Op>) -> Op;
    /// Receives, and keeps the data.
    fn recv(&mut self, from: u32, data: Data, after: Option<Op>) -> Op;
    /// Receives, and combines the data with the rank's own data.
    fn reduce(&mut self, from: u32, data: Data, after: Option<Op>) -> Op;
    /// Combines the data of a receive with the rank's vector as well.
    fn add(&mut self, received: Op, after: Option<Op>) -> Op;
    /// A zero-length action that waits for others.
    fn join(&mut self) -> Op;
    /// Adds a dependency.
    fn after(&mut self, op: Op, earlier: Op);
    /// Begins the next part of a composition: its messages match only among themselves.
    fn next_part(&mut self);
}

/// A round in which a rank sends and receives; returns the receive.
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

/// Renumbers ranks: those of one node, the leaders, or all ranks counted from the root.
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
