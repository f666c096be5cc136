//! A look through a whole trace, before it is replayed: who is in which communicator, what receives
//! of any source have met, what is moved between fences, and where the time of the real run went.

use crate::trace::{Rank, Source, Trace};
use loggia_model::Error;
use loggia_trace::call::{ALONE, Call, Collective, Done, KINDS, Met, OneSided, Peer, WORLD};
use loggia_trace::record::Record;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A communicator of the whole run.
#[derive(Clone, Debug)]
pub(crate) struct Comm {
    /// The run's ranks by their ranks in it; empty for all of them in their own order.
    members: Vec<u32>,
    /// How many ranks it has.
    pub(crate) size: u32,
    /// How long the last of them to come took to make it, in nanoseconds: it waited for nobody.
    pub(crate) making: u64,
}

/// A transfer into or out of a rank's memory, as that rank sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Incoming {
    pub(crate) how: OneSided,
    /// Which of the run's ranks has called.
    pub(crate) origin: u32,
    pub(crate) bytes: u64,
}

/// What a receive that could not know its message beforehand came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiveResult {
    /// This message.
    Met(Met),
    /// It was taken back, or never came to its end.
    Nothing,
}

/// How often something was called, and how long that took in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallTotals {
    /// Calls.
    pub calls: u64,
    /// Nanoseconds.
    pub time: u64,
}

/// What a rank did.
#[derive(Clone, Debug)]
pub(crate) struct RankSummary {
    /// The run's communicators, by their numbers on this rank.
    pub(crate) comms: Vec<u32>,
    /// Of receives that do not wait and take any source or tag, or were taken back: by their places
    /// among all such receives of the rank.
    pub(crate) fates: FxHashMap<u64, ReceiveResult>,
    /// The run's windows, by their numbers on this rank, and how many of their fences it passes.
    pub(crate) windows: Vec<(u32, u32)>,
    /// By kind of call.
    pub(crate) spent: Vec<CallTotals>,
    /// Between calls, without what recording took.
    pub(crate) computing: u64,
    /// When it began and ended, in nanoseconds since the first rank began.
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// What is known of a trace after a look through it.
#[derive(Clone, Debug)]
pub struct TraceSummary {
    pub(crate) comms: Vec<Comm>,
    /// The communicator of each window, and how long the last rank to come took to make it.
    pub(crate) windows: Vec<(u32, u64)>,
    pub(crate) ranks: Vec<RankSummary>,
    /// By window, epoch and rank.
    pub(crate) incoming: FxHashMap<(u32, u32, u32), Vec<Incoming>>,
    /// Calls that cannot be replayed: how many of each name.
    pub(crate) others: BTreeMap<String, u64>,
    /// Transfers that no fence ends, as in windows that are locked.
    unfenced: u64,
    /// Whether the trace says what receives of any source have met.
    pub(crate) tells_what_was_met: bool,
    /// Calls recorded.
    pub records: u64,
}

impl Comm {
    /// Which of the run's ranks that is.
    #[inline]
    pub(crate) fn world(&self, rank: u32) -> Option<u32> {
        match self.members.is_empty() {
            true => (rank < self.size).then_some(rank),
            false => self.members.get(rank as usize).copied(),
        }
    }

    /// Which of its ranks that is.
    pub(crate) fn local(&self, world: u32) -> Option<u32> {
        match self.members.is_empty() {
            true => Some(world),
            false => self.members.iter().position(|m| *m == world).map(|rank| rank as u32),
        }
    }
}

impl TraceSummary {
    /// Looks through a trace.
    pub fn of(trace: &Trace) -> Result<Self, Error> {
        let p = trace.ranks.len() as u32;
        let world = Comm { members: Vec::new(), size: p, making: 0 };
        // Alone is each rank with itself: whom it names does not matter, for it is always the same.
        let alone = Comm { members: Vec::new(), size: 1, making: 0 };
        let first = trace.start();
        let mut summary = TraceSummary {
            comms: vec![world, alone],
            windows: Vec::new(),
            ranks: Vec::new(),
            incoming: FxHashMap::default(),
            others: BTreeMap::new(),
            unfenced: 0,
            tells_what_was_met: trace.source == Source::Loggia,
            records: 0,
        };
        let mut names = SharedObjects::default();
        let mut moved = Vec::new();
        for (number, rank) in trace.ranks.iter().enumerate() {
            let mut look =
                RankScan::new(number as u32, (rank.start - first).max(0) as u64, rank.drift);
            for record in rank.records() {
                look.record(rank, &record, &mut summary, &mut names)?;
            }
            moved.append(&mut look.moved);
            summary.records += rank.records;
            summary.ranks.push(look.done(&mut summary.others));
        }
        summary.check_members(trace)?;
        for Transfer { window, epoch, target, incoming } in moved {
            if let Some(target) = summary.target(window, target, incoming.origin) {
                if summary.is_fenced(window, epoch, [target, incoming.origin]) {
                    summary.incoming.entry((window, epoch, target)).or_default().push(incoming);
                } else {
                    summary.unfenced += 1;
                }
            }
        }
        Ok(summary)
    }

    /// Of a program of which no calls are known.
    pub(crate) fn of_nothing(ranks: u32) -> Self {
        let look = || RankScan::new(0, 0, 0.0).done(&mut BTreeMap::new());
        TraceSummary {
            comms: vec![Comm { members: Vec::new(), size: ranks, making: 0 }],
            windows: Vec::new(),
            ranks: (0..ranks).map(|_| look()).collect(),
            incoming: FxHashMap::default(),
            others: BTreeMap::new(),
            unfenced: 0,
            tells_what_was_met: true,
            records: 0,
        }
    }

    /// Which of the run's ranks a transfer names, of this window and by this rank.
    pub(crate) fn target(&self, window: u32, named: u32, origin: u32) -> Option<u32> {
        match self.windows[window as usize].0 {
            ALONE => Some(origin),
            comm => self.comms[comm as usize].world(named),
        }
    }

    /// Whether both ranks of a transfer pass the fence that ends it.
    pub(crate) fn is_fenced(&self, window: u32, epoch: u32, ranks: [u32; 2]) -> bool {
        ranks.iter().all(|rank| {
            let windows = &self.ranks[*rank as usize].windows;
            windows.iter().any(|(known, fences)| *known == window && *fences > epoch)
        })
    }

    /// What cannot be replayed, in words.
    pub fn not_replayed(&self) -> impl Iterator<Item = String> {
        let calls = self.others.iter().map(|(name, count)| {
            let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
            // What is replayed elsewhere was called of something that is not known.
            let of = match KINDS.contains(&name.as_str()) {
                true => " in a communicator, with a message or a window that is not replayed",
                false => "",
            };
            format!("MPI_{name} was called {times}{of} and is not replayed: its time is left out")
        });
        let transfers = (self.unfenced > 0).then(|| {
            let count = self.unfenced;
            format!(
                "{count} of the transfers into and out of windows end at no fence and are left out"
            )
        });
        calls.chain(transfers)
    }

    /// Every rank of a communicator must have said that it is in it.
    fn check_members(&self, trace: &Trace) -> Result<(), Error> {
        for comm in &self.comms[2..] {
            if let Some(gap) = comm.members.iter().position(|member| *member == NOBODY) {
                let known = comm.members.iter().find(|member| **member != NOBODY);
                let name = known.map_or("", |rank| &trace.ranks[*rank as usize].name);
                return Err(Error::new(
                    format!(
                        "rank {gap} of a communicator of {} ranks is in no rank's trace",
                        comm.size
                    ),
                    name,
                    "the trace of that rank ends before the communicator was made: trace again",
                ));
            }
        }
        Ok(())
    }

    /// How long the real run took, in nanoseconds.
    pub fn measured(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.end).max().unwrap_or(0)
    }
}

const NOBODY: u32 = u32::MAX;

/// What ranks call the same thing.
#[derive(Default)]
struct SharedObjects {
    /// Communicators by their names.
    comms: FxHashMap<u64, u32>,
    /// Windows by their communicators and by how many were opened to it before.
    windows: FxHashMap<(u32, u32), u32>,
}

/// A transfer, before all communicators are known.
struct Transfer {
    window: u32,
    epoch: u32,
    /// Counted in the window's communicator.
    target: u32,
    incoming: Incoming,
}

/// What a request is about.
#[derive(Clone, Copy)]
struct Request {
    /// Which of the rank's receives, if it is one under way.
    receive: Option<u64>,
    /// Whether it takes any.
    wild: bool,
    /// Whether it is one to be started.
    is_receive: bool,
}

/// The look at one rank.
struct RankScan {
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
    fates: FxHashMap<u64, ReceiveResult>,
    spent: Vec<CallTotals>,
    computing: u64,
    moved: Vec<Transfer>,
    named: Vec<String>,
    others: Vec<u64>,
}

impl RankScan {
    fn new(rank: u32, begin: u64, drift: f64) -> Self {
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
            fates: FxHashMap::default(),
            spent: vec![CallTotals::default(); KINDS.len()],
            computing: 0,
            moved: Vec::new(),
            named: Vec::new(),
            others: Vec::new(),
        }
    }

    fn done(self, others: &mut BTreeMap<String, u64>) -> RankSummary {
        for (name, count) in self.named.into_iter().zip(self.others) {
            *others.entry(name).or_default() += count;
        }
        let took = (self.now - self.begin) as f64;
        let end = self.now.saturating_add_signed((took * self.drift / 1e9) as i64);
        RankSummary {
            comms: self.comms,
            fates: self.fates,
            windows: self.windows.into_iter().zip(self.epochs).collect(),
            spent: self.spent,
            computing: self.computing,
            begin: self.begin,
            end,
        }
    }

    /// Looks at a call.
    fn record(
        &mut self,
        of: &Rank,
        record: &Record,
        summary: &mut TraceSummary,
        names: &mut SharedObjects,
    ) -> Result<(), Error> {
        let computing = record.gap.saturating_sub(of.record_cost);
        self.computing = self.computing.saturating_add(computing);
        self.now = self.now.saturating_add(record.gap).saturating_add(record.duration);
        if !matches!(record.call, Call::Named { .. } | Call::Finalize) {
            let spent = &mut self.spent[usize::from(record.call.kind())];
            spent.calls += 1;
            spent.time = spent.time.saturating_add(record.duration);
        }
        if let Some(request) = opens_request(&record.call)
            && request >= MOST_REQUESTS
        {
            return Err(Error::new(
                format!("request {request} is open, and {MOST_REQUESTS} are the most at a time"),
                &of.name,
                "the trace is damaged: trace again",
            ));
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
                for Done { request, met } in done.iter() {
                    if let (Some(met), Some(receive)) = (met, self.receive(request)) {
                        self.fates.insert(receive, ReceiveResult::Met(met));
                    }
                }
            }
            Call::Cancel(request) => {
                // It must not meet what was meant for another, unless it turns out to have met its
                // own before.
                if let Some(receive) = self.receive(request) {
                    self.fates.insert(receive, ReceiveResult::Nothing);
                }
            }
            Call::Collective(Collective { request: Some(request), .. }) => self.set(request, None),
            Call::CommNew { comm, name, rank, size, parent: _ } if size > 0 => {
                let index = self.joins(of, (comm, name, rank, size), summary, names)?;
                let making = &mut summary.comms[index as usize].making;
                *making = record.duration.min(*making);
            }
            Call::WindowNew { window, comm, .. } => {
                self.opens(window, comm, record.duration, summary, names);
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
                    self.others.push(0);
                }
            }
            Call::Other(other) => {
                if let Some(count) = self.others.get_mut(other as usize) {
                    *count += 1;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A receive that does not wait: its place among all of them.
    fn posted(&mut self, wild: bool) -> u64 {
        self.receives += 1;
        let receive = self.receives - 1;
        if wild {
            self.fates.insert(receive, ReceiveResult::Nothing);
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

    /// This rank is in a communicator: which of the run's.
    fn joins(
        &mut self,
        of: &Rank,
        (comm, name, rank, size): (u32, u64, u32, u32),
        summary: &mut TraceSummary,
        names: &mut SharedObjects,
    ) -> Result<u32, Error> {
        let damaged =
            |what: String| Error::new(what, &of.name, "the trace is damaged: trace again");
        let index = *names.comms.entry(name).or_insert_with(|| {
            summary.comms.push(Comm { members: Vec::new(), size, making: u64::MAX });
            (summary.comms.len() - 1) as u32
        });
        let ranks = summary.comms[0].size;
        let known = &mut summary.comms[index as usize];
        if size != known.size || rank >= size || size > ranks {
            return Err(damaged(format!(
                "rank {rank} of {size} in a communicator of {}",
                known.size
            )));
        }
        if known.members.is_empty() {
            known.members = vec![NOBODY; size as usize];
        }
        let member = &mut known.members[rank as usize];
        if *member != NOBODY && *member != self.rank {
            return Err(damaged(format!("a communicator has two ranks {rank}")));
        }
        *member = self.rank;
        let at = comm as usize;
        if at > self.comms.len() + (1 << 20) {
            return Err(damaged(format!("communicator {comm} comes after {}", self.comms.len())));
        }
        self.comms.resize(self.comms.len().max(at + 1), NOBODY);
        self.comms[at] = index;
        Ok(index)
    }

    /// This rank opens a window.
    fn opens(
        &mut self,
        window: u32,
        comm: u32,
        duration: u64,
        summary: &mut TraceSummary,
        names: &mut SharedObjects,
    ) {
        let known = self.comms.get(comm as usize).filter(|comm| **comm != NOBODY);
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

/// So many requests of a rank may be open at a time.
const MOST_REQUESTS: u32 = 1 << 22;

/// The request that a call opens.
fn opens_request(call: &Call) -> Option<u32> {
    match call {
        Call::Isend(_, _, request)
        | Call::Irecv(_, request)
        | Call::SendInit(_, _, request)
        | Call::RecvInit(_, request) => Some(*request),
        Call::Collective(collective) => collective.request,
        _ => None,
    }
}
