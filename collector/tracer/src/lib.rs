//! The library that `loggia trace` preloads into MPI programs.
//!
//! It uses MPI's profiling interface: the program's `MPI_Send` is the one of this library, which calls
//! `PMPI_Send`. One build works with Open MPI and with libraries that have MPICH's binary interface, and
//! is built without either; [`abi`] has what it needs to know of them.
//!
//! Open MPI's Fortran routines call `PMPI_…`, so they are wrapped, too. MPICH's call `MPI_…`, where they
//! are recorded.
//!
//! | file | what it holds |
//! |---|---|
//! | `wrap` | wrappers of the calls |
//! | `calls/` | records of each call |
//! | `recorder` | the program's requests, communicators and windows |
//! | `abi` | the libraries' handles, statuses and constants |
//! | `language` | arguments of C and Fortran |
//! | `library` | queries to the MPI library |
//! | `sink` | the file of a rank |
//! | `clock` | the clock, and its offset from rank 0's |
//! | `symbols` | the library's own functions |
//!
//! Without `LOGGIA_TRACE`, the folder to write to, or if it cannot write, it only forwards calls.

#![allow(unsafe_code, reason = "it speaks the C language's interface, from both sides")]
#![allow(clippy::too_many_arguments, reason = "MPI has functions with that many")]

mod abi;
mod calls;
mod clock;
mod language;
mod library;
mod recorder;
mod sink;
mod symbols;
mod wrap;
