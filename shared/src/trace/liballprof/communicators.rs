//! Which ranks are in a communicator.
//!
//! A handle means something to its rank alone, and no line says who is in a communicator. But those
//! in one make others out of it in the same order, so the calls that made it are found in all their
//! files; `MPI_Comm_split` says colour and key. Of one that was made otherwise, each line in it
//! tells the rank and the size; where several of the same size were made at once, they are taken
//! to divide the ranks evenly, as rows and columns of a grid do.

use super::handles::Event;
use super::line::{Comm, How};
use loggia_trace::call::{ALONE, WORLD};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A communicator that a rank has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct New {
    pub(super) comm: u32,
    pub(super) parent: u32,
    pub(super) name: u64,
    pub(super) rank: u32,
    pub(super) size: u32,
}

/// What an event means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The communicator's number on this rank, unless it is not known who is in it.
    pub(super) comm: Option<u32>,
    /// What is made here. In an event that makes one, it is none if nobody can tell.
    pub(super) new: Option<New>,
}

/// What all events of all ranks mean.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    pub(super) of_rank: Vec<Vec<Meaning>>,
    /// Communicators that were taken to divide the ranks evenly.
    pub(super) guessed: u64,
    /// Those of which it is not known who is in them.
    pub(super) unknown: u64,
    /// Handles that could mean one of several.
    pub(super) ambiguous: u64,
}

/// What the events of all ranks mean, in the order of their ranks.
pub(super) fn meanings(events: &[Vec<Event>]) -> Meanings {
    let size = u32::try_from(events.len()).unwrap_or(u32::MAX);
    let mut table = Table {
        groups: vec![(0..size).collect()],
        meetings: Vec::new(),
        by_place: FxHashMap::default(),
        by_look: FxHashMap::default(),
        unresolved: 0,
        ranks: (0..size).map(Rank::new).collect(),
        meanings: Meanings::default(),
    };
    let mut ready: Vec<usize> = (0..events.len()).rev().collect();
    loop {
        while let Some(rank) = ready.pop() {
            table.advance(rank, &events[rank], &mut ready);
        }
        if !table.resolve_next(&mut ready) {
            break;
        }
    }
    table.finish(events)
}

/// Where a rank has met others.
type Met = usize;

/// Ranks that make communicators together.
struct Meeting {
    /// Who is expected: a group.
    parent: usize,
    kind: Kind,
    /// Those who came, and the number that each gave its communicator.
    came: Vec<(u32, usize)>,
    /// Colour and key of each, if they split.
    split: Vec<(i64, i64)>,
    is_resolved: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Same,
    Split,
    Somehow,
    /// Nobody saw it: a communicator is there.
    Unseen,
}

/// A communicator of a rank.
#[derive(Clone, Copy, Debug)]
struct Own {
    met: Met,
    /// Its number in the parent's calls.
    parent: u32,
    /// Where its handle is stored.
    at: Option<u64>,
    /// Its ranks, and this one among them, once they are known.
    group: Option<(usize, u32)>,
    /// What its lines say.
    seen: Option<Comm>,
    is_freed: bool,
    /// It has none: this rank is not in it, or nobody can tell.
    is_void: bool,
}

struct Rank {
    rank: u32,
    next: usize,
    own: Vec<Own>,
    by_handle: FxHashMap<Comm, usize>,
    world: Option<Comm>,
    /// How many it has made of each group.
    made: FxHashMap<usize, usize>,
    /// How many of each size it has that nobody saw made.
    unseen: FxHashMap<u32, usize>,
    /// Of each event, which communicator it speaks of: none is the world.
    speaks: Vec<Option<usize>>,
    /// Those that it speaks of in an event that nobody saw made.
    first: Vec<bool>,
}

impl Rank {
    fn new(rank: u32) -> Self {
        Rank {
            rank,
            next: 0,
            own: Vec::new(),
            by_handle: FxHashMap::default(),
            world: None,
            made: FxHashMap::default(),
            unseen: FxHashMap::default(),
            speaks: Vec::new(),
            first: Vec::new(),
        }
    }

    /// The communicator that a handle means: none is the world.
    fn find(&self, comm: Comm) -> Option<Option<usize>> {
        if self.world == Some(comm) {
            return Some(None);
        }
        let own = *self.by_handle.get(&comm)?;
        (!self.own[own].is_freed).then_some(Some(own))
    }
}

struct Table {
    /// Ranks of the world in the order of the group; the first is the world.
    groups: Vec<Vec<u32>>,
    meetings: Vec<Meeting>,
    by_place: FxHashMap<(usize, usize), Met>,
    by_look: FxHashMap<(u32, usize), Met>,
    /// Meetings before this one are resolved.
    unresolved: usize,
    ranks: Vec<Rank>,
    meanings: Meanings,
}

impl Table {
    /// Goes on with a rank's events until it has to wait for others.
    fn advance(&mut self, rank: usize, events: &[Event], ready: &mut Vec<usize>) {
        while let Some(event) = events.get(self.ranks[rank].next) {
            let goes_on = match *event {
                Event::Seen(comm) => self.seen(rank, comm),
                Event::Made { parent, how, at } => match self.made(rank, parent, how, at, ready) {
                    Some(goes_on) => goes_on,
                    None => return,
                },
                Event::Freed(at) => {
                    let alive = |own: &&mut Own| own.at == Some(at) && !own.is_freed;
                    if let Some(own) = self.ranks[rank].own.iter_mut().rev().find(alive) {
                        own.is_freed = true;
                    }
                    None
                }
            };
            let ranks = &mut self.ranks[rank];
            ranks.next += 1;
            ranks.speaks.push(goes_on);
            if ranks.first.len() < ranks.speaks.len() {
                ranks.first.push(false);
            }
        }
    }

    /// A communicator is spoken of: which it is.
    fn seen(&mut self, rank: usize, comm: Comm) -> Option<usize> {
        let world = self.ranks.len() as u64;
        let of = &mut self.ranks[rank];
        if let Some(known) = of.find(comm) {
            return known;
        }
        if of.world.is_none() && u64::from(comm.size) == world {
            of.world = Some(comm);
            return None;
        }
        let fits = |own: &Own| {
            own.seen.is_none()
                && !own.is_freed
                && !own.is_void
                && match own.group {
                    Some((group, rank)) => {
                        rank == comm.rank && self.groups[group].len() as u64 == u64::from(comm.size)
                    }
                    None => self.meetings[own.met].kind == Kind::Somehow,
                }
        };
        let mut fitting = (0..of.own.len()).filter(|own| fits(&of.own[*own]));
        let (found, other) = (fitting.next(), fitting.next());
        if let (Some(found), Some(other)) = (found, other) {
            let ranks = |own: usize| of.own[own].group.map(|(group, _)| &self.groups[group]);
            self.meanings.ambiguous += u64::from(ranks(found) != ranks(other));
        }
        let own = found.unwrap_or_else(|| self.unseen(rank, comm.size));
        let of = &mut self.ranks[rank];
        of.own[own].seen = Some(comm);
        of.by_handle.insert(comm, own);
        Some(own)
    }

    /// A communicator is there that nobody saw made.
    fn unseen(&mut self, rank: usize, size: u32) -> usize {
        let of = &mut self.ranks[rank];
        let place = of.unseen.entry(size).or_default();
        *place += 1;
        let next = self.meetings.len();
        let met = *self.by_look.entry((size, *place)).or_insert(next);
        if met == next {
            self.meetings.push(Meeting::new(0, Kind::Unseen));
        }
        of.first.resize(of.speaks.len(), false);
        of.first.push(true);
        self.come(rank, met, WORLD, None)
    }

    fn come(&mut self, rank: usize, met: Met, parent: u32, at: Option<u64>) -> usize {
        let of = &mut self.ranks[rank];
        let own = of.own.len();
        self.meetings[met].came.push((of.rank, own));
        of.own.push(Own {
            met,
            parent,
            at,
            group: None,
            seen: None,
            is_freed: false,
            is_void: self.meetings[met].is_resolved,
        });
        own
    }

    /// A communicator is made: which it is, unless the rank has to wait for others.
    fn made(
        &mut self,
        rank: usize,
        parent: Comm,
        how: How,
        at: u64,
        ready: &mut Vec<usize>,
    ) -> Option<Option<usize>> {
        let (group, parent, place) = match self.ranks[rank].find(parent) {
            None => return Some(None),
            Some(None) => (0, WORLD, self.ranks[rank].rank),
            Some(Some(own)) => match self.ranks[rank].own[own] {
                Own { is_void: true, .. } => return Some(None),
                Own { group: Some((group, place)), .. } => (group, number(own), place),
                // Who is in the parent is found out when nobody can go on.
                Own { group: None, .. } => return None,
            },
        };
        let of = &mut self.ranks[rank];
        let turn = *of.made.get(&group).unwrap_or(&0);
        of.made.insert(group, turn + 1);
        let next = self.meetings.len();
        let met = *self.by_place.entry((group, turn)).or_insert(next);
        if met == next {
            self.meetings.push(Meeting::new(group, Kind::of(how)));
        }
        let own = self.come(rank, met, parent, Some(at));
        let meeting = &mut self.meetings[met];
        if meeting.kind != Kind::of(how) {
            self.ranks[rank].own[own].is_void = true;
            return Some(Some(own));
        }
        match how {
            How::Same => self.ranks[rank].own[own].group = Some((group, place)),
            How::Somehow => {}
            How::Split { colour, key } => {
                meeting.split.push((colour, key));
                // All of them go on together.
                if meeting.split.len() == self.groups[group].len() {
                    self.split(met);
                    ready.extend(self.waiting(met, rank));
                }
            }
        }
        Some(Some(own))
    }

    /// Those who came to a meeting, but for one.
    fn waiting(&self, met: Met, but: usize) -> Vec<usize> {
        let came = self.meetings[met].came.iter().map(|(rank, _)| *rank as usize);
        came.filter(|rank| *rank != but).collect()
    }
}

/// The number by which a rank's records call a communicator.
fn number(own: usize) -> u32 {
    u32::try_from(own).unwrap_or(u32::MAX - 2) + ALONE + 1
}
