//! Access to the operations of a run and their state, and its implementation in memory.

use super::id::{Id, Location, Ready};
use super::message_state::Message;
use crate::outcome::Unfinished;
use crate::schedule::{Needs, Op, OpId, Schedule};

/// Access to the operations of a run.
pub(super) trait Operations<T> {
    /// Numbers of ranks, and of processors and interfaces per rank.
    fn sizes(&self) -> [usize; 3];

    fn op(&self, id: Id) -> &Op;

    /// Location of an operation, even of a finished one.
    fn place(&self, id: Id) -> Location;

    /// State of the operation's message.
    fn message(&self, id: Id) -> &Message<T>;

    fn message_mut(&mut self, id: Id) -> &mut Message<T>;

    /// Passes operations without dependencies to `ready`.
    fn begin(&mut self, ready: &mut impl Ready);

    /// An operation has begun; passes operations that become ready to `ready`.
    fn started(&mut self, id: Id, ready: &mut impl Ready);

    /// An operation has finished; passes operations that become ready to `ready`. A finished
    /// receive's message is no longer accessed.
    fn done(&mut self, id: Id, ready: &mut impl Ready);

    /// The unfinished operations: these receives and messages, and operations that never began.
    fn left(&mut self, receives: Vec<Id>, messages: Vec<Id>) -> Unfinished;
}

/// A schedule in memory.
pub(super) struct ScheduleOperations<'a, T> {
    schedule: &'a Schedule,
    ops: &'a [Op],
    needs: Needs,
    messages: Vec<Message<T>>,
}

impl<'a, T: Copy + Default> ScheduleOperations<'a, T> {
    pub(super) fn new(schedule: &'a Schedule) -> Self {
        let messages = vec![Message::default(); schedule.len()];
        ScheduleOperations {
            schedule,
            ops: schedule.ops(),
            needs: schedule.needs().clone(),
            messages,
        }
    }

    #[inline]
    fn release(&mut self, dependents: &'a [u32], ready: &mut impl Ready) {
        let ops = self.ops;
        self.needs.meet(dependents, |op| ready.ready(Id::from(op), &ops[op as usize]));
    }
}

impl<T: Copy + Default> Operations<T> for ScheduleOperations<'_, T> {
    fn sizes(&self) -> [usize; 3] {
        [self.schedule.ranks() as usize, self.schedule.cpus(), self.schedule.nics()]
    }

    #[inline]
    fn op(&self, id: Id) -> &Op {
        &self.ops[id as usize]
    }

    #[inline]
    fn place(&self, id: Id) -> Location {
        Location::of(self.op(id))
    }

    #[inline]
    fn message(&self, id: Id) -> &Message<T> {
        &self.messages[id as usize]
    }

    #[inline]
    fn message_mut(&mut self, id: Id) -> &mut Message<T> {
        &mut self.messages[id as usize]
    }

    fn begin(&mut self, ready: &mut impl Ready) {
        for (index, op) in self.ops.iter().enumerate() {
            if !self.needs.waits(index) {
                ready.ready(index as Id, op);
            }
        }
    }

    #[inline]
    fn started(&mut self, id: Id, ready: &mut impl Ready) {
        self.release(self.schedule.after_start(id as usize), ready);
    }

    #[inline]
    fn done(&mut self, id: Id, ready: &mut impl Ready) {
        self.release(self.schedule.after_done(id as usize), ready);
    }

    fn left(&mut self, receives: Vec<Id>, messages: Vec<Id>) -> Unfinished {
        let ops = |ids: Vec<Id>| ids.into_iter().map(|id| OpId(id as u32)).collect();
        let [receives, messages] = [receives, messages].map(ops);
        Unfinished { receives, messages, ..Unfinished::never_begun(&self.needs) }
    }
}
