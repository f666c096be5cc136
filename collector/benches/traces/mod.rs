//! Traces that benchmarks replay.
#![allow(unreachable_pub, reason = "shared by several benchmarks")]

use loggia_trace::call::{
    Call, Collective, Completion, Done, Dones, Envelope, Mode, Operation, Peer, WORLD,
};
use loggia_trace::header::Header;
use loggia_trace::record::{Record, write};

/// So many ranks take part.
pub const RANKS: u32 = 64;

/// A halo exchange round a ring, in a rank's file.
pub fn halo(rank: u32, ranks: u32, records: u64) -> Vec<u8> {
    let header = Header { run: 5, rank, ranks, ..Header::default() };
    let mut bytes = header.to_bytes().to_vec();
    let message =
        |peer: u32, tag| Envelope { peer: Peer::Rank(peer), tag, bytes: 4096, comm: WORLD };
    let [left, right] = [(rank + ranks - 1) % ranks, (rank + 1) % ranks];
    let mut list = Vec::new();
    for _ in 0..records / 6 {
        let done = Dones::new(&mut list, (0..4).map(|request| Done { request, met: None }));
        let calls = [
            (900, Call::Irecv(message(left, 1), 0)),
            (80, Call::Irecv(message(right, 2), 1)),
            (80, Call::Isend(Mode::Standard, message(right, 1), 2)),
            (90, Call::Isend(Mode::Standard, message(left, 2), 3)),
            (150_000, Call::Complete { how: Completion::Waitall, asked: 4, done }),
            (2_000, Call::Collective(Collective::new(Operation::Allreduce, WORLD, 8))),
        ];
        for (gap, call) in calls {
            write(&mut bytes, &Record { gap, duration: 700, call });
        }
    }
    write(&mut bytes, &Record { gap: 10, duration: 0, call: Call::Finalize });
    bytes
}
