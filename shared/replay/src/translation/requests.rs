//! Requests: operations that one call begins and a later call completes.

use super::collectives::Group;
use super::{INSIDE, Request, Translator};
use crate::summary::ReceiveResult;
use loggia_model::Error;
use loggia_schedule::schedule::OpId;
use loggia_simulate::order::Before;
use loggia_trace::call::{Call, Envelope, MatchedMessage, Peer};

impl Translator<'_, '_> {
    /// A non-blocking receive; `None` if it received nothing in the traced run.
    pub(super) fn irecv(&mut self, envelope: &Envelope, label: u8) -> Option<OpId> {
        let receive = self.of.receives;
        self.of.receives += 1;
        let result = self.summary.ranks[self.of.rank as usize].receive_results.get(&receive);
        match result {
            None => self.recv(envelope, label),
            Some(ReceiveResult::Nothing) if self.summary.records_matches || !envelope.is_wild() => {
                None
            }
            Some(ReceiveResult::Nothing) => self.recv(envelope, label),
            Some(ReceiveResult::MatchedMessage(MatchedMessage { source, tag, bytes })) => {
                let peer = Peer::Rank(*source);
                self.recv(&Envelope { peer, tag: *tag, bytes: *bytes, ..*envelope }, label)
            }
        }
    }

    /// Registers the operation of a non-blocking call.
    pub(super) fn opened(&mut self, request: u32, op: Option<OpId>) {
        if let Some(op) = op {
            self.of.before = Before::Begun(op);
        }
        self.set(request, op.map(Request::Op));
    }

    pub(super) fn set(&mut self, request: u32, to: Option<Request>) {
        let at = request as usize;
        if at >= self.of.requests.len() {
            if to.is_none() {
                return;
            }
            self.of.requests.resize(at + 1, None);
        }
        self.of.requests[at] = to;
    }

    pub(super) fn start(&mut self, request: u32, label: u8) -> Result<(), Error> {
        let known = self.of.requests.get(request as usize).copied().flatten();
        let started = match known {
            Some(Request::Send(mode, envelope, _)) => {
                let id = self.send(mode, &envelope, label);
                Some((Request::Send(mode, envelope, id), id))
            }
            Some(Request::Recv(envelope, _)) => {
                let id = self.irecv(&envelope, label);
                Some((Request::Recv(envelope, id), id))
            }
            Some(Request::Collective(place, _)) => {
                let (call, group) = self.of.startable[place];
                let label = Call::Collective(call).kind() | INSIDE;
                let last = match group {
                    Some(group) => self.collective(&call, Group { label, ..group })?,
                    None => Vec::new(),
                };
                let all = self.completion(last, label);
                self.set(request, Some(Request::Collective(place, Some(all))));
                None
            }
            Some(Request::Op(_)) | None => None,
        };
        if let Some((state, id)) = started {
            if let Some(id) = id {
                self.of.before = Before::Begun(id);
            }
            self.set(request, Some(state));
        }
        Ok(())
    }

    /// The operation of a completed request.
    pub(super) fn completed(&mut self, request: u32) -> Option<OpId> {
        let slot = self.of.requests.get_mut(request as usize)?;
        match slot {
            Some(Request::Send(_, _, op) | Request::Recv(_, op) | Request::Collective(_, op)) => {
                op.take()
            }
            Some(Request::Op(op)) => {
                let op = *op;
                *slot = None;
                Some(op)
            }
            None => None,
        }
    }
}
