//! Wrappers: a call of the program runs the wrapper, which calls the library.
//!
//! Each call is described once, with `wrap!`, which defines an exported function for every name by
//! which programs call it. The expansion of `wrap! { "Isend" "isend" large (…) |recorder, time| … }`
//! for C, without its checks:
//!
//! ```ignore
//! #[export_name = "MPI_Isend"]
//! unsafe extern "C" fn of_c(buffer: Buffer, count: Count, …) -> c_int {
//!     let own = enter(&INSIDE);                      // None inside another call, or when off
//!     let real = /* the library's PMPI_Isend, looked up once */;
//!     let Some(own) = own else { return real(buffer, count, …) };
//!     let result = real(buffer, count, …);
//!     let exit = clock::now();
//!     if result != 0 { leave_failed(own, exit, "Isend that failed"); return result }
//!     leave(own, exit, &mut |recorder, time| /* what is recorded */);
//!     result
//! }
//! ```
//!
//! | macro | contents |
//! |---|---|
//! | `in_c!` | the function above; again as `MPI_Isend_c` with `large` |
//! | `exported!` | its name; an `optional` function exists only if the library has it, too |
//! | `in_fortran!` | `mpi_isend_` and other spellings, and the two names of `mpi_f08` |
//! | `pass!` | the body: enter, call, leave |
//! | `named!` | the lookup of the library's function |
//!
//! A call that the library makes inside another call, such as a Fortran routine that calls the C
//! function, is only forwarded: the program's call is recorded once.

use crate::abi::abi;
use crate::clock::{self, Time};
use crate::language::Language;
use crate::recorder::{self, Recorder};
use crate::sink::Name;
use std::cell::Cell;
use std::ffi::c_void;

thread_local! {
    /// Number of nested calls of this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A call that the program makes, not the library.
pub(crate) struct OwnCall {
    entry: u64,
}

/// Begins a call; `None` if it is not recorded.
#[inline]
pub(crate) fn enter(name: &'static Name) -> Option<OwnCall> {
    if !recorder::is_on() || DEPTH.get() > 0 {
        return None;
    }
    DEPTH.set(1);
    let entry = clock::now();
    recorder::set_running_call(entry, name);
    Some(OwnCall { entry })
}

/// Records a call that ended at `exit`. Not generic: each wrapper would have its own copy.
pub(crate) fn leave(own: OwnCall, exit: u64, record: &mut dyn FnMut(&mut Recorder, Time)) {
    let time = Time { entry: own.entry, exit };
    recorder::clear_running_call();
    recorder::with(|recorder| record(recorder, time));
    DEPTH.set(0);
}

/// Records a call that failed.
pub(crate) fn leave_failed(own: OwnCall, exit: u64, name: &'static str) {
    leave(own, exit, &mut |recorder, time| recorder.other(time, name));
}

/// Buffer for a status that the program ignores.
pub(crate) type StatusBuffer = [u64; 4];

/// The address for a status that the recorder reads.
#[inline]
pub(crate) fn status_in<L: Language>(
    buffer: &mut StatusBuffer,
    program_status: *mut c_void,
) -> *mut c_void {
    match abi() {
        Some(abi) if L::is_no_status(abi, program_status) => buffer.as_mut_ptr().cast(),
        _ => program_status,
    }
}

/// A wrapper for both languages: the C name, the Fortran name and the arguments; then optionally the
/// status that the recorder reads (`reads`), code before the library's function (`before`) and after
/// its success (`then`); then the code that records the call. In this code, `L` is the language, and
/// `NAME` the call's name.
///
/// With `large`, there is also a wrapper of C's `MPI_…_c` for large counts, which Fortran calls, too.
/// These are `optional`, as are all calls that libraries before MPI 4 lack.
macro_rules! wrap {
    ($c:literal $f:literal optional large $arguments:tt $($what:tt)*) => {
        $crate::wrap::wrap! { $c $f optional $arguments $($what)* }
        $crate::wrap::in_c! { LargeC optional concat!($c, "_c"), $arguments $($what)* }
    };
    ($c:literal $f:literal large $arguments:tt $($what:tt)*) => {
        $crate::wrap::wrap! { $c $f $arguments $($what)* }
        $crate::wrap::in_c! { LargeC optional concat!($c, "_c"), $arguments $($what)* }
    };
    ($c:literal $f:literal optional $arguments:tt $($what:tt)*) => {
        $crate::wrap::in_c! { C optional $c, $arguments $($what)* }
        $crate::wrap::in_fortran! { $c $f $arguments $($what)* }
    };
    ($c:literal $f:literal $arguments:tt $($what:tt)*) => {
        $crate::wrap::in_c! { C required $c, $arguments $($what)* }
        $crate::wrap::in_fortran! { $c $f $arguments $($what)* }
    };
}
pub(crate) use wrap;

/// A wrapper for C.
macro_rules! in_c {
    (
        $language:ident $presence:ident $name:expr, ($($arg:ident: $kind:ident),* $(,)?) $($what:tt)*
    ) => {
        const _: () = {
            use $crate::language::Language;

            #[allow(dead_code, reason = "some calls do not use their language")]
            type L = $crate::language::$language;
            type Real = unsafe extern "C" fn($(<L as Language>::$kind),*) -> std::ffi::c_int;
            const NAME: &str = $name;
            static INSIDE: $crate::sink::Name = $crate::sink::padded(NAME);

            $crate::wrap::exported! { $presence $name,
                unsafe extern "C" fn of_c($($arg: <L as Language>::$kind),*) -> std::ffi::c_int {
                    const FAILED: &str = concat!($name, " that failed");
                    $crate::wrap::pass! {
                        $crate::wrap::enter(&INSIDE),
                        $crate::wrap::named!(Real, concat!("PMPI_", $name)),
                        |result: std::ffi::c_int| result == 0, FAILED,
                        ($($arg),*) $($what)*
                    }
                }
            }
        };
    };
}
pub(crate) use in_c;

/// A wrapper for C under its name. A program may check whether the library has an `optional` function
/// (mpi4py does), so the dynamic linker calls a function of this library to get the address, which is
/// null if the MPI library lacks the function.
macro_rules! exported {
    (required $name:expr, $($function:tt)*) => {
        #[unsafe(export_name = concat!("MPI_", $name))]
        $($function)*
    };
    (optional $name:expr, $($function:tt)*) => {
        $($function)*

        #[unsafe(export_name = concat!("MPI_", $name))]
        extern "C" fn address() -> *const std::ffi::c_void {
            // SAFETY: this emits no instruction; it defines the symbol.
            unsafe {
                std::arch::asm!(
                    concat!(".type MPI_", $name, ", %gnu_indirect_function"),
                    options(nomem, nostack, preserves_flags)
                );
            }
            $crate::symbols::wrapper_if_known(
                $crate::wrap::c_string!(concat!("PMPI_", $name)),
                of_c as *const std::ffi::c_void,
            )
        }
    };
}
pub(crate) use exported;

/// Fortran calls with logical arguments: Open MPI's `mpi_f08` calls them by names that cannot be
/// replaced.
pub(crate) const fn is_logical(name: &str) -> bool {
    const LOGICAL: [&str; 14] = [
        "test",
        "testall",
        "testany",
        "testsome",
        "iprobe",
        "improbe",
        "request_get_status",
        "win_test",
        "cart_create",
        "cart_sub",
        "graph_create",
        "dist_graph_create",
        "dist_graph_create_adjacent",
        "intercomm_merge",
    ];
    let mut at = 0;
    while at < LOGICAL.len() {
        if is_same(LOGICAL[at].as_bytes(), name.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    a.len() == b.len() && at == a.len()
}

/// A wrapper for Fortran, under all its names.
macro_rules! in_fortran {
    ($c:literal $f:literal ($($arg:ident: $kind:ident),* $(,)?) $($what:tt)*) => {
        const _: () = {
            use $crate::language::{Fortran, Language};

            #[allow(dead_code, reason = "some calls do not use their language")]
            type L = Fortran;
            type Real =
                unsafe extern "C" fn($(<Fortran as Language>::$kind,)* *mut std::ffi::c_int);
            const NAME: &str = $c;
            static INSIDE: $crate::sink::Name = $crate::sink::padded(NAME);

            /// Calls the library's function, and records the call if `is_recorded`.
            unsafe fn by_address(
                real: fn() -> Real,
                is_recorded: bool,
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                const FAILED: &str = concat!($c, " that failed");
                // SAFETY: if the address is not null, the library has set the error.
                let succeeded = |()| error.is_null() || unsafe { *error } == 0;
                $crate::wrap::pass! {
                    if is_recorded { $crate::wrap::enter(&INSIDE) } else { None },
                    real(),
                    succeeded, FAILED,
                    ($($arg,)* error) $($what)*
                }
            }

            unsafe fn of_fortran(
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                let real = || $crate::wrap::named!(Real, concat!("pmpi_", $f, "_"));
                let is_recorded = $crate::recorder::fortran_is_recorded();
                // SAFETY: with the arguments of the program.
                unsafe { by_address(real, is_recorded, $($arg,)* error) }
            }

            unsafe fn of_f08(
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                let real = || $crate::wrap::named!(
                    Real, concat!("pmpi_", $f, "_f08_"), concat!("pmpir_", $f, "_f08_")
                );
                const IS_LOGICAL: bool = $crate::wrap::is_logical($f);
                let is_recorded = $crate::recorder::f08_is_recorded(IS_LOGICAL);
                // SAFETY: with the arguments of the program.
                unsafe { by_address(real, is_recorded, $($arg,)* error) }
            }

            // Spellings of a Fortran name by compilers, except the spelling without an underscore,
            // which may be a C function of the program; and the names that Open MPI's `mpi_f08`
            // calls.
            $crate::wrap::fortran_name!(concat!("mpi_", $f, "_"), of_fortran, $($arg: $kind),*);
            $crate::wrap::fortran_name!(concat!("mpi_", $f, "__"), of_fortran, $($arg: $kind),*);
            $crate::wrap::fortran_name!(concat!("ompi_", $f, "_f"), of_fortran, $($arg: $kind),*);
            // Names of `mpi_f08`: MPICH's for calls without a buffer, Open MPI's for calls with a
            // logical argument.
            $crate::wrap::fortran_name!(concat!("mpi_", $f, "_f08_"), of_f08, $($arg: $kind),*);
        };
    };
}
pub(crate) use in_fortran;

/// One spelling of a Fortran wrapper.
macro_rules! fortran_name {
    ($name:expr, $wrapper:ident, $($arg:ident: $kind:ident),*) => {
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn fortran_name(
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                // SAFETY: with the arguments of the program.
                unsafe { $wrapper($($arg,)* error) }
            }
        };
    };
}
pub(crate) use fortran_name;

/// Forwards a call to the library, and records it if the program made it.
macro_rules! pass {
    (
        $own:expr, $real:expr, $succeeded:expr, $failed:expr, ($($passed:ident),*)
        $(reads $status:ident)?
        $(before { $($before:tt)* })?
        $(then { $($then:tt)* })?
        |$r:ident, $time:ident| $after:expr
    ) => {
        let own = $own;
        // Look up after `enter`: the lookup does not count as the program's computation.
        let real = $real;
        let Some(own) = own else {
            // SAFETY: with the arguments of the program.
            return unsafe { real($($passed),*) };
        };
        $(
            let mut status_buffer = $crate::wrap::StatusBuffer::default();
            let $status = $crate::wrap::status_in::<L>(&mut status_buffer, $status);
        )?
        $($($before)*)?
        // SAFETY: with the program's own arguments, or a buffer for an ignored status.
        let result = unsafe { real($($passed),*) };
        let exit = $crate::clock::now();
        if !($succeeded)(result) {
            $crate::wrap::leave_failed(own, exit, $failed);
            return result;
        }
        $($($then)*)?
        #[allow(unused_unsafe, reason = "some calls pass nothing")]
        // SAFETY: the arguments are those of the MPI standard.
        $crate::wrap::leave(own, exit, &mut |$r, $time| unsafe { $after });
        result
    };
}
pub(crate) use pass;

/// A name for the dynamic linker.
macro_rules! c_string {
    ($name:expr) => {
        const {
            match std::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            }
        }
    };
}
pub(crate) use c_string;

/// The library's function of one of these names.
macro_rules! named {
    ($type:ty, $($name:expr),+) => {{
        const NAMES: &[&std::ffi::CStr] = &[$($crate::wrap::c_string!($name)),+];
        static FUNCTION: $crate::symbols::Function = $crate::symbols::Function::new(NAMES);
        // SAFETY: in the MPI standard, the function of this name has this type.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, $type>(FUNCTION.address()) }
    }};
}
pub(crate) use named;
