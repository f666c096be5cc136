//! Collective operations: those that wait, those that do not, and those that are started many times.

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

/// When an operation begins, and where its request is, if it has one.
#[derive(Clone, Copy)]
enum Begins {
    /// In the call, which waits for its end.
    AndEnds,
    /// In the call, which does not wait.
    Now(*mut c_void),
    /// When its request is started.
    Later(*mut c_void),
}

impl Begins {
    fn request(self) -> Option<*mut c_void> {
        match self {
            Begins::AndEnds => None,
            Begins::Now(request) | Begins::Later(request) => Some(request),
        }
    }
}

/// Block sizes of an operation.
#[derive(Clone, Copy)]
enum Parts {
    Alike,
    /// Bytes per neighbour.
    Each(u64),
    /// Counts, displacements, and the datatype.
    Of(*mut c_void, *mut c_void, Handle),
    /// Counts, displacements, and datatypes per block.
    Typed(*mut c_void, *mut c_void, *mut c_void),
}

impl CollectiveArguments {
    fn new(op: Operation, comm: Handle, bytes: u64) -> Self {
        let alike = Parts::Alike;
        CollectiveArguments {
            op,
            comm,
            root: None,
            bytes,
            combine: None,
            sends: alike,
            receives: alike,
        }
    }

    /// An operation among neighbours.
    fn among_neighbors(op: Operation, comm: Handle, [sends, receives]: [Parts; 2]) -> Self {
        CollectiveArguments { sends, receives, ..CollectiveArguments::new(op, comm, 0) }
    }

    fn root(self, root: c_int) -> Self {
        // Roots of intercommunicators have special values, which are not handled.
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
        said: CollectiveArguments,
        begins: Begins,
    ) {
        let CollectiveArguments { op, comm, root, bytes, combine, sends, receives } = said;
        let request = begins.request().map(|at| {
            // SAFETY: the call has set it.
            let handle = unsafe { L::handle_at(self.abi, HandleKind::Request, at, 0) };
            self.requests.add(handle, false, matches!(begins, Begins::Later(_)))
        });
        let Some(number) = self.comm(comm) else { return self.other(time, name) };
        let mut lists = std::mem::take(&mut self.lists);
        let [a, b, c, d] = &mut lists;
        // SAFETY: the caller guarantees it.
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
            match begins {
                Begins::Later(_) => Call::CollectiveInit(call),
                Begins::AndEnds | Begins::Now(_) => Call::Collective(call),
            },
        );
        self.lists = lists;
    }

    /// Parts in bytes, and where they lie, if they do not lie end to end.
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
            Parts::Alike | Parts::Each(_) => return (List::default(), List::default()),
            Parts::Of(counts, at, _) | Parts::Typed(counts, at, _) => (counts, at),
        };
        let ranks = size_of(comm) as usize;
        let numbers = |list: *mut c_void| {
            // SAFETY: the caller guarantees it.
            (0..ranks).map(move |rank| unsafe { L::count_at(list, rank) })
        };
        // SAFETY: the caller guarantees it.
        let sizes = List::new(sizes, (0..ranks).map(unsafe { self.lengths::<L>(parts) }));
        let mut end = 0;
        let end_to_end = at.is_null()
            || numbers(at).zip(numbers(counts)).all(|(at, count)| {
                let here = at == end;
                end += count;
                here
            });
        let places = match end_to_end {
            true => List::default(),
            false => List::new(places, numbers(at).map(|at| at.max(0) as u64)),
        };
        (sizes, places)
    }

    /// Parts in bytes, with the rank that each goes to or comes from.
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
        // SAFETY: the caller guarantees it.
        let length = unsafe { self.lengths::<L>(parts) };
        let there = neighbors.iter().enumerate().filter(|(_, rank)| **rank >= 0);
        let sizes = List::new(sizes, there.clone().map(|(place, _)| length(place)));
        (sizes, List::new(places, there.map(|(_, rank)| *rank as u64)))
    }

    /// How many bytes each part has.
    ///
    /// # Safety
    /// The lists hold a number at every index that is read.
    unsafe fn lengths<L: Language>(&self, parts: Parts) -> impl Fn(usize) -> u64 {
        let one = match parts {
            Parts::Alike | Parts::Typed(..) => 0,
            Parts::Each(bytes) => bytes,
            Parts::Of(_, _, of) => type_size(of),
        };
        // SAFETY: the caller guarantees it.
        let count = |counts, place| unsafe { L::count_at(counts, place) }.max(0) as u64;
        move |place| match parts {
            Parts::Alike | Parts::Each(_) => one,
            Parts::Of(counts, ..) => one.saturating_mul(count(counts, place)),
            Parts::Typed(counts, _, types) => {
                // SAFETY: there are as many types as counts.
                let of = unsafe { L::handle_at(self.abi, HandleKind::Type, types, place) };
                type_size(of).saturating_mul(count(counts, place))
            }
        }
    }

    /// What one rank gives, by what it sends; or where that lies in place, by what it receives, if
    /// it receives as much.
    ///
    /// # Safety
    /// The arguments are a call's.
    unsafe fn given<L: Language>(
        &self,
        (buffer, count, of): (*mut c_void, L::Count, L::Handle),
        received: Option<(L::Count, L::Handle)>,
    ) -> u64 {
        let (count, of) = match (L::is_in_place(self.abi, buffer), received) {
            (false, _) => (count, of),
            (true, Some(received)) => received,
            (true, None) => return 0,
        };
        // SAFETY: the caller guarantees it.
        unsafe { self.bytes::<L>(count, of) }
    }

    /// # Safety
    /// The handle is a communicator's.
    unsafe fn comm_handle<L: Language>(&self, comm: L::Handle) -> Handle {
        // SAFETY: the caller guarantees it.
        unsafe { L::handle(self.abi, HandleKind::Comm, comm) }
    }

    /// # Safety
    /// The handle is a type's.
    unsafe fn type_handle<L: Language>(&self, of: L::Handle) -> Handle {
        // SAFETY: the caller guarantees it.
        unsafe { L::handle(self.abi, HandleKind::Type, of) }
    }

    /// # Safety
    /// The handle is an operation's.
    unsafe fn op_handle<L: Language>(&self, op: L::Handle) -> Handle {
        // SAFETY: the caller guarantees it.
        unsafe { L::handle(self.abi, HandleKind::Op, op) }
    }
}

/// A collective operation: the call that waits, the one that does not, and the one that prepares it.
macro_rules! collective {
    (
        $c:literal $f:literal $ic:literal $if:literal $pc:literal $pf:literal $($large:ident)?
        ($($arg:ident: $kind:ident),* $(,)?)
        |$r:ident| $said:expr
    ) => {
        wrap! {
            $c $f $($large)? ($($arg: $kind),*)
            |$r, time| {
                let said = $said;
                $r.collective::<L>(time, NAME, said, Begins::AndEnds);
            }
        }
        wrap! {
            $ic $if $($large)? ($($arg: $kind,)* request: Ptr)
            |$r, time| {
                let said = $said;
                $r.collective::<L>(time, NAME, said, Begins::Now(request));
            }
        }
        wrap! {
            $pc $pf young $($large)? ($($arg: $kind,)* info: Handle, request: Ptr)
            |$r, time| {
                let said = $said;
                $r.collective::<L>(time, NAME, said, Begins::Later(request));
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
        let bytes = r.given::<L>((send, send_count, send_type), Some((recv_count, recv_type)));
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
        let bytes = r.given::<L>((send, send_count, send_type), None);
        let mut said = CollectiveArguments::new(Operation::Gatherv, comm, bytes).root(root);
        if is_root {
            let of = r.type_handle::<L>(recv_type);
            said.receives = Parts::Of(recv_counts, places, of);
        }
        said
    }
}

collective! {
    "Scatter" "scatter" "Iscatter" "iscatter" "Scatter_init" "scatter_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_count: Count, recv_type: Handle, root: Int, comm: Handle
    )
    |r| {
        let bytes = r.given::<L>((recv, recv_count, recv_type), Some((send_count, send_type)));
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
        let bytes = r.given::<L>((recv, recv_count, recv_type), None);
        let mut said = CollectiveArguments::new(Operation::Scatterv, comm, bytes).root(root);
        if is_root {
            let of = r.type_handle::<L>(send_type);
            said.sends = Parts::Of(send_counts, places, of);
        }
        said
    }
}

collective! {
    "Allgather" "allgather" "Iallgather" "iallgather" "Allgather_init" "allgather_init" large
    (
        send: Ptr, send_count: Count, send_type: Handle,
        recv: Ptr, recv_count: Count, recv_type: Handle, comm: Handle
    )
    |r| {
        let bytes = r.given::<L>((send, send_count, send_type), Some((recv_count, recv_type)));
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
        let bytes = r.given::<L>((send, send_count, send_type), None);
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
        let bytes = r.given::<L>((send, send_count, send_type), Some((recv_count, recv_type)));
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
        let said = CollectiveArguments::new(Operation::Reduce, r.comm_handle::<L>(comm), bytes);
        said.root(L::int(root)).combine(r.op_handle::<L>(op))
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
                let said = CollectiveArguments::new(Operation::$op, r.comm_handle::<L>(comm), bytes);
                said.combine(r.op_handle::<L>(op))
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
        let said = CollectiveArguments::new(Operation::ReduceScatter, r.comm_handle::<L>(comm), 0);
        CollectiveArguments { receives, ..said.combine(r.op_handle::<L>(op)) }
    }
}

/// Among neighbours, all parts as long.
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
