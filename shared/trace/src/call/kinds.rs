//! Kinds of calls, and their names.

use super::{Call, Collective, Operation};

/// First kind of blocking collective calls, of non-blocking collective calls, and of later kinds.
const COLLECTIVE: u8 = 31;
const NON_BLOCKING: u8 = COLLECTIVE + Operation::ALL.len() as u8;
const OTHERS: u8 = NON_BLOCKING + Operation::ALL.len() as u8;
const IDUP: u8 = OTHERS + 11;
const INIT: u8 = IDUP + 1;
const KIND_COUNT: usize = INIT as usize + Operation::ALL.len();

/// Whether calls of this kind are non-blocking collective calls.
pub fn is_nonblocking_collective(kind: u8) -> bool {
    (NON_BLOCKING..OTHERS).contains(&kind) || kind == IDUP
}

/// Names of all kinds of calls, without `MPI_`, by [`Call::kind`].
pub const KINDS: [&str; KIND_COUNT] = [
    "Send",
    "Bsend",
    "Ssend",
    "Rsend",
    "Isend",
    "Ibsend",
    "Issend",
    "Irsend",
    "Send_init",
    "Bsend_init",
    "Ssend_init",
    "Rsend_init",
    "Recv",
    "Sendrecv",
    "Irecv",
    "Recv_init",
    "Start",
    "Startall",
    "Wait",
    "Waitall",
    "Waitany",
    "Waitsome",
    "Test",
    "Testall",
    "Testany",
    "Testsome",
    "Request_free",
    "Cancel",
    "Probe",
    "Iprobe",
    "failed tests",
    "Barrier",
    "Bcast",
    "Gather",
    "Gatherv",
    "Scatter",
    "Scatterv",
    "Allgather",
    "Allgatherv",
    "Alltoall",
    "Alltoallv",
    "Alltoallw",
    "Reduce",
    "Allreduce",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Scan",
    "Exscan",
    "Neighbor_allgather",
    "Neighbor_allgatherv",
    "Neighbor_alltoall",
    "Neighbor_alltoallv",
    "Neighbor_alltoallw",
    "Ibarrier",
    "Ibcast",
    "Igather",
    "Igatherv",
    "Iscatter",
    "Iscatterv",
    "Iallgather",
    "Iallgatherv",
    "Ialltoall",
    "Ialltoallv",
    "Ialltoallw",
    "Ireduce",
    "Iallreduce",
    "Ireduce_scatter",
    "Ireduce_scatter_block",
    "Iscan",
    "Iexscan",
    "Ineighbor_allgather",
    "Ineighbor_allgatherv",
    "Ineighbor_alltoall",
    "Ineighbor_alltoallv",
    "Ineighbor_alltoallw",
    "communicator creation",
    "Comm_free",
    "making a window",
    "Win_free",
    "Put",
    "Get",
    "Accumulate",
    "Win_fence",
    "calls not replayed",
    "Pcontrol",
    "Finalize",
    "Comm_idup",
    "Barrier_init",
    "Bcast_init",
    "Gather_init",
    "Gatherv_init",
    "Scatter_init",
    "Scatterv_init",
    "Allgather_init",
    "Allgatherv_init",
    "Alltoall_init",
    "Alltoallv_init",
    "Alltoallw_init",
    "Reduce_init",
    "Allreduce_init",
    "Reduce_scatter_init",
    "Reduce_scatter_block_init",
    "Scan_init",
    "Exscan_init",
    "Neighbor_allgather_init",
    "Neighbor_allgatherv_init",
    "Neighbor_alltoall_init",
    "Neighbor_alltoallv_init",
    "Neighbor_alltoallw_init",
];

impl Call<'_> {
    /// Index in [`KINDS`].
    pub fn kind(&self) -> u8 {
        match self {
            Call::Send(mode, _) => *mode as u8,
            Call::Isend(mode, ..) => 4 + *mode as u8,
            Call::SendInit(mode, ..) => 8 + *mode as u8,
            Call::Recv { .. } => 12,
            Call::Sendrecv { .. } => 13,
            Call::Irecv(..) => 14,
            Call::RecvInit(..) => 15,
            Call::Start(list) => 16 + u8::from(list.len() != 1),
            Call::Complete { how, .. } => 18 + *how as u8,
            Call::Release(_) => 26,
            Call::Cancel(_) => 27,
            Call::Probe { waits, .. } => 29 - u8::from(*waits),
            Call::Polls(_) => 30,
            Call::Collective(Collective { op, request: None, .. }) => COLLECTIVE + *op as u8,
            Call::Collective(Collective { op, .. }) => NON_BLOCKING + *op as u8,
            Call::CollectiveInit(Collective { op, .. }) => INIT + *op as u8,
            Call::CommNew { .. } => OTHERS,
            Call::CommIdup { .. } => IDUP,
            Call::CommFree(_) => OTHERS + 1,
            Call::WindowNew { .. } => OTHERS + 2,
            Call::WindowFree(_) => OTHERS + 3,
            Call::OneSided { how, .. } => OTHERS + 4 + *how as u8,
            Call::Fence(_) => OTHERS + 7,
            Call::Other(_) | Call::Named { .. } => OTHERS + 8,
            Call::Phase(_) => OTHERS + 9,
            Call::Finalize => OTHERS + 10,
        }
    }

    /// MPI's name without `MPI_`.
    pub fn name(&self) -> &'static str {
        KINDS[usize::from(self.kind())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{CompletedRequests, Completion, Envelope, Mode, Peer, WORLD};

    #[test]
    fn kinds_have_the_names_of_their_calls() {
        let envelope = Envelope { peer: Peer::AnySource, tag: 0, bytes: 0, comm: WORLD };
        let collective =
            |op, request| Call::Collective(Collective { request, ..Collective::new(op, WORLD, 0) });
        let done = CompletedRequests::default();
        let calls = [
            (Call::Send(Mode::Ready, envelope), "Rsend"),
            (Call::Isend(Mode::Buffered, envelope, 0), "Ibsend"),
            (Call::SendInit(Mode::Standard, envelope, 0), "Send_init"),
            (Call::Complete { how: Completion::Wait, requested: 1, done }, "Wait"),
            (Call::Complete { how: Completion::Testsome, requested: 1, done }, "Testsome"),
            (Call::Probe { met: envelope, any_source: true, any_tag: true, waits: true }, "Probe"),
            (collective(Operation::Barrier, None), "Barrier"),
            (collective(Operation::Exscan, None), "Exscan"),
            (collective(Operation::Barrier, Some(1)), "Ibarrier"),
            (collective(Operation::Exscan, Some(1)), "Iexscan"),
            (collective(Operation::NeighborAlltoallw, None), "Neighbor_alltoallw"),
            (collective(Operation::NeighborAlltoallw, Some(1)), "Ineighbor_alltoallw"),
            (Call::CollectiveInit(Collective::new(Operation::Bcast, WORLD, 0)), "Bcast_init"),
            (
                Call::CollectiveInit(Collective::new(Operation::NeighborAlltoallw, WORLD, 0)),
                "Neighbor_alltoallw_init",
            ),
            (
                Call::CommIdup { comm: 2, parent: 0, name: 1, rank: 0, size: 1, request: 0 },
                "Comm_idup",
            ),
            (Call::Fence(0), "Win_fence"),
            (Call::Finalize, "Finalize"),
        ];
        for (call, name) in calls {
            assert_eq!(call.name(), name);
        }
    }
}
