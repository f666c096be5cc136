//! Collective operations: blocking, non-blocking and persistent.

use crate::abi::Handle;
use crate::clock::Time;
use crate::language::{HandleKind, Language};
use crate::library::{Neighbors, rank_in, size_of, type_size};
use crate::recorder::Recorder;
use crate::wrap::wrap;
use loggia_trace::call::{Call, Collective, List, Operation};
use std::ffi::{c_int, c_void};

/// The arguments of a collective operation.
#[derive(Clone, Copy)]
struct CollectiveArguments {
    op: Operation,
    comm: Handle,
    root: Option<u32>,
    bytes: u64,
    combine: Option<Handle>,
    sends: Parts,
    receives: Parts,
}

/// The kind of a call, with the address of its request.
#[derive(Clone, Copy)]
enum CallKind {
    /// The call begins and completes the operation.
    Blocking,
    /// The call begins the operation.
    NonBlocking(*mut c_void),
    /// The call prepares the operation; `MPI_Start` begins it.
    Persistent(*mut c_void),
}

impl CallKind {
    fn request(self) -> Option<*mut c_void> {
        match self {
            CallKind::Blocking => None,
            CallKind::NonBlocking(request) | CallKind::Persistent(request) => Some(request),
        }
    }
}

/// Block sizes of an operation.
#[derive(Clone, Copy)]
enum Parts {
    /// Equal blocks; the size is in the arguments.
    Uniform,
    /// Bytes per neighbour.
    Each(u64),
    /// Counts, displacements, and the datatype.
    Of(*mut c_void, *mut c_void, Handle),
    /// Counts, displacements, and datatypes per block.
    Typed(*mut c_void, *mut c_void, *mut c_void),
}

impl CollectiveArguments {
    fn new(op: Operation, comm: Handle, bytes: u64) -> Self {
        let uniform = Parts::Uniform;
        CollectiveArguments {
            op,
            comm,
            root: None,
            bytes,
            combine: None,
            sends: uniform,
            receives: uniform,
        }
    }

    /// An operation among neighbours.
    fn among_neighbors(op: Operation, comm: Handle, [sends, receives]: [Parts; 2]) -> Self {
        CollectiveArguments { sends, receives, ..CollectiveArguments::new(op, comm, 0) }
    }

    fn root(self, root: c_int) -> Self {
        // Roots of intercommunicators have special values, which are ignored.
        CollectiveArguments { root: u32::try_from(root).ok(), ..self }
    }

    fn combine(self, op: Handle) -> Self {
        CollectiveArguments { combine: Some(op), ..self }
    }
}

impl Recorder {
    /// # Safety
    /// The lists have as many numbers as the communicator has ranks.
    unsafe fn collective<L: Language>(
        &mut self,
        time: Time,
        name: &'static str,
        arguments: CollectiveArguments,
        kind: CallKind,
    ) {
        let CollectiveArguments { op, comm, root, bytes, combine, sends, receives } = arguments;
        let request = kind.request().map(|at| {
            // SAFETY: the call has set it.
            let handle = unsafe { L::handle_at(self.abi, HandleKind::Request, at, 0) };
            self.requests.add(handle, false, matches!(kind, CallKind::Persistent(_)))
        });
        let Some(number) = self.comm(comm) else { return self.other(time, name) };
        let mut lists = std::mem::take(&mut self.lists);
        let [a, b, c, d] = &mut lists;
        // SAFETY: guaranteed by the caller.
        let [(sends, send_places), (receives, receive_places)] = unsafe {
            if op.is_among_neighbors() {
                let neighbors = self.neighbors(number, comm);
                let Neighbors { sources, destinations } = &*neighbors;
                [
                    self.for_neighbors::<L>(sends, destinations, a, b),
                    self.for_neighbors::<L>(receives, sources, c, d),
                ]
            } else {
                [self.parts::<L>(sends, comm, a, b), self.parts::<L>(receives, comm, c, d)]
            }
        };
        let combine = combine.map(|op| self.abi.combine(op));
        let call = Collective {
            op,
            comm: number,
            root,
            bytes,
            sends,
            receives,
            send_places,
            receive_places,
            combine,
            request,
        };
        self.write(
            time,
            match kind {
                CallKind::Persistent(_) => Call::CollectiveInit(call),
                CallKind::Blocking | CallKind::NonBlocking(_) => Call::Collective(call),
            },
        );
        self.lists = lists;
    }

    /// Sizes of the blocks in bytes, and displacements if the blocks are not contiguous.
    ///
    /// # Safety
    /// The lists have as many numbers as the communicator has ranks.
    unsafe fn parts<'a, L: Language>(
        &self,
        parts: Parts,
        comm: Handle,
        sizes: &'a mut Vec<u8>,
        places: &'a mut Vec<u8>,
    ) -> (List<'a>, List<'a>) {
        let (counts, at) = match parts {
            Parts::Uniform | Parts::Each(_) => return (List::default(), List::default()),
            Parts::Of(counts, at, _) | Parts::Typed(counts, at, _) => (counts, at),
        };
        let ranks = size_of(comm) as usize;
        let numbers = |list: *mut c_void| {
            // SAFETY: guaranteed by the caller.
            (0..ranks).map(move |rank| unsafe { L::count_at(list, rank) })
        };
        // SAFETY: guaranteed by the caller.
        let sizes = List::new(sizes, (0..ranks).map(unsafe { self.block_sizes::<L>(parts) }));
        let mut end = 0;
        let is_contiguous = at.is_null()
            || numbers(at).zip(numbers(counts)).all(|(at, count)| {
                let is_next = at == end;
                end += count;
                is_next
            });
        let places = match is_contiguous {
            true => List::default(),
            false => List::new(places, numbers(at).map(|at| at.max(0) as u64)),
        };
        (sizes, places)
    }

    /// Sizes of the blocks in bytes, and the rank of each neighbour.
    ///
    /// # Safety
    /// The lists have as many numbers as there are neighbours.
    unsafe fn for_neighbors<'a, L: Language>(
        &self,
        parts: Parts,
        neighbors: &[c_int],
        sizes: &'a mut Vec<u8>,
        places: &'a mut Vec<u8>,
    ) -> (List<'a>, List<'a>) {
        // SAFETY: guaranteed by the caller.
        let length = unsafe { self.block_sizes::<L>(parts) };
        let existing = neighbors.iter().enumerate().filter(|(_, rank)| **rank >= 0);
        let sizes = List::new(sizes, existing.clone().map(|(place, _)| length(place)));
        (sizes, List::new(places, existing.map(|(_, rank)| *rank as u64)))
    }

    /// The size of each block, in bytes.
    ///
    /// # Safety
    /// The lists have a number at each index that is read.
    unsafe fn block_sizes<L: Language>(&self, parts: Parts) -> impl Fn(usize) -> u64 {
        let one = match parts {
            Parts::Uniform | Parts::Typed(..) => 0,
            Parts::Each(bytes) => bytes,
            Parts::Of(_, _, of) => type_size(of),
        };
        // SAFETY: guaranteed by the caller.
        let count = |counts, place| unsafe { L::count_at(counts, place) }.max(0) as u64;
        move |place| match parts {
            Parts::Uniform | Parts::Each(_) => one,
            Parts::Of(counts, ..) => one.saturating_mul(count(counts, place)),
            Parts::Typed(counts, _, types) => {
                // SAFETY: there are as many types as counts.
                let of = unsafe { L::handle_at(self.abi, HandleKind::Type, types, place) };
                type_size(of).saturating_mul(count(counts, place))
            }
        }
    }

    /// Bytes that one rank contributes: the send arguments, or for an in-place buffer the receive
    /// arguments, if they have the same size.
    ///
    /// # Safety
    /// The arguments come from a call.
    unsafe fn contributed<L: Language>(
        &self,
        (buffer, count, of): (*mut c_void, L::Count, L::Handle),
        received: Option<(L::Count, L::Handle)>,
    ) -> u64 {
        let (count, of) = match (L::is_in_place(self.abi, buffer), received) {
            (false, _) => (count, of),
            (true, Some(received)) => received,
            (true, None) => return 0,
        };
        // SAFETY: guaranteed by the caller.
        unsafe { self.bytes::<L>(count, of) }
    }

    /// # Safety
    /// The handle is a communicator.
    unsafe fn comm_handle<L: Language>(&self, comm: L::Handle) -> Handle {
        // SAFETY: guaranteed by the caller.
        unsafe { L::handle(self.abi, HandleKind::Comm, comm) }
    }

    /// # Safety
    /// The handle is a datatype.
    unsafe fn type_handle<L: Language>(&self, of: L::Handle) -> Handle {
        // SAFETY: guaranteed by the caller.
        unsafe { L::handle(self.abi, HandleKind::Type, of) }
    }

    /// # Safety
    /// The handle is a reduction operator.
    unsafe fn op_handle<L: Language>(&self, op: L::Handle) -> Handle {
        // SAFETY: guaranteed by the caller.
        unsafe { L::handle(self.abi, HandleKind::Op, op) }
    }
}

/// A collective operation: the blocking, the non-blocking and the persistent call.
macro_rules! collective {
    (
        $c:literal $f:literal $ic:literal $if:literal $pc:literal $pf:literal $($large:ident)?
        ($($arg:ident: $kind:ident),* $(,)?)
        |$r:ident| $arguments:expr
    ) => {
        wrap! {
            $c $f $($large)? ($($arg: $kind),*)
            |$r, time| {
                let arguments = $arguments;
                $r.collective::<L>(time, NAME, arguments, CallKind::Blocking);
            }
        }
        wrap! {
            $ic $if $($large)? ($($arg: $kind,)* request: Ptr)
            |$r, time| {
                let arguments = $arguments;
                $r.collective::<L>(time, NAME, arguments, CallKind::NonBlocking(request));
            }
        }
        wrap! {
            $pc $pf optional $($large)? ($($arg: $kind,)* info: Handle, request: Ptr)
            |$r, time| {
                let arguments = $arguments;
                $r.collective::<L>(time, NAME, arguments, CallKind::Persistent(request));
            }
        }
    };
}

collective! {
    "Barrier" "barrier" "Ibarrier" "ibarrier" "Barrier_init" "barrier_init" (comm: Handle)
    |r| CollectiveArguments::new(Operation::Barrier, r.comm_handle::<L>(comm), 0)
}

collective! {
    "Bcast" "bcast" "Ibcast" "ibcast" "Bcast_init" "bcast_init" large
    (buffer: Ptr, count: Count, of: Handle, root: Int, comm: Handle)
    |r| {
        let bytes = r.bytes::<L>(count, of);
        CollectiveArguments::new(Operation::Bcast, r.comm_handle::<L>(comm), bytes).root(L::int(root))
    }
}

collective! {
    "Gather" "gather" "Igather" "igather" "Gather_init" "gather_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_count: Count, recv_type: Handle, root: Int, comm: Handle
    )
    |r| {
        let bytes = r.contributed::<L>((send, send_count, send_type), Some((recv_count, recv_type)));
        CollectiveArguments::new(Operation::Gather, r.comm_handle::<L>(comm), bytes).root(L::int(root))
    }
}

collective! {
    "Gatherv" "gatherv" "Igatherv" "igatherv" "Gatherv_init" "gatherv_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_counts: Ptr, places: Ptr, recv_type: Handle, root: Int, comm: Handle
    )
    |r| {
        let (comm, root) = (r.comm_handle::<L>(comm), L::int(root));
        let is_root = rank_in(comm) as c_int == root;
        let bytes = r.contributed::<L>((send, send_count, send_type), None);
        let mut arguments = CollectiveArguments::new(Operation::Gatherv, comm, bytes).root(root);
        if is_root {
            let of = r.type_handle::<L>(recv_type);
            arguments.receives = Parts::Of(recv_counts, places, of);
        }
        arguments
    }
}

collective! {
    "Scatter" "scatter" "Iscatter" "iscatter" "Scatter_init" "scatter_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_count: Count, recv_type: Handle, root: Int, comm: Handle
    )
    |r| {
        let bytes = r.contributed::<L>((recv, recv_count, recv_type), Some((send_count, send_type)));
        CollectiveArguments::new(Operation::Scatter, r.comm_handle::<L>(comm), bytes).root(L::int(root))
    }
}

collective! {
    "Scatterv" "scatterv" "Iscatterv" "iscatterv" "Scatterv_init" "scatterv_init" large
    (
        send: Ptr, send_counts: Ptr, places: Ptr, send_type: Handle,
        recv: Ptr, recv_count: Count, recv_type: Handle, root: Int, comm: Handle
    )
    |r| {
        let (comm, root) = (r.comm_handle::<L>(comm), L::int(root));
        let is_root = rank_in(comm) as c_int == root;
        let bytes = r.contributed::<L>((recv, recv_count, recv_type), None);
        let mut arguments = CollectiveArguments::new(Operation::Scatterv, comm, bytes).root(root);
        if is_root {
            let of = r.type_handle::<L>(send_type);
            arguments.sends = Parts::Of(send_counts, places, of);
        }
        arguments
    }
}

collective! {
    "Allgather" "allgather" "Iallgather" "iallgather" "Allgather_init" "allgather_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_count: Count, recv_type: Handle, comm: Handle
    )
    |r| {
        let bytes = r.contributed::<L>((send, send_count, send_type), Some((recv_count, recv_type)));
        CollectiveArguments::new(Operation::Allgather, r.comm_handle::<L>(comm), bytes)
    }
}

collective! {
    "Allgatherv" "allgatherv" "Iallgatherv" "iallgatherv" "Allgatherv_init" "allgatherv_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_counts: Ptr, places: Ptr, recv_type: Handle, comm: Handle
    )
    |r| {
        let bytes = r.contributed::<L>((send, send_count, send_type), None);
        let of = r.type_handle::<L>(recv_type);
        let receives = Parts::Of(recv_counts, places, of);
        CollectiveArguments { receives, ..CollectiveArguments::new(Operation::Allgatherv, r.comm_handle::<L>(comm), bytes) }
    }
}

collective! {
    "Alltoall" "alltoall" "Ialltoall" "ialltoall" "Alltoall_init" "alltoall_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_count: Count, recv_type: Handle, comm: Handle
    )
    |r| {
        let bytes = r.contributed::<L>((send, send_count, send_type), Some((recv_count, recv_type)));
        CollectiveArguments::new(Operation::Alltoall, r.comm_handle::<L>(comm), bytes)
    }
}

collective! {
    "Alltoallv" "alltoallv" "Ialltoallv" "ialltoallv" "Alltoallv_init" "alltoallv_init" large
    (
        send: Ptr, send_counts: Ptr, send_places: Ptr, send_type: Handle,
        recv: Ptr, recv_counts: Ptr, recv_places: Ptr, recv_type: Handle, comm: Handle
    )
    |r| {
        let of = r.type_handle::<L>(recv_type);
        let receives = Parts::Of(recv_counts, recv_places, of);
        let sends = match L::is_in_place(r.abi, send) {
            true => receives,
            false => {
                let of = r.type_handle::<L>(send_type);
                Parts::Of(send_counts, send_places, of)
            }
        };
        CollectiveArguments { sends, receives, ..CollectiveArguments::new(Operation::Alltoallv, r.comm_handle::<L>(comm), 0) }
    }
}

collective! {
    "Alltoallw" "alltoallw" "Ialltoallw" "ialltoallw" "Alltoallw_init" "alltoallw_init" large
    (
        send: Ptr, send_counts: Ptr, send_places: Ptr, send_types: Ptr,
        recv: Ptr, recv_counts: Ptr, recv_places: Ptr, recv_types: Ptr, comm: Handle
    )
    |r| {
        let receives = Parts::Typed(recv_counts, recv_places, recv_types);
        let sends = match L::is_in_place(r.abi, send) {
            true => receives,
            false => Parts::Typed(send_counts, send_places, send_types),
        };
        CollectiveArguments { sends, receives, ..CollectiveArguments::new(Operation::Alltoallw, r.comm_handle::<L>(comm), 0) }
    }
}

collective! {
    "Reduce" "reduce" "Ireduce" "ireduce" "Reduce_init" "reduce_init" large
    (send: Ptr, recv: Ptr, count: Count, of: Handle, op: Handle, root: Int, comm: Handle)
    |r| {
        let bytes = r.bytes::<L>(count, of);
        let arguments = CollectiveArguments::new(Operation::Reduce, r.comm_handle::<L>(comm), bytes);
        arguments.root(L::int(root)).combine(r.op_handle::<L>(op))
    }
}

/// Reductions without a root.
macro_rules! reductions {
    ($($op:ident $c:literal $f:literal $ic:literal $if:literal $pc:literal $pf:literal)*) => { $(
        collective! {
            $c $f $ic $if $pc $pf large
            (send: Ptr, recv: Ptr, count: Count, of: Handle, op: Handle, comm: Handle)
            |r| {
                let bytes = r.bytes::<L>(count, of);
                let arguments = CollectiveArguments::new(Operation::$op, r.comm_handle::<L>(comm), bytes);
                arguments.combine(r.op_handle::<L>(op))
            }
        }
    )* };
}

reductions! {
    Allreduce "Allreduce" "allreduce" "Iallreduce" "iallreduce" "Allreduce_init" "allreduce_init"
    Scan "Scan" "scan" "Iscan" "iscan" "Scan_init" "scan_init"
    Exscan "Exscan" "exscan" "Iexscan" "iexscan" "Exscan_init" "exscan_init"
    ReduceScatterBlock "Reduce_scatter_block" "reduce_scatter_block"
        "Ireduce_scatter_block" "ireduce_scatter_block"
        "Reduce_scatter_block_init" "reduce_scatter_block_init"
}

collective! {
    "Reduce_scatter" "reduce_scatter" "Ireduce_scatter" "ireduce_scatter" "Reduce_scatter_init" "reduce_scatter_init" large
    (send: Ptr, recv: Ptr, counts: Ptr, of: Handle, op: Handle, comm: Handle)
    |r| {
        let receives = Parts::Of(counts, std::ptr::null_mut(), r.type_handle::<L>(of));
        let arguments = CollectiveArguments::new(Operation::ReduceScatter, r.comm_handle::<L>(comm), 0);
        CollectiveArguments { receives, ..arguments.combine(r.op_handle::<L>(op)) }
    }
}

/// Neighbourhood collectives with equal blocks.
macro_rules! neighbors {
    ($($op:ident $c:literal $f:literal $ic:literal $if:literal $pc:literal $pf:literal)*) => { $(
        collective! {
            $c $f $ic $if $pc $pf large
            (
                send: Ptr, send_count: Count, send_type: Handle,
                recv: Ptr, recv_count: Count, recv_type: Handle, comm: Handle
            )
            |r| {
                let [sends, receives] = [
                    r.bytes::<L>(send_count, send_type),
                    r.bytes::<L>(recv_count, recv_type),
                ];
                let parts = [sends, receives].map(Parts::Each);
                CollectiveArguments::among_neighbors(Operation::$op, r.comm_handle::<L>(comm), parts)
            }
        }
    )* };
}

neighbors! {
    NeighborAllgather "Neighbor_allgather" "neighbor_allgather"
        "Ineighbor_allgather" "ineighbor_allgather"
        "Neighbor_allgather_init" "neighbor_allgather_init"
    NeighborAlltoall "Neighbor_alltoall" "neighbor_alltoall"
        "Ineighbor_alltoall" "ineighbor_alltoall"
        "Neighbor_alltoall_init" "neighbor_alltoall_init"
}

collective! {
    "Neighbor_allgatherv" "neighbor_allgatherv" "Ineighbor_allgatherv" "ineighbor_allgatherv" "Neighbor_allgatherv_init" "neighbor_allgatherv_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_counts: Ptr, places: Ptr, recv_type: Handle, comm: Handle
    )
    |r| {
        let sends = Parts::Each(r.bytes::<L>(send_count, send_type));
        let receives = Parts::Of(recv_counts, places, r.type_handle::<L>(recv_type));
        let comm = r.comm_handle::<L>(comm);
        CollectiveArguments::among_neighbors(Operation::NeighborAllgatherv, comm, [sends, receives])
    }
}

collective! {
    "Neighbor_alltoallv" "neighbor_alltoallv" "Ineighbor_alltoallv" "ineighbor_alltoallv" "Neighbor_alltoallv_init" "neighbor_alltoallv_init" large
    (
        send: Ptr, send_counts: Ptr, send_places: Ptr, send_type: Handle,
        recv: Ptr, recv_counts: Ptr, recv_places: Ptr, recv_type: Handle, comm: Handle
    )
    |r| {
        let sends = Parts::Of(send_counts, send_places, r.type_handle::<L>(send_type));
        let receives = Parts::Of(recv_counts, recv_places, r.type_handle::<L>(recv_type));
        let comm = r.comm_handle::<L>(comm);
        CollectiveArguments::among_neighbors(Operation::NeighborAlltoallv, comm, [sends, receives])
    }
}

collective! {
    "Neighbor_alltoallw" "neighbor_alltoallw" "Ineighbor_alltoallw" "ineighbor_alltoallw" "Neighbor_alltoallw_init" "neighbor_alltoallw_init" large
    (
        send: Ptr, send_counts: Ptr, send_places: Ptr, send_types: Ptr,
        recv: Ptr, recv_counts: Ptr, recv_places: Ptr, recv_types: Ptr, comm: Handle
    )
    |r| {
        let sends = Parts::Typed(send_counts, send_places, send_types);
        let receives = Parts::Typed(recv_counts, recv_places, recv_types);
        let comm = r.comm_handle::<L>(comm);
        CollectiveArguments::among_neighbors(Operation::NeighborAlltoallw, comm, [sends, receives])
    }
}
