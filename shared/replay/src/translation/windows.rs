//! Transfers between fences of a window.

use super::Translator;
use super::labels::WINDOWS;
use crate::summary::Incoming;
use loggia_model::Error;
use loggia_schedule::schedule::Step;
use loggia_simulate::order::Before;
use loggia_trace::call::{OneSided, Peer};

impl Translator<'_, '_> {
    /// The run's window, and the number of fences that this rank has passed.
    pub(super) fn window(&self, window: u32) -> Option<(u32, u32)> {
        let (known, _) = *self.summary.ranks[self.of.rank as usize].windows.get(window as usize)?;
        Some((known, self.of.epochs.get(window as usize)?.0))
    }

    pub(super) fn transfer(
        &mut self,
        how: OneSided,
        window: u32,
        peer: Peer,
        bytes: u64,
        label: u8,
    ) {
        let (Some((known, epoch)), Peer::Rank(peer)) = (self.window(window), peer) else { return };
        let Some(peer) = self.summary.target(known, peer, self.of.rank) else {
            self.found.lost.insert(self.of.rank);
            return;
        };
        if !self.summary.is_fenced(known, epoch, [self.of.rank, peer]) {
            return;
        }
        let tag = self.found.tags.of(WINDOWS - known, u32::from(how == OneSided::Get));
        let step = match how {
            OneSided::Put | OneSided::Accumulate => Step::send(bytes, peer),
            OneSided::Get => Step::recv(bytes, peer),
        };
        let id = self.push_in_order(step.tag(tag).label(label));
        self.of.before = Before::Begun(id);
        self.of.epochs[window as usize].1.push(id);
    }

    /// Completes all transfers since the last fence, at this rank and at their targets.
    pub(super) fn fence(&mut self, window: u32, label: u8) -> Result<(), Error> {
        let Some((known, epoch)) = self.window(window) else { return Ok(()) };
        let mut done = std::mem::take(&mut self.of.epochs[window as usize].1);
        self.of.epochs[window as usize].0 += 1;
        let summary = self.summary;
        let incoming = summary.incoming.get(&(known, epoch, self.of.rank));
        for Incoming { how, origin, bytes } in incoming.into_iter().flatten() {
            let tag = self.found.tags.of(WINDOWS - known, u32::from(*how == OneSided::Get));
            let step = match how {
                OneSided::Put | OneSided::Accumulate => Step::recv(*bytes, *origin),
                OneSided::Get => Step::send(*bytes, *origin),
            };
            done.push(self.push_in_order(step.tag(tag).label(label)));
        }
        self.join(label, done);
        let comm = summary.windows[known as usize].0;
        let local =
            summary.ranks[self.of.rank as usize].comms.iter().position(|known| *known == comm);
        if let Some(group) = local.and_then(|comm| self.group(comm as u32, label)) {
            let last = self.barrier(group)?;
            self.join(label, last);
        }
        Ok(())
    }
}
