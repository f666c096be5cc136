//! Members of the communicators that ranks create together.

use super::meeting::{Kind, Meeting, Participant};
use super::table::{LocalComm, Table};
use std::collections::BTreeMap;

impl Table {
    /// Determines the members of a meeting's communicators.
    pub(super) fn resolve(&mut self, met: usize) {
        self.meetings[met].is_resolved = true;
        let mut participants = self.meetings[met].participants.clone();
        participants.sort_by_key(|participant| participant.place);
        let groups = match self.meetings[met].kind {
            Kind::Same => return,
            Kind::Split => self.split(met, &participants),
            Kind::Unknown | Kind::Unseen => self.divided(met, &participants),
        };
        let Some(groups) = groups else { return };
        for participant in &participants {
            self.own(participant).is_void = true;
        }
        for (which, members) in groups.into_iter().enumerate() {
            let group = self.groups.len();
            for (rank, participant) in (0..).zip(&members) {
                let own = self.own(participant);
                own.is_void = false;
                (own.group, own.name) = (Some((group, rank)), Meeting::name(met, which));
            }
            let ranks = members.iter().map(|member| u32::try_from(member.rank).unwrap_or(u32::MAX));
            self.groups.push(ranks.collect());
        }
    }

    fn own(&mut self, participant: &Participant) -> &mut LocalComm {
        &mut self.ranks[participant.rank].own[participant.own]
    }

    /// By colour, in the order of keys; a negative colour is in no communicator.
    fn split(&self, met: usize, participants: &[Participant]) -> Option<Vec<Vec<Participant>>> {
        if participants.len() < self.groups[self.meetings[met].parent].len() {
            return None;
        }
        let mut colours: BTreeMap<i64, Vec<Participant>> = BTreeMap::new();
        for one in participants.iter().filter(|one| one.colour >= 0) {
            colours.entry(one.colour).or_default().push(*one);
        }
        let by_key = |mut members: Vec<Participant>| {
            members.sort_by_key(|one| (one.key, one.place));
            members
        };
        Some(colours.into_values().map(by_key).collect())
    }

    /// By rank and size in later lines. Participants with the same rank in communicators of the
    /// same size belong to different communicators, in order.
    fn divided(
        &mut self,
        met: usize,
        participants: &[Participant],
    ) -> Option<Vec<Vec<Participant>>> {
        let mut sizes: BTreeMap<u32, BTreeMap<u32, Vec<Participant>>> = BTreeMap::new();
        let mut in_order = true;
        for one in participants {
            if let Some(seen) = self.ranks[one.rank].own[one.own].seen {
                in_order &= seen.rank == one.place;
                sizes.entry(seen.size).or_default().entry(seen.rank).or_default().push(*one);
            }
        }
        let all = self.groups[self.meetings[met].parent].len();
        let spans = sizes.len() == 1 && sizes.keys().all(|size| *size as usize == all);
        if in_order && spans && participants.len() == all {
            // Some ranks never use the communicator.
            return Some(vec![participants.to_vec()]);
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
