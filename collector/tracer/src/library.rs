//! Queries to the MPI library.

use crate::abi::{Abi, Handle, OWN_GRAPH};
use crate::symbols::real;
use std::ffi::{c_int, c_void};

/// An MPI function that returns a property of an object.
type Query<T> = unsafe extern "C" fn(Handle, *mut T) -> c_int;

#[inline]
fn property<T: Default>(query: Query<T>, object: Handle) -> T {
    let mut value = T::default();
    // SAFETY: the handle is valid.
    unsafe { query(object, &mut value) };
    value
}

/// This rank's number in a communicator.
pub(crate) fn rank_in(comm: Handle) -> u32 {
    property(real!(c"PMPI_Comm_rank" as Query<c_int>), comm) as u32
}

/// Number of ranks of a communicator.
pub(crate) fn size_of(comm: Handle) -> u32 {
    property(real!(c"PMPI_Comm_size" as Query<c_int>), comm) as u32
}

/// The size of a datatype.
#[inline]
pub(crate) fn type_size(datatype: Handle) -> u64 {
    property(real!(c"PMPI_Type_size_x" as Query<i64>), datatype).max(0) as u64
}

/// Neighbours of a rank in neighbourhood collectives, in order; negative for no neighbour.
#[derive(Debug, Default)]
pub(crate) struct Neighbors {
    pub(crate) sources: Vec<c_int>,
    pub(crate) destinations: Vec<c_int>,
}

impl Neighbors {
    pub(crate) fn of(abi: &Abi, comm: Handle) -> Self {
        match property(real!(c"PMPI_Topo_test" as Query<c_int>), comm) {
            grid if grid == abi.grid => Neighbors::in_grid(comm),
            graph if graph == abi.graph => Neighbors::in_graph(comm),
            OWN_GRAPH => Neighbors::in_own_graph(comm),
            _ => Neighbors::default(),
        }
    }

    /// The previous and the next rank in each dimension.
    fn in_grid(comm: Handle) -> Self {
        type Shift = unsafe extern "C" fn(Handle, c_int, c_int, *mut c_int, *mut c_int) -> c_int;
        let shift = real!(c"PMPI_Cart_shift" as Shift);
        let dimensions = property(real!(c"PMPI_Cartdim_get" as Query<c_int>), comm);
        let both = |dimension| {
            let [mut before, mut after] = [-1; 2];
            // SAFETY: the communicator has this dimension; both ranks are writable.
            unsafe { shift(comm, dimension, 1, &raw mut before, &raw mut after) };
            [before, after]
        };
        let sources: Vec<c_int> = (0..dimensions).flat_map(both).collect();
        Neighbors { destinations: sources.clone(), sources }
    }

    fn in_graph(comm: Handle) -> Self {
        type Count = unsafe extern "C" fn(Handle, c_int, *mut c_int) -> c_int;
        type List = unsafe extern "C" fn(Handle, c_int, c_int, *mut c_int) -> c_int;
        let count = real!(c"PMPI_Graph_neighbors_count" as Count);
        let list = real!(c"PMPI_Graph_neighbors" as List);
        let (rank, mut number) = (rank_in(comm) as c_int, 0);
        // SAFETY: the number is writable.
        unsafe { count(comm, rank, &raw mut number) };
        let mut sources = vec![-1; number.max(0) as usize];
        // SAFETY: the array has room for this many ranks.
        unsafe { list(comm, rank, number, sources.as_mut_ptr()) };
        Neighbors { destinations: sources.clone(), sources }
    }

    fn in_own_graph(comm: Handle) -> Self {
        type Count = unsafe extern "C" fn(Handle, *mut c_int, *mut c_int, *mut c_int) -> c_int;
        type List = unsafe extern "C" fn(
            Handle,
            c_int,
            *mut c_int,
            *mut c_int,
            c_int,
            *mut c_int,
            *mut c_int,
        ) -> c_int;
        let count = real!(c"PMPI_Dist_graph_neighbors_count" as Count);
        let list = real!(c"PMPI_Dist_graph_neighbors" as List);
        let [mut into, mut out, mut weighted] = [0; 3];
        // SAFETY: the three numbers are writable.
        unsafe { count(comm, &raw mut into, &raw mut out, &raw mut weighted) };
        let [mut sources, mut weights_in] = [(); 2].map(|()| vec![-1; into.max(0) as usize]);
        let [mut destinations, mut weights_out] = [(); 2].map(|()| vec![-1; out.max(0) as usize]);
        // SAFETY: the arrays have room for this many ranks and weights.
        unsafe {
            list(
                comm,
                into,
                sources.as_mut_ptr(),
                weights_in.as_mut_ptr(),
                out,
                destinations.as_mut_ptr(),
                weights_out.as_mut_ptr(),
            );
        }
        Neighbors { sources, destinations }
    }
}

/// Whether another MPI program started this program.
pub(crate) fn is_spawned(abi: &Abi) -> bool {
    type Parent = unsafe extern "C" fn(*mut Handle) -> c_int;
    let get_parent = real!(c"PMPI_Comm_get_parent" as Parent);
    let mut parent = Handle::default();
    // SAFETY: the handle is writable.
    unsafe { get_parent(&raw mut parent) };
    parent != abi.no_comm && parent != Handle::default()
}

/// Duplicates a communicator.
pub(crate) fn duplicate(comm: Handle) -> Handle {
    type Dup = unsafe extern "C" fn(Handle, *mut Handle) -> c_int;
    let dup = real!(c"PMPI_Comm_dup" as Dup);
    let mut duplicate = Handle::default();
    // SAFETY: all ranks make this call; the handle is writable.
    unsafe { dup(comm, &raw mut duplicate) };
    duplicate
}

/// Frees a communicator.
pub(crate) fn free(mut comm: Handle) {
    let free = real!(c"PMPI_Comm_free" as unsafe extern "C" fn(*mut Handle) -> c_int);
    // SAFETY: all ranks make this call.
    unsafe { free(&raw mut comm) };
}

/// Broadcasts rank 0's numbers in a communicator.
pub(crate) fn broadcast(abi: &Abi, numbers: &mut [u64], comm: Handle) {
    type Bcast = unsafe extern "C" fn(*mut c_void, c_int, Handle, c_int, Handle) -> c_int;
    let bcast = real!(c"PMPI_Bcast" as Bcast);
    // SAFETY: all ranks make this call.
    unsafe { bcast(numbers.as_mut_ptr().cast(), 8 * numbers.len() as c_int, abi.byte, 0, comm) };
}
