//! Every call survives encoding and decoding; damaged bytes are rejected.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "tests")]

use loggia_trace::call::{
    ANY_TAG, Call, Collective, CompletedRequest, CompletedRequests, Completion, Envelope, List,
    MatchedMessage, Mode, OneSided, Operation, Peer, ReductionOperator,
};
use loggia_trace::file::{End, File};
use loggia_trace::header::Header;
use loggia_trace::record::{Flaw, Record, read, write};
use proptest::prelude::*;

/// Numbers of every encoded length.
fn long() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0..64u32).prop_map(|(bits, shift)| bits >> shift)
}

fn short() -> impl Strategy<Value = u32> {
    (any::<u32>(), 0..32u32).prop_map(|(bits, shift)| bits >> shift)
}

fn envelope() -> impl Strategy<Value = Envelope> {
    let peer =
        prop_oneof![Just(Peer::Null), Just(Peer::AnySource), (0..u32::MAX).prop_map(Peer::Rank)];
    let tag = prop_oneof![Just(ANY_TAG), short()];
    (peer, tag, long(), short()).prop_map(|(peer, tag, bytes, comm)| Envelope {
        peer,
        tag,
        bytes,
        comm,
    })
}

fn done() -> impl Strategy<Value = CompletedRequest> {
    let met = (short(), short(), long()).prop_map(|(source, tag, bytes)| MatchedMessage {
        source,
        tag,
        bytes,
    });
    (short(), prop::option::of(met)).prop_map(|(request, met)| CompletedRequest { request, met })
}

/// Storage for the lists of a call.
#[derive(Clone, Debug)]
struct Memory([Vec<u64>; 4], Vec<CompletedRequest>, String);

fn memory() -> impl Strategy<Value = Memory> {
    let list = || prop::collection::vec(long(), 0..20);
    let lists = [list(), list(), list(), list()];
    (lists, prop::collection::vec(done(), 0..9), "[A-Za-z_]{0,30}")
        .prop_map(|(lists, dones, name)| Memory(lists, dones, name))
}

proptest! {
    #[test]
    fn calls_survive_a_round_trip(
        memory in memory(),
        which in 0..26usize,
        (e, f) in (envelope(), envelope()),
        (a, b, c, d) in (short(), short(), short(), short()),
        (m, n, o) in (long(), long(), long()),
        (yes, no) in (any::<bool>(), any::<bool>()),
        choice in 0..1000usize,
    ) {
        let Memory(lists, dones, name) = &memory;
        let mut store: [Vec<u8>; 4] = Default::default();
        let mut of_dones = Vec::new();
        let [s0, s1, s2, s3] = &mut store;
        let [sends, receives, send_places, receive_places] = [(s0, 0), (s1, 1), (s2, 2), (s3, 3)]
            .map(|(store, index)| List::new(store, lists[index].iter().copied()));
        let done = CompletedRequests::new(&mut of_dones, dones.iter().copied());
        prop_assert!(done.iter().eq(dones.iter().copied()));
        prop_assert!(sends.iter().eq(lists[0].iter().copied()));
        let mode = Mode::ALL[choice % 4];
        let call = match which {
            0 => Call::Send(mode, e),
            1 => Call::Isend(mode, e, a),
            2 => Call::SendInit(mode, e, a),
            3 => Call::Recv { got: e, any_source: yes, any_tag: no },
            4 => Call::Sendrecv { send: e, got: f, any_source: yes, any_tag: no },
            5 => Call::Irecv(e, a),
            6 => Call::RecvInit(e, a),
            7 => Call::Start(sends),
            8 => Call::Complete { how: Completion::ALL[choice % 8], requested: a, done },
            9 => Call::Release(a),
            10 => Call::Cancel(a),
            11 => Call::Probe { met: e, any_source: yes, any_tag: no, waits: a % 2 == 0 },
            12 => Call::Polls(m),
            13 => Call::Collective(Collective {
                root: yes.then_some(a),
                sends,
                receives,
                send_places,
                receive_places,
                combine: no.then_some(ReductionOperator::ALL[choice % 15]),
                request: (b % 2 == 0).then_some(c),
                ..Collective::new(Operation::ALL[choice % Operation::ALL.len()], d, m)
            }),
            14 => Call::CommNew { comm: a, parent: b, name: m, rank: c, size: d },
            15 => Call::CommFree(a),
            16 => Call::WindowNew { window: a, comm: b, bytes: m },
            17 => Call::WindowFree(a),
            18 => Call::OneSided {
                how: OneSided::ALL[choice % 3], window: a, peer: e.peer, bytes: m,
            },
            19 => Call::Fence(a),
            20 => Call::Other(a),
            21 => Call::Named { other: a, name },
            22 => Call::Phase(m as i64),
            23 => Call::CollectiveInit(Collective {
                root: yes.then_some(a),
                sends,
                receives,
                request: Some(c),
                ..Collective::new(Operation::ALL[choice % Operation::ALL.len()], d, m)
            }),
            24 => Call::CommIdup { comm: a, parent: b, name: m, rank: c, size: d, request: a },
            _ => Call::Finalize,
        };
        let record = Record { gap: n, duration: o, call };
        let mut bytes = Vec::new();
        write(&mut bytes, &record);
        let mut at = 0;
        prop_assert_eq!(read(&bytes, &mut at), Ok(Some(record)));
        prop_assert_eq!(at, bytes.len());
        // A record cut anywhere is reported as cut.
        for cut in 1..bytes.len() {
            prop_assert_eq!(read(&bytes[..cut], &mut 0), Err(Flaw::Cut), "cut at {}", cut);
        }
        // A flipped bit is decoded or rejected, never a panic.
        for index in 0..bytes.len().min(40) {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1 << (choice % 8);
            let _ = read(&damaged, &mut 0);
        }
    }
}

/// A killed program leaves a file that is longer than its records.
#[test]
fn a_file_ends_where_its_records_end() {
    let header = Header { rank: 0, ranks: 1, ..Header::default() };
    let mut bytes = header.to_bytes().to_vec();
    let computed = Record { gap: 5_000, duration: 70, call: Call::Polls(3) };
    write(&mut bytes, &computed);
    let written = bytes.len();
    bytes.resize(written + 100, 0);
    let read_all = |bytes: &[u8]| {
        let mut seen = 0;
        let (count, end) = File::read(bytes).unwrap().read_all(|record| {
            assert_eq!(*record, computed);
            seen += 1;
        });
        assert_eq!(count, seen);
        (count, end)
    };
    assert_eq!(read_all(&bytes), (1, End::Early));
    assert_eq!(read_all(&bytes[..written - 1]), (0, End::Broken(512, Flaw::Cut)));
    bytes[written] = 99;
    assert_eq!(read_all(&bytes), (1, End::Broken(written, Flaw::Kind(99))));
    bytes.truncate(written);
    write(&mut bytes, &Record { gap: 0, duration: 0, call: Call::Finalize });
    let (count, end) = File::read(&bytes).unwrap().read_all(|_| ());
    assert_eq!((count, end), (2, End::Whole));
}
