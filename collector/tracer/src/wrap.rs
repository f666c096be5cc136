//! How a call of the program gets here, and from here to the library.
//!
//! Each call is described once, with `wrap!`, which makes an exported function for every name by
//! which programs call it. What `wrap! { "Isend" "isend" large (…) |recorder, time| … }` becomes,
//! for C and without its checks:
//!
//! ```ignore
//! #[export_name = "MPI_Isend"]
//! unsafe extern "C" fn of_c(buffer: Buffer, count: Count, …) -> c_int {
//!     let own = enter(&INSIDE);                      // None inside another call, or when off
//!     let real = /* the library's PMPI_Isend, looked up once */;
//!     let Some(own) = own else { return real(buffer, count, …) };
//!     let result = real(buffer, count, …);
//!     let exit = clock::now();
//!     if result != 0 { leave(own, exit, |recorder, time| recorder.other(time, "Isend that failed")); return result }
//!     leave(own, exit, |recorder, time| /* what is recorded */);
//!     result
//! }
//! ```
//!
//! | macro | what it adds |
//! |---|---|
//! | `in_c!` | the function above; again as `MPI_Isend_c` with `large` |
//! | `exported!` | its name; a `young` one exists only where the library has it, too |
//! | `in_fortran!` | `mpi_isend_` and other spellings, and the two names of `mpi_f08` |
//! | `pass!` | the body: enter, call, leave |
//! | `named!` | the lookup of the library's function |
//!
//! A call that the library makes inside another, such as a Fortran routine that calls the C one, is
//! let through: what the program has called is written down, once.

use crate::abi::abi;
use crate::clock::{self, Time};
use crate::language::Language;
use crate::recorder::{self, Recorder};
use crate::sink::Name;
use std::cell::Cell;
use std::ffi::c_void;

thread_local! {
    /// Calls of this thread that are under way, one inside the other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// A call of the program's own.
pub(crate) struct Own {
    entry: u64,
}

/// A call comes in. Nothing if it is not to be recorded.
#[inline]
pub(crate) fn enter(name: &'static Name) -> Option<Own> {
    if !recorder::is_on() || DEPTH.get() > 0 {
        return None;
    }
    DEPTH.set(1);
    let entry = clock::now();
    recorder::inside(entry, name);
    Some(Own { entry })
}

/// The call has ended at `exit`; records it.
#[inline]
pub(crate) fn leave(own: Own, exit: u64, record: impl FnOnce(&mut Recorder, Time)) {
    let time = Time { entry: own.entry, exit };
    recorder::outside();
    recorder::with(|recorder| record(recorder, time));
    DEPTH.set(0);
}

/// Room for a status that the program does not want.
pub(crate) type StatusBuffer = [u64; 4];

/// Where a status is written that is needed afterwards.
#[inline]
pub(crate) fn status_in<L: Language>(room: &mut StatusBuffer, wanted: *mut c_void) -> *mut c_void {
    match abi() {
        Some(abi) if L::is_no_status(abi, wanted) => room.as_mut_ptr().cast(),
        _ => wanted,
    }
}

/// A wrapper for both languages: the C name and the Fortran name, the arguments, which of them is a
/// status that is looked at afterwards (`reads`), what is done before the library's function is
/// called (`before`) and after it has done well (`then`), and what is recorded afterwards. There `L`
/// is the language, and `NAME` the call's name.
///
/// With `large`, there is a wrapper for large counts too: that of C's `MPI_…_c`, which Fortran calls
/// as well. Those are `young`, as are all calls that libraries lack which are older than MPI 4.
macro_rules! wrap {
    ($c:literal $f:literal young large $arguments:tt $($what:tt)*) => {
        $crate::wrap::wrap! { $c $f young $arguments $($what)* }
        $crate::wrap::in_c! { LargeC young concat!($c, "_c"), $arguments $($what)* }
    };
    ($c:literal $f:literal large $arguments:tt $($what:tt)*) => {
        $crate::wrap::wrap! { $c $f $arguments $($what)* }
        $crate::wrap::in_c! { LargeC young concat!($c, "_c"), $arguments $($what)* }
    };
    ($c:literal $f:literal young $arguments:tt $($what:tt)*) => {
        $crate::wrap::in_c! { C young $c, $arguments $($what)* }
        $crate::wrap::in_fortran! { $c $f $arguments $($what)* }
    };
    ($c:literal $f:literal $arguments:tt $($what:tt)*) => {
        $crate::wrap::in_c! { C old $c, $arguments $($what)* }
        $crate::wrap::in_fortran! { $c $f $arguments $($what)* }
    };
}
pub(crate) use wrap;

/// A wrapper for C.
macro_rules! in_c {
    (
        $language:ident $age:ident $name:expr, ($($arg:ident: $kind:ident),* $(,)?) $($what:tt)*
    ) => {
        const _: () = {
            use $crate::language::Language;

            #[allow(dead_code, reason = "not every call asks for its language")]
            type L = $crate::language::$language;
            type Real = unsafe extern "C" fn($(<L as Language>::$kind),*) -> std::ffi::c_int;
            const NAME: &str = $name;
            static INSIDE: $crate::sink::Name = $crate::sink::padded(NAME);

            $crate::wrap::exported! { $age $name,
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

/// A wrapper for C under its name. Where a program asks whether the library has a `young` function
/// at all (mpi4py does), it hears the truth: the dynamic linker asks a function of ours for the
/// address.
macro_rules! exported {
    (old $name:expr, $($function:tt)*) => {
        #[unsafe(export_name = concat!("MPI_", $name))]
        $($function)*
    };
    (young $name:expr, $($function:tt)*) => {
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
            $crate::symbols::if_known(
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

            #[allow(dead_code, reason = "not every call asks for its language")]
            type L = Fortran;
            type Real =
                unsafe extern "C" fn($(<Fortran as Language>::$kind,)* *mut std::ffi::c_int);
            const NAME: &str = $c;
            static INSIDE: $crate::sink::Name = $crate::sink::padded(NAME);

            /// With the library's function, recorded in this way of calling it or not.
            unsafe fn by_address(
                real: fn() -> Real,
                is_recorded: bool,
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                const FAILED: &str = concat!($c, " that failed");
                // SAFETY: where there is one, the library has set it.
                let is_well = |()| error.is_null() || unsafe { *error } == 0;
                $crate::wrap::pass! {
                    if is_recorded { $crate::wrap::enter(&INSIDE) } else { None },
                    real(),
                    is_well, FAILED,
                    ($($arg,)* error) $($what)*
                }
            }

            unsafe fn of_fortran(
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                let real = || $crate::wrap::named!(Real, concat!("pmpi_", $f, "_"));
                let is_recorded = $crate::recorder::fortran_is_recorded();
                // SAFETY: with what the program has passed.
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
                // SAFETY: with what the program has passed.
                unsafe { by_address(real, is_recorded, $($arg,)* error) }
            }

            // Spellings of a Fortran name by compilers, except the one without an underscore, which
            // may be a C function of the program; and the names that Open MPI's `mpi_f08` calls.
            $crate::wrap::spelled!(concat!("mpi_", $f, "_"), of_fortran, $($arg: $kind),*);
            $crate::wrap::spelled!(concat!("mpi_", $f, "__"), of_fortran, $($arg: $kind),*);
            $crate::wrap::spelled!(concat!("ompi_", $f, "_f"), of_fortran, $($arg: $kind),*);
            // MPICH's, where nothing is passed that could be a buffer; Open MPI's, where something
            // logical is.
            $crate::wrap::spelled!(concat!("mpi_", $f, "_f08_"), of_f08, $($arg: $kind),*);
        };
    };
}
pub(crate) use in_fortran;

/// One spelling of a Fortran wrapper.
macro_rules! spelled {
    ($name:expr, $wrapper:ident, $($arg:ident: $kind:ident),*) => {
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn spelled(
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                // SAFETY: with what the program has passed.
                unsafe { $wrapper($($arg,)* error) }
            }
        };
    };
}
pub(crate) use spelled;

/// Passes a call on to the library, and records it if it is the program's own.
macro_rules! pass {
    (
        $own:expr, $real:expr, $is_well:expr, $failed:expr, ($($passed:ident),*)
        $(reads $status:ident)?
        $(before { $($before:tt)* })?
        $(then { $($then:tt)* })?
        |$r:ident, $time:ident| $after:expr
    ) => {
        let own = $own;
        // The lookup is not the program's computation.
        let real = $real;
        let Some(own) = own else {
            // SAFETY: with what the program has passed.
            return unsafe { real($($passed),*) };
        };
        $(
            let mut room = $crate::wrap::StatusBuffer::default();
            let $status = $crate::wrap::status_in::<L>(&mut room, $status);
        )?
        $($($before)*)?
        // SAFETY: with what the program has passed, or what stands for it.
        let result = unsafe { real($($passed),*) };
        let exit = $crate::clock::now();
        if !($is_well)(result) {
            $crate::wrap::leave(own, exit, |recorder, time| recorder.other(time, $failed));
            return result;
        }
        $($($then)*)?
        #[allow(unused_unsafe, reason = "some calls pass nothing")]
        // SAFETY: the arguments are what MPI says.
        $crate::wrap::leave(own, exit, |$r, $time| unsafe { $after });
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
        // SAFETY: MPI says that the function of this name has this type.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, $type>(FUNCTION.address()) }
    }};
}
pub(crate) use named;
