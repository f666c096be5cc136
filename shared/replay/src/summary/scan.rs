//! The pass over one rank's calls.

use super::{
    CallTotals, Comm, Incoming, NO_RANK, NotReplayed, RankSummary, ReceiveResult, TraceSummary,
};
use crate::error::{Contradiction, ReplayError};
use crate::trace::Rank;
use loggia_trace::call::{ALONE, Call, Collective, CompletedRequest, KINDS, Peer, WORLD};
use loggia_trace::record::Record;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Objects shared between ranks.
#[derive(Default)]
pub(super) struct SharedObjects {
    /// Communicators by their names.
    comms: FxHashMap<u64, u32>,
    /// Windows by communicator and by the number of windows created for it before.
    windows: FxHashMap<(u32, u32), u32>,
}

/// A transfer, before all communicators are known.
pub(super) struct Transfer {
    pub(super) window: u32,
    pub(super) epoch: u32,
    /// Rank in the window's communicator.
    pub(super) target: u32,
    pub(super) incoming: Incoming,
}

/// A request.
#[derive(Clone, Copy)]
pub(super) struct Request {
    /// Index of the receive, if it is a wildcard receive in progress.
    receive: Option<u64>,
    /// Whether the receive has a wildcard.
    wild: bool,
    /// Whether it belongs to a receive.
    is_receive: bool,
}

/// The scan of one rank's calls.
pub(super) struct RankScan {
    rank: u32,
    drift: f64,
    now: u64,
    begin: u64,
    comms: Vec<u32>,
    windows: Vec<u32>,
    opened: FxHashMap<u32, u32>,
    epochs: Vec<u32>,
    requests: Vec<Option<Request>>,
    receives: u64,
    receive_results: FxHashMap<u64, ReceiveResult>,
    spent: Vec<CallTotals>,
    computing: u64,
    pub(super) moved: Vec<Transfer>,
    calls: u64,
    named: Vec<String>,
    others: Vec<NotReplayed>,
}

impl RankScan {
    pub(super) fn new(rank: u32, begin: u64, drift: f64) -> Self {
        RankScan {
            rank,
            drift,
            now: begin,
            begin,
            comms: vec![WORLD, ALONE],
            windows: Vec::new(),
            opened: FxHashMap::default(),
            epochs: Vec::new(),
            requests: Vec::new(),
            receives: 0,
            receive_results: FxHashMap::default(),
            spent: vec![CallTotals::default(); KINDS.len()],
            computing: 0,
            moved: Vec::new(),
            calls: 0,
            named: Vec::new(),
            others: Vec::new(),
        }
    }

    pub(super) fn done(self, others: &mut BTreeMap<String, NotReplayed>) -> RankSummary {
        let called = self.named.into_iter().zip(self.others).filter(|(_, of)| of.count > 0);
        for (name, of_rank) in called {
            let of = others.entry(name).or_insert(NotReplayed { count: 0, ..of_rank });
            of.count += of_rank.count;
        }
        let took = (self.now - self.begin) as f64;
        let end = self.now.saturating_add_signed((took * self.drift / 1e9) as i64);
        RankSummary {
            comms: self.comms,
            receive_results: self.receive_results,
            windows: self.windows.into_iter().zip(self.epochs).collect(),
            spent: self.spent,
            computing: self.computing,
            begin: self.begin,
            end,
        }
    }

    /// Adds a call.
    pub(super) fn record(
        &mut self,
        of: &Rank,
        record: &Record,
        summary: &mut TraceSummary,
        names: &mut SharedObjects,
    ) -> Result<(), ReplayError> {
        self.calls += 1;
        let computing = record.gap.saturating_sub(of.record_cost);
        self.computing = self.computing.saturating_add(computing);
        self.now = self.now.saturating_add(record.gap).saturating_add(record.duration);
        if !matches!(record.call, Call::Named { .. } | Call::Finalize) {
            let spent = &mut self.spent[usize::from(record.call.kind())];
            spent.calls += 1;
            spent.time = spent.time.saturating_add(record.duration);
        }
        let most = most_open(of.records);
        if let Some(request) = opens_request(&record.call)
            && request >= most
        {
            let contradiction = Contradiction::TooManyRequests { request, most };
            return Err(ReplayError::Damaged { file: of.name.clone(), contradiction });
        }
        match record.call {
            Call::Isend(_, _, request) => self.set(request, None),
            Call::Irecv(ref envelope, request) => {
                let wild = envelope.is_wild();
                let receive = Some(self.posted(wild));
                self.set(request, Some(Request { receive, wild, is_receive: true }));
            }
            Call::SendInit(_, _, request) => {
                let is_receive = false;
                self.set(request, Some(Request { receive: None, wild: false, is_receive }));
            }
            Call::RecvInit(ref envelope, request) => {
                let wild = envelope.is_wild();
                self.set(request, Some(Request { receive: None, wild, is_receive: true }));
            }
            Call::Start(requests) => {
                for request in requests.iter() {
                    if let Some(mut started) = self.get(request as u32)
                        && started.is_receive
                    {
                        started.receive = Some(self.posted(started.wild));
                        self.set(request as u32, Some(started));
                    }
                }
            }
            Call::Complete { done, .. } => {
                for CompletedRequest { request, met } in done.iter() {
                    if let (Some(met), Some(receive)) = (met, self.receive(request)) {
                        self.receive_results.insert(receive, ReceiveResult::MatchedMessage(met));
                    }
                }
            }
            Call::Cancel(request) => {
                // A cancelled receive must not match the message of another receive, unless it has
                // already completed.
                if let Some(receive) = self.receive(request) {
                    self.receive_results.insert(receive, ReceiveResult::Nothing);
                }
            }
            Call::Collective(Collective { request: Some(request), .. })
            | Call::CollectiveInit(Collective { request: Some(request), .. }) => {
                self.set(request, None);
            }
            Call::CommIdup { comm, name, rank, size, request, parent: _ } => {
                self.join_communicator(of, (comm, name, rank, size), summary, names)?;
                self.set(request, None);
            }
            Call::CommNew { comm, name, rank, size, parent: _ } if size > 0 => {
                let index = self.join_communicator(of, (comm, name, rank, size), summary, names)?;
                let making = &mut summary.comms[index as usize].making;
                *making = record.duration.min(*making);
            }
            Call::WindowNew { window, comm, .. } => {
                self.open_window(window, comm, record.duration, summary, names);
            }
            Call::Fence(window) => {
                if let Some(epoch) = self.epochs.get_mut(window as usize) {
                    *epoch += 1;
                }
            }
            Call::OneSided { how, window, peer: Peer::Rank(target), bytes } => {
                let known = self.windows.get(window as usize).copied();
                let epoch = self.epochs.get(window as usize).copied();
                if let (Some(window), Some(epoch)) = (known, epoch) {
                    let incoming = Incoming { how, origin: self.rank, bytes };
                    self.moved.push(Transfer { window, epoch, target, incoming });
                }
            }
            Call::Named { other, name } => {
                let at = other as usize;
                if at == self.named.len() {
                    self.named.push(name.to_owned());
                    self.others.push(NotReplayed { count: 0, rank: self.rank, call: 0 });
                }
            }
            Call::Other(other) => {
                if let Some(known) = self.others.get_mut(other as usize) {
                    if known.count == 0 {
                        known.call = self.calls;
                    }
                    known.count += 1;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The index of a new non-blocking receive.
    fn posted(&mut self, wild: bool) -> u64 {
        self.receives += 1;
        let receive = self.receives - 1;
        if wild {
            self.receive_results.insert(receive, ReceiveResult::Nothing);
        }
        receive
    }

    fn get(&self, request: u32) -> Option<Request> {
        self.requests.get(request as usize).copied().flatten()
    }

    fn receive(&self, request: u32) -> Option<u64> {
        self.get(request).and_then(|request| request.receive)
    }

    fn set(&mut self, request: u32, to: Option<Request>) {
        let at = request as usize;
        if at >= self.requests.len() {
            if to.is_none() {
                return;
            }
            self.requests.resize(at + 1, None);
        }
        self.requests[at] = to;
    }

    /// Adds this rank to a communicator.
    fn join_communicator(
        &mut self,
        of: &Rank,
        (comm, name, rank, size): (u32, u64, u32, u32),
        summary: &mut TraceSummary,
        names: &mut SharedObjects,
    ) -> Result<u32, ReplayError> {
        let damaged = |contradiction| ReplayError::Damaged { file: of.name.clone(), contradiction };
        let index = *names.comms.entry(name).or_insert_with(|| {
            summary.comms.push(Comm { members: Vec::new(), size, making: u64::MAX });
            (summary.comms.len() - 1) as u32
        });
        let ranks = summary.comms[0].size;
        let known = &mut summary.comms[index as usize];
        if size != known.size || rank >= size || size > ranks {
            return Err(damaged(Contradiction::CommSize { rank, size, known: known.size }));
        }
        if known.members.is_empty() {
            known.members = vec![NO_RANK; size as usize];
        }
        let member = &mut known.members[rank as usize];
        if *member != NO_RANK && *member != self.rank {
            return Err(damaged(Contradiction::RepeatedMember(rank)));
        }
        *member = self.rank;
        let at = comm as usize;
        if comm >= most_open(of.records) {
            return Err(damaged(Contradiction::CommNumber { comm, known: self.comms.len() }));
        }
        self.comms.resize(self.comms.len().max(at + 1), NO_RANK);
        self.comms[at] = index;
        Ok(index)
    }

    /// Adds a window of this rank.
    fn open_window(
        &mut self,
        window: u32,
        comm: u32,
        duration: u64,
        summary: &mut TraceSummary,
        names: &mut SharedObjects,
    ) {
        let known = self.comms.get(comm as usize).filter(|comm| **comm != NO_RANK);
        let Some(&comm) = known else { return };
        if window as usize != self.windows.len() {
            return;
        }
        let before = self.opened.entry(comm).or_default();
        let index = *names.windows.entry((comm, *before)).or_insert_with(|| {
            summary.windows.push((comm, u64::MAX));
            (summary.windows.len() - 1) as u32
        });
        let making = &mut summary.windows[index as usize].1;
        *making = duration.min(*making);
        *before += 1;
        self.windows.push(index);
        self.epochs.push(0);
    }
}

/// Maximum number of open requests of a rank.
const MAX_REQUESTS: u32 = 1 << 22;

/// Open requests that are accepted in a trace of any length.
const FEW_REQUESTS: u32 = 1 << 16;

/// Largest accepted number of a request or communicator on a rank with this many calls. Each is
/// opened by a call, so a much larger number is damage; it must not cause a large allocation.
fn most_open(calls: u64) -> u32 {
    calls.clamp(u64::from(FEW_REQUESTS), u64::from(MAX_REQUESTS)) as u32
}

/// The request that a call opens.
fn opens_request(call: &Call) -> Option<u32> {
    match call {
        Call::Isend(_, _, request)
        | Call::Irecv(_, request)
        | Call::SendInit(_, _, request)
        | Call::RecvInit(_, request) => Some(*request),
        Call::CommIdup { request, .. } => Some(*request),
        Call::Collective(collective) | Call::CollectiveInit(collective) => collective.request,
        _ => None,
    }
}
