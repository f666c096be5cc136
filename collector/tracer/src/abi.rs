//! Binary interfaces of the two families of MPI libraries: handles, constants, and the layout of a
//! status.

use crate::symbols::{find, real};
use loggia_trace::call::ReductionOperator;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// The family of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Handles are addresses of objects.
    OpenMpi,
    /// Handles are integers.
    Mpich,
}

/// A handle of any MPI object.
pub(crate) type Handle = usize;

/// Constants of a library's headers.
#[derive(Debug)]
pub(crate) struct Abi {
    pub(crate) family: Family,
    pub(crate) world: Handle,
    pub(crate) self_comm: Handle,
    pub(crate) no_comm: Handle,
    pub(crate) no_request: Handle,
    pub(crate) byte: Handle,
    pub(crate) any_source: c_int,
    /// Address that marks an ignored status or an ignored array.
    pub(crate) no_status: usize,
    pub(crate) in_place: usize,
    /// Size of a status.
    pub(crate) status: usize,
    /// Kinds of topologies.
    pub(crate) grid: c_int,
    pub(crate) graph: c_int,
    combines: Vec<(Handle, ReductionOperator)>,
    /// Addresses that Fortran passes for an ignored status, and for an in-place buffer.
    fortran_no_status: Vec<usize>,
    fortran_in_place: Vec<usize>,
}

pub(crate) const ANY_TAG: c_int = -1;
/// Kind of a topology in which each rank names its own neighbours.
pub(crate) const OWN_GRAPH: c_int = 3;
const MPICH_STATUS: usize = 20;
const OPEN_MPI_STATUS: usize = 24;

/// The interface of the loaded library; `None` if the library belongs to neither family.
pub(crate) fn abi() -> Option<&'static Abi> {
    static ABI: OnceLock<Option<Abi>> = OnceLock::new();
    ABI.get_or_init(Abi::detect).as_ref()
}

/// Reduction operators in the order of both families' numbers, with Open MPI's names.
const COMBINES: [(&CStr, ReductionOperator); 14] = [
    (c"ompi_mpi_op_max", ReductionOperator::Max),
    (c"ompi_mpi_op_min", ReductionOperator::Min),
    (c"ompi_mpi_op_sum", ReductionOperator::Sum),
    (c"ompi_mpi_op_prod", ReductionOperator::Prod),
    (c"ompi_mpi_op_land", ReductionOperator::Land),
    (c"ompi_mpi_op_band", ReductionOperator::Band),
    (c"ompi_mpi_op_lor", ReductionOperator::Lor),
    (c"ompi_mpi_op_bor", ReductionOperator::Bor),
    (c"ompi_mpi_op_lxor", ReductionOperator::Lxor),
    (c"ompi_mpi_op_bxor", ReductionOperator::Bxor),
    (c"ompi_mpi_op_minloc", ReductionOperator::Minloc),
    (c"ompi_mpi_op_maxloc", ReductionOperator::Maxloc),
    (c"ompi_mpi_op_replace", ReductionOperator::Replace),
    (c"ompi_mpi_op_no_op", ReductionOperator::NoOp),
];

/// Name and version of the MPI library.
pub(crate) fn library_name() -> String {
    let library_version = real!(
        c"PMPI_Get_library_version" as unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int
    );
    // MPICH writes up to 8 KiB.
    let mut text = vec![0u8; 1 << 14];
    let mut length = 0;
    // SAFETY: the longest name fits.
    unsafe { library_version(text.as_mut_ptr().cast(), &mut length) };
    let whole =
        String::from_utf8_lossy(&text[..(length.max(0) as usize).min(text.len())]).into_owned();
    let first = whole.lines().next().unwrap_or_default();
    let short = first.split(',').next().unwrap_or_default();
    short.trim().trim_end_matches('\0').replace("\t", " ")
}

impl Abi {
    fn detect() -> Option<Self> {
        if !find(c"ompi_mpi_comm_world").is_null() {
            return Some(Abi::open_mpi());
        }
        let name = library_name();
        let known = ["MPICH", "Intel", "MVAPICH", "CRAY", "ParaStation"];
        known.iter().any(|family| name.contains(family)).then(Abi::mpich)
    }

    fn open_mpi() -> Self {
        let object = |name: &CStr| find(name) as Handle;
        let all = |names: [&CStr; 4]| names.map(object).into_iter().filter(|at| *at != 0).collect();
        let mut fortran_no_status: Vec<usize> = all([
            c"mpi_fortran_status_ignore",
            c"mpi_fortran_status_ignore_",
            c"mpi_fortran_status_ignore__",
            c"MPI_FORTRAN_STATUS_IGNORE",
        ]);
        fortran_no_status.extend::<Vec<usize>>(all([
            c"mpi_fortran_statuses_ignore",
            c"mpi_fortran_statuses_ignore_",
            c"mpi_fortran_statuses_ignore__",
            c"MPI_FORTRAN_STATUSES_IGNORE",
        ]));
        Abi {
            family: Family::OpenMpi,
            world: object(c"ompi_mpi_comm_world"),
            self_comm: object(c"ompi_mpi_comm_self"),
            no_comm: object(c"ompi_mpi_comm_null"),
            no_request: object(c"ompi_request_null"),
            byte: object(c"ompi_mpi_byte"),
            any_source: -1,
            no_status: 0,
            in_place: 1,
            status: OPEN_MPI_STATUS,
            grid: 1,
            graph: 2,
            combines: COMBINES.map(|(name, combine)| (object(name), combine)).into(),
            fortran_no_status,
            fortran_in_place: all([
                c"mpi_fortran_in_place",
                c"mpi_fortran_in_place_",
                c"mpi_fortran_in_place__",
                c"MPI_FORTRAN_IN_PLACE",
            ]),
        }
    }

    fn mpich() -> Self {
        let combines = COMBINES.iter().zip(0x5800_0001..);
        Abi {
            family: Family::Mpich,
            world: 0x4400_0000,
            self_comm: 0x4400_0001,
            no_comm: 0x0400_0000,
            no_request: 0x2c00_0000,
            byte: 0x4c00_010d,
            any_source: -2,
            no_status: 1,
            in_place: usize::MAX,
            status: MPICH_STATUS,
            grid: 2,
            graph: 1,
            combines: combines.map(|((_, combine), handle)| (handle, *combine)).collect(),
            fortran_no_status: [
                c"MPIR_F08_MPI_STATUS_IGNORE_OBJ",
                c"MPIR_F08_MPI_STATUSES_IGNORE_OBJ",
            ]
            .map(|name| find(name) as usize)
            .into_iter()
            .filter(|at| *at != 0)
            .collect(),
            fortran_in_place: Vec::new(),
        }
    }

    /// A handle from an argument; if handles are integers, the upper half of the register is ignored.
    #[inline]
    pub(crate) fn handle(&self, passed: usize) -> Handle {
        match self.family {
            Family::OpenMpi => passed,
            Family::Mpich => passed as u32 as usize,
        }
    }

    /// The handle at an index of an array.
    ///
    /// # Safety
    /// The array has more than `index` handles.
    #[inline]
    pub(crate) unsafe fn handle_at(&self, handles: *const c_void, index: usize) -> Handle {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match self.family {
                Family::OpenMpi => *handles.cast::<usize>().add(index),
                Family::Mpich => *handles.cast::<u32>().add(index) as usize,
            }
        }
    }

    /// Source, tag and bytes of a status.
    ///
    /// # Safety
    /// `status` points to a status.
    #[inline]
    pub(crate) unsafe fn status(&self, status: *const c_void) -> (c_int, c_int, u64) {
        // SAFETY: both layouts are within a status.
        unsafe {
            let word = |index: usize| *status.cast::<c_int>().add(index);
            match self.family {
                Family::OpenMpi => {
                    let bytes = status.cast::<u8>().add(16).cast::<u64>().read_unaligned();
                    (word(0), word(1), bytes)
                }
                Family::Mpich => {
                    let high = word(1) as u32 >> 1;
                    (word(2), word(3), u64::from(high) << 32 | u64::from(word(0) as u32))
                }
            }
        }
    }

    /// Whether a status marks its request as cancelled.
    ///
    /// # Safety
    /// A call has set the status.
    pub(crate) unsafe fn is_cancelled(&self, status: *const c_void) -> bool {
        let word = match self.family {
            Family::OpenMpi => 3,
            Family::Mpich => 1,
        };
        // SAFETY: both layouts are within a status.
        let word = unsafe { *status.cast::<c_int>().add(word) };
        word & 1 != 0
    }

    /// The reduction operator of a handle.
    pub(crate) fn combine(&self, op: Handle) -> ReductionOperator {
        let found = self.combines.iter().find(|(handle, _)| *handle == op && op != 0);
        found.map_or(ReductionOperator::Own, |(_, combine)| *combine)
    }

    pub(crate) fn is_fortran_no_status(&self, status: *const c_void) -> bool {
        self.fortran_no_status.contains(&(status as usize))
    }

    pub(crate) fn is_fortran_in_place(&self, buffer: *const c_void) -> bool {
        self.fortran_in_place.contains(&(buffer as usize))
    }
}
