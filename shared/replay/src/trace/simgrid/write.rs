//! Conversion of actions to records.

use super::action::{Action, CollectiveAction, Tokens, WaitTarget};
use super::open_by_message::Requests;
use crate::trace::error::{LineError, LineMistake};
use crate::trace::text::{few, rounded};
use loggia_trace::call::{
    ANY_TAG, Call, Collective, CompletedRequest, CompletedRequests, Completion, Envelope, List,
    Mode, Peer, ReductionOperator, WORLD,
};
use loggia_trace::record::{self, Record};
use std::collections::BTreeMap;

/// Writes a rank's records.
pub(super) struct Writer {
    pub(super) rank: u32,
    /// Floating-point operations per µs.
    speed: f64,
    /// The size of the default datatype in bytes.
    pub(super) default: u64,
    records: Vec<u8>,
    lists: [Vec<u8>; 2],
    /// Computation that is not yet written, in ns.
    gap: f64,
    requests: Requests,
    others: Vec<(&'static str, u64)>,
    notes: Notes,
    is_whole: bool,
}

/// Counts for warnings.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    others: BTreeMap<&'static str, u64>,
    tests: u64,
    /// Waits and tests for requests that are not open.
    lost: u64,
    communicators: u64,
    wild: u64,
    /// Ranks without `finalize`.
    early: Vec<u32>,
}

impl Writer {
    pub(super) fn new(rank: u32, speed: f64) -> Self {
        Writer {
            rank,
            speed,
            default: 1,
            records: Vec::new(),
            lists: Default::default(),
            gap: 0.0,
            requests: Requests::default(),
            others: Vec::new(),
            notes: Notes::default(),
            is_whole: false,
        }
    }

    /// The first reading: only requests matter.
    pub(super) fn survey(&mut self, action: &Action) {
        match action {
            Action::Isend(_, key) | Action::Irecv(_, key) => _ = self.requests.add(*key),
            Action::Wait(target) => _ = self.requests.wait(*target),
            Action::Test(target) => self.requests.survey(*target),
            Action::Waitall | Action::Finalize => _ = self.requests.wait_all(),
            _ => {}
        }
    }

    /// Begins the second reading.
    pub(super) fn begin_again(&mut self) {
        self.requests.begin_again();
    }

    /// Writes the records of an action.
    pub(super) fn write(&mut self, action: &Action, words: &Tokens) -> Result<(), LineError> {
        self.is_whole = false;
        match *action {
            Action::Init(default) => self.default = default,
            Action::Finalize => {
                if !self.requests.is_empty() {
                    self.wait_all();
                }
                self.put(Call::Finalize);
                self.is_whole = true;
            }
            Action::Compute(nanos) => self.compute(nanos / self.speed, words)?,
            Action::Sleep(nanos) => self.compute(nanos, words)?,
            Action::Send(envelope) => self.put(Call::Send(Mode::Standard, envelope)),
            Action::Recv(got) => {
                let (any_source, any_tag) = self.wild(&got);
                self.put(Call::Recv { got, any_source, any_tag });
            }
            Action::Isend(envelope, key) => {
                let request = self.requests.add(key);
                self.put(Call::Isend(Mode::Standard, envelope, request));
            }
            Action::Irecv(envelope, key) => {
                self.wild(&envelope);
                let request = self.requests.add(key);
                self.put(Call::Irecv(envelope, request));
            }
            Action::Sendrecv(send, got) => {
                let (any_source, any_tag) = self.wild(&got);
                self.put(Call::Sendrecv { send, got, any_source, any_tag });
            }
            Action::Wait(target) => self.wait(target),
            Action::Test(target) => self.test(target),
            Action::Waitall => self.wait_all(),
            Action::Collective(ref call) => {
                self.collective(call);
                self.compute(call.compute / self.speed, words)?;
            }
            Action::Communicator => self.notes.communicators += 1,
            Action::Nothing => {}
            Action::Other(name) => self.other(name),
        }
        Ok(())
    }

    fn compute(&mut self, nanos: f64, words: &Tokens) -> Result<(), LineError> {
        self.gap += nanos;
        if rounded(self.gap).is_none() {
            return Err(words.wrong(LineMistake::TooMuchTime));
        }
        Ok(())
    }

    /// Rounds the gap and carries the rest over, so that rounding errors do not add up.
    fn put(&mut self, call: Call) {
        let gap = rounded(self.gap.max(0.0)).unwrap_or(0);
        self.gap -= gap as f64;
        let gap = u64::try_from(gap).unwrap_or(0);
        record::write(&mut self.records, &Record { gap, duration: 0, call });
    }

    fn wild(&mut self, envelope: &Envelope) -> (bool, bool) {
        let any_source = envelope.peer == Peer::AnySource;
        self.notes.wild += u64::from(any_source);
        (any_source, envelope.tag == ANY_TAG)
    }

    fn complete(&mut self, how: Completion, done: &[u32]) {
        let mut bytes = std::mem::take(&mut self.lists[0]);
        let requested = u32::try_from(done.len()).unwrap_or(u32::MAX);
        let done = done.iter().map(|request| CompletedRequest { request: *request, met: None });
        let done = CompletedRequests::new(&mut bytes, done);
        self.put(Call::Complete { how, requested, done });
        self.lists[0] = bytes;
    }

    fn wait(&mut self, target: WaitTarget) {
        match self.requests.wait(target) {
            Some(request) => self.complete(Completion::Wait, &[request]),
            // A test may have completed it; SimGrid continues as well.
            None => self.notes.lost += 1,
        }
    }

    fn test(&mut self, target: WaitTarget) {
        self.notes.tests += 1;
        match self.requests.test(target) {
            Ok(Some(request)) => self.complete(Completion::Test, &[request]),
            Ok(None) => self.put(Call::Polls(1)),
            Err(()) => self.notes.lost += 1,
        }
    }

    fn wait_all(&mut self) {
        let all = self.requests.wait_all();
        self.complete(Completion::Waitall, &all);
    }

    fn collective(&mut self, call: &CollectiveAction) {
        let mut lists = std::mem::take(&mut self.lists);
        let [sends, receives] = &mut lists;
        let combine = call.op.reduces().then_some(ReductionOperator::Own);
        let record = Collective {
            root: call.root,
            sends: List::new(sends, call.sends.iter().copied()),
            receives: List::new(receives, call.receives.iter().copied()),
            combine,
            ..Collective::new(call.op, WORLD, call.bytes)
        };
        self.put(Call::Collective(record));
        self.lists = lists;
    }

    fn other(&mut self, name: &'static str) {
        let place = self.others.iter().position(|(other, _)| *other == name);
        let place = place.unwrap_or_else(|| {
            let other = u32::try_from(self.others.len()).unwrap_or(u32::MAX);
            let call = Call::Named { other, name };
            record::write(&mut self.records, &Record { gap: 0, duration: 0, call });
            self.others.push((name, 0));
            self.others.len() - 1
        });
        self.others[place].1 += 1;
        self.put(Call::Other(u32::try_from(place).unwrap_or(u32::MAX)));
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.records
    }
}

impl Notes {
    /// Adds the counts of a rank.
    pub(super) fn add(&mut self, writer: &Writer) {
        let Notes { tests, lost, communicators, wild, .. } = writer.notes;
        for (name, count) in &writer.others {
            *self.others.entry(name).or_default() += count;
        }
        self.tests += tests;
        self.lost += lost;
        self.communicators += communicators;
        self.wild += wild;
        if !writer.is_whole {
            self.early.push(writer.rank);
        }
    }

    /// Warnings to the user.
    pub(super) fn warnings(&self, name: &str) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.others.is_empty() {
            let others = self.others.iter().map(|(other, count)| format!("{other} ({count})"));
            warnings.push(format!("{name}: actions that are not replayed: {}", few(others)));
        }
        let counts = [
            (
                self.communicators,
                "communicators created; the trace does not record their use: all operations are \
                 among all ranks, as in SimGrid",
            ),
            (self.wild, "receives from any source; the trace does not record the sender"),
            (self.tests, "tests; their results are not recorded, but inferred from later calls"),
            (self.lost, "waits and tests without an open request: left out"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        warnings.extend(counts.map(|(count, what)| format!("{name}: {count} × {what}")));
        if !self.early.is_empty() {
            let early = few(self.early.iter().map(|rank| rank.to_string()));
            warnings.push(format!("{name}: ranks that end before `finalize`: {early}"));
        }
        warnings
    }
}
