//! A look through a whole trace, before it is replayed: who is in which communicator, what receives
//! of any source have met, what is moved between fences, and where the time of the real run went.

use crate::error::ReplayError;
use crate::trace::{Source, Trace};
use loggia_trace::call::{ALONE, KINDS, MatchedMessage, OneSided};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

mod scan;

use scan::{RankScan, SharedObjects, Transfer};

/// A communicator of the whole run.
#[derive(Clone, Debug)]
pub(crate) struct Comm {
    /// The run's ranks by their ranks in it; empty for all of them in their own order.
    members: Vec<u32>,
    /// Number of ranks.
    pub(crate) size: u32,
    /// Time that the last rank to arrive took to create it, in ns, since it waited for no other.
    pub(crate) making: u64,
}

/// A transfer into or out of a rank's memory, as that rank sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Incoming {
    pub(crate) how: OneSided,
    /// The calling rank, numbered in the world.
    pub(crate) origin: u32,
    pub(crate) bytes: u64,
}

/// The result of a receive whose message was unknown at the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiveResult {
    /// The matched message.
    MatchedMessage(MatchedMessage),
    /// It was cancelled, or never completed.
    Nothing,
}

/// Number of calls, and their total time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallTotals {
    /// Calls.
    pub calls: u64,
    /// Nanoseconds.
    pub time: u64,
}

/// Calls of one name that cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotReplayed {
    count: u64,
    /// The lowest rank that calls it, and where in its list of calls, counted from 1.
    rank: u32,
    call: u64,
}

/// Summary of a rank.
#[derive(Clone, Debug)]
pub(crate) struct RankSummary {
    /// The run's communicators, by their numbers on this rank.
    pub(crate) comms: Vec<u32>,
    /// Results of wildcard or cancelled non-blocking receives, by index among such receives of the
    /// rank.
    pub(crate) fates: FxHashMap<u64, ReceiveResult>,
    /// The run's windows, by their numbers on this rank, and how many of their fences it passes.
    pub(crate) windows: Vec<(u32, u32)>,
    /// By kind of call.
    pub(crate) spent: Vec<CallTotals>,
    /// Between calls, without what recording took.
    pub(crate) computing: u64,
    /// Start and end, in ns since the first rank's start.
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// Summary of a trace.
#[derive(Clone, Debug)]
pub struct TraceSummary {
    pub(crate) comms: Vec<Comm>,
    /// The communicator of each window, and how long the last rank to come took to make it.
    pub(crate) windows: Vec<(u32, u64)>,
    pub(crate) ranks: Vec<RankSummary>,
    /// By window, epoch and rank.
    pub(crate) incoming: FxHashMap<(u32, u32, u32), Vec<Incoming>>,
    /// Calls that cannot be replayed, by name.
    pub(crate) others: BTreeMap<String, NotReplayed>,
    /// Transfers that no fence ends, as in windows that are locked.
    unfenced: u64,
    /// Whether the trace holds the actual sources of receives from any source.
    pub(crate) tells_what_was_met: bool,
    /// Calls recorded.
    pub records: u64,
}

impl Comm {
    /// The number of a rank in the world.
    #[inline]
    pub(crate) fn world(&self, rank: u32) -> Option<u32> {
        match self.members.is_empty() {
            true => (rank < self.size).then_some(rank),
            false => self.members.get(rank as usize).copied(),
        }
    }

    /// The number of a world rank in this communicator.
    pub(crate) fn local(&self, world: u32) -> Option<u32> {
        match self.members.is_empty() {
            true => Some(world),
            false => self.members.iter().position(|m| *m == world).map(|rank| rank as u32),
        }
    }
}

impl TraceSummary {
    /// Looks through a trace.
    pub fn of(trace: &Trace) -> Result<Self, ReplayError> {
        let p = trace.ranks.len() as u32;
        let world = Comm { members: Vec::new(), size: p, making: 0 };
        // `MPI_COMM_SELF`: its only member is the rank itself, so the list is not used.
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
            let mut look = RankScan::new(
                number as u32,
                rank.start.saturating_sub(first).max(0) as u64,
                rank.drift,
            );
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

    /// The summary of a program without known calls.
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

    /// The target of a one-sided call, numbered in the world.
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

    /// Calls that cannot be replayed, as text.
    pub fn not_replayed(&self) -> impl Iterator<Item = String> {
        let calls = self.others.iter().map(|(name, NotReplayed { count, rank, call })| {
            let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
            // A call that is usually replayed had an unknown object.
            let of = match KINDS.contains(&name.as_str()) {
                true => " in a communicator, with a message or a window that is not replayed",
                false => "",
            };
            format!(
                "MPI_{name} was called {times}{of} and is not replayed: its time is left out \
                 (first: call {call} of rank {rank})"
            )
        });
        let transfers = (self.unfenced > 0).then(|| {
            let count = self.unfenced;
            format!(
                "{count} of the transfers into and out of windows end at no fence and are left out"
            )
        });
        calls.chain(transfers)
    }

    /// Every rank of a communicator must appear in it in its own trace.
    fn check_members(&self, trace: &Trace) -> Result<(), ReplayError> {
        for comm in &self.comms[2..] {
            if let Some(gap) = comm.members.iter().position(|member| *member == NO_RANK) {
                let known = comm.members.iter().find(|member| **member != NO_RANK);
                let file = known.map(|rank| trace.ranks[*rank as usize].name.clone());
                return Err(ReplayError::UnknownMember {
                    file: file.unwrap_or_default(),
                    rank: gap as u32,
                    size: comm.size,
                });
            }
        }
        Ok(())
    }

    /// Duration of the real run, in ns.
    pub fn measured(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.end).max().unwrap_or(0)
    }
}

const NO_RANK: u32 = u32::MAX;
