//! Arguments of C (by value) and Fortran (by address).

use crate::abi::{Abi, Family, Handle, abi};
use crate::symbols::real;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

/// The kind of an MPI object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandleKind {
    Comm,
    Type,
    Op,
    Request,
    Win,
    Message,
}

/// The language of a call. The functions convert the caller's arguments.
///
/// # Safety
/// For all functions: MPI allows the argument at its position.
pub(crate) trait Language {
    /// An integer.
    type Int: Copy;
    /// A number of elements, or a displacement.
    type Count: Copy;
    /// A handle.
    type Handle: Copy;
    /// An integer as long as an address.
    type Aint: Copy;
    /// An address of a buffer, an array or an output argument.
    type Ptr: Copy;

    /// The index of the first element of an array.
    const FIRST: c_int;

    unsafe fn int(passed: Self::Int) -> c_int;
    /// The length of an array.
    unsafe fn length(passed: Self::Int) -> usize {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::int(passed) }.max(0) as usize
    }
    unsafe fn count(passed: Self::Count) -> i64;
    /// The count at an index of an array.
    unsafe fn count_at(counts: *mut c_void, index: usize) -> i64;
    unsafe fn long(passed: Self::Aint) -> isize;
    unsafe fn handle(abi: &Abi, of: HandleKind, passed: Self::Handle) -> Handle;
    /// The handle at an index of an array.
    unsafe fn handle_at(abi: &Abi, of: HandleKind, handles: *mut c_void, index: usize) -> Handle;
    fn is_no_status(abi: &Abi, status: *mut c_void) -> bool;
    fn is_in_place(abi: &Abi, buffer: *mut c_void) -> bool;
}

/// C, with counts of this type.
pub(crate) struct Counting<Count>(PhantomData<Count>);
pub(crate) type C = Counting<c_int>;
/// The calls for large counts.
pub(crate) type LargeC = Counting<i64>;
pub(crate) struct Fortran;

impl<Count: Copy + Into<i64>> Language for Counting<Count> {
    type Int = c_int;
    type Count = Count;
    type Handle = usize;
    type Aint = isize;
    type Ptr = *mut c_void;

    const FIRST: c_int = 0;

    #[inline]
    unsafe fn int(passed: c_int) -> c_int {
        passed
    }

    #[inline]
    unsafe fn count(passed: Count) -> i64 {
        passed.into()
    }

    #[inline]
    unsafe fn count_at(counts: *mut c_void, index: usize) -> i64 {
        // SAFETY: guaranteed by the caller.
        unsafe { *counts.cast::<Count>().add(index) }.into()
    }

    unsafe fn long(passed: isize) -> isize {
        passed
    }

    #[inline]
    unsafe fn handle(abi: &Abi, _: HandleKind, passed: usize) -> Handle {
        abi.handle(passed)
    }

    #[inline]
    unsafe fn handle_at(abi: &Abi, _: HandleKind, handles: *mut c_void, index: usize) -> Handle {
        // SAFETY: guaranteed by the caller.
        unsafe { abi.handle_at(handles, index) }
    }

    #[inline]
    fn is_no_status(abi: &Abi, status: *mut c_void) -> bool {
        status as usize == abi.no_status || status.is_null()
    }

    #[inline]
    fn is_in_place(abi: &Abi, buffer: *mut c_void) -> bool {
        buffer as usize == abi.in_place
    }
}

impl Language for Fortran {
    type Int = *const c_int;
    type Count = *const c_int;
    type Handle = *const c_int;
    type Aint = *const isize;
    type Ptr = *mut c_void;

    const FIRST: c_int = 1;

    unsafe fn int(passed: *const c_int) -> c_int {
        // SAFETY: Fortran passes addresses.
        unsafe { *passed }
    }

    unsafe fn count(passed: *const c_int) -> i64 {
        // SAFETY: Fortran passes addresses.
        i64::from(unsafe { *passed })
    }

    unsafe fn count_at(counts: *mut c_void, index: usize) -> i64 {
        // SAFETY: Fortran's counts are integers.
        i64::from(unsafe { *counts.cast::<c_int>().add(index) })
    }

    unsafe fn long(passed: *const isize) -> isize {
        // SAFETY: Fortran passes addresses.
        unsafe { *passed }
    }

    unsafe fn handle(abi: &Abi, of: HandleKind, passed: *const c_int) -> Handle {
        // SAFETY: Fortran passes addresses.
        unsafe { from_fortran(abi, of, *passed) }
    }

    unsafe fn handle_at(abi: &Abi, of: HandleKind, handles: *mut c_void, index: usize) -> Handle {
        // SAFETY: Fortran's handles are integers.
        unsafe { from_fortran(abi, of, *handles.cast::<c_int>().add(index)) }
    }

    fn is_no_status(abi: &Abi, status: *mut c_void) -> bool {
        abi.is_fortran_no_status(status)
    }

    fn is_in_place(abi: &Abi, buffer: *mut c_void) -> bool {
        abi.is_fortran_in_place(buffer)
    }
}

/// The handle at an address, before a call that frees it.
///
/// # Safety
/// `at` points to a handle.
pub(crate) unsafe fn handle_before<L: Language>(of: HandleKind, at: *mut c_void) -> Handle {
    // SAFETY: guaranteed by the caller.
    abi().map_or(0, |abi| unsafe { L::handle_at(abi, of, at, 0) })
}

type FromFortran = unsafe extern "C" fn(c_int) -> Handle;

/// The C handle for a Fortran handle.
fn from_fortran(abi: &Abi, of: HandleKind, handle: c_int) -> Handle {
    if abi.family == Family::Mpich {
        return handle as u32 as usize;
    }
    let convert = match of {
        HandleKind::Comm => real!(c"PMPI_Comm_f2c" as FromFortran),
        HandleKind::Type => real!(c"PMPI_Type_f2c" as FromFortran),
        HandleKind::Op => real!(c"PMPI_Op_f2c" as FromFortran),
        HandleKind::Request => real!(c"PMPI_Request_f2c" as FromFortran),
        HandleKind::Win => real!(c"PMPI_Win_f2c" as FromFortran),
        HandleKind::Message => real!(c"PMPI_Message_f2c" as FromFortran),
    };
    // SAFETY: the program has passed the handle to MPI.
    unsafe { convert(handle) }
}
