//! The beginning and the end of a run, and the marks that a program sets.

use crate::recorder;
use crate::wrap::{named, wrap};
use loggia_trace::call::Call;
use std::ffi::{c_int, c_void};

type Init = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type InitThread = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, *mut c_int) -> c_int;

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Init(count: *mut c_void, words: *mut c_void) -> c_int {
    let real = named!("PMPI_Init", Init);
    // SAFETY: with what the program has passed.
    let result = unsafe { real(count, words) };
    recorder::begin();
    result
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Init_thread(
    count: *mut c_void,
    words: *mut c_void,
    wanted: c_int,
    provided: *mut c_int,
) -> c_int {
    let real = named!("PMPI_Init_thread", InitThread);
    // SAFETY: with what the program has passed.
    let result = unsafe { real(count, words, wanted, provided) };
    recorder::begin();
    result
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Finalize() -> c_int {
    recorder::end();
    let real = named!("PMPI_Finalize", unsafe extern "C" fn() -> c_int);
    // SAFETY: the program has asked for it.
    unsafe { real() }
}

/// Fortran's names for the same, as compilers spell them.
macro_rules! of_fortran {
    ($f:literal, $body:ident ($($arg:ident: $type:ty),*)) => {
        of_fortran!(@ concat!("mpi_", $f, "_"), $body ($($arg: $type),*));
        of_fortran!(@ concat!("mpi_", $f, "__"), $body ($($arg: $type),*));
        of_fortran!(@ concat!("mpi_", $f), $body ($($arg: $type),*));
        of_fortran!(@ concat!("ompi_", $f, "_f"), $body ($($arg: $type),*));
    };
    (@ $name:expr, $body:ident ($($arg:ident: $type:ty),*)) => {
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn spelled($($arg: $type),*) {
                // SAFETY: with what the program has passed.
                unsafe { $body($($arg),*) }
            }
        };
    };
}

of_fortran!("init", init(error: *mut c_int));
of_fortran!("init_thread", init_thread(wanted: *const c_int, provided: *mut c_int, error: *mut c_int));
of_fortran!("finalize", finalize(error: *mut c_int));

unsafe fn init(error: *mut c_int) {
    let real = named!("pmpi_init_", unsafe extern "C" fn(*mut c_int));
    // SAFETY: with what the program has passed.
    unsafe { real(error) };
    recorder::begin();
}

unsafe fn init_thread(wanted: *const c_int, provided: *mut c_int, error: *mut c_int) {
    let real =
        named!("pmpi_init_thread_", unsafe extern "C" fn(*const c_int, *mut c_int, *mut c_int));
    // SAFETY: with what the program has passed.
    unsafe { real(wanted, provided, error) };
    recorder::begin();
}

unsafe fn finalize(error: *mut c_int) {
    recorder::end();
    let real = named!("pmpi_finalize_", unsafe extern "C" fn(*mut c_int));
    // SAFETY: with what the program has passed.
    unsafe { real(error) };
}

wrap! {
    "Pcontrol" "pcontrol" (level: Int)
    |r, time| {
        let level = i64::from(<L as crate::language::Language>::int(level));
        r.write(time, Call::Phase(level));
    }
}
