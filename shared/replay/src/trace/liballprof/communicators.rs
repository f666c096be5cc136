//! Members of communicators.
//!
//! A handle is local to its rank, and no line lists the members of a communicator. But all members
//! create communicators from it in the same order, so the creating calls can be matched across
//! files; `MPI_Comm_split` records colour and key. For other kinds, each later line in the
//! communicator holds rank and size. Several communicators of one size, created at once, are
//! assumed to divide the ranks evenly, like rows and columns of a grid.

mod meeting;
mod resolve;
mod table;

use super::handles::Event;
use table::{LocalComm, Table};

/// A created communicator on a rank; of size 0 if the rank is not in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NewComm {
    pub(super) comm: u32,
    pub(super) parent: u32,
    pub(super) name: u64,
    pub(super) rank: u32,
    pub(super) size: u32,
}

/// The meaning of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    /// This rank's number of the communicator that the event refers to, if its members are known.
    pub(super) comm: Option<u32>,
    /// The created communicator; for a call that creates one, `None` if it is unknown.
    pub(super) new: Option<NewComm>,
}

/// The meanings of all events.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    /// In the order of ranks and events.
    pub(super) of_ranks: Vec<Vec<Meaning>>,
    /// Communicators that are assumed to divide the ranks evenly.
    pub(super) guessed: u64,
    /// Handles that fit several communicators.
    pub(super) ambiguous: u64,
}

/// The meanings of all events, in the order of ranks.
pub(super) fn meanings(events: &[Vec<Event>]) -> Meanings {
    let mut table = Table::new(events.len());
    let mut ready: Vec<usize> = (0..events.len()).rev().collect();
    loop {
        while let Some(rank) = ready.pop() {
            table.advance(rank, &events[rank], &mut ready);
        }
        if !table.unblock(&mut ready) {
            break;
        }
    }
    table.resolve_rest();
    let mut meanings = Meanings {
        of_ranks: Vec::with_capacity(events.len()),
        guessed: table.guessed,
        ambiguous: table.ambiguous,
    };
    for (rank, events) in table.ranks.iter().zip(events) {
        let references = rank.references.iter().zip(events);
        let of_rank = references.map(|(reference, event)| match (event, reference.own) {
            (Event::Freed(_), None) => Meaning::default(),
            (Event::Seen(_), None) => Meaning { comm: Some(super::WORLD), new: None },
            (Event::Made { .. }, None) => Meaning::default(),
            (Event::Seen(_) | Event::Freed(_), Some(own)) => {
                seen(own, &rank.own[own], reference.is_first, &table)
            }
            (Event::Made { .. }, Some(own)) => {
                Meaning { comm: None, new: new(own, &rank.own[own], &table) }
            }
        });
        meanings.of_ranks.push(of_rank.collect());
    }
    meanings
}

fn seen(number: usize, own: &LocalComm, is_first: bool, table: &Table) -> Meaning {
    let new = new(number, own, table).filter(|new| new.size > 0);
    Meaning { comm: new.map(|new| new.comm), new: new.filter(|_| is_first) }
}

fn new(number: usize, own: &LocalComm, table: &Table) -> Option<NewComm> {
    if own.is_void {
        return Some(NewComm { parent: own.parent, ..NewComm::default() });
    }
    let (group, rank) = own.group?;
    let size = u32::try_from(table.groups[group].len()).unwrap_or(u32::MAX);
    Some(NewComm { comm: table::number(number), parent: own.parent, name: own.name, rank, size })
}

#[cfg(test)]
mod tests {
    use super::super::line::{Comm, Creation};
    use super::*;

    fn comm(handle: u64, rank: u32, size: u32) -> Comm {
        Comm { handle, rank, size }
    }

    /// First use of the world by rank r of n.
    fn world(r: u32, n: u32) -> Event {
        Event::Seen(comm(7 + u64::from(r), r, n))
    }

    fn made(r: u32, n: u32, how: Creation) -> Event {
        Event::Made { parent: comm(7 + u64::from(r), r, n), how, at: 64 }
    }

    #[test]
    fn a_split_is_by_colour_and_key() {
        let rank = |r: u32| {
            let how = Creation::Split { colour: i64::from(r % 2), key: -i64::from(r) };
            let seen = Event::Seen(comm(99, 1 - r / 2, 2));
            vec![world(r, 4), made(r, 4, how), seen, Event::Freed(64)]
        };
        let found = meanings(&(0..4).map(rank).collect::<Vec<_>>());
        let name = |r: usize| found.of_ranks[r][1].new.map(|new| (new.name, new.rank, new.size));
        assert_eq!(name(0), Some((1 << 32, 1, 2)));
        assert_eq!(name(2), Some((1 << 32, 0, 2)));
        assert_eq!(name(3), Some((1 << 32 | 1, 0, 2)));
        assert_eq!(found.of_ranks[1][2], Meaning { comm: Some(2), new: None });
        assert_eq!(found.of_ranks[1][3].comm, Some(2), "it is freed");
        assert_eq!((found.guessed, found.ambiguous), (0, 0));
    }

    #[test]
    fn columns_of_a_grid_divide_the_ranks_evenly() {
        let rank = |r: u32| {
            let seen = Event::Seen(comm(5, r / 3, 2));
            vec![world(r, 6), made(r, 6, Creation::Unknown), seen]
        };
        let found = meanings(&(0..6).map(rank).collect::<Vec<_>>());
        let name = |r: usize| found.of_ranks[r][1].new.map(|new| (new.name & 0xff, new.rank));
        assert_eq!([name(0), name(3)], [Some((0, 0)), Some((0, 1))]);
        assert_eq!([name(2), name(5)], [Some((2, 0)), Some((2, 1))]);
        assert_eq!(found.guessed, 3);
    }

    #[test]
    fn a_communicator_without_recorded_creation_is_known_by_its_size() {
        let rank = |r: u32| {
            let mut events = vec![world(r, 3)];
            if r > 0 {
                events.push(Event::Seen(comm(50, r - 1, 2)));
            }
            events
        };
        let found = meanings(&(0..3).map(rank).collect::<Vec<_>>());
        let new = found.of_ranks[2][1].new.map(|new| (new.comm, new.parent, new.rank, new.size));
        assert_eq!(new, Some((2, 0, 1, 2)));
        assert_eq!(found.guessed, 0);
    }

    #[test]
    fn a_communicator_with_inconsistent_ranks_is_unknown() {
        let rank = |r: u32| vec![world(r, 3), Event::Seen(comm(50, 0, 2))];
        let found = meanings(&(0..3).map(rank).collect::<Vec<_>>());
        assert_eq!(found.of_ranks[0][1], Meaning::default());
    }

    #[test]
    fn rows_of_a_grid_communicator_are_found() {
        let rank = |r: u32| {
            let grid = comm(20, r, 4);
            let rows = Event::Made { parent: grid, how: Creation::Unknown, at: 72 };
            vec![
                world(r, 4),
                made(r, 4, Creation::Unknown),
                Event::Seen(grid),
                rows,
                Event::Seen(comm(30, r % 2, 2)),
            ]
        };
        let found = meanings(&(0..4).map(rank).collect::<Vec<_>>());
        let new = |r: usize, event: usize| found.of_ranks[r][event].new;
        assert_eq!(new(3, 1).map(|new| (new.parent, new.rank, new.size)), Some((0, 3, 4)));
        assert_eq!(new(3, 3).map(|new| (new.parent, new.rank, new.size)), Some((2, 1, 2)));
        assert_eq!(new(2, 3).map(|new| new.name), new(3, 3).map(|new| new.name));
        assert_ne!(new(0, 3).map(|new| new.name), new(3, 3).map(|new| new.name));
    }

    #[test]
    fn a_split_whose_ranks_ended_early_is_unknown() {
        let how = Creation::Split { colour: 0, key: 0 };
        let events = [vec![world(0, 2), made(0, 2, how)], vec![world(1, 2)]];
        let found = meanings(&events);
        assert_eq!(found.of_ranks[0][1], Meaning::default());
    }
}
