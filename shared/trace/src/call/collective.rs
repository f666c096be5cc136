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
    /// Whether it begins or ends at a root.
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

    /// Whether each rank exchanges with its neighbours alone, whom the communicator names.
    pub fn is_among_neighbors(self) -> bool {
        self >= Operation::NeighborAllgather
    }

    /// Whether it combines.
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
    pub enum Combine {
        /// One that the program has made.
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
    /// Among whom.
    pub comm: u32,
    pub root: Option<u32>,
    /// The vector, or one rank's part of it, or what one rank has for one other; where the parts
    /// differ, this rank's own.
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
    pub combine: Option<Combine>,
    /// The request of a non-blocking call.
    pub request: Option<u32>,
}

impl Collective<'_> {
    /// One in which all parts are as long.
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
