//! One pass over a whole trace before its replay: members of communicators, matches of wildcard
//! receives, transfers between fences, and the times of the real run.

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
    /// World ranks by their ranks in the communicator; empty for all ranks in the world's order.
    members: Vec<u32>,
    /// Number of ranks.
    pub(crate) size: u32,
    /// Shortest creation time of any rank, in ns: the last rank to arrive waits for no other.
    pub(crate) making: u64,
}

/// A one-sided transfer into or out of a rank's memory, seen by the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Incoming {
    pub(crate) how: OneSided,
    /// The calling rank, numbered in the world.
    pub(crate) origin: u32,
    pub(crate) bytes: u64,
}

/// The result of a wildcard or cancelled receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiveResult {
    /// The matched message.
    MatchedMessage(MatchedMessage),
    /// The receive was cancelled, or never completed.
    Nothing,
}

/// Number of calls, and their total time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallTotals {
    pub calls: u64,
    /// In ns.
    pub time: u64,
}

/// Calls that cannot be replayed, of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotReplayed {
    count: u64,
    /// The lowest calling rank, and the position of its first such call, from 1.
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
    pub(crate) receive_results: FxHashMap<u64, ReceiveResult>,
    /// The run's windows by their numbers on this rank, each with its number of fences.
    pub(crate) windows: Vec<(u32, u32)>,
    /// By kind of call.
    pub(crate) spent: Vec<CallTotals>,
    /// Between calls, without the cost of recording, in ns.
    pub(crate) computing: u64,
    /// Start and end, in ns since the first rank's start.
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// Summary of a trace.
#[derive(Clone, Debug)]
pub struct TraceSummary {
    pub(crate) comms: Vec<Comm>,
    /// The communicator of each window, and the shortest creation time of any rank, in ns.
    pub(crate) windows: Vec<(u32, u64)>,
    pub(crate) ranks: Vec<RankSummary>,
    /// By window, epoch and rank.
    pub(crate) incoming: FxHashMap<(u32, u32, u32), Vec<Incoming>>,
    /// Calls that cannot be replayed, by name.
    pub(crate) others: BTreeMap<String, NotReplayed>,
    /// Number of transfers without a closing fence, as in locked windows.
    unfenced: u64,
    /// Whether the trace holds the actual sources of receives from any source.
    pub(crate) records_matches: bool,
    /// Number of recorded calls.
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
    /// Summarizes a trace.
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
            records_matches: trace.source == Source::Loggia,
            records: 0,
        };
        let mut names = SharedObjects::default();
        let mut moved = Vec::new();
        for (number, rank) in trace.ranks.iter().enumerate() {
            let mut scan = RankScan::new(
                number as u32,
                rank.start.saturating_sub(first).max(0) as u64,
                rank.drift,
            );
            for record in rank.records() {
                scan.record(rank, &record, &mut summary, &mut names)?;
            }
            moved.append(&mut scan.moved);
            summary.records += rank.records;
            summary.ranks.push(scan.done(&mut summary.others));
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
    pub(crate) fn without_calls(ranks: u32) -> Self {
        let empty = || RankScan::new(0, 0, 0.0).done(&mut BTreeMap::new());
        TraceSummary {
            comms: vec![Comm { members: Vec::new(), size: ranks, making: 0 }],
            windows: Vec::new(),
            ranks: (0..ranks).map(|_| empty()).collect(),
            incoming: FxHashMap::default(),
            others: BTreeMap::new(),
            unfenced: 0,
            records_matches: true,
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
            // A call of a replayable function had an unknown object.
            let of = match KINDS.contains(&name.as_str()) {
                true => " with a communicator, message or window that is not replayed",
                false => "",
            };
            format!(
                "MPI_{name} was called {times}{of} and is not replayed: its time is left out \
                 (first: call {call} of rank {rank})"
            )
        });
        let transfers = (self.unfenced > 0).then(|| {
            let count = self.unfenced;
            format!("transfers of windows without a closing fence are left out: {count}")
        });
        calls.chain(transfers)
    }

    /// Every rank of a communicator must create it in its own trace.
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
