//! Translation of a rank's calls for the simulator: sends, receives and computations with their
//! dependencies.
//!
//! - A call begins at the end of the computation before it. A blocking call ends when its
//!   operations complete, a non-blocking call when they have begun.
//! - A wait, or a failed test, is a zero-length computation: a call in which messages make progress.
//! - A receive from any source matches the same message as in the traced run.
//! - A probe receives the message that it found; the later receive completes at once.
//! - A call without messages, such as the creation of a communicator, takes its time on the rank
//!   that did not wait for others.
//! - Transfers between fences are messages that the target receives or sends in its fence.

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

/// The longest computation, in ps: a quarter of the simulator's range.
const LONGEST: u64 = 1 << 62;

/// An open request.
#[derive(Clone, Copy, Debug)]
enum Request {
    /// A non-blocking call, completed by this operation.
    Op(OpId),
    /// A persistent send, with its running operation.
    Send(Mode, Envelope, Option<OpId>),
    Recv(Envelope, Option<OpId>),
    /// A persistent collective operation, by its index in `startable`.
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
    /// Time to record a call, which is subtracted from the computation.
    record_cost: u64,
    /// Whether the computation before the first call was emitted.
    has_begun: bool,
    before: Before,
    requests: Vec<Option<Request>>,
    /// Messages found by probes and not yet received.
    probed: Vec<(Envelope, OpId)>,
    /// Number of non-blocking receives so far.
    receives: u64,
    /// Number of collective operations so far, by communicator.
    collectives: Vec<u32>,
    /// Persistent collective operations, and their groups.
    startable: Vec<(Collective<'a>, Option<Group>)>,
    /// By window: the number of fences so far, and the transfers since the last fence.
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

/// Results of the walks so far, and their shared state.
#[derive(Debug, Default)]
pub(super) struct Translation {
    pub(super) chosen: Vec<AlgorithmUse>,
    /// Ranks with peers outside their communicators.
    pub(super) lost: BTreeSet<u32>,
    /// The error that ended the walk.
    pub(super) failure: Option<Error>,
    /// Whether a computation exceeds the range.
    pub(super) is_too_long: bool,
    tags: Tags,
    pub(super) last_choice: Option<Choice>,
    /// A list for reuse.
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
            // This marks the beginning of the call; its end depends on other operations.
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

    /// Emits computation between calls, in ns; returns whether it takes any time.
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

    /// Limits a computation: a longer one would overflow the simulator's times.
    #[inline]
    fn countable(&mut self, picoseconds: u64) -> u64 {
        self.found.is_too_long |= picoseconds > LONGEST;
        picoseconds.min(LONGEST)
    }

    /// Emits the computation of a call itself, in ns.
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

    /// The dependency of the first of several operations.
    pub(super) fn before(&self) -> Before {
        self.of.before
    }

    /// Ends the call when all `ops` have completed.
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
                    // The program can reuse the buffer at once.
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
                // Initializations match in order on all ranks; later starts may come in any order.
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
                let all = self.completion(last.unwrap_or_default(), label);
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

    /// The world rank of a peer.
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
        let received = self.push_in_order(Step::calc(0).label(label));
        self.out.after(received, op);
        Some(received)
    }

    /// Waits for a message, which a later call receives.
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
        // The parts of a composition increment the communicator's bits, so these are multiples of
        // 8.
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
                [op] => self.of.before = Before::Done(op),
                _ => self.join(label, last),
            }
            return Ok(());
        };
        let all = self.completion(last, label);
        self.set(request, Some(Request::Op(all)));
        Ok(())
    }

    /// The completion of non-blocking operations: a request waits for it.
    fn completion(&mut self, last: Vec<OpId>, label: u8) -> OpId {
        let all = self.out.push(Step::calc(0).label(label));
        self.of.before.link(self.out, all);
        for op in last {
            self.out.after(all, op);
        }
        all
    }

    /// Adds a call to the algorithm's uses.
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
