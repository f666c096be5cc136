//! Conversion of each kind of line.

use super::super::line::{CallLine, Collective, LineContent, Message, Parts};
use super::{Writer, made};
use crate::trace::error::LineError;
use crate::trace::text::{Line, signed};
use loggia_trace::call::{
    self, ANY_TAG, Call, CompletedRequest, CompletedRequests, Completion, Envelope, List, Peer,
};

impl<'a> Writer<'a, '_> {
    /// Adds a call. `comm` is `None` for a call without a communicator, and `Some(None)` if the
    /// communicator's members are unknown.
    pub(super) fn call(
        &mut self,
        called: &CallLine<'a>,
        comm: Option<Option<u32>>,
        line: Line,
    ) -> Result<(), LineError> {
        let Some(comm) = comm else {
            self.without_comm(called);
            return Ok(());
        };
        let Some(comm) = comm else {
            self.in_unknown(called);
            return Ok(());
        };
        match called.content {
            LineContent::Send(mode, message) => {
                let envelope = self.envelope(message, comm, false, line)?;
                self.put(called, Call::Send(mode, envelope));
            }
            LineContent::Recv(message) => {
                let got = self.envelope(message, comm, true, line)?;
                let (any_source, any_tag) = self.wild(&got);
                self.put(called, Call::Recv { got, any_source, any_tag });
            }
            LineContent::Isend(mode, message, at) => {
                let envelope = self.envelope(message, comm, false, line)?;
                let request = self.known.requests.add(at, false);
                self.begun(request);
                self.put(called, Call::Isend(mode, envelope, request));
            }
            LineContent::Irecv(message, at) => {
                let envelope = self.envelope(message, comm, true, line)?;
                self.wild(&envelope);
                let request = self.known.requests.add(at, false);
                self.begun(request);
                self.put(called, Call::Irecv(envelope, request));
            }
            LineContent::SendInit(mode, message, at) => {
                let envelope = self.envelope(message, comm, false, line)?;
                self.prepared(called, at, |request| Call::SendInit(mode, envelope, request));
            }
            LineContent::RecvInit(message, at) => {
                let envelope = self.envelope(message, comm, true, line)?;
                self.wild(&envelope);
                self.prepared(called, at, |request| Call::RecvInit(envelope, request));
            }
            LineContent::Sendrecv(send, recv) => self.sendrecv(called, send, recv, comm, line)?,
            LineContent::Probe(message) => {
                let met = self.envelope(message, comm, true, line)?;
                let (any_source, any_tag) = self.wild(&met);
                self.put(called, Call::Probe { met, any_source, any_tag, waits: true });
            }
            LineContent::Iprobe(_) => {
                self.notes.iprobes += 1;
                self.poll(called);
            }
            LineContent::Collective(line) => self.collective(called, &line, comm),
            LineContent::Make { comm: parent, .. } if parent.size > 1 => self.made(called),
            LineContent::WindowNew { bytes, at, comm: ranks } => {
                let window = self.windows.add(at, ranks.size);
                self.put(called, Call::WindowNew { window, comm, bytes });
            }
            _ => {}
        }
        Ok(())
    }

    /// The wildcards of a receive.
    fn wild(&mut self, envelope: &Envelope) -> (bool, bool) {
        let any_source = envelope.peer == Peer::AnySource;
        self.notes.wild += u64::from(any_source);
        (any_source, envelope.tag == ANY_TAG)
    }

    /// A new request may reuse the number of an unreplayed one.
    fn begun(&mut self, request: u32) {
        if !self.unreplayed.is_empty() {
            self.unreplayed.remove(&request);
        }
    }

    fn prepared<'c>(&mut self, called: &CallLine, at: u64, call: impl FnOnce(u32) -> Call<'c>) {
        let request = self.known.requests.add(at, true);
        self.begun(request);
        self.put(called, call(request));
    }

    fn sendrecv(
        &mut self,
        called: &CallLine,
        send: Message,
        recv: Message,
        comm: u32,
        line: Line,
    ) -> Result<(), LineError> {
        let send = self.envelope(send, comm, false, line)?;
        let got = self.envelope(recv, comm, true, line)?;
        let (any_source, any_tag) = self.wild(&got);
        self.put(called, Call::Sendrecv { send, got, any_source, any_tag });
        Ok(())
    }

    /// Adds the creation of a communicator.
    fn made(&mut self, called: &CallLine<'a>) {
        let event = self.handles.event();
        match self.meaning(event).new {
            Some(new) => self.put(called, made(new)),
            None => self.other(called),
        }
    }

    /// Adds a call in a communicator with unknown members.
    fn in_unknown(&mut self, called: &CallLine<'a>) {
        self.notes.in_unknown += 1;
        match called.content {
            LineContent::Isend(_, _, at) | LineContent::Irecv(_, at) => {
                self.add_unreplayed(at, false)
            }
            LineContent::SendInit(_, _, at) | LineContent::RecvInit(_, at) => {
                self.add_unreplayed(at, true)
            }
            LineContent::Collective(line) => {
                if let Some(at) = line.request {
                    self.add_unreplayed(at, false);
                }
            }
            LineContent::Make { .. } => _ = self.handles.event(),
            LineContent::WindowNew { .. } => self.windows.add_unknown(),
            LineContent::Iprobe(_) => return self.poll(called),
            _ => {}
        }
        self.other(called);
    }

    fn add_unreplayed(&mut self, at: u64, is_persistent: bool) {
        let request = self.known.requests.add(at, is_persistent);
        self.unreplayed.insert(request);
    }

    fn without_comm(&mut self, called: &CallLine<'a>) {
        match called.content {
            LineContent::Finalize => {
                self.is_whole = true;
                self.put(called, Call::Finalize);
            }
            LineContent::Start { count, at } => self.start_requests(called, count, at),
            LineContent::Complete { how, count, at } => self.complete(called, how, count, at),
            LineContent::Release(at) => {
                let request = self.known.requests.release(at);
                if let Some(request) = request.filter(|request| !self.unreplayed.contains(request))
                {
                    self.put(called, Call::Release(request));
                }
            }
            LineContent::Cancel(at) => {
                let request = self.known.requests.at(at);
                if let Some(request) = request.filter(|request| !self.unreplayed.contains(request))
                {
                    self.put(called, Call::Cancel(request));
                }
            }
            LineContent::CommFree(_) => {
                let event = self.handles.freed();
                if let Some(comm) = self.meaning(event).comm {
                    self.put(called, Call::CommFree(comm));
                }
            }
            LineContent::Phase(level) => self.put(called, Call::Phase(level)),
            LineContent::WindowFree(at) => match self.windows.remove(at) {
                Some(window) => self.put(called, Call::WindowFree(window)),
                None => self.other(called),
            },
            LineContent::Fence(handle) => match self.windows.find(handle) {
                Some((window, _)) => self.put(called, Call::Fence(window)),
                None => self.other(called),
            },
            LineContent::OneSided { how, peer, bytes, window } => {
                let Some((window, ranks)) = self.windows.find(window) else {
                    return self.other(called);
                };
                let peer = match u32::try_from(peer) {
                    Ok(rank) if rank < ranks => Peer::Rank(rank),
                    Ok(_) => return self.other(called),
                    Err(_) => Peer::Null,
                };
                self.put(called, Call::OneSided { how, window, peer, bytes });
            }
            _ => self.other(called),
        }
    }

    fn start_requests(&mut self, called: &CallLine, count: u64, at: u64) {
        let mut bytes = std::mem::take(&mut self.lists[0]);
        let unreplayed = &self.unreplayed;
        let started = self.known.requests.start(count, at).iter();
        let started = started.filter(|request| !unreplayed.contains(request));
        let list = List::new(&mut bytes, started.map(|request| u64::from(*request)));
        self.put(called, Call::Start(list));
        self.lists[0] = bytes;
    }

    fn complete(&mut self, called: &CallLine, how: Completion, count: u64, at: u64) {
        let completed = self.known.requests.complete(how, count, at);
        if completed.is_failed {
            return self.poll(called);
        }
        let mut bytes = std::mem::take(&mut self.lists[0]);
        let unreplayed = &self.unreplayed;
        let done = completed.done.iter().filter(|request| !unreplayed.contains(request));
        let done = CompletedRequests::new(
            &mut bytes,
            done.map(|request| CompletedRequest { request: *request, met: None }),
        );
        let requested = u32::try_from(count).unwrap_or(u32::MAX);
        self.put(called, Call::Complete { how, requested, done });
        self.lists[0] = bytes;
    }

    fn collective(&mut self, called: &CallLine, line: &Collective, comm: u32) {
        let mut lists = std::mem::take(&mut self.lists);
        let [a, b, c, d] = &mut lists;
        let is_root = line.root.is_none_or(|root| root == line.comm.rank);
        let (sends, receives) = match is_root {
            true => (line.sends, line.receives),
            false => (Parts::default(), Parts::default()),
        };
        let request = line.request.map(|at| self.known.requests.add(at, false));
        if let Some(request) = request {
            self.begun(request);
        }
        let call = call::Collective {
            op: line.op,
            comm,
            root: line.root,
            bytes: line.bytes,
            sends: sizes(a, &sends),
            receives: sizes(b, &receives),
            send_places: places(c, &sends),
            receive_places: places(d, &receives),
            combine: line.combine,
            request,
        };
        self.put(called, Call::Collective(call));
        self.lists = lists;
    }
}

fn numbers(list: &[u8]) -> impl Iterator<Item = i64> {
    let parts = list.split(|byte| *byte == b',').filter(|part| !part.is_empty());
    parts.map(|part| signed(part).unwrap_or(0))
}

/// Sizes of the parts in bytes.
fn sizes<'l>(bytes: &'l mut Vec<u8>, parts: &Parts) -> List<'l> {
    let size = |count: i64| parts.size.saturating_mul(u64::try_from(count).unwrap_or(0));
    List::new(bytes, numbers(parts.counts).map(size))
}

/// Displacements of the parts, unless the parts are contiguous.
fn places<'l>(bytes: &'l mut Vec<u8>, parts: &Parts) -> List<'l> {
    let mut end = 0i64;
    let is_contiguous = numbers(parts.places).zip(numbers(parts.counts)).all(|(at, count)| {
        let follows = at == end;
        end = end.saturating_add(count);
        follows
    });
    let list = if is_contiguous { &[] } else { parts.places };
    List::new(bytes, numbers(list).map(|at| u64::try_from(at).unwrap_or(0)))
}
