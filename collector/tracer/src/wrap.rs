//! How a call of the program gets here, and from here to the library.
//!
//! A call that the library makes inside another, such as a Fortran routine that calls the C one, is
//! let through: what the program has called is written down, once.

use crate::clock;
use crate::recorder::{self, Recorder};
use loggia_trace::header::place;
use std::cell::Cell;

thread_local! {
    /// Calls of this thread that are under way, one inside the other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// From when to when a call took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    pub(crate) entry: u64,
    pub(crate) exit: u64,
}

/// A call of the program's own.
pub(crate) struct Own {
    entry: u64,
}

/// A call's name as the head of a file keeps it.
pub(crate) type Name = [u8; place::INSIDE_LENGTH];

/// A name, and zeros.
pub(crate) const fn padded(name: &str) -> Name {
    let mut padded = [0; place::INSIDE_LENGTH];
    let mut at = 0;
    while at < name.len() && at < padded.len() {
        padded[at] = name.as_bytes()[at];
        at += 1;
    }
    padded
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

/// It goes out again.
#[inline]
pub(crate) fn leave(own: Own, record: impl FnOnce(&mut Recorder, Time)) {
    let time = Time { entry: own.entry, exit: clock::now() };
    recorder::outside();
    recorder::with(|recorder| record(recorder, time));
    DEPTH.set(0);
}

/// A wrapper for both languages: the C name and the Fortran name, the arguments, what is done before
/// the library's function is called, and what is recorded afterwards.
macro_rules! wrap {
    (
        $c:literal $f:literal ($($arg:ident: $kind:ident),* $(,)?)
        $(before { $($before:tt)* })?
        |$r:ident, $time:ident| $after:expr
    ) => {
        const _: () = {
            use $crate::language::{C, Fortran, Language};
            use $crate::wrap::{Name, enter, leave, padded};

            static NAME: Name = padded(concat!("MPI_", $c));
            type OfC = unsafe extern "C" fn($(<C as Language>::$kind),*) -> std::ffi::c_int;
            type OfFortran =
                unsafe extern "C" fn($(<Fortran as Language>::$kind,)* *mut std::ffi::c_int);

            #[unsafe(export_name = concat!("MPI_", $c))]
            unsafe extern "C" fn of_c($($arg: <C as Language>::$kind),*) -> std::ffi::c_int {
                #[allow(dead_code, reason = "not every call asks for its language")]
                type L = C;
                let own = enter(&NAME);
                // Where it is found out only now, that is not the program's computation.
                let real = $crate::wrap::named!(OfC, concat!("PMPI_", $c));
                let Some(own) = own else {
                    // SAFETY: with what the program has passed.
                    return unsafe { real($($arg),*) };
                };
                $($($before)*)?
                // SAFETY: with what the program has passed, or what stands for it.
                let result = unsafe { real($($arg),*) };
                #[allow(unused_unsafe, reason = "some calls pass nothing")]
                // SAFETY: the arguments are what MPI says.
                leave(own, |$r, $time| unsafe { $after });
                result
            }

            /// With the library's function, recorded in this way of calling it or not.
            unsafe fn by_address(
                real: fn() -> OfFortran,
                is_recorded: bool,
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                #[allow(dead_code, reason = "not every call asks for its language")]
                type L = Fortran;
                let own = if is_recorded { enter(&NAME) } else { None };
                let real = real();
                let Some(own) = own else {
                    // SAFETY: with what the program has passed.
                    return unsafe { real($($arg,)* error) };
                };
                $($($before)*)?
                // SAFETY: with what the program has passed, or what stands for it.
                unsafe { real($($arg,)* error) };
                #[allow(unused_unsafe, reason = "some calls pass nothing")]
                // SAFETY: the arguments are what MPI says.
                leave(own, |$r, $time| unsafe { $after });
            }

            unsafe fn of_fortran(
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                let real = || $crate::wrap::named!(OfFortran, concat!("pmpi_", $f, "_"));
                let is_recorded = $crate::recorder::fortran_is_recorded();
                // SAFETY: with what the program has passed.
                unsafe { by_address(real, is_recorded, $($arg,)* error) }
            }

            unsafe fn of_f08(
                $($arg: <Fortran as Language>::$kind,)*
                error: *mut std::ffi::c_int,
            ) {
                let real = || $crate::wrap::named!(
                    OfFortran, concat!("pmpi_", $f, "_f08_"), concat!("pmpir_", $f, "_f08_")
                );
                let is_recorded = $crate::recorder::f08_is_recorded();
                // SAFETY: with what the program has passed.
                unsafe { by_address(real, is_recorded, $($arg,)* error) }
            }

            // How compilers spell a Fortran name; and what Open MPI's `mpi_f08` calls.
            $crate::wrap::spelled!(concat!("mpi_", $f, "_"), of_fortran, $($arg: $kind),*);
            $crate::wrap::spelled!(concat!("mpi_", $f, "__"), of_fortran, $($arg: $kind),*);
            $crate::wrap::spelled!(concat!("mpi_", $f), of_fortran, $($arg: $kind),*);
            $crate::wrap::spelled!(concat!("ompi_", $f, "_f"), of_fortran, $($arg: $kind),*);
            // MPICH's, where nothing is passed that could be a buffer.
            $crate::wrap::spelled!(concat!("mpi_", $f, "_f08_"), of_f08, $($arg: $kind),*);
        };
    };
}
pub(crate) use wrap;

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

/// The library's function of one of these names.
macro_rules! named {
    ($type:ty, $($name:expr),+) => {{
        const NAMES: &[&std::ffi::CStr] = &[$(
            match std::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            }
        ),+];
        static FUNCTION: $crate::symbols::Function = $crate::symbols::Function::new(NAMES);
        // SAFETY: MPI says that the function of this name has this type.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, $type>(FUNCTION.address()) }
    }};
}
pub(crate) use named;

/// A call that is counted and named, whatever its arguments: fourteen of them reach the library,
/// those that the program has passed and whatever lies behind them, which the library does not look
/// at.
macro_rules! other {
    ($($c:literal $f:literal)*) => { $(
        const _: () = {
            use $crate::wrap::{Name, enter, leave, named, padded};
            type Any = usize;
            type Real = unsafe extern "C" fn(
                Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any,
            ) -> std::ffi::c_int;

            static NAME: Name = padded(concat!("MPI_", $c));
            #[unsafe(export_name = concat!("MPI_", $c))]
            unsafe extern "C" fn of_c(
                a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any,
                h: Any, i: Any, j: Any, k: Any, l: Any, m: Any, n: Any,
            ) -> std::ffi::c_int {
                let own = enter(&NAME);
                let real = named!(Real, concat!("PMPI_", $c));
                // SAFETY: with what the program has passed.
                let result = unsafe { real(a, b, c, d, e, f, g, h, i, j, k, l, m, n) };
                if let Some(own) = own {
                    leave(own, |recorder, time| recorder.other(time, $c));
                }
                result
            }
            unsafe fn of_fortran(
                a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any,
                h: Any, i: Any, j: Any, k: Any, l: Any, m: Any, n: Any,
            ) {
                let own = if $crate::recorder::fortran_is_recorded() { enter(&NAME) } else { None };
                let real = named!(Real, concat!("pmpi_", $f, "_"));
                // SAFETY: with what the program has passed.
                unsafe { real(a, b, c, d, e, f, g, h, i, j, k, l, m, n) };
                if let Some(own) = own {
                    leave(own, |recorder, time| recorder.other(time, $c));
                }
            }
            unsafe fn of_f08(
                a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any,
                h: Any, i: Any, j: Any, k: Any, l: Any, m: Any, n: Any,
            ) {
                let own = if $crate::recorder::f08_is_recorded() { enter(&NAME) } else { None };
                let real =
                    named!(Real, concat!("pmpi_", $f, "_f08_"), concat!("pmpir_", $f, "_f08_"));
                // SAFETY: with what the program has passed.
                unsafe { real(a, b, c, d, e, f, g, h, i, j, k, l, m, n) };
                if let Some(own) = own {
                    leave(own, |recorder, time| recorder.other(time, $c));
                }
            }

            $crate::wrap::spelled_any!(concat!("mpi_", $f, "_"), of_fortran);
            $crate::wrap::spelled_any!(concat!("mpi_", $f, "__"), of_fortran);
            $crate::wrap::spelled_any!(concat!("mpi_", $f), of_fortran);
            $crate::wrap::spelled_any!(concat!("ompi_", $f, "_f"), of_fortran);
            $crate::wrap::spelled_any!(concat!("mpi_", $f, "_f08_"), of_f08);
        };
    )* };
}
pub(crate) use other;

/// One spelling of a Fortran wrapper with any arguments.
macro_rules! spelled_any {
    ($name:expr, $wrapper:ident) => {
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn spelled(
                a: Any,
                b: Any,
                c: Any,
                d: Any,
                e: Any,
                f: Any,
                g: Any,
                h: Any,
                i: Any,
                j: Any,
                k: Any,
                l: Any,
                m: Any,
                n: Any,
            ) {
                // SAFETY: with what the program has passed.
                unsafe { $wrapper(a, b, c, d, e, f, g, h, i, j, k, l, m, n) }
            }
        };
    };
}
pub(crate) use spelled_any;
