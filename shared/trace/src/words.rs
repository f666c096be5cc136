//! Calls as readable text: `Isend 4096 bytes to 3, tag 7, request 2`.

use crate::call::{ANY_TAG, Call, Collective, Completion, Envelope, List, Peer, WORLD};
use std::fmt::{self, Display, Formatter};

impl Display for Peer {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Peer::Null => write!(out, "MPI_PROC_NULL"),
            Peer::AnySource => write!(out, "any source"),
            Peer::Rank(rank) => write!(out, "{rank}"),
        }
    }
}

struct InCommunicator(u32);

impl Display for InCommunicator {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.0 == WORLD { Ok(()) } else { write!(out, ", communicator {}", self.0) }
    }
}

fn write_message(out: &mut Formatter<'_>, direction: &str, envelope: &Envelope) -> fmt::Result {
    let Envelope { peer, tag, bytes, comm } = envelope;
    write!(out, "{bytes} bytes {direction} {peer}, ")?;
    match *tag {
        ANY_TAG => write!(out, "any tag")?,
        tag => write!(out, "tag {tag}")?,
    }
    write!(out, "{}", InCommunicator(*comm))
}

fn write_wildcards(out: &mut Formatter<'_>, any_source: bool, any_tag: bool) -> fmt::Result {
    match (any_source, any_tag) {
        (false, false) => Ok(()),
        (true, false) => write!(out, " (any source)"),
        (false, true) => write!(out, " (any tag)"),
        (true, true) => write!(out, " (any source, any tag)"),
    }
}

impl Display for Call<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{} ", self.name())?;
        match self {
            Call::Send(_, envelope) => write_message(out, "to", envelope),
            Call::Isend(_, envelope, request) | Call::SendInit(_, envelope, request) => {
                write_message(out, "to", envelope)?;
                write!(out, ", request {request}")
            }
            Call::Recv { got, any_source, any_tag } => {
                write_message(out, "from", got)?;
                write_wildcards(out, *any_source, *any_tag)
            }
            Call::Sendrecv { send, got, any_source, any_tag } => {
                write_message(out, "to", send)?;
                write!(out, "; ")?;
                write_message(out, "from", got)?;
                write_wildcards(out, *any_source, *any_tag)
            }
            Call::Irecv(envelope, request) | Call::RecvInit(envelope, request) => {
                write_message(out, "from", envelope)?;
                write!(out, ", request {request}")
            }
            Call::Start(requests) => write!(out, "requests {requests:?}"),
            Call::Complete { how, requested, done } => {
                if *requested > 1 || !matches!(how, Completion::Wait | Completion::Test) {
                    write!(out, "{} of {requested}: ", done.len())?;
                }
                for (index, done) in done.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(out, "{comma}request {}", done.request)?;
                    if let Some(met) = done.met {
                        let (source, tag, bytes) = (met.source, met.tag, met.bytes);
                        write!(out, " ({bytes} bytes from {source}, tag {tag})")?;
                    }
                }
                Ok(())
            }
            Call::Release(request) | Call::Cancel(request) => write!(out, "request {request}"),
            Call::Probe { met, any_source, any_tag, .. } => {
                write_message(out, "from", met)?;
                write_wildcards(out, *any_source, *any_tag)
            }
            Call::Polls(count) => write!(out, "{count} times"),
            Call::Collective(collective) | Call::CollectiveInit(collective) => {
                write_collective(out, collective)
            }
            Call::CommNew { size: 0, parent, .. } => {
                write!(out, "without this rank, out of {parent}")
            }
            Call::CommNew { comm, parent, rank, size, name: _ } => {
                write!(out, "{comm} out of {parent}: rank {rank} of {size}")
            }
            Call::CommIdup { comm, parent, rank, size, request, name: _ } => {
                write!(out, "{comm} out of {parent}: rank {rank} of {size}, request {request}")
            }
            Call::CommFree(comm) => write!(out, "{comm}"),
            Call::WindowNew { window, comm, bytes } => {
                write!(out, "{window} of {bytes} bytes{}", InCommunicator(*comm))
            }
            Call::WindowFree(window) | Call::Fence(window) => write!(out, "window {window}"),
            Call::OneSided { window, peer, bytes, how: _ } => {
                write!(out, "{bytes} bytes, rank {peer}, window {window}")
            }
            Call::Other(other) => write!(out, "number {other}"),
            Call::Named { other, name } => write!(out, "number {other} is MPI_{name}"),
            Call::Phase(level) => write!(out, "{level}"),
            Call::Finalize => Ok(()),
        }
    }
}

fn write_collective(out: &mut Formatter<'_>, call: &Collective) -> fmt::Result {
    let Collective { comm, root, bytes, combine, request, .. } = call;
    write!(out, "{bytes} bytes")?;
    if let Some(root) = root {
        write!(out, ", root {root}")?;
    }
    if let Some(combine) = combine {
        write!(out, ", {combine:?}")?;
    }
    let [to, from] = if call.op.is_among_neighbors() { ["to", "from"] } else { ["at"; 2] };
    let lists: [(&str, &List); 4] = [
        ("sends", &call.sends),
        (to, &call.send_places),
        ("receives", &call.receives),
        (from, &call.receive_places),
    ];
    for (name, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        write!(out, ", {name} {list:?}")?;
    }
    write!(out, "{}", InCommunicator(*comm))?;
    match request {
        Some(request) => write!(out, ", request {request}"),
        None => Ok(()),
    }
}
