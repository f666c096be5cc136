//! What a rank's calls are to the simulator: one call after the other becomes sends, receives and
//! computations, and what waits for which.
//!
//! - A call begins when the computation before it has ended; a call that waits ends when what it
//!   waits for is done, any other when it has begun.
//! - A wait, or a failed test, is a zero-length computation: a call in which messages make progress.
//! - A receive from any source matches the message that it matched in the traced run.
//! - A probe receives the message that it found; the receive after it completes at once.
//! - A call without messages, such as one that makes a communicator, takes as long as on the rank
//!   that did not wait for others.
//! - Transfers between fences are messages that the target receives, or sends, in its fence.

mod collectives;
mod labels;
mod requests;
mod windows;

use labels::{COLLECTIVE, Tags};
pub(crate) use labels::{FIRST, INSIDE, START, describe};

use super::choice::Chooser;
use super::options::{AlgorithmUse, ReplayOptions};
use super::summary::TraceSummary;
use crate::trace::Rank;
use collectives::Group;
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::signature::Operation;
use loggia_schedule::schedule::{ANY, Kind, OpId, Step};
use loggia_schedule::stream::{Next, OperationSink};
use loggia_simulate::collective::Algorithm;
use loggia_simulate::order::Before;
use loggia_trace::call::{
    ALONE, ANY_TAG, Call, Collective, CompletedRequest, Envelope, Mode, Peer,
};
use loggia_trace::file::Records;
use loggia_trace::record::Record;
use std::collections::BTreeSet;

/// The longest computation, in picoseconds: a quarter of what the simulator counts.
const LONGEST: u64 = 1 << 62;

/// A request that is open.
#[derive(Clone, Copy, Debug)]
enum Request {
    /// It waits for this operation.
    Op(OpId),
    /// To be started: a send, or a receive.
    Send(Mode, Envelope, Option<OpId>),
    Recv(Envelope, Option<OpId>),
    /// A collective operation, by its place in a rank's list of those.
    Collective(usize, Option<OpId>),
}

/// An operation with its numbers of ranks and bytes, and the chosen algorithm.
pub(super) type Choice = ((Operation, u32, u64), (&'static Algorithm, Chooser));

/// Position in one rank's calls.
pub(super) struct RankCursor<'a> {
    pub(super) rank: u32,
    records: Records<'a>,
    /// Factor of the computation between calls.
    rate: f64,
    /// Time of recording a call, which is taken out of the computation.
    record_cost: u64,
    /// Whether the computation before the first call was emitted.
    has_begun: bool,
    before: Before,
    requests: Vec<Option<Request>>,
    /// Messages found by probes and not yet received.
    probed: Vec<(Envelope, OpId)>,
    /// Receives that do not wait, so far.
    receives: u64,
    /// Collective operations so far, by communicator.
    collectives: Vec<u32>,
    /// Persistent collective operations, and their groups.
    startable: Vec<(Collective<'a>, Option<Group>)>,
    /// By window: the fences so far, and the transfers since the last one.
    epochs: Vec<(u32, Vec<OpId>)>,
    label: u8,
}

impl<'a> RankCursor<'a> {
    pub(super) fn new(number: u32, rank: &'a Rank, how: &ReplayOptions) -> Self {
        RankCursor {
            rank: number,
            records: rank.records(),
            rate: how.compute_rate(number) * (1.0 + rank.drift / 1e9),
            record_cost: rank.record_cost,
            has_begun: false,
            before: Before::Nothing,
            requests: Vec::new(),
            probed: Vec::new(),
            receives: 0,
            collectives: Vec::new(),
            startable: Vec::new(),
            epochs: Vec::new(),
            label: START,
        }
    }
}

/// What walks have found so far, and what they share.
#[derive(Debug, Default)]
pub(super) struct Translation {
    pub(super) chosen: Vec<AlgorithmUse>,
    /// Ranks that named somebody who is in no communicator.
    pub(super) lost: BTreeSet<u32>,
    /// Why there is no way on.
    pub(super) failure: Option<Error>,
    /// Whether a computation is longer than can be counted.
    pub(super) is_too_long: bool,
    tags: Tags,
    pub(super) last_choice: Option<Choice>,
    /// A list that is not in use.
    pub(super) spare: Vec<(OpId, bool)>,
}

/// A step of the walk through one rank's calls.
pub(super) struct Translator<'w, 'a> {
    pub(super) summary: &'w TraceSummary,
    pub(super) how: &'w ReplayOptions,
    pub(super) found: &'w mut Translation,
    pub(super) of: &'w mut RankCursor<'a>,
    pub(super) out: &'w mut dyn OperationSink,
}

impl<'a> Translator<'_, 'a> {
    /// Emits the next operations of the rank.
    pub(super) fn next(mut self) -> Next {
        if !self.of.has_begun {
            self.of.has_begun = true;
            let begin = self.summary.ranks[self.of.rank as usize].begin;
            self.compute(begin as f64);
            self.of.label = FIRST;
        }
        let Some(record) = self.of.records.next() else { return Next::End };
        let gap = record.gap.saturating_sub(self.of.record_cost);
        let computes = self.compute(gap as f64 * self.of.rate);
        if !computes && matches!(record.call, Call::Complete { .. } | Call::Probe { .. }) {
            // Its end comes when what it waits for is there: this is its beginning.
            self.join(record.call.kind() | INSIDE, []);
        }
        if let Err(error) = self.call(&record) {
            self.found.failure.get_or_insert(error);
            return Next::End;
        }
        if !matches!(record.call, Call::Named { .. }) {
            self.of.label = record.call.kind();
        }
        match self.of.before {
            Before::Nothing => Next::More,
            Before::Begun(op) | Before::Done(op) => Next::AfterStartOf(op),
        }
    }

    /// Computation between calls, in nanoseconds; returns whether there is any.
    #[inline]
    fn compute(&mut self, time: f64) -> bool {
        let picoseconds = self.countable((time * 1e3 + 0.5) as u64);
        let computes = picoseconds > 0;
        if computes {
            let step = Step::calc(picoseconds).label(self.of.label);
            let id = self.push_in_order(step);
            self.of.before = Before::Done(id);
        }
        computes
    }

    /// Longer ones would make the simulator's times go round.
    #[inline]
    fn countable(&mut self, picoseconds: u64) -> u64 {
        self.found.is_too_long |= picoseconds > LONGEST;
        picoseconds.min(LONGEST)
    }

    /// What a call does by itself, in nanoseconds.
    fn spend(&mut self, time: u64, label: u8) {
        if time > 0 {
            let picoseconds = self.countable(time.saturating_mul(1000));
            let id = self.push_in_order(Step::calc(picoseconds).label(label));
            self.of.before = Before::Done(id);
        }
    }

    #[inline]
    fn push_in_order(&mut self, step: Step) -> OpId {
        let id = self.out.push(step);
        self.of.before.link(self.out, id);
        id
    }

    /// What the first of several operations wait for.
    pub(super) fn before(&self) -> Before {
        self.of.before
    }

    /// The call waits for all of these, and does nothing else.
    fn join(&mut self, label: u8, ops: impl IntoIterator<Item = OpId>) {
        let join = self.push_in_order(Step::calc(0).label(label));
        for op in ops {
            self.out.after(join, op);
        }
        self.of.before = Before::Done(join);
    }

    fn call(&mut self, record: &Record<'a>) -> Result<(), Error> {
        let label = record.call.kind() | INSIDE;
        match record.call {
            Call::Send(mode, ref envelope) => {
                if let Some(id) = self.send(mode, envelope, label) {
                    // The buffer is the program's own at once.
                    let is_over = mode == Mode::Buffered;
                    self.of.before = if is_over { Before::Begun(id) } else { Before::Done(id) };
                }
            }
            Call::Recv { ref got, .. } => {
                if let Some(id) = self.recv(got, label) {
                    self.of.before = Before::Done(id);
                }
            }
            Call::Sendrecv { ref send, ref got, .. } => {
                let sent = self.send(Mode::Standard, send, label);
                let received = self.recv(got, label);
                self.join(label, sent.into_iter().chain(received));
            }
            Call::Isend(mode, ref envelope, request) => {
                let id = self.send(mode, envelope, label);
                self.opened(request, id);
            }
            Call::Irecv(ref envelope, request) => {
                let id = self.irecv(envelope, label);
                self.opened(request, id);
            }
            Call::SendInit(mode, envelope, request) => {
                self.set(request, Some(Request::Send(mode, envelope, None)));
                self.spend(record.duration, label);
            }
            Call::RecvInit(envelope, request) => {
                self.set(request, Some(Request::Recv(envelope, None)));
                self.spend(record.duration, label);
            }
            Call::Start(requests) => {
                for request in requests.iter() {
                    self.start(request as u32, label)?;
                }
            }
            Call::Complete { done, .. } => {
                let join = self.push_in_order(Step::calc(0).label(label));
                for CompletedRequest { request, .. } in done.iter() {
                    if let Some(op) = self.completed(request) {
                        self.out.after(join, op);
                    }
                }
                self.of.before = Before::Done(join);
            }
            Call::Polls(_) => self.join(label, []),
            Call::Probe { ref met, .. } => self.probe(met, label),
            Call::Release(request) => self.set(request, None),
            Call::Collective(ref collective) => self.collective_call(collective, label)?,
            Call::CollectiveInit(collective) => {
                // Here all ranks come in the same order; they may start them in any.
                let group = self.group(collective.comm, label);
                let place = self.of.startable.len();
                self.of.startable.push((collective, group));
                if let Some(request) = collective.request {
                    self.set(request, Some(Request::Collective(place, None)));
                }
                self.spend(record.duration, label);
            }
            Call::CommIdup { comm, request, .. } => {
                let group = self.group(comm, label);
                let last = group.map(|group| self.barrier(group)).transpose()?;
                let all = self.by_itself(last.unwrap_or_default(), label);
                self.set(request, Some(Request::Op(all)));
            }
            Call::CommNew { comm, size, .. } if size > 1 => {
                if let Some(group) = self.group(comm, label) {
                    let last = self.barrier(group)?;
                    self.join(label, last);
                    self.spend(self.summary.comms[group.comm as usize].making, label);
                }
            }
            Call::WindowNew { comm, window, .. } => {
                self.of.epochs.push((0, Vec::new()));
                if let Some(group) = self.group(comm, label) {
                    let last = self.barrier(group)?;
                    self.join(label, last);
                    let known = self.window(window).map(|(known, _)| known as usize);
                    let making = known.map(|known| self.summary.windows[known].1);
                    self.spend(making.unwrap_or_default(), label);
                }
            }
            Call::OneSided { how, window, peer, bytes } => {
                self.transfer(how, window, peer, bytes, label);
            }
            Call::Fence(window) => self.fence(window, label)?,
            Call::CommFree(_) | Call::Cancel(_) | Call::Phase(_) => {
                self.spend(record.duration, label);
            }
            Call::CommNew { .. }
            | Call::WindowFree(_)
            | Call::Other(_)
            | Call::Named { .. }
            | Call::Finalize => {}
        }
        Ok(())
    }

    /// Which of the run's ranks that is.
    fn world(&mut self, comm: u32, peer: Peer) -> Option<u32> {
        let Peer::Rank(peer) = peer else { return None };
        if comm == ALONE {
            return Some(self.of.rank);
        }
        let known = self.summary.ranks[self.of.rank as usize].comms.get(comm as usize);
        let comm = known.and_then(|comm| self.summary.comms.get(*comm as usize));
        let world = comm.and_then(|comm| comm.world(peer));
        if world.is_none() {
            self.found.lost.insert(self.of.rank);
        }
        world
    }

    fn tag(&mut self, comm: u32, tag: u32) -> u32 {
        let known = self.summary.ranks[self.of.rank as usize].comms.get(comm as usize);
        let comm = known.copied().unwrap_or(comm);
        self.found.tags.of(comm, tag)
    }

    fn message(&mut self, kind: Kind, envelope: &Envelope, label: u8) -> Option<OpId> {
        let Envelope { peer, tag, bytes, comm } = *envelope;
        let peer = match peer {
            // Other tools do not record the actual source of a receive from any source.
            Peer::AnySource if kind == Kind::Recv => ANY,
            peer => self.world(comm, peer)?,
        };
        let tag = self.tag(comm, tag);
        let step = match kind {
            Kind::Ssend => Step::ssend(bytes, peer),
            Kind::Send => Step::send(bytes, peer),
            Kind::Recv | Kind::Calc => Step::recv(bytes, peer),
        };
        Some(self.push_in_order(step.tag(tag).label(label)))
    }

    fn send(&mut self, mode: Mode, envelope: &Envelope, label: u8) -> Option<OpId> {
        let kind = if mode == Mode::Synchronous { Kind::Ssend } else { Kind::Send };
        self.message(kind, envelope, label)
    }

    fn recv(&mut self, envelope: &Envelope, label: u8) -> Option<OpId> {
        let Envelope { peer, tag, comm, .. } = *envelope;
        let fits = |(found, _): &(Envelope, OpId)| {
            comm == found.comm
                && (peer == found.peer || peer == Peer::AnySource)
                && (tag == found.tag || tag == ANY_TAG)
        };
        let Some(at) = self.of.probed.iter().position(fits) else {
            return self.message(Kind::Recv, envelope, label);
        };
        let (_, op) = self.of.probed.remove(at);
        let has = self.push_in_order(Step::calc(0).label(label));
        self.out.after(has, op);
        Some(has)
    }

    /// Waits for a message, which somebody will take.
    fn probe(&mut self, met: &Envelope, label: u8) {
        if met.is_wild() {
            return self.join(label, []);
        }
        let known = self.of.probed.iter().find(|(found, _)| found == met).map(|(_, op)| *op);
        let found = known.or_else(|| self.message(Kind::Recv, met, label));
        if let (None, Some(op)) = (known, found) {
            self.of.probed.push((*met, op));
        }
        self.join(label, found);
    }

    /// The group of the next operation of a communicator; `None` if this rank is alone in it.
    fn group(&mut self, comm: u32, label: u8) -> Option<Group> {
        if comm == ALONE {
            return None;
        }
        let index = *self.summary.ranks[self.of.rank as usize].comms.get(comm as usize)?;
        let known = self.summary.comms.get(index as usize)?;
        let rank = known.local(self.of.rank)?;
        let at = comm as usize;
        if at >= self.of.collectives.len() {
            self.of.collectives.resize(at + 1, 0);
        }
        let number = self.of.collectives[at];
        self.of.collectives[at] = number.wrapping_add(1);
        // The parts of a composition count on in the communicator's bits, so those are spread.
        let tag = COLLECTIVE | (index.wrapping_mul(8) & 0x7fff) << 16 | number & 0xffff;
        Some(Group { comm: index, rank, size: known.size, tag, label })
    }

    fn collective_call(&mut self, call: &Collective, label: u8) -> Result<(), Error> {
        let group = self.group(call.comm, label);
        let last = match group {
            Some(group) => self.collective(call, group)?,
            None => Vec::new(),
        };
        let Some(request) = call.request else {
            match last[..] {
                [] => {}
                [one] => self.of.before = Before::Done(one),
                _ => self.join(label, last),
            }
            return Ok(());
        };
        let all = self.by_itself(last, label);
        self.set(request, Some(Request::Op(all)));
        Ok(())
    }

    /// Operations that go on by themselves: what a request for the last of them waits for.
    fn by_itself(&mut self, last: Vec<OpId>, label: u8) -> OpId {
        let all = self.out.push(Step::calc(0).label(label));
        self.of.before.link(self.out, all);
        for op in last {
            self.out.after(all, op);
        }
        all
    }

    /// Remembers by which algorithm how much was done.
    pub(super) fn count_choice(
        &mut self,
        op: Operation,
        algorithm: &'static Algorithm,
        chooser: Chooser,
        procs: u32,
        bytes: u64,
        basis: Basis,
    ) {
        let same = |known: &&mut AlgorithmUse| {
            (known.op, &*known.algorithm, known.procs) == (op, algorithm.name, procs)
        };
        match self.found.chosen.iter_mut().rev().find(same) {
            Some(known) => {
                known.calls += 1;
                known.smallest = known.smallest.min(bytes);
                known.largest = known.largest.max(bytes);
                known.basis = known.basis.max(basis);
            }
            None => self.found.chosen.push(AlgorithmUse {
                op,
                algorithm: algorithm.name.into(),
                chooser: chooser.name().into(),
                basis,
                procs,
                calls: 1,
                smallest: bytes,
                largest: bytes,
            }),
        }
    }
}
