//! Finds the members of the communicators that ranks create together.

use super::meeting::{Kind, Meeting, Participant};
use super::table::{LocalComm, Table};
use std::collections::BTreeMap;

impl Table {
    /// Finds out who is in the communicators of a meeting.
    pub(super) fn resolve(&mut self, met: usize) {
        self.meetings[met].is_resolved = true;
        let mut came = self.meetings[met].came.clone();
        came.sort_by_key(|came| came.place);
        let groups = match self.meetings[met].kind {
            Kind::Same => return,
            Kind::Split => self.split(met, &came),
            Kind::Somehow | Kind::Unseen => self.divided(met, &came),
        };
        let Some(groups) = groups else { return };
        for came in &came {
            self.own(came).is_void = true;
        }
        for (which, members) in groups.into_iter().enumerate() {
            let group = self.groups.len();
            for (rank, came) in (0..).zip(&members) {
                let own = self.own(came);
                own.is_void = false;
                (own.group, own.name) = (Some((group, rank)), Meeting::name(met, which));
            }
            let ranks = members.iter().map(|came| u32::try_from(came.rank).unwrap_or(u32::MAX));
            self.groups.push(ranks.collect());
        }
    }

    fn own(&mut self, came: &Participant) -> &mut LocalComm {
        &mut self.ranks[came.rank].own[came.own]
    }

    /// By colour, in the order of keys; a negative colour takes no part.
    fn split(&self, met: usize, came: &[Participant]) -> Option<Vec<Vec<Participant>>> {
        if came.len() < self.groups[self.meetings[met].parent].len() {
            return None;
        }
        let mut colours: BTreeMap<i64, Vec<Participant>> = BTreeMap::new();
        for one in came.iter().filter(|one| one.colour >= 0) {
            colours.entry(one.colour).or_default().push(*one);
        }
        let by_key = |mut members: Vec<Participant>| {
            members.sort_by_key(|one| (one.key, one.place));
            members
        };
        Some(colours.into_values().map(by_key).collect())
    }

    /// By the sizes in later lines: ranks with the same number in communicators of the same size
    /// belong to different ones, in order.
    fn divided(&mut self, met: usize, came: &[Participant]) -> Option<Vec<Vec<Participant>>> {
        let mut sizes: BTreeMap<u32, BTreeMap<u32, Vec<Participant>>> = BTreeMap::new();
        let mut in_order = true;
        for one in came {
            if let Some(seen) = self.ranks[one.rank].own[one.own].seen {
                in_order &= seen.rank == one.place;
                sizes.entry(seen.size).or_default().entry(seen.rank).or_default().push(*one);
            }
        }
        let all = self.groups[self.meetings[met].parent].len();
        let spans = sizes.len() == 1 && sizes.keys().all(|size| *size as usize == all);
        if in_order && spans && came.len() == all {
            // Some ranks have it and never speak of it.
            return Some(vec![came.to_vec()]);
        }
        let mut groups = Vec::new();
        for (size, by_rank) in sizes {
            let many = by_rank.values().next().map_or(0, Vec::len);
            let is_even = by_rank.values().all(|ranks| ranks.len() == many);
            if by_rank.len() != size as usize || !is_even {
                return None;
            }
            if many > 1 {
                self.guessed += many as u64;
            }
            groups.extend(
                (0..many)
                    .map(|which| by_rank.values().map(|ranks| ranks[which]).collect::<Vec<_>>()),
            );
        }
        Some(groups)
    }
}
