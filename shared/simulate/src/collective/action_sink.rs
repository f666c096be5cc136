//! Converts the actions of a rank into operations of a schedule.

use super::Shape;
use super::program::{Data, Op, Program};
use loggia_schedule::schedule::{OpId, Step};

/// Receives the operations of one rank.
pub trait ActionSink {
    fn shape(&self) -> &Shape<'_>;

    /// Adds an operation.
    fn put(&mut self, step: Step) -> OpId;

    /// An operation has no dependency within this program.
    fn first(&mut self, op: OpId);

    /// `op` begins after `earlier` has finished.
    fn wait(&mut self, op: OpId, earlier: OpId);

    /// The peer of a message, from its rank in the program.
    fn peer(&mut self, rank: u32) -> u32;

    /// Time of the reduction operator on these bytes, in ps.
    fn operator_time(&self, bytes: u64) -> u64;

    /// The next part of a composition begins.
    fn next_part(&mut self);
}

/// Adds an operation, after another operation if given.
fn add(sink: &mut (impl ActionSink + ?Sized), step: Step, after: Option<Op>) -> Op {
    let id = sink.put(step);
    match after {
        Some(earlier) => sink.wait(id, OpId(earlier.last)),
        None => sink.first(id),
    }
    Op { first: id.0, last: id.0 }
}

/// Adds a send or a receive.
pub fn message(
    sink: &mut (impl ActionSink + ?Sized),
    sends: bool,
    peer: u32,
    bytes: u64,
    after: Option<Op>,
) -> Op {
    let peer = sink.peer(peer);
    let step = if sends { Step::send(bytes, peer) } else { Step::recv(bytes, peer) };
    add(sink, step, after)
}

/// Adds the reduction operator after a receive, if it takes time.
fn combine(sink: &mut (impl ActionSink + ?Sized), received: Op, bytes: u64) -> Op {
    match sink.operator_time(bytes) {
        0 => received,
        time => {
            let combined = add(sink, Step::calc(time), Some(received));
            Op { first: received.first, last: combined.last }
        }
    }
}

impl<S: ActionSink> Program for S {
    fn send(&mut self, to: u32, data: Data, after: Option<Op>) -> Op {
        let bytes = self.shape().size(data);
        message(self, true, to, bytes, after)
    }

    fn recv(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        let bytes = self.shape().size(data);
        message(self, false, from, bytes, after)
    }

    fn reduce(&mut self, from: u32, data: Data, after: Option<Op>) -> Op {
        let received = self.recv(from, data, after);
        match data {
            Data::Token => received,
            data => {
                let bytes = self.shape().size(data);
                combine(self, received, bytes)
            }
        }
    }

    fn add(&mut self, received: Op, after: Option<Op>) -> Op {
        let received = Op { last: received.first, ..received };
        let bytes = self.shape().m();
        let added = combine(self, received, bytes);
        if let Some(earlier) = after.filter(|_| added != received) {
            self.wait(OpId(added.last), OpId(earlier.last));
        }
        added
    }

    fn join(&mut self) -> Op {
        add(self, Step::calc(0), None)
    }

    fn after(&mut self, op: Op, earlier: Op) {
        self.wait(OpId(op.first), OpId(earlier.last));
    }

    fn next_part(&mut self) {
        ActionSink::next_part(self);
    }
}
