//! Operations of a streamed schedule in memory: for each rank, the unfinished ones and the next
//! few.

use super::id::{Id, Location, Ready};
use super::message_state::Message;
use super::operations::Operations;
use crate::outcome::Unfinished;
use crate::schedule::{Builder, CalcUnit, Kind, Op, OpId, Step};
use crate::stream::{Next, OperationSink, OperationSource};
use std::collections::HashMap;

/// Upper bits of an operation's number: its rank; lower bits: its number in the rank.
const SHIFT: u32 = 32;

fn id_of(rank: u32, number: u32) -> Id {
    Id::from(rank) << SHIFT | Id::from(number)
}

fn rank_of(id: Id) -> u32 {
    (id >> SHIFT) as u32
}

/// Maximum number of operations fetched to explain why a run is stuck.
const MAX_LEFT: usize = 1 << 22;

const NONE: u32 = u32::MAX;

/// A dependent operation: an element of a linked list.
struct Edge {
    to: u32,
    next: u32,
}

/// All linked lists of dependents.
struct Edges {
    all: Vec<Edge>,
    /// List of free elements.
    unused: u32,
}

impl Edges {
    /// Adds an element at the front of a list.
    fn add(&mut self, chain: &mut u32, to: u32) {
        let edge = Edge { to, next: *chain };
        *chain = match self.unused {
            NONE => {
                self.all.push(edge);
                (self.all.len() - 1) as u32
            }
            unused => {
                let place = &mut self.all[unused as usize];
                self.unused = std::mem::replace(place, edge).next;
                unused
            }
        };
    }

    /// Removes the first element of a list.
    fn take(&mut self, chain: &mut u32) -> Option<u32> {
        let at = *chain;
        let edge = self.all.get_mut(at as usize)?;
        *chain = std::mem::replace(&mut edge.next, self.unused);
        self.unused = at;
        Some(self.all[at as usize].to)
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = u32> {
        let edge = |at: u32| self.all.get(at as usize);
        std::iter::successors(edge(first), move |before| edge(before.next)).map(|edge| edge.to)
    }
}

#[derive(Clone, Copy)]
struct Slot<T> {
    op: Op,
    message: Message<T>,
    /// Number of remaining dependencies.
    needs: u32,
    /// Lists of operations that depend on its end, and on its start.
    after_done: u32,
    after_start: u32,
    has_begun: bool,
    is_done: bool,
    /// Number of ends to come: its own and, for a send, that of the matching receive.
    open: u8,
}

impl<T: Copy + Default> Slot<T> {
    #[inline]
    fn of(op: Op) -> Self {
        Slot {
            op,
            message: Message::default(),
            needs: 0,
            after_done: NONE,
            after_start: NONE,
            has_begun: false,
            is_done: false,
            open: if op.kind.sends() { 2 } else { 1 },
        }
    }

    fn none() -> Self {
        Slot::of(Step::calc(0).of(0))
    }
}

/// The known operations of a rank, in a ring indexed by operation number.
struct Window<T> {
    /// Number of the first operation, and one past the last.
    first: u32,
    end: u32,
    /// A power of two in size; elements outside `first..end` are empty.
    ring: Vec<Slot<T>>,
    next: Next,
}

impl<T: Copy + Default> Window<T> {
    fn new() -> Self {
        Window { first: 0, end: 0, ring: vec![Slot::none(); 1], next: Next::More }
    }

    fn len(&self) -> usize {
        self.end.wrapping_sub(self.first) as usize
    }

    #[inline]
    fn place(&self, number: u32) -> usize {
        number as usize & (self.ring.len() - 1)
    }

    #[inline]
    fn slot(&self, number: u32) -> &Slot<T> {
        &self.ring[self.place(number)]
    }

    #[inline]
    fn slot_mut(&mut self, number: u32) -> &mut Slot<T> {
        let place = self.place(number);
        &mut self.ring[place]
    }

    /// Whether the operation is in the window, finished or not.
    #[inline]
    fn has(&self, number: u32) -> bool {
        (number.wrapping_sub(self.first) as usize) < self.len()
    }

    fn has_begun(&self, number: u32) -> bool {
        !self.has(number) || self.slot(number).has_begun
    }

    #[inline]
    fn push(&mut self, slot: Slot<T>) -> u32 {
        if self.len() == self.ring.len() {
            self.grow();
        }
        let number = self.end;
        *self.slot_mut(number) = slot;
        self.end = number.wrapping_add(1);
        number
    }

    #[cold]
    fn grow(&mut self) {
        let more = vec![Slot::none(); 2 * self.ring.len()];
        let before = std::mem::replace(&mut self.ring, more);
        for at in 0..before.len() as u32 {
            let number = self.first.wrapping_add(at);
            *self.slot_mut(number) = before[number as usize & (before.len() - 1)];
        }
    }

    /// Drops finished operations from the front.
    #[inline]
    fn drop_finished(&mut self) {
        while self.first != self.end && self.slot(self.first).open == 0 {
            self.first = self.first.wrapping_add(1);
        }
    }

    /// Unfinished operations with their numbers.
    fn left(&self) -> impl Iterator<Item = (&Slot<T>, u32)> {
        let numbers = (0..self.len() as u32).map(|at| self.first.wrapping_add(at));
        numbers.map(|number| (self.slot(number), number)).filter(|(slot, _)| slot.open > 0)
    }
}

/// The operations of a streamed schedule.
pub(super) struct StreamedOperations<'a, T> {
    source: &'a mut dyn OperationSource,
    windows: Vec<Window<T>>,
    edges: Edges,
}

/// Receives the next operations of a rank.
struct Writer<'a, T> {
    rank: u32,
    window: &'a mut Window<T>,
    edges: &'a mut Edges,
}

impl<T: Copy + Default> OperationSink for Writer<'_, T> {
    fn push(&mut self, step: Step) -> OpId {
        OpId(self.window.push(Slot::of(step.of(self.rank))))
    }

    fn after(&mut self, op: OpId, earlier: OpId) {
        if self.window.has(earlier.0) {
            let slot = self.window.slot_mut(earlier.0);
            if !slot.is_done {
                self.edges.add(&mut slot.after_done, op.0);
                self.window.slot_mut(op.0).needs += 1;
            }
        }
    }

    fn after_start(&mut self, op: OpId, earlier: OpId) {
        if self.window.has(earlier.0) {
            let slot = self.window.slot_mut(earlier.0);
            if !slot.has_begun {
                self.edges.add(&mut slot.after_start, op.0);
                self.window.slot_mut(op.0).needs += 1;
            }
        }
    }
}

impl<'a, T: Copy + Default> StreamedOperations<'a, T> {
    pub(super) fn new(source: &'a mut dyn OperationSource) -> Self {
        let windows = (0..source.ranks()).map(|_| Window::new()).collect();
        StreamedOperations { source, windows, edges: Edges { all: Vec::new(), unused: NONE } }
    }

    /// Fetches the next operations of a rank.
    fn fetch(&mut self, rank: u32) -> &Window<T> {
        let StreamedOperations { source, windows, edges } = self;
        let window = &mut windows[rank as usize];
        window.next = source.next(rank, &mut Writer { rank, window, edges });
        window
    }

    /// Fetches operations until the next ones depend on an operation that has not begun.
    fn fill(&mut self, rank: u32, ready: &mut impl Ready) {
        loop {
            let known = self.windows[rank as usize].end;
            let window = self.fetch(rank);
            for at in 0..window.end.wrapping_sub(known) {
                let number = known.wrapping_add(at);
                let slot = window.slot(number);
                if slot.needs == 0 {
                    ready.ready(id_of(rank, number), &slot.op);
                }
            }
            match window.next {
                Next::AfterStartOf(OpId(number)) if !window.has_begun(number) => return,
                Next::AfterStartOf(_) | Next::More => {}
                Next::End => return,
            }
        }
    }

    /// Decrements the operation's number of ends to come; drops finished operations.
    fn end(&mut self, id: Id) {
        let window = &mut self.windows[rank_of(id) as usize];
        window.slot_mut(id as u32).open -= 1;
        window.drop_finished();
    }

    #[inline]
    fn release(&mut self, rank: u32, mut chain: u32, ready: &mut impl Ready) {
        let window = &mut self.windows[rank as usize];
        while let Some(number) = self.edges.take(&mut chain) {
            let slot = window.slot_mut(number);
            slot.needs -= 1;
            if slot.needs == 0 {
                ready.ready(id_of(rank, number), &slot.op);
            }
        }
    }

    /// Fetches more operations, to find the partners of stuck operations.
    fn fetch_the_rest(&mut self) {
        let mut known: usize = self.windows.iter().map(Window::len).sum();
        for rank in 0..self.windows.len() as u32 {
            while self.windows[rank as usize].next != Next::End && known < MAX_LEFT {
                let before = self.windows[rank as usize].len();
                known += self.fetch(rank).len() - before;
            }
        }
    }

    /// The unfinished operations as a schedule, with their numbers in it.
    fn rest(&self) -> (Builder, HashMap<Id, OpId>) {
        let mut builder = Builder::counting(CalcUnit::Picoseconds);
        let mut numbers = HashMap::new();
        for (rank, window) in (0..).zip(&self.windows) {
            builder.rank();
            for (slot, number) in window.left() {
                numbers.insert(id_of(rank, number), builder.push(Step::from_op(&slot.op)));
            }
            let here = |number: u32| numbers.get(&id_of(rank, number)).copied();
            for (slot, number) in window.left() {
                let Some(earlier) = here(number) else { continue };
                for op in self.edges.chain(slot.after_done).filter_map(here) {
                    builder.after(op, earlier);
                }
                for op in self.edges.chain(slot.after_start).filter_map(here) {
                    builder.after_start(op, earlier);
                }
            }
        }
        (builder, numbers)
    }
}

impl<T: Copy + Default> Operations<T> for StreamedOperations<'_, T> {
    fn sizes(&self) -> [usize; 3] {
        [self.windows.len(), 1, 1]
    }

    #[inline]
    fn op(&self, id: Id) -> &Op {
        &self.windows[rank_of(id) as usize].slot(id as u32).op
    }

    #[inline]
    fn place(&self, id: Id) -> Location {
        Location { rank: rank_of(id), cpu: 0, nic: 0 }
    }

    #[inline]
    fn message(&self, id: Id) -> &Message<T> {
        &self.windows[rank_of(id) as usize].slot(id as u32).message
    }

    #[inline]
    fn message_mut(&mut self, id: Id) -> &mut Message<T> {
        &mut self.windows[rank_of(id) as usize].slot_mut(id as u32).message
    }

    fn begin(&mut self, ready: &mut impl Ready) {
        for rank in 0..self.windows.len() as u32 {
            self.fill(rank, ready);
        }
    }

    fn started(&mut self, id: Id, ready: &mut impl Ready) {
        let (rank, number) = (rank_of(id), id as u32);
        let window = &mut self.windows[rank as usize];
        let slot = window.slot_mut(number);
        slot.has_begun = true;
        let waiting = std::mem::replace(&mut slot.after_start, NONE);
        let is_awaited = window.next == Next::AfterStartOf(OpId(number));
        self.release(rank, waiting, ready);
        if is_awaited {
            self.fill(rank, ready);
        }
    }

    fn done(&mut self, id: Id, ready: &mut impl Ready) {
        let slot = self.windows[rank_of(id) as usize].slot_mut(id as u32);
        slot.is_done = true;
        let waiting = std::mem::replace(&mut slot.after_done, NONE);
        let met = slot.message.partner().filter(|_| slot.op.kind == Kind::Recv);
        self.release(rank_of(id), waiting, ready);
        self.end(id);
        if let Some(send) = met {
            self.end(send);
        }
    }

    fn left(&mut self, posted: Vec<Id>, unexpected: Vec<Id>) -> Unfinished {
        let is_over = |window: &Window<T>| window.len() == 0 && window.next == Next::End;
        if self.windows.iter().all(is_over) {
            return Unfinished::default();
        }
        self.fetch_the_rest();
        let mut waiting = Vec::new();
        for (rank, window) in (0..).zip(&self.windows) {
            let never = window.left().filter(|(slot, _)| slot.needs > 0);
            waiting.extend(never.map(|(_, number)| id_of(rank, number)));
        }
        let (builder, numbers) = self.rest();
        let mapped = |ids: Vec<Id>| ids.iter().filter_map(|id| numbers.get(id).copied()).collect();
        let [receives, messages, waiting] = [posted, unexpected, waiting].map(mapped);
        // Cannot fail: every peer is a rank of the run.
        Unfinished { receives, messages, waiting, of: builder.finish().ok() }
    }
}
