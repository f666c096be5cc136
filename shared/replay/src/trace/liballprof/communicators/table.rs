//! One pass over the events of all ranks together.

use super::super::handles::Event;
use super::super::line::{Comm, Creation};
use super::meeting::{Kind, Meeting, Participant};
use loggia_trace::call::{ALONE, WORLD};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A communicator of a rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LocalComm {
    /// Index of the meeting of its ranks.
    met: usize,
    /// This rank's number of the parent.
    pub(super) parent: u32,
    /// Address of its handle.
    at: Option<u64>,
    /// Index of its group and this rank's number in it, once known.
    pub(super) group: Option<(usize, u32)>,
    /// Name, the same on all its ranks.
    pub(super) name: u64,
    /// Size and rank in its lines.
    pub(super) seen: Option<Comm>,
    is_freed: bool,
    /// Whether this rank is not in it.
    pub(super) is_void: bool,
}

/// The communicator of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    /// Index on this rank; `None` for the world, or if unknown.
    pub(super) own: Option<usize>,
    /// Whether this is the first use of a communicator whose creation is not in the trace.
    pub(super) is_first: bool,
}

#[derive(Debug, Default)]
pub(super) struct Rank {
    pub(super) own: Vec<LocalComm>,
    pub(super) references: Vec<Reference>,
    by_handle: FxHashMap<Comm, usize>,
    world: Option<Comm>,
    /// Number of communicators created from each group with each parent.
    made: FxHashMap<(usize, u64), usize>,
    /// Number of communicators of each size whose creation is not in the trace.
    unseen: FxHashMap<u32, usize>,
    /// All communicators below this index are linked to handles, or freed.
    linked: usize,
}

impl Rank {
    /// The communicator of a handle; `Some(None)` is the world.
    fn find(&self, comm: Comm) -> Option<Option<usize>> {
        if self.world == Some(comm) {
            return Some(None);
        }
        let own = *self.by_handle.get(&comm)?;
        (!self.own[own].is_freed).then_some(Some(own))
    }
}

pub(super) struct Table {
    /// World ranks of each group of a communicator, in its order. The first group is the world.
    pub(super) groups: Vec<Vec<u32>>,
    pub(super) meetings: Vec<Meeting>,
    /// By the parent's group and name and the number of communicators created from it before.
    by_turn: FxHashMap<(usize, u64, usize), usize>,
    /// Communicators whose creation is not in the trace, by size and number of earlier ones.
    by_size: FxHashMap<(u32, usize), usize>,
    /// Meetings that ranks wait for.
    stuck: [VecDeque<usize>; 2],
    pub(super) ranks: Vec<Rank>,
    pub(super) guessed: u64,
    pub(super) ambiguous: u64,
}

/// Why a rank cannot continue.
enum Stop {
    /// It waits until a meeting is resolved, then reads the same event again.
    Before(usize),
    /// It waits until a meeting is resolved, then continues after the event.
    Behind(usize, usize),
}

/// The number of a communicator in a rank's records.
pub(super) fn number(own: usize) -> u32 {
    u32::try_from(own).unwrap_or(u32::MAX).saturating_add(ALONE + 1)
}

impl Table {
    pub(super) fn new(ranks: usize) -> Self {
        let size = u32::try_from(ranks).unwrap_or(u32::MAX);
        Table {
            groups: vec![(0..size).collect()],
            meetings: Vec::new(),
            by_turn: FxHashMap::default(),
            by_size: FxHashMap::default(),
            stuck: Default::default(),
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            guessed: 0,
            ambiguous: 0,
        }
    }

    /// Processes a rank's events until it must wait for other ranks.
    pub(super) fn advance(&mut self, rank: usize, events: &[Event], ready: &mut Vec<usize>) {
        while let Some(event) = events.get(self.ranks[rank].references.len()) {
            let (own, stop) = match *event {
                Event::Freed(at) => (self.freed(rank, at), None),
                Event::Seen(comm) => {
                    let before = self.ranks[rank].own.len();
                    let own = self.seen(rank, comm, ready);
                    let is_first = self.ranks[rank].own.len() > before;
                    self.ranks[rank].references.push(Reference { own, is_first });
                    continue;
                }
                Event::Made { parent, how, at } => match self.made(rank, parent, how, at, ready) {
                    Ok(own) => (own, None),
                    Err(Stop::Before(met)) => return self.wait(rank, met),
                    Err(Stop::Behind(own, met)) => (Some(own), Some(met)),
                },
            };
            self.ranks[rank].references.push(Reference { own, is_first: false });
            if let Some(met) = stop {
                return self.wait(rank, met);
            }
        }
    }

    fn wait(&mut self, rank: usize, met: usize) {
        let meeting = &mut self.meetings[met];
        if meeting.waiting.is_empty() {
            // First meetings that may be complete already; splits last, since they lack
            // participants.
            self.stuck[usize::from(meeting.kind == Kind::Split)].push_back(met);
        }
        meeting.waiting.push(rank);
    }

    /// Resolves an incomplete meeting when all ranks wait.
    pub(super) fn unblock(&mut self, ready: &mut Vec<usize>) -> bool {
        while let Some(met) = self.stuck.iter_mut().find_map(VecDeque::pop_front) {
            if !self.meetings[met].is_resolved {
                self.resolve(met);
            }
            ready.append(&mut self.meetings[met].waiting);
            if !ready.is_empty() {
                return true;
            }
        }
        false
    }

    /// Resolves the meetings for which no rank waits.
    pub(super) fn resolve_rest(&mut self) {
        for met in 0..self.meetings.len() {
            if !self.meetings[met].is_resolved {
                self.resolve(met);
            }
        }
    }

    fn freed(&mut self, rank: usize, at: u64) -> Option<usize> {
        let own = &mut self.ranks[rank].own;
        let index = own.iter().rposition(|own| own.at == Some(at) && !own.is_freed)?;
        own[index].is_freed = true;
        Some(index)
    }

    /// The communicator of a used handle.
    fn seen(&mut self, rank: usize, comm: Comm, ready: &mut Vec<usize>) -> Option<usize> {
        let world = self.ranks.len() as u64;
        let of = &mut self.ranks[rank];
        if let Some(known) = of.find(comm) {
            return known;
        }
        if of.world.is_none() && u64::from(comm.size) == world {
            of.world = Some(comm);
            return None;
        }
        let own = self.linked(rank, comm).unwrap_or_else(|| self.unseen(rank, comm.size));
        let of = &mut self.ranks[rank];
        of.own[own].seen = Some(comm);
        of.by_handle.insert(comm, own);
        let met = of.own[own].met;
        let meeting = &mut self.meetings[met];
        meeting.seen += 1;
        let size = self.groups[meeting.parent].len();
        if meeting.kind == Kind::Unknown && meeting.seen == size && !meeting.is_resolved {
            self.resolve(met);
            ready.append(&mut self.meetings[met].waiting);
        }
        Some(own)
    }

    /// The oldest communicator without a handle that fits this handle.
    fn linked(&mut self, rank: usize, comm: Comm) -> Option<usize> {
        let of = &self.ranks[rank];
        let is_over = |own: &LocalComm| own.seen.is_some() || own.is_freed || own.is_void;
        let begin = of.linked;
        let skip = of.own[begin..].iter().position(|own| !is_over(own));
        let begin = skip.map_or(of.own.len(), |skip| begin + skip);
        let fits = |own: &LocalComm| match own.group {
            _ if is_over(own) => false,
            Some((group, rank)) => {
                rank == comm.rank && self.groups[group].len() as u64 == u64::from(comm.size)
            }
            None => {
                self.meetings[own.met].kind == Kind::Unknown && !self.meetings[own.met].is_resolved
            }
        };
        let mut fitting = (begin..of.own.len()).filter(|own| fits(&of.own[*own]));
        let (found, other) = (fitting.next(), fitting.next());
        let ranks = |own: usize| of.own[own].group.map(|(group, _)| &self.groups[group]);
        let differ = found.zip(other).is_some_and(|(found, other)| ranks(found) != ranks(other));
        self.ambiguous += u64::from(differ);
        self.ranks[rank].linked = begin;
        found
    }

    /// Adds a communicator whose creation is not in the trace.
    fn unseen(&mut self, rank: usize, size: u32) -> usize {
        let before = self.ranks[rank].unseen.entry(size).or_default();
        let key = (size, *before);
        *before += 1;
        let next = self.meetings.len();
        let met = *self.by_size.entry(key).or_insert(next);
        if met == next {
            self.meetings.push(Meeting::new(0, Kind::Unseen));
        }
        let place = u32::try_from(rank).unwrap_or(u32::MAX);
        self.join(rank, met, WORLD, Participant { place, ..Participant::default() })
    }

    fn join(&mut self, rank: usize, met: usize, parent: u32, participant: Participant) -> usize {
        let of = &mut self.ranks[rank];
        let own = of.own.len();
        of.own.push(LocalComm { met, parent, ..LocalComm::default() });
        self.meetings[met].participants.push(Participant { rank, own, ..participant });
        own
    }

    /// Handles the creation of a communicator: its index, or the meeting to wait for.
    fn made(
        &mut self,
        rank: usize,
        parent: Comm,
        how: Creation,
        at: u64,
        ready: &mut Vec<usize>,
    ) -> Result<Option<usize>, Stop> {
        let place = u32::try_from(rank).unwrap_or(u32::MAX);
        let (group, name, place, parent) = match self.ranks[rank].find(parent) {
            None => return Ok(None),
            Some(None) => (0, 0, place, WORLD),
            Some(Some(number_of)) => match self.ranks[rank].own[number_of] {
                LocalComm { group: Some((group, place)), name, .. } => {
                    (group, name, place, number(number_of))
                }
                LocalComm { met, .. } if !self.meetings[met].is_resolved => {
                    return Err(Stop::Before(met));
                }
                _ => return Ok(None),
            },
        };
        let turn = self.ranks[rank].made.entry((group, name)).or_default();
        let key = (group, name, *turn);
        *turn += 1;
        let kind = Kind::of(how);
        let next = self.meetings.len();
        let met = *self.by_turn.entry(key).or_insert(next);
        if met == next {
            self.meetings.push(Meeting::new(group, kind));
        }
        if self.meetings[met].kind != kind || self.meetings[met].is_resolved {
            // Other ranks made a different call, or ended early.
            return Ok(None);
        }
        let (colour, key) = match how {
            Creation::Split { colour, key } => (colour, key),
            _ => (0, 0),
        };
        let own = self.join(
            rank,
            met,
            parent,
            Participant { place, colour, key, ..Participant::default() },
        );
        self.ranks[rank].own[own].at = Some(at);
        match kind {
            Kind::Same => {
                let name = Meeting::name(met, 0);
                let own = &mut self.ranks[rank].own[own];
                (own.group, own.name) = (Some((group, place)), name);
            }
            Kind::Split if self.meetings[met].participants.len() == self.groups[group].len() => {
                self.resolve(met);
                ready.append(&mut self.meetings[met].waiting);
            }
            Kind::Split => return Err(Stop::Behind(own, met)),
            Kind::Unknown | Kind::Unseen => {}
        }
        Ok(Some(own))
    }
}
