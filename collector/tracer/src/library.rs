//! Queries to the MPI library.

use crate::abi::{Abi, Handle, OWN_GRAPH};
use crate::symbols::real;
use std::ffi::{c_int, c_void};

/// An MPI function that returns a property of an object.
type Query<T> = unsafe extern "C" fn(Handle, *mut T) -> c_int;

#[inline]
fn ask<T: Default>(query: Query<T>, about: Handle) -> T {
    let mut answer = T::default();
    // SAFETY: the handle is one.
    unsafe { query(about, &mut answer) };
    answer
}

/// This rank's number in a communicator.
pub(crate) fn rank_in(comm: Handle) -> u32 {
    ask(real!(c"PMPI_Comm_rank" as Query<c_int>), comm) as u32
}

/// Number of ranks.
pub(crate) fn size_of(comm: Handle) -> u32 {
    ask(real!(c"PMPI_Comm_size" as Query<c_int>), comm) as u32
}

/// The size of a datatype.
#[inline]
pub(crate) fn type_size(of: Handle) -> u64 {
    ask(real!(c"PMPI_Type_size_x" as Query<i64>), of).max(0) as u64
}

/// Neighbours of a rank in neighbourhood collectives, in order; negative if there is none.
#[derive(Debug, Default)]
pub(crate) struct Neighbors {
    pub(crate) sources: Vec<c_int>,
    pub(crate) destinations: Vec<c_int>,
}

impl Neighbors {
    pub(crate) fn of(abi: &Abi, comm: Handle) -> Self {
        match ask(real!(c"PMPI_Topo_test" as Query<c_int>), comm) {
            grid if grid == abi.grid => Neighbors::in_grid(comm),
            graph if graph == abi.graph => Neighbors::in_graph(comm),
            OWN_GRAPH => Neighbors::in_own_graph(comm),
            _ => Neighbors::default(),
        }
    }

    /// In each dimension the previous and the next rank.
    fn in_grid(comm: Handle) -> Self {
        type Shift = unsafe extern "C" fn(Handle, c_int, c_int, *mut c_int, *mut c_int) -> c_int;
        let shift = real!(c"PMPI_Cart_shift" as Shift);
        let dimensions = ask(real!(c"PMPI_Cartdim_get" as Query<c_int>), comm);
        let both = |dimension| {
            let [mut before, mut behind] = [-1; 2];
            // SAFETY: the communicator has that dimension, and there is room for two ranks.
            unsafe { shift(comm, dimension, 1, &raw mut before, &raw mut behind) };
            [before, behind]
        };
        let sources: Vec<c_int> = (0..dimensions).flat_map(both).collect();
        Neighbors { destinations: sources.clone(), sources }
    }

    fn in_graph(comm: Handle) -> Self {
        type Count = unsafe extern "C" fn(Handle, c_int, *mut c_int) -> c_int;
        type List = unsafe extern "C" fn(Handle, c_int, c_int, *mut c_int) -> c_int;
        let count = real!(c"PMPI_Graph_neighbors_count" as Count);
        let list = real!(c"PMPI_Graph_neighbors" as List);
        let (rank, mut many) = (rank_in(comm) as c_int, 0);
        // SAFETY: there is room for a number.
        unsafe { count(comm, rank, &raw mut many) };
        let mut sources = vec![-1; many.max(0) as usize];
        // SAFETY: the array has room for this many ranks.
        unsafe { list(comm, rank, many, sources.as_mut_ptr()) };
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
        // SAFETY: there is room for three numbers.
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

/// Whether another MPI program has started this one.
pub(crate) fn is_spawned(abi: &Abi) -> bool {
    type Parent = unsafe extern "C" fn(*mut Handle) -> c_int;
    let ask = real!(c"PMPI_Comm_get_parent" as Parent);
    let mut parent = Handle::default();
    // SAFETY: there is room for a handle.
    unsafe { ask(&raw mut parent) };
    parent != abi.no_comm && parent != Handle::default()
}

/// Duplicates a communicator.
pub(crate) fn duplicate(comm: Handle) -> Handle {
    type Dup = unsafe extern "C" fn(Handle, *mut Handle) -> c_int;
    let dup = real!(c"PMPI_Comm_dup" as Dup);
    let mut made = Handle::default();
    // SAFETY: all of them are there, and there is room for a handle.
    unsafe { dup(comm, &raw mut made) };
    made
}

/// Frees a communicator.
pub(crate) fn free(mut comm: Handle) {
    let free = real!(c"PMPI_Comm_free" as unsafe extern "C" fn(*mut Handle) -> c_int);
    // SAFETY: all of them are there.
    unsafe { free(&raw mut comm) };
}

/// Broadcasts rank 0's numbers in a communicator.
pub(crate) fn broadcast(abi: &Abi, numbers: &mut [u64], comm: Handle) {
    type Bcast = unsafe extern "C" fn(*mut c_void, c_int, Handle, c_int, Handle) -> c_int;
    let bcast = real!(c"PMPI_Bcast" as Bcast);
    // SAFETY: all of them are there.
    unsafe { bcast(numbers.as_mut_ptr().cast(), 8 * numbers.len() as c_int, abi.byte, 0, comm) };
}
