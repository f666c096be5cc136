//! Collective calls.

use super::List;

numbered! {
    /// A collective operation.
    #[derive(PartialOrd, Ord)]
    pub enum Operation {
        Barrier,
        Bcast,
        Gather,
        Gatherv,
        Scatter,
        Scatterv,
        Allgather,
        Allgatherv,
        Alltoall,
        Alltoallv,
        Alltoallw,
        Reduce,
        Allreduce,
        ReduceScatter,
        ReduceScatterBlock,
        Scan,
        Exscan,
        NeighborAllgather,
        NeighborAllgatherv,
        NeighborAlltoall,
        NeighborAlltoallv,
        NeighborAlltoallw,
    }
}

impl Operation {
    /// Whether the operation has a root.
    pub fn has_root(self) -> bool {
        matches!(
            self,
            Operation::Bcast
                | Operation::Gather
                | Operation::Gatherv
                | Operation::Scatter
                | Operation::Scatterv
                | Operation::Reduce
        )
    }

    /// Whether each rank exchanges only with its neighbours in the communicator's topology.
    pub fn is_among_neighbors(self) -> bool {
        self >= Operation::NeighborAllgather
    }

    /// Whether the operation reduces.
    pub fn reduces(self) -> bool {
        matches!(
            self,
            Operation::Reduce
                | Operation::Allreduce
                | Operation::ReduceScatter
                | Operation::ReduceScatterBlock
                | Operation::Scan
                | Operation::Exscan
        )
    }
}

numbered! {
    /// Reduction operators.
    #[derive(Default)]
    pub enum ReductionOperator {
        /// An operator of the program itself (`MPI_Op_create`).
        #[default]
        Own,
        Max,
        Min,
        Sum,
        Prod,
        Land,
        Band,
        Lor,
        Bor,
        Lxor,
        Bxor,
        Minloc,
        Maxloc,
        Replace,
        NoOp,
    }
}

/// A collective call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective<'a> {
    pub op: Operation,
    pub comm: u32,
    pub root: Option<u32>,
    /// Size of the vector, of each rank's part, or of the block for each pair of ranks, depending
    /// on the operation. If parts differ, this rank's own part.
    pub bytes: u64,
    /// Bytes sent to each rank or neighbour, if they differ and this rank knows them.
    pub sends: List<'a>,
    /// Bytes received from each rank or neighbour, if they differ and this rank knows them.
    pub receives: List<'a>,
    /// Displacements of data sent to each rank, if not contiguous; or the ranks of the neighbours.
    pub send_places: List<'a>,
    /// Displacements of data received from each rank, if not contiguous; or the ranks of the
    /// neighbours.
    pub receive_places: List<'a>,
    pub combine: Option<ReductionOperator>,
    /// The request of a non-blocking call.
    pub request: Option<u32>,
}

impl Collective<'_> {
    /// A call in which all parts have the same size.
    pub fn new(op: Operation, comm: u32, bytes: u64) -> Self {
        let none = List::default();
        Collective {
            op,
            comm,
            root: None,
            bytes,
            sends: none,
            receives: none,
            send_places: none,
            receive_places: none,
            combine: None,
            request: None,
        }
    }
}
