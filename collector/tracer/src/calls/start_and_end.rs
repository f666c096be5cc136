//! The begin and the end of a run, and the phases that a program marks.

use crate::recorder;
use crate::wrap::{named, wrap};
use loggia_trace::call::Call;
use std::ffi::{c_int, c_void};

type Init = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type InitThread = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, *mut c_int) -> c_int;

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Init(count: *mut c_void, arguments: *mut c_void) -> c_int {
    let real = named!(Init, "PMPI_Init");
    // SAFETY: with the arguments of the program.
    let result = unsafe { real(count, arguments) };
    recorder::begin();
    result
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Init_thread(
    count: *mut c_void,
    arguments: *mut c_void,
    required: c_int,
    provided: *mut c_int,
) -> c_int {
    let real = named!(InitThread, "PMPI_Init_thread");
    // SAFETY: with the arguments of the program.
    let result = unsafe { real(count, arguments, required, provided) };
    recorder::begin();
    result
}

#[unsafe(no_mangle)]
unsafe extern "C" fn MPI_Finalize() -> c_int {
    recorder::end();
    let real = named!(unsafe extern "C" fn() -> c_int, "PMPI_Finalize");
    // SAFETY: the program calls this function.
    unsafe { real() }
}

/// Names of the same calls in Fortran: the spellings of compilers, and the names of `mpi_f08`.
macro_rules! of_fortran {
    ($f:literal ($($arg:ident: $type:ty),*) { $($before:tt)* } { $($after:tt)* }) => {
        of_fortran!(@ concat!("mpi_", $f, "_"), ($($arg: $type),*) { $($before)* } { $($after)* }
            concat!("pmpi_", $f, "_"));
        of_fortran!(@ concat!("mpi_", $f, "__"), ($($arg: $type),*) { $($before)* } { $($after)* }
            concat!("pmpi_", $f, "_"));
        of_fortran!(@ concat!("mpi_", $f, "_f08_"), ($($arg: $type),*) { $($before)* } { $($after)* }
            concat!("pmpi_", $f, "_f08_"), concat!("pmpir_", $f, "_f08_"));
    };
    (@ $name:expr, ($($arg:ident: $type:ty),*) { $($before:tt)* } { $($after:tt)* } $($real:expr),+) => {
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn spelled($($arg: $type),*) {
                $($before)*
                let real = named!(unsafe extern "C" fn($($type),*), $($real),+);
                // SAFETY: with the arguments of the program.
                unsafe { real($($arg),*) };
                $($after)*
            }
        };
    };
}

of_fortran!("init"(error: *mut c_int) {} { recorder::begin(); });
of_fortran!("init_thread"(required: *const c_int, provided: *mut c_int, error: *mut c_int)
    {} { recorder::begin(); });
of_fortran!("finalize"(error: *mut c_int) { recorder::end(); } {});

wrap! {
    "Pcontrol" "pcontrol" (level: Int)
    |r, time| {
        let level = i64::from(<L as crate::language::Language>::int(level));
        r.write(time, Call::Phase(level));
    }
}
