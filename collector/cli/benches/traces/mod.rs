//! Traces that benchmarks replay.
#![allow(unreachable_pub, reason = "shared by several benchmarks")]

use loggia_trace::call::{
    Call, Collective, CompletedRequest, CompletedRequests, Completion, Envelope, Mode, Operation,
    Peer, WORLD,
};
use loggia_trace::header::Header;
use loggia_trace::record::{Record, write};

/// Number of ranks.
pub const RANKS: u32 = 64;

/// The traced program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// A halo exchange around a ring.
    Halo,
    /// A halo exchange, and an allreduce over all ranks in each iteration.
    HaloAndSum,
}

impl Program {
    /// All programs.
    pub const ALL: [Program; 2] = [Program::Halo, Program::HaloAndSum];

    /// The name in the output.
    pub fn name(self) -> &'static str {
        match self {
            Program::Halo => "halo",
            Program::HaloAndSum => "halo-and-sum",
        }
    }
}

/// The trace file of a rank, with about this many records.
pub fn trace(program: Program, rank: u32, ranks: u32, records: u64) -> Vec<u8> {
    let header = Header { run: 5, rank, ranks, ..Header::default() };
    let mut bytes = header.to_bytes().to_vec();
    let message =
        |peer: u32, tag| Envelope { peer: Peer::Rank(peer), tag, bytes: 4096, comm: WORLD };
    let [left, right] = [(rank + ranks - 1) % ranks, (rank + 1) % ranks];
    let mut list = Vec::new();
    let calls_each = if program == Program::HaloAndSum { 6 } else { 5 };
    for _ in 0..records / calls_each {
        let done = CompletedRequests::new(
            &mut list,
            (0..4).map(|request| CompletedRequest { request, met: None }),
        );
        let calls = [
            (900, Call::Irecv(message(left, 1), 0)),
            (80, Call::Irecv(message(right, 2), 1)),
            (80, Call::Isend(Mode::Standard, message(right, 1), 2)),
            (90, Call::Isend(Mode::Standard, message(left, 2), 3)),
            (150_000, Call::Complete { how: Completion::Waitall, requested: 4, done }),
            (2_000, Call::Collective(Collective::new(Operation::Allreduce, WORLD, 8))),
        ];
        for (gap, call) in calls.into_iter().take(calls_each as usize) {
            write(&mut bytes, &Record { gap, duration: 700, call });
        }
    }
    write(&mut bytes, &Record { gap: 10, duration: 0, call: Call::Finalize });
    bytes
}
