//! Encoding of a record.

use super::{Record, has, kind};
use crate::call::{ANY_TAG, Call, Collective, Envelope, Packed, Peer};
use crate::varint::{fold, put};

/// Wildcards of a receive as two bits.
fn wild(any_source: bool, any_tag: bool) -> u8 {
    u8::from(any_source) | u8::from(any_tag) << 1
}

/// Appends the record's encoding.
pub fn write(out: &mut Vec<u8>, record: &Record) {
    let mut begin = |kind: u8| {
        out.push(kind);
        put(out, record.gap);
        put(out, record.duration);
    };
    let number = |number: u32| u64::from(number);
    match record.call {
        Call::Send(mode, ref envelope) => {
            begin(kind::SEND + mode as u8);
            put_envelope(out, envelope);
        }
        Call::Isend(mode, ref envelope, request) => {
            begin(kind::ISEND + mode as u8);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::SendInit(mode, ref envelope, request) => {
            begin(kind::SEND_INIT + mode as u8);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::Recv { ref got, any_source, any_tag } => {
            begin(kind::RECV + wild(any_source, any_tag));
            put_envelope(out, got);
        }
        Call::Sendrecv { ref send, ref got, any_source, any_tag } => {
            begin(kind::SENDRECV + wild(any_source, any_tag));
            put_envelope(out, send);
            put_envelope(out, got);
        }
        Call::Irecv(ref envelope, request) => {
            begin(kind::IRECV);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::RecvInit(ref envelope, request) => {
            begin(kind::RECV_INIT);
            put_envelope(out, envelope);
            put(out, number(request));
        }
        Call::Start(requests) => {
            begin(kind::START);
            put_list(out, &requests);
        }
        Call::Complete { how, requested, done } => {
            begin(kind::COMPLETE + how as u8);
            put(out, number(requested));
            put_list(out, &done);
        }
        Call::Release(request) => {
            begin(kind::RELEASE);
            put(out, number(request));
        }
        Call::Cancel(request) => {
            begin(kind::CANCEL);
            put(out, number(request));
        }
        Call::Probe { ref met, any_source, any_tag, waits } => {
            begin(if waits { kind::PROBE } else { kind::IPROBE } + wild(any_source, any_tag));
            put_envelope(out, met);
        }
        Call::Polls(count) => {
            begin(kind::POLLS);
            put(out, count);
        }
        Call::Collective(ref collective) => {
            begin(match collective.request {
                None => kind::COLLECTIVE,
                Some(_) => kind::ICOLLECTIVE,
            });
            put_collective(out, collective);
        }
        Call::CollectiveInit(ref collective) => {
            begin(kind::COLLECTIVE_INIT);
            put_collective(out, collective);
        }
        Call::CommNew { comm, parent, name, rank, size } => {
            begin(kind::COMM_NEW);
            for number in [comm, parent, rank, size] {
                put(out, u64::from(number));
            }
            put(out, name);
        }
        Call::CommIdup { comm, parent, name, rank, size, request } => {
            begin(kind::COMM_IDUP);
            for number in [comm, parent, rank, size, request] {
                put(out, u64::from(number));
            }
            put(out, name);
        }
        Call::CommFree(comm) => {
            begin(kind::COMM_FREE);
            put(out, number(comm));
        }
        Call::WindowNew { window, comm, bytes } => {
            begin(kind::WINDOW_NEW);
            put(out, number(window));
            put(out, number(comm));
            put(out, bytes);
        }
        Call::WindowFree(window) => {
            begin(kind::WINDOW_FREE);
            put(out, number(window));
        }
        Call::OneSided { how, window, peer, bytes } => {
            begin(kind::ONE_SIDED + how as u8);
            put(out, number(window));
            put(out, peer_number(peer));
            put(out, bytes);
        }
        Call::Fence(window) => {
            begin(kind::FENCE);
            put(out, number(window));
        }
        Call::Other(other) => {
            begin(kind::OTHER);
            put(out, number(other));
        }
        Call::Named { other, name } => {
            begin(kind::NAMED);
            put(out, number(other));
            put(out, name.len() as u64);
            out.extend_from_slice(name.as_bytes());
        }
        Call::Phase(level) => {
            begin(kind::PHASE);
            put(out, fold(level));
        }
        Call::Finalize => begin(kind::FINALIZE),
    }
}

fn peer_number(peer: Peer) -> u64 {
    match peer {
        Peer::Null => 0,
        Peer::AnySource => 1,
        Peer::Rank(rank) => u64::from(rank) + 2,
    }
}

#[inline]
fn put_envelope(out: &mut Vec<u8>, envelope: &Envelope) {
    let Envelope { peer, tag, bytes, comm } = *envelope;
    put(out, peer_number(peer));
    put(out, if tag == ANY_TAG { 0 } else { u64::from(tag) + 1 });
    put(out, bytes);
    put(out, u64::from(comm));
}

fn put_list<T>(out: &mut Vec<u8>, list: &Packed<T>) {
    put(out, list.count as u64);
    out.extend_from_slice(list.bytes);
}

fn put_collective(out: &mut Vec<u8>, call: &Collective) {
    let Collective { op, comm, root, bytes, combine, request, .. } = *call;
    let lists = [
        (has::SENDS, &call.sends),
        (has::RECEIVES, &call.receives),
        (has::SEND_PLACES, &call.send_places),
        (has::RECEIVE_PLACES, &call.receive_places),
    ];
    let mut parts = 0;
    for (part, is_present) in [(has::ROOT, root.is_some()), (has::COMBINE, combine.is_some())] {
        parts |= if is_present { part } else { 0 };
    }
    for (part, list) in lists {
        parts |= if list.is_empty() { 0 } else { part };
    }
    out.push(op as u8);
    out.push(parts);
    put(out, u64::from(comm));
    put(out, bytes);
    if let Some(root) = root {
        put(out, u64::from(root));
    }
    if let Some(combine) = combine {
        out.push(combine as u8);
    }
    for (_, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        put_list(out, list);
    }
    if let Some(request) = request {
        put(out, u64::from(request));
    }
}
