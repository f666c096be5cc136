//! The operations of a run, and what is known of each: those of a schedule in memory.

use super::message::Message;
use crate::outcome::Unfinished;
use crate::schedule::{Op, OpId, Schedule};

/// Which operation: numbers grow in the order of operations.
pub(super) type Id = u64;

/// Where an operation happens.
#[derive(Clone, Copy)]
pub(super) struct Location {
    pub(super) rank: u32,
    pub(super) cpu: u8,
    pub(super) nic: u8,
}

impl Location {
    pub(super) fn of(op: &Op) -> Self {
        Location { rank: op.rank, cpu: op.cpu, nic: op.nic }
    }
}

/// Takes operations that nothing they wait for is left of.
pub(super) trait Ready {
    fn ready(&mut self, id: Id, op: &Op);
}

/// Where a run finds its operations.
pub(super) trait Operations<T> {
    /// How many ranks, and how many processors and network interfaces each has.
    fn sizes(&self) -> [usize; 3];

    fn op(&self, id: Id) -> &Op;

    /// Where an operation happens, even one that is over.
    fn place(&self, id: Id) -> Location;

    /// What is known of its message.
    fn message(&self, id: Id) -> &Message<T>;

    fn message_mut(&mut self, id: Id) -> &mut Message<T>;

    /// Tells what waits for nothing.
    fn begin(&mut self, ready: &mut impl Ready);

    /// An operation has begun; tells what waits for nothing any more.
    fn started(&mut self, id: Id, ready: &mut impl Ready);

    /// An operation is done; tells what waits for nothing any more. Of a receive's message nothing
    /// more is asked.
    fn done(&mut self, id: Id, ready: &mut impl Ready);

    /// What is left over, when nothing can happen any more: these receives, these messages, and what
    /// never began.
    fn left(&mut self, receives: Vec<Id>, messages: Vec<Id>) -> Unfinished;
}

/// A schedule in memory.
pub(super) struct ScheduleOperations<'a, T> {
    schedule: &'a Schedule,
    ops: &'a [Op],
    /// How many operations each still waits for.
    needs: Vec<u32>,
    messages: Vec<Message<T>>,
}

impl<'a, T: Copy + Default> ScheduleOperations<'a, T> {
    pub(super) fn new(schedule: &'a Schedule) -> Self {
        let messages = vec![Message::default(); schedule.len()];
        ScheduleOperations { schedule, ops: schedule.ops(), needs: schedule.needs(), messages }
    }

    #[inline]
    fn release(&mut self, waiting: &'a [u32], ready: &mut impl Ready) {
        for op in waiting {
            let needs = &mut self.needs[*op as usize];
            *needs -= 1;
            if *needs == 0 {
                ready.ready(Id::from(*op), &self.ops[*op as usize]);
            }
        }
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
        for ((id, op), needs) in (0..).zip(self.ops).zip(&self.needs) {
            if *needs == 0 {
                ready.ready(id, op);
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
